"""One PostgreSQL connection, with its errors turned into Tilth's."""

import functools
import itertools
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import field

import psycopg
from psycopg import errors
from psycopg.conninfo import conninfo_to_dict

from tilth.core.dataclass import dataclass
from tilth.core.errors import (
    ConflictError,
    CorruptionError,
    ForbiddenError,
    InvalidInputError,
    TilthError,
    UnavailableError,
)
from tilth.ledger.engine import (
    Row,
    SharedConnection,
    closed_on_error,
    filled_among,
    lone_surrogate_error,
)

# What definitions of tables call the engine's types (`tilth.core.table`).
TYPES = {
    "integer": "BIGINT",
    "blob": "BYTEA",
    "strict": "",
    "keyed": "",
    "bytewise": 'COLLATE "C"',
    # Where a session has made a temporary one and kept it, prepared statements do not see those
    # that `verify` makes.
    "aside": "TABLE",
}
INTEGERS = "(SELECT value::bigint FROM json_array_elements_text(?::json))"
# Payloads may have a million characters each, so few rows are fetched at a time.
_FETCHED = 200
_CONNECT_TIMEOUT_S = 10
# What a server's own settings may have weakened or slowed: an acknowledgement means durable,
# strings are read as they are written here, and compiling a query costs more than ours gain.
_SETTINGS = """
SELECT set_config('lock_timeout', '{busy_timeout_ms}', false),
       set_config('standard_conforming_strings', 'on', false),
       set_config('jit', 'off', false);
SELECT set_config('synchronous_commit', 'on', false)
WHERE current_setting('synchronous_commit') = 'off'
"""

# What keeps a store from being served: the first that an error is one of, in our words.
_UNAVAILABLE: Sequence[tuple[tuple[type[psycopg.Error], ...], str, str]] = (
    (
        (errors.LockNotAvailable,),
        "the store at {name} is busy",
        "another process is writing; try again",
    ),
    (
        (errors.DiskFull,),
        "no space is left on the disk of PostgreSQL at {name}: {said}",
        "free some there and try again",
    ),
    (
        (errors.ReadOnlySqlTransaction,),
        "PostgreSQL at {name} takes no writes: {said}",
        "is it a standby? Name the primary, or let its database be written",
    ),
    (
        (errors.IdleInTransactionSessionTimeout, errors.TransactionTimeout),
        "PostgreSQL at {name} ended what took too long: {said}",
        "raise its idle_in_transaction_session_timeout, and try again",
    ),
    (
        (psycopg.OperationalError, psycopg.InterfaceError),
        "PostgreSQL at {name} does not answer: {said}",
        "does it run, with that database, and is the password in ~/.pgpass or PGPASSWORD?",
    ),
)

RawConnection = psycopg.Connection[Row]


@dataclass(frozen=True, slots=True)
class Address:
    """Where a database is: its URL, and a name for it that may be shown."""

    url: str = field(repr=False)
    name: str


def parse_url(url: str) -> Address:
    """
    Read the URL of a database.

    Raises:
        InvalidInputError: it is not one.
    """
    try:
        parts = conninfo_to_dict(url)
    except psycopg.ProgrammingError:
        # What the driver says about it quotes the URL, and with it the password.
        raise InvalidInputError(
            "the URL of the store cannot be read",
            hint="write postgresql://USER@HOST:PORT/DATABASE",
        ) from None
    host = parts.get("host") or parts.get("hostaddr") or "localhost"
    port = parts.get("port") or "5432"
    return Address(url, f"{host}:{port}/{parts.get('dbname') or parts.get('user') or ''}")


def connect(address: Address, *, busy_timeout_s: float) -> RawConnection:
    """Open a connection with the settings that our promises rest on."""
    with translated_errors(address):
        raw: RawConnection = psycopg.connect(
            address.url,
            autocommit=True,
            client_encoding="utf8",
            connect_timeout=_CONNECT_TIMEOUT_S,
            fallback_application_name="tilth",
        )
        with closed_on_error(raw):
            # A time of 0 would mean to wait for ever.
            milliseconds = max(1, int(busy_timeout_s * 1000))
            raw.execute(_SETTINGS.format(busy_timeout_ms=milliseconds).encode())
    # To plan a query takes longer than to answer it. A prepared one is planned a few times, and a
    # garden asks 160 different ones in turn.
    raw.prepare_threshold, raw.prepared_max = 1, 400
    return raw


@contextmanager
def translated_errors(address: Address) -> Iterator[None]:
    """Translate what psycopg raises about the store at *address*."""
    try:
        yield
    except psycopg.Error as error:
        raise _translated(error, address) from error


def _translated(error: psycopg.Error, address: Address) -> TilthError:
    said = error.diag.message_primary or str(error).partition("\n")[0]
    if isinstance(error, errors.InsufficientPrivilege):
        return ForbiddenError(f"the database refused it: {said}")
    if isinstance(error, psycopg.IntegrityError | errors.SerializationFailure):
        return ConflictError(f"the database refused it: {said}")
    for kinds, told, hint in _UNAVAILABLE:
        if isinstance(error, kinds):
            return UnavailableError(told.format(name=address.name, said=said), hint=hint)
    return CorruptionError(
        f"the store at {address.name} is damaged: {said}",
        hint="`tilth doctor` names what mends it",
    )


@functools.lru_cache(maxsize=512)
def _in_psycopgs_marks(sql: str) -> bytes:
    return sql.replace("%", "%%").replace("?", "%s").encode()


class PostgresConnection(SharedConnection):
    """A connection inside a transaction. See `tilth.ledger.engine.Connection`."""

    def __init__(
        self,
        raw: RawConnection,
        address: Address,
        *,
        is_writing: bool = False,
        is_still: bool = False,
    ) -> None:
        self.raw = raw
        self.is_writing = is_writing
        self.address = address
        super().__init__(is_still=is_still)
        self._streams = itertools.count()

    def rows(self, sql: str, params: Sequence[object] = ()) -> list[Row]:
        """Run one statement and return its rows."""
        # Nearly all that is read and written comes by here, a fact by forty statements. So nothing
        # is put around it, and its columns are not described.
        try:
            cursor = self._cursor.execute(_in_psycopgs_marks(sql), params)
            return [] if cursor.rownumber is None else cursor.fetchall()
        except psycopg.Error as error:
            self._has_failed = True
            raise _translated(error, self.address) from error
        except UnicodeEncodeError as error:
            raise lone_surrogate_error(error) from error

    def stream(self, sql: str, params: Sequence[object] = ()) -> Iterator[Row]:
        """Run one statement and yield its rows in bounded memory."""
        name = f"tilth_{next(self._streams)}"
        with self._watched(), self.raw.cursor(name) as cursor:
            cursor.itersize = _FETCHED
            cursor.execute(_in_psycopgs_marks(sql), params)
            yield from cursor

    @property
    def types(self) -> Mapping[str, str]:
        """What PostgreSQL calls the types in a table's definition."""
        return TYPES

    def stored(self, table: str) -> str:
        """Return the name of the stored table."""
        return f"{self._schema}.{table}"

    @functools.cached_property
    def _cursor(self) -> psycopg.Cursor[Row]:
        return self.raw.cursor()

    @functools.cached_property
    def _schema(self) -> str:
        return str(self.rows("SELECT quote_ident(current_schema())")[0][0])

    def temporary(self, table: str) -> str:
        """Return the name of the temporary table, which PostgreSQL looks for first."""
        return f"pg_temp.{table}"

    def filled(self, tables: Sequence[str]) -> list[str]:
        """Return which of the stored *tables* hold a row."""
        # A file without a page holds none, and to plan a question about a table takes far longer.
        sized = self.rows(
            "SELECT name FROM unnest(?::text[]) AS t (name)"
            " WHERE pg_relation_size((? || name)::regclass) > 0",
            (list(tables), self.stored("")),
        )
        return filled_among(self, [name for (name,) in sized])

    def empty(self, tables: Sequence[str]) -> None:
        """Delete every row of *tables*; truncating them would wait for everybody who reads."""
        for table in self.filled(tables):
            self.rows(f"DELETE FROM {self.stored(table)}")  # noqa: S608 - a name of ours

    def unshadow(self, tables: Sequence[str], *, is_kept: bool = False) -> None:
        """
        Let the names of *tables* mean the stored ones again.

        Dropping the temporary ones takes longer than all else of a check: they go with the
        transaction, and until then are looked for last. One that has failed answers nothing more.
        """
        del tables, is_kept
        if self._has_failed:
            return
        self.rows(
            "SELECT set_config('search_path', current_setting('search_path') || ', pg_temp', true)"
        )

    @contextmanager
    def _watched(self) -> Iterator[None]:
        with translated_errors(self.address):
            try:
                yield
            except psycopg.Error:
                self._has_failed = True
                raise
