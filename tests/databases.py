"""
PostgreSQL databases that tests hand on: what one gave back is made again what the next asks for.

To copy a database, to connect to it and to plan in it what a test asks took twice as long as the
test itself. So a database that a test gave back keeps the connections that the test closed, with
all that they know of tables and plans, and the next test begins with the rows that its own copy
would have held. Whatever else than rows may differ, the database is dropped for it: its tables,
functions, rights or settings are no longer those of the copy; somebody is still connected;
another process was told of it.
"""

import functools
import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

import psycopg
from psycopg import pq
from psycopg.pq import ExecStatus, TransactionStatus
from psycopg.pq.abc import PGconn

from tilth.ledger.postgres.schema import WRITING

# How often one is handed on: what is deleted stays in its files.
TURNS_MAX = 40
_SPARE_MAX = 3
_IDLE_MAX = 3
_LABEL = re.compile(r"[?&]application_name=(\w+)")
# As DISCARD ALL, but plans stay.
_FORGET = b"""
CLOSE ALL; SET SESSION AUTHORIZATION DEFAULT; RESET ALL; UNLISTEN *;
SELECT pg_advisory_unlock_all(); DISCARD TEMP; DISCARD SEQUENCES
"""
# Where a temporary table was committed, the session looks for temporary ones first from then on,
# and goes by plans of before that do not.
_IS_PLAIN = b"SELECT 1 WHERE pg_my_temp_schema() = 0"
_FILLED = """
SELECT quote_ident(relname) FROM pg_class
WHERE relnamespace = current_schema()::regnamespace AND relkind = 'r' AND pg_relation_size(oid) > 0
ORDER BY relname
"""
_SEQUENCES = """
SELECT quote_ident(relname) FROM pg_class
WHERE relnamespace = current_schema()::regnamespace AND relkind = 'S' ORDER BY relname
"""
# Whoever changes a table or a right writes rows of these anew, or takes some away. We alone write a
# function anew, to let us delete, so of those the text counts.
_WATCHED = (
    "pg_class", "pg_attribute", "pg_attrdef", "pg_trigger", "pg_constraint", "pg_type",
    "pg_namespace", "pg_extension", "pg_default_acl", "pg_event_trigger", "pg_policy", "pg_rewrite",
)  # fmt: skip
_CATALOG = f"""
SELECT {", ".join(f"(SELECT array[count(*), {{newer}}] FROM {one})" for one in _WATCHED)},
       (SELECT array[count(*), max(oid::bigint)] FROM pg_proc),
       (SELECT string_agg(prosrc, '' ORDER BY oid) FROM pg_proc
        WHERE pronamespace = current_schema()::regnamespace),
       (SELECT count(*) FROM pg_db_role_setting JOIN pg_database d ON setdatabase = d.oid
        WHERE datname = current_database())
"""
_NEWER = "count(*) FILTER (WHERE age(xmin) < age('{}'::xid))"
_OTHERS = """
SELECT count(*) FROM pg_stat_activity
WHERE datname = current_database() AND backend_type = 'client backend' AND pid <> ALL (%s)
"""
# Nobody deletes a line of the ledger; and to take its guard away and put it back would make each
# connection learn and plan anew all that has to do with the ledger.
_GUARD = "SELECT pg_get_functiondef('ledger_only_grows'::regproc)"
_LET_PASS = """
CREATE OR REPLACE FUNCTION ledger_only_grows() RETURNS trigger LANGUAGE plpgsql AS
$$ BEGIN RETURN OLD; END $$
"""


class LeakError(AssertionError):
    """A database that is handed on holds other rows than the next test asks for."""


@dataclass(frozen=True)
class Contents:
    """What a copy holds, how it is asked for its catalog, and what that answers."""

    asked: str
    catalog: object
    rows: Mapping[str, bytes]
    counts: Mapping[str, int]
    sequences: Mapping[str, tuple[int, bool]]


@dataclass
class Database:
    """One that several tests have in turn, each under a label of its own."""

    name: str
    server_url: str
    schema: str
    turn: int = 1
    is_known_elsewhere: bool = False
    idle: list[tuple[PGconn, Any]] = field(default_factory=list)

    @property
    def label(self) -> str:
        return f"{self.name}_{self.turn}"

    @property
    def url(self) -> str:
        return url_of(self.server_url, self.name, self.label, self.schema)

    @functools.cached_property
    def keeper(self) -> psycopg.Connection:
        """Whoever looks after it."""
        conn = psycopg.Connection.connect(self.url, autocommit=True, prepare_threshold=0)
        conn.prepared_max = 400
        settings = "SET session_replication_role = replica; SET lock_timeout = '5s'"
        conn.execute(f"{WRITING.replace('LOCAL', 'SESSION')}; {settings}", prepare=False)
        return conn

    def close(self) -> None:
        """Close every connection."""
        if "keeper" in self.__dict__:
            self.keeper.close()
        for pgconn, _ in self.idle:
            pgconn.finish()
        self.idle.clear()


def url_of(server_url: str, name: str, label: str, schema: str) -> str:
    """Return where a store is; whoever connects is known by the label."""
    database = server_url.replace("/postgres?", f"/{name}?")
    return f"{database}&application_name={label}&options=-csearch_path%3D{schema},public"


class Kept(psycopg.Connection):
    """A connection whose session outlives it."""

    give_back: Callable[[PGconn, Any], bool]

    def close(self) -> None:  # type: ignore[explicit-override] # from typing in 3.12 alone
        if not self.closed and self.give_back(self.pgconn, self._prepared):
            self.pgconn, self._closed = _ended(), True
        super().close()


@functools.cache
def _ended() -> PGconn:
    """Return a connection that is closed."""
    pgconn = pq.PGconn.connect_start(b"host=/nowhere")
    pgconn.finish()
    return pgconn


def _does(pgconn: PGconn, command: bytes) -> bool:
    return pgconn.exec_(command).status in {ExecStatus.COMMAND_OK, ExecStatus.TUPLES_OK}


class Databases:
    """Those of one worker of a test run."""

    def __init__(self, server: Any) -> None:
        self._server = server
        self._contents: dict[str, Contents] = {}
        self._spare: list[Database] = []
        self._out: dict[str, Database] = {}
        self._given_back: set[str] = set()

    def lend(self, name: str, template: str, schema: str) -> Database:
        """Return one that is as *template*: one that was given back, or else a new *name*."""
        database = self._again(template, schema) or self._made(name, template, schema)
        self._out[database.label] = database
        return database

    def take_back(self, database: Database) -> None:
        """Take one whose test is over."""
        self._given_back.add(database.label)
        del self._out[database.label]
        database.turn += 1
        is_worn = database.turn > TURNS_MAX or database.is_known_elsewhere
        if is_worn or len(self._spare) >= _SPARE_MAX:
            self._drop(database)
        else:
            self._spare.append(database)

    def connect(
        self, conninfo: str = "", *, autocommit: bool = False, **settings: Any
    ) -> psycopg.Connection:
        """Connect as `psycopg.connect` does; to one that is lent, by a session of it."""
        label = next(iter(_LABEL.findall(conninfo)), "")
        if label in self._given_back:
            raise psycopg.OperationalError(f"the test that had {label} is over")
        database = self._out.get(label)
        if database is None or conninfo != database.url:
            return psycopg.Connection.connect(conninfo, autocommit=autocommit, **settings)
        conn = _resumed(database) or Kept.connect(conninfo, **settings)
        conn.autocommit = autocommit
        conn.give_back = functools.partial(_keep, database, label)
        return conn

    def close(self) -> None:
        for database in self._spare:
            self._drop(database)
        self._spare.clear()

    def _made(self, name: str, template: str, schema: str) -> Database:
        self._server.copy(name, template)
        database = Database(name, self._server.url, schema)
        if template not in self._contents:
            self._contents[template] = contents_of(database.keeper)
        return database

    def _again(self, template: str, schema: str) -> Database | None:
        contents = self._contents.get(template)
        while contents and self._spare:
            database = self._spare.pop()
            if database.schema == schema and _is_fit(database, contents):
                with self._dropped_on_error(database):
                    refill(database.keeper, contents)
                return database
            self._drop(database)
        return None

    @contextmanager
    def _dropped_on_error(self, database: Database) -> Iterator[None]:
        try:
            yield
        except BaseException:
            self._drop(database)
            raise

    def _drop(self, database: Database) -> None:
        database.close()
        self._server.drop(database.name)


def _resumed(database: Database) -> Kept | None:
    """Return a new connection by a session that lies idle."""
    while True:
        try:
            pgconn, prepared = database.idle.pop()
        except IndexError:
            return None
        if _does(pgconn, b"SET application_name = " + database.label.encode()):
            conn = Kept(pgconn)
            conn._prepared = prepared
            conn.prepare_threshold = type(conn._prepared).prepare_threshold
            return conn


def _keep(database: Database, label: str, pgconn: PGconn, prepared: Any) -> bool:
    """Keep a session for the next connection, or say that it cannot be."""
    if database.label != label or len(database.idle) >= _IDLE_MAX:
        return False
    if pgconn.transaction_status in {TransactionStatus.INTRANS, TransactionStatus.INERROR}:
        _does(pgconn, b"ROLLBACK")
    if pgconn.transaction_status != TransactionStatus.IDLE or not _does(pgconn, _FORGET):
        return False
    if pgconn.exec_(_IS_PLAIN).ntuples != 1:
        return False
    database.idle.append((pgconn, prepared))
    return True


def _is_fit(database: Database, contents: Contents) -> bool:
    """Return whether nothing but rows differs from a copy, and nobody is there."""
    try:
        keeper = database.keeper
        ours = [keeper.info.backend_pid, *(pgconn.backend_pid for pgconn, _ in database.idle)]
        return (
            keeper.execute(_OTHERS, (ours,)).fetchone() == (0,)
            and keeper.execute(contents.asked).fetchone() == contents.catalog
        )
    except psycopg.Error:
        return False


def contents_of(keeper: psycopg.Connection) -> Contents:
    """Return all that a database holds."""
    ((now,),) = keeper.execute("SELECT pg_current_xact_id()::text").fetchall()
    asked = _CATALOG.format(newer=_NEWER.format(now))
    return Contents(
        asked=asked,
        catalog=keeper.execute(asked).fetchone(),
        rows={table: _copied(keeper, table) for table in _names(keeper, _FILLED)},
        counts=_counts(keeper),
        sequences=_positions(keeper),
    )


def refill(keeper: psycopg.Connection, contents: Contents) -> None:
    """
    Make a database hold *contents*, and nothing else.

    Raises:
        LeakError: it does not.
    """
    with keeper.transaction():
        ((guard,),) = keeper.execute(_GUARD).fetchall()
        keeper.execute(_LET_PASS, prepare=False)
        for table in _names(keeper, _FILLED):
            keeper.execute(f"DELETE FROM {table}")
        for table, rows in contents.rows.items():
            with keeper.cursor().copy(f"COPY {table} FROM STDIN (FORMAT binary)") as copy:
                copy.write(rows)
        for sequence, position in contents.sequences.items():
            keeper.execute("SELECT setval(%s, %s, %s)", (sequence, *position))
        keeper.execute(guard, prepare=False)
    check(keeper, contents)


def check(keeper: psycopg.Connection, contents: Contents) -> None:
    """
    See that a database holds as many rows as it should.

    Raises:
        LeakError: it does not.
    """
    held = _counts(keeper)
    if held != contents.counts:
        wrong = sorted(held.items() ^ contents.counts.items())
        raise LeakError(f"a database that is handed on holds other rows than it should: {wrong}")


def _names(keeper: psycopg.Connection, asked: str) -> list[str]:
    return [name for (name,) in keeper.execute(asked)]


def _copied(keeper: psycopg.Connection, table: str) -> bytes:
    # Lines of the ledger are refused unless they come in order.
    source = "(SELECT * FROM ledger ORDER BY seq)" if table == "ledger" else table
    with keeper.cursor().copy(f"COPY {source} TO STDOUT (FORMAT binary)") as copy:
        return b"".join(copy)


def _counts(keeper: psycopg.Connection) -> dict[str, int]:
    """Return how many rows are in each table that holds any."""
    tables = _names(keeper, _FILLED)
    if not tables:
        return {}
    counted = ", ".join(f"(SELECT count(*) FROM {table})" for table in tables)
    counts = keeper.execute(f"SELECT {counted}").fetchone() or ()
    return {table: count for table, count in zip(tables, counts, strict=True) if count}


def _positions(keeper: psycopg.Connection) -> dict[str, tuple[int, bool]]:
    return {
        name: position
        for name in _names(keeper, _SEQUENCES)
        for position in keeper.execute(f"SELECT last_value, is_called FROM {name}")
    }
