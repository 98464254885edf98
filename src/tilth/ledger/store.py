"""
A store: the ledger, its projections and its indexes, on either engine.

Canonical state is the ledger alone. Everything else is written in the same
transaction and can be made again by `rebuild`.
"""

import os
from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import TypeVar

from tilth.core.actor import Actor
from tilth.core.clock import Clock, Ids
from tilth.core.dataclass import dataclass
from tilth.core.errors import ConflictError, CorruptionError, InvalidInputError
from tilth.core.event import Event, Recorded
from tilth.core.ids import decode_ulid
from tilth.core.scope import Owner
from tilth.core.table import tables
from tilth.embedding.embedder import Vector
from tilth.ledger import verification
from tilth.ledger.chain import Head, Row
from tilth.ledger.engine import (
    BUSY_TIMEOUT_S,
    REMAKING,
    Connection,
    Engine,
    Finding,
    closed_error,
)
from tilth.ledger.erasures import ErasuresFile
from tilth.ledger.events import Erased, SetAside, erasure_of
from tilth.ledger.heads import HeadsFile
from tilth.ledger.log import (
    Appended,
    LedgerWriter,
    chain_at,
    head_of,
    load_rows,
    rows_after,
)
from tilth.ledger.projection import Rows, project
from tilth.ledger.realms import forget_realms
from tilth.ledger.records import place_of
from tilth.ledger.replay.fill_tables import fill, show
from tilth.ledger.replay.prepared_replay import (
    Change,
    PreparedReplay,
    prepare_replay,
    set_aside_after,
)
from tilth.ledger.snapshot import Snapshot

T = TypeVar("T")

# So often a replay is made ahead of a change that others change meanwhile; then they wait for it.
_REPLAYS_MAX = 3
_ERASE = "UPDATE ledger SET payload = NULL, salt = NULL WHERE event_id = ? AND payload IS NOT NULL"


@dataclass(frozen=True, slots=True)
class StoreEnvironment:
    """
    What a store needs besides its place: time, chance, and this installation's folder.

    `code` is another text for other declarations of events and tables; empty where
    that is not known.
    """

    clock: Clock
    ids: Ids
    state: Path
    busy_timeout_s: float = BUSY_TIMEOUT_S
    code: str = ""


class Transaction(Snapshot):
    """A snapshot that can be added to. All of it happens, or none."""

    def __init__(
        self,
        conn: Connection,
        engine: Engine,
        writer: LedgerWriter,
        erasures: ErasuresFile,
        rebuilding: "_Rebuilding",
    ) -> None:
        super().__init__(conn, engine)
        self._rows = Rows(conn, engine.text)
        self._writer = writer
        self._erasures = erasures
        self._rebuilding = rebuilding

    def append(
        self, event: Event, *, by: Actor, owner: Owner, idempotency_key: str | None = None
    ) -> Appended:
        """
        Add *event* to the ledger, and to every projection of it.

        A key that was used before returns what it was used for.

        Raises:
            IdempotencyConflictError: the key was used before, for something else.
        """
        appended = self._writer.append(event, by=by, owner=owner, idempotency_key=idempotency_key)
        if appended.is_new:
            project(self._rows, appended.recorded)
        return appended

    def erase(self, event: Erased, *, by: Actor, owner: Owner) -> Recorded:
        """
        Add *event*, destroy the payloads that it names, and make every projection again.

        Vectors that are not of them stay. `Store.purge` does the rest, once this is committed.
        """
        self._rebuilding.check(self.conn, event)
        recorded = self._writer.append(event, by=by, owner=owner, idempotency_key=None).recorded
        erase_payloads(self.conn, event)
        self.engine.vectors.forget(
            self.conn, [place_of(self.conn, one.event_id) for one in event.gone]
        )
        self._rebuilding.remake(self._rows, self.engine, event)
        # Before the commit: a crash in between finds there what is to be finished.
        self._erasures.note(erasure_of(recorded, event))
        return recorded

    def set_aside(self, event: SetAside, *, by: Actor, owner: Owner) -> Recorded:
        """
        Add *event*, and make every projection again without what is aside by now.

        Vectors of what came back are made by whoever looks for missing ones.

        Raises:
            ConflictError: what came back cannot stand beside what was recorded since.
        """
        self._rebuilding.check(self.conn, event)
        recorded = self._writer.append(event, by=by, owner=owner, idempotency_key=None).recorded
        places = [place_of(self.conn, one) for one in event.aside]
        self.engine.vectors.forget(self.conn, places)
        try:
            self._rebuilding.remake(self._rows, self.engine, event)
        except CorruptionError as error:
            raise ConflictError(f"something that stays rests on it: {error}") from error
        return recorded

    def remake(self) -> int:
        """
        Make every projection and text index again, drop all vectors, and count the events.

        Nothing of what is stored is trusted: it is emptied, and not compared.
        """
        self._rebuilding.check(self.conn, None)
        self.engine.vectors.drop_all(self.conn)
        _empty(self.conn, self.engine)
        self._rebuilding.remake(self._rows, self.engine, None)
        return self.head().seq

    def load(self, rows: Iterable[Row]) -> None:
        """
        Write the lines of another ledger into this one, which is empty, and show them.

        Raises:
            CorruptionError: they are not chained as they should be.
        """
        load_rows(self.conn, rows)
        remake(self.conn, self.engine)

    def put_vectors(self, space: str, vectors: Iterable[tuple[int, Vector]]) -> None:
        """Keep one unit vector of *space* for each place; a vector that is there stays."""
        self.engine.vectors.put(self.conn, space, vectors)

    def drop_space(self, space: str) -> None:
        """Forget every vector of *space*."""
        self.engine.vectors.drop(self.conn, space)


@dataclass(frozen=True, slots=True)
class _Rebuilding:
    """How a transaction makes every table again: by a replay made `ahead`, or under its lock."""

    ahead: PreparedReplay | None = None
    is_under_lock: bool = False

    def check(self, conn: Connection, change: Change) -> None:
        """Refuse to go on if no replay was made of *change*, and one is to be."""
        is_ready = self.ahead is not None and self.ahead.is_of(conn, change)
        if not (is_ready or self.is_under_lock):
            raise _ReplayNeededError(change)

    def remake(self, rows: Rows, engine: Engine, change: Change) -> None:
        """Show what a replay shows after *change*, and what this transaction appended besides."""
        if self.ahead is None:
            remake(rows.conn, engine)
            return
        self.ahead.take_over(rows.conn)
        aside = {decode_ulid(one) for one in set_aside_after(rows.conn, change)}
        own = rows_after(rows.conn, self.ahead.through)
        show(rows, (row for row in own if row.header.event_id not in aside), {})


class _ReplayNeededError(Exception):
    """A change was asked for whose replay is still to be made."""

    def __init__(self, change: Change) -> None:
        super().__init__()
        self.change = change


class Store:
    """Holds everything. What was acknowledged is durable, and the next read finds it."""

    def __init__(
        self, engine: Engine, heads: HeadsFile, erasures: ErasuresFile, clock: Clock, ids: Ids
    ) -> None:
        self._engine = engine
        self._heads = heads
        self._erasures = erasures
        self._clock = clock
        self._ids = ids
        self._is_head_known = False
        self._is_closed = False
        self._process = os.getpid()

    @property
    def store_id(self) -> str:
        """The store's own ID, made once."""
        return self._heads.store_id

    @contextmanager
    def begin(self) -> Iterator[Transaction]:
        """
        Open a transaction; leaving it commits durably, an exception rolls it back.

        Raises:
            InvalidInputError: it was closed, or opened by another process.
            UnavailableError: the store does not answer, or is busy for too long.
        """
        self._refuse_if_unusable()
        with self._transaction_on(self._engine.writing(), _Rebuilding(is_under_lock=True)) as tx:
            yield tx

    def change(self, act: Callable[[Transaction], T]) -> T:
        """
        Run *act* in a transaction of its own; others go on writing while all is replayed for it.

        Where it erases or sets aside, it is rolled back, the replay is made, and it runs again:
        so it must decide anew each time, by what it reads, and do nothing else outside.

        Raises:
            ConflictError: what came back cannot stand beside what was recorded since.
            UnavailableError: the store does not answer, or is busy for too long.
        """
        self._refuse_if_unusable()
        try:
            with self._transaction_on(self._engine.writing(), _Rebuilding()) as tx:
                return act(tx)
        except _ReplayNeededError as needed:
            change = needed.change
        for _ in range(_REPLAYS_MAX):
            with prepare_replay(self._engine, change) as ahead:
                try:
                    with self._transaction_on(ahead.writing(), _Rebuilding(ahead)) as tx:
                        return act(tx)
                except _ReplayNeededError as needed:
                    change = needed.change
        with self.begin() as tx:
            return act(tx)

    @contextmanager
    def _transaction_on(
        self, opened: AbstractContextManager[Connection], rebuilding: _Rebuilding
    ) -> Iterator[Transaction]:
        with opened as conn:
            self._refuse_if_rewound(conn)
            writer = LedgerWriter(conn, self._clock, self._ids)
            yield Transaction(conn, self._engine, writer, self._erasures, rebuilding)
            tail = writer.tail
        self._heads.keep(Head(tail.seq, tail.chain))

    def _refuse_if_rewound(self, conn: Connection) -> None:
        """Refuse to write on an old file put back: new events would hide that some are lost."""
        if self._is_head_known:
            return
        head = self._heads.latest()
        if head is not None and head.seq > 0 and chain_at(conn, head.seq) != head.chain:
            raise CorruptionError(
                f"the store is older than its signed head, or another: {head.seq} is not in it",
                hint="put the newest file back, or accept this one with: tilth verify --accept",
            )
        self._is_head_known = True

    def _refuse_if_unusable(self) -> None:
        """Refuse what was closed, and what a fork inherits: its threads and locks stay behind."""
        if self._is_closed:
            raise closed_error()
        if self._process != os.getpid():
            raise InvalidInputError(
                "this store was opened by the process that this one was forked from",
                hint="open one in each process: tilth.connect()",
            )

    @contextmanager
    def read(self) -> Iterator[Snapshot]:
        """
        Open a snapshot.

        Raises:
            InvalidInputError: it was closed, or opened by another process.
        """
        self._refuse_if_unusable()
        with self._engine.reading() as conn:
            yield Snapshot(conn, self._engine)

    def swapped(self) -> Finding | None:
        """Return what the heads kept outside say against the store that is here, if they do."""
        if (other := self._heads.swapped) is not None:
            problem = f"store {other} was in this place, and nobody accepted {self.store_id}"
            return Finding("heads", None, problem)
        head = self._heads.latest()
        with self._engine.reading() as conn:
            if head is None or not head.seq or chain_at(conn, head.seq) == head.chain:
                return None
        return Finding("heads", head.seq, "what was signed here is not in the store: it is older")

    def unsigned(self) -> int:
        """Return how many of the last events stand behind every head that was signed here."""
        head = self._heads.latest()
        with self._engine.reading() as conn:
            return max(0, head_of(conn).seq - (0 if head is None else head.seq))

    def accept(self) -> None:
        """Take the store as it is for the one that belongs here; for a person to say."""
        with self._engine.writing() as conn:
            self._heads.accept(head_of(conn))

    def verify(self) -> Iterator[Finding]:
        """Check chain, heads, projections and indexes; yield what is wrong, or nothing."""
        if self._heads.swapped and (swapped := self.swapped()):
            yield swapped
        # Before the snapshot: a head that is signed meanwhile is not the end of a lost tail.
        heads = self._heads.signed()
        with self._engine.checking() as conn:
            yield from verification.findings(conn, self._engine, heads)

    def verify_chain(self) -> Iterator[Finding]:
        """Check the lines of the ledger against chain and heads, and nothing made from them."""
        heads = self._heads.signed()
        with self._engine.checking() as conn:
            yield from verification.check_ledger(conn, heads)

    def rebuild(self) -> int:
        """
        Make all projections and text indexes again, drop all vectors, and count the events.

        Raises:
            CorruptionError: the file is damaged where no table can be emptied and filled, or it is
                older than its signed head.
            UnavailableError: the store does not answer, or is busy for too long.
        """
        count = self.change(Transaction.remake)
        with self._engine.checking() as conn:
            if (found := next(self._engine.damage(conn), None)) is not None:
                raise CorruptionError(
                    f"the file is damaged below its tables: {found.problem}", hint=REMAKING
                )
        return count

    @property
    def erasures(self) -> ErasuresFile:
        """What was erased here, kept outside the database: it outlives the store."""
        return self._erasures

    def purge(self) -> None:
        """
        Leave nothing in the database's files of what is in no table any more.

        Raises:
            UnavailableError: somebody still reads an older state; try again.
        """
        self._engine.purge()

    def backup(self, target: str, check: Callable[[Path], object] = lambda _made: None) -> None:
        """
        Copy one snapshot of the store to the file *target*, whole or not at all.

        What *check* refuses by an error never has the name.

        Raises:
            ConflictError: *target* is there already.
            UnsupportedError: this engine has its own tools for that.
        """
        self._engine.backup(target, check)

    def digest(self) -> str:
        """Return one digest over all projections; equal histories give equal digests anywhere."""
        with self._engine.reading() as conn:
            return verification.digest(conn)

    def close(self) -> None:
        """
        Release what the store holds, for good. Calling it twice does no harm.

        What another thread is writing is committed all the same; what a fork inherits is its
        parent's.

        Raises:
            UnavailableError: another thread is writing for too long.
        """
        self._is_closed = True
        if self._process == os.getpid():
            self._engine.close()
            self._heads.close()


def erase_payloads(conn: Connection, event: Erased) -> None:
    """Take payload and salt from every line that *event* names; it must be the last one."""
    for one in event.gone:
        conn.rows(_ERASE, (decode_ulid(one.event_id),))


def remake(conn: Connection, engine: Engine) -> None:
    """
    Make every projection and text index again from the ledger.

    Raises:
        ConflictError: an event has no place beside those before it; the error says which.
    """
    _empty(conn, engine)
    fill(conn, engine.text)


def _empty(conn: Connection, engine: Engine) -> None:
    """Empty every projection and text index."""
    conn.empty([table.name for table in tables()])
    forget_realms(conn)
    for index in (engine.text.episodes, engine.text.facts):
        index.clear(conn)
