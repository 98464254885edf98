"""The interface of an engine, with which the shared SQL makes a store."""

from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import Any, Generic, NamedTuple, Protocol, TypeAlias, TypeVar, cast

from tilth.core.dataclass import dataclass
from tilth.core.errors import ConflictError, InvalidInputError, NewerSchemaError
from tilth.embedding.embedder import Vector

Row: TypeAlias = tuple[Any, ...]
T = TypeVar("T")
_Sink_co = TypeVar("_Sink_co", covariant=True)

BUSY_TIMEOUT_S = 30.0
# The remedy for a refused store: everything else can be rebuilt from the ledger, which only a copy
# replaces.
REMAKING = "a person makes them again from the ledger with: tilth rebuild"
RESTORING = "restore a backup with: tilth restore"
_LISTED_MAX = 5


def listed(tables: Collection[str]) -> str:
    """Return the names of *tables* for a message: some of them, where they are many."""
    names = sorted(tables)
    more = f" and {len(names) - _LISTED_MAX} more" if len(names) > _LISTED_MAX else ""
    return ", ".join(names[:_LISTED_MAX]) + more


def closed_error() -> InvalidInputError:
    """Return the error for a closed store."""
    return InvalidInputError("this store is closed", hint="open it again: tilth.connect()")


def lone_surrogate_error(error: UnicodeEncodeError) -> InvalidInputError:
    """Return the error for a lone surrogate, which no store can hold."""
    half = error.object[error.start].encode("unicode_escape").decode("ascii")
    return InvalidInputError(
        f"{half} is half of a character", hint="decode the text with errors='replace'"
    )


def check_schema(name: str, opened: int, now: int) -> None:
    """
    Refuse to continue if a newer program migrated the store meanwhile.

    Records of this program would lack what the new schema adds.

    Raises:
        NewerSchemaError: *now* is not the schema that it was *opened* with.
    """
    if now != opened:
        raise NewerSchemaError(
            f"{name} was brought to schema {now} by a newer tilth;"
            f" this process opened it with schema {opened}",
            hint="end this process and start it again, with the newer version",
        )


@dataclass(frozen=True, slots=True)
class Finding:
    """A finding of damage: where, and in what way."""

    part: str
    seq: int | None
    problem: str


@dataclass(frozen=True, slots=True)
class Scored:
    """The place of an episode or fact in the ledger, with a score; higher is better."""

    seq: int
    score: float


@dataclass(frozen=True, slots=True)
class SpaceStats:
    """The vectors of an embedding space: their number and mean."""

    space: str
    vector_count: int
    mean: Vector


class Connection(Protocol):
    """One connection, inside a transaction. Parameters are written `?` on both engines."""

    @property
    def is_writing(self) -> bool:
        """Whether it may see what other connections do not see yet."""
        ...

    @property
    def realms(self) -> dict[Hashable, Any]:
        """A cache for `tilth.ledger.realms`; no other connection adds a realm meanwhile."""
        ...

    def rows(self, sql: str, params: Sequence[object] = ()) -> list[Row]:
        """Run one statement and return its rows."""
        ...

    def stream(self, sql: str, params: Sequence[object] = ()) -> Iterator[Row]:
        """Run one statement and yield its rows in bounded memory."""
        ...

    def once(self, key: Hashable, make: Callable[[], T]) -> T:
        """Return the result of *make*, cached by *key* where nothing changes."""
        ...

    @property
    def types(self) -> Mapping[str, str]:
        """The engine's names for types in a table's definition."""
        ...

    def stored(self, table: str) -> str:
        """Return the name of the stored *table* while a temporary one shadows it."""
        ...

    def temporary(self, table: str) -> str:
        """Return the name of the temporary table that shadows *table*."""
        ...

    def filled(self, tables: Sequence[str]) -> list[str]:
        """Return which of the stored *tables* contain a row."""
        ...

    def empty(self, tables: Sequence[str]) -> None:
        """Delete every row of the stored *tables*."""
        ...

    def unshadow(self, tables: Sequence[str], *, is_kept: bool = False) -> None:
        """
        Make the names of *tables* mean the stored ones again, until the connection closes.

        If *is_kept*, the temporary ones can still be reached by `temporary`.
        """
        ...


class SharedConnection:
    """What the connections of both engines have in common."""

    def __init__(self, *, is_still: bool) -> None:
        self._made: dict[Hashable, Any] | None = {} if is_still else None
        self.realms: dict[Hashable, Any] = {}
        self._has_failed = False

    def check_unbroken(self) -> None:
        """
        Refuse to continue after a failed statement, even if the caller ignored its error.

        PostgreSQL would answer COMMIT with a silent ROLLBACK.

        Raises:
            ConflictError: a statement failed.
        """
        if self._has_failed:
            raise ConflictError("a part of this transaction failed, so nothing of it is kept")

    def once(self, key: Hashable, make: Callable[[], T]) -> T:
        """Return the result of *make*, cached by *key* where nothing changes."""
        if self._made is None:
            return make()
        if key not in self._made:
            self._made[key] = make()
        return cast("T", self._made[key])


class _Closable(Protocol):
    def close(self) -> None: ...


@contextmanager
def closed_on_error(raw: _Closable) -> Iterator[None]:
    """Close a connection if the block, which prepares it, fails."""
    try:
        yield
    except BaseException:
        raw.close()
        raise


def filled_among(conn: Connection, tables: Sequence[str]) -> list[str]:
    """Return which of the stored *tables* contain a row, reading one row of each."""
    asked = (
        f"SELECT '{table}' WHERE EXISTS (SELECT 1 FROM {conn.stored(table)})"  # noqa: S608 - names of ours
        for table in tables
    )
    return [name for (name,) in conn.rows(" UNION ALL ".join(asked))] if tables else []


@dataclass(frozen=True, slots=True)
class Indexed:
    """A kind of record with a full-text index: its place, and the column for filters."""

    noun: str
    source: str
    place: str


EPISODES = Indexed("episode", "episodes e", "e.seq")
FACTS = Indexed("fact", "facts f CROSS JOIN lives v", "f.fact_no")


@dataclass(frozen=True, slots=True)
class Where:
    """
    A filter on what is `indexed`, as SQL on its aliases and as the bounds behind it.

    `realms` are the numbers of the (owner, scope) pairs under which the index
    is searched; `is_open` says that nothing but them narrows the filter, and
    `sees_all` that not even they do. Instants are microseconds, bounds are half-open.
    """

    indexed: Indexed
    sql: str
    params: tuple[object, ...]
    realms: tuple[int, ...]
    is_open: bool
    sees_all: bool


def realm_token(realm_no: int) -> str:
    """Return the token of whatever is recorded in a realm; no term has an underscore."""
    return f"_{realm_no}"


class TextSink(Protocol):
    """Takes in the terms of episodes or of facts, in the order of the ledger."""

    def add(self, conn: Connection, seq: int, realm_no: int, terms: Sequence[str]) -> None:
        """Take in one episode or fact, with the realm that it was recorded in."""
        ...


class TextCheck(TextSink, Protocol):
    """Is told by a replay what the full-text index should hold, and compares."""

    def findings(self, conn: Connection) -> Iterator[Finding]:
        """Yield where the index differs from what was taken in."""
        ...


class StagedText(TextSink, Protocol):
    """Takes in what a full-text index is to hold, beside the one that is there."""

    def take_over(self, conn: Connection) -> None:
        """Make the index what was taken in."""
        ...


class TextIndex(TextSink, Protocol):
    """Finds episodes or facts by term; these come from `tilth.core.text.tokens` on both sides."""

    def match(
        self, conn: Connection, terms: Sequence[str], where: Where, limit: int
    ) -> list[Scored]:
        """Return what holds any of *terms*, best first, ties by the newer."""
        ...

    def frequencies(
        self, conn: Connection, terms: Sequence[str], where: Where
    ) -> Mapping[str, int]:
        """Return in how many episodes or facts of the visible realms each term occurs."""
        ...

    def clear(self, conn: Connection) -> None:
        """Empty the index."""
        ...

    def check(self, conn: Connection) -> TextCheck:
        """Begin to compare the index with what it was made from."""
        ...

    def stage(self, conn: Connection) -> StagedText:
        """Begin another one beside it, which lasts as long as the connection."""
        ...


@dataclass(frozen=True, slots=True)
class Texts(Generic[_Sink_co]):
    """One of each: for what was said and done, and for what was stated."""

    episodes: _Sink_co
    facts: _Sink_co


class VectorIndex(Protocol):
    """Keeps the vectors of every embedding space, and finds the nearest."""

    def put(self, conn: Connection, space: str, vectors: Iterable[tuple[int, Vector]]) -> None:
        """Keep vectors; one that is there stays."""
        ...

    def nearest(
        self, conn: Connection, space: str, vector: Vector, where: Where, limit: int
    ) -> list[Scored]:
        """Return what has the largest mean-centred cosine, best first."""
        ...

    def cosines(self, conn: Connection, space: str, vector: Vector, seqs: Sequence[int]) -> Vector:
        """Return the mean-centred cosine at each of *seqs*; NaN where there is no vector."""
        ...

    def alike(self, conn: Connection, space: str, seqs: Sequence[int]) -> Vector:
        """Return the mean-centred cosine of each of *seqs* with each; NaN: one has no vector."""
        ...

    def get(self, conn: Connection, space: str, seqs: Sequence[int]) -> Mapping[int, Vector]:
        """Return stored vectors."""
        ...

    def spaces(self, conn: Connection) -> list[SpaceStats]:
        """Return the spaces, in the order in which they came."""
        ...

    def without(self, conn: Connection, space: str, after: int, limit: int) -> list[int]:
        """Return the places of episodes and facts that have no vector in *space*, ascending."""
        ...

    def drop(self, conn: Connection, space: str) -> None:
        """Forget a space."""
        ...

    def drop_all(self, conn: Connection) -> None:
        """Forget every space, whatever is left of it."""
        ...

    def forget(self, conn: Connection, seqs: Sequence[int]) -> None:
        """Forget the vectors of these places in every space, in the memory of others too."""
        ...

    def check(self, conn: Connection) -> Iterator[Finding]:
        """Check every stored vector."""
        ...


class OwnConnection(NamedTuple):
    """
    A connection of its own, on which temporary tables outlast a transaction.

    `reading` opens a snapshot, on which temporary tables may be made; `writing` opens the one
    write transaction, and leaving it commits durably.
    """

    reading: Callable[[], AbstractContextManager[Connection]]
    writing: Callable[[], AbstractContextManager[Connection]]


class Engine(Protocol):
    """A database that the shared SQL runs on."""

    @property
    def integers(self) -> str:
        """A subquery that turns the parameter `?`, a JSON array, into rows of one integer."""
        ...

    @property
    def like(self) -> str:
        """The operator that compares a text with a pattern, whatever the case of ASCII letters."""
        ...

    @property
    def text(self) -> Texts[TextIndex]:
        """The full-text indexes."""
        ...

    @property
    def vectors(self) -> VectorIndex:
        """The vectors."""
        ...

    def writing(self) -> AbstractContextManager[Connection]:
        """Open the one write transaction; leaving it commits durably."""
        ...

    def reading(self) -> AbstractContextManager[Connection]:
        """Open a read-only snapshot."""
        ...

    def checking(self) -> AbstractContextManager[Connection]:
        """Open a snapshot of its own connection, on which temporary tables may be made."""
        ...

    def own_connection(self) -> AbstractContextManager[OwnConnection]:
        """Open a connection for several transactions; it is closed behind them."""
        ...

    def purge(self) -> None:
        """
        Rewrite the database, so that nothing lies in its files that no table holds.

        Raises:
            UnavailableError: somebody else uses it, and what they read cannot go yet.
        """
        ...

    def backup(self, target: str, check: Callable[[Path], object]) -> None:
        """Copy one snapshot to a file that *check* looks at; engines with own tools refuse."""
        ...

    def damage(self, conn: Connection) -> Iterator[Finding]:
        """Run the engine's own integrity check."""
        ...

    def close(self) -> None:
        """Close every connection. Calling it twice does no harm."""
        ...
