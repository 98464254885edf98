"""Append events to the chain, which is the only way to write, and read them."""

import itertools
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, TypeAlias

from tilth.core.actor import Actor
from tilth.core.clock import Clock, Ids
from tilth.core.dataclass import dataclass
from tilth.core.errors import CorruptionError, IdempotencyConflictError, InvalidInputError
from tilth.core.event import Event, Recorded, decode, encode, events_by_kind
from tilth.core.ids import ULID_CHARS, EventId, Id, SessionId, decode_ulid, encode_ulid
from tilth.core.instant import from_micros, to_micros
from tilth.core.scope import Owner
from tilth.ledger.chain import (
    GENESIS,
    Head,
    Header,
    Row,
    commit,
    commitments,
    key_digest,
    link,
    links,
)
from tilth.ledger.engine import Connection
from tilth.ledger.events import Erased, Gone, SetAside, StoreCreated
from tilth.ledger.records import actor_of

# One row of the table, in the order of `_COLUMNS`.
Line: TypeAlias = tuple[Any, ...]

_COLUMNS = (
    "seq, event_id, recorded_at, owner, actor, actor_kind, session_id, kind, key, "
    "payload, salt, commitment, chain"
)
# Damage can change even the type of a value. Types are looked up as a tuple, since verify does it
# for every event.
_TYPES = frozenset(
    (int, bytes, int, str, str, str, session, str, key, *erasable, bytes, bytes)
    for session in (str, type(None))
    for key in (bytes, type(None))
    for erasable in ((str, bytes), (type(None), type(None)))
)
PAYLOAD = 9
# The types in the columns of a row that was not erased.
_WHOLE_TYPES = tuple(
    map(frozenset, zip(*(types for types in _TYPES if types[PAYLOAD] is str), strict=True))
)
_INSERT = f"INSERT INTO ledger ({_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"  # noqa: S608
_ALL = f"SELECT {_COLUMNS} FROM ledger ORDER BY seq"  # noqa: S608
_AFTER = f"SELECT {_COLUMNS} FROM ledger WHERE seq > ? ORDER BY seq"  # noqa: S608
_BY_KEY = f"SELECT {_COLUMNS} FROM ledger WHERE key = ?"  # noqa: S608
# How many rows are checked at once; more would not fit into the processor's cache.
_LINES = 256
_ERASURES = f"SELECT {_COLUMNS} FROM ledger WHERE kind = 'erased' ORDER BY seq"  # noqa: S608
_SHOWN_ERASURES = f"""
SELECT {_COLUMNS} FROM ledger WHERE seq IN (SELECT erasure_no FROM tombstones) ORDER BY seq
"""  # noqa: S608 - names of ours
_SETTINGS_ASIDE = (
    f"SELECT {_COLUMNS} FROM ledger WHERE kind = 'set_aside' AND seq <= ? ORDER BY seq"  # noqa: S608
)
_REMADE = "SELECT 1 FROM ledger WHERE seq > ? AND kind IN ('erased', 'set_aside') LIMIT 1"
_DESCRIBED = f"""
SELECT {_COLUMNS} FROM ledger
WHERE kind = 'session_described' AND session_id = ? AND payload IS NOT NULL ORDER BY seq
"""  # noqa: S608 - names of ours
_LIKE = f"""
SELECT {_COLUMNS} FROM ledger
WHERE seq > ? AND seq <= ? AND owner = ? AND payload IS NOT NULL AND ({{any}}) ORDER BY seq
"""  # noqa: S608 - names of ours
_NOTHING: Mapping[bytes, Gone] = {}
_LAST = "SELECT seq, recorded_at, chain FROM ledger ORDER BY seq DESC LIMIT 1"


@dataclass(frozen=True, slots=True)
class Appended:
    """
    The place of an appended event in the ledger.

    `is_new` is false for a repeated key; `is_erased` says that the earlier event of the key was
    erased.
    """

    recorded: Recorded
    is_new: bool
    is_erased: bool = False


@dataclass(slots=True)
class Tail:
    """The end of the ledger inside of one write transaction."""

    seq: int
    recorded_at: int
    chain: bytes


def tail_of(conn: Connection) -> Tail:
    """
    Return the end of the ledger.

    Raises:
        CorruptionError: the last row is not valid.
    """
    last = conn.rows(_LAST)
    if not last:
        return Tail(0, 0, GENESIS)
    seq, recorded_at, chain = last[0]
    try:
        return Tail(int(seq), int(recorded_at), bytes(chain))
    except (TypeError, ValueError) as error:
        raise CorruptionError(
            "the last line of the ledger cannot be read", hint="tilth verify, then tilth restore"
        ) from error


def head_of(conn: Connection) -> Head:
    """Return the end of the chain."""
    tail = tail_of(conn)
    return Head(tail.seq, tail.chain)


def chain_at(conn: Connection, seq: int) -> bytes | None:
    """Return the chain's value at the place *seq*; None if the ledger ends before it."""
    found = conn.rows("SELECT chain FROM ledger WHERE seq = ?", (seq,))
    chain: bytes | None = found[0][0] if found else None
    return chain


def is_rebuilt_after(conn: Connection, seq: int) -> bool:
    """Say whether an erase, or setting aside or bringing back, came after the place *seq*."""
    return bool(conn.rows(_REMADE, (seq,)))


def named_by(conn: Connection, owner: Owner, beginning: str, made: type[Id], most: int) -> list[Id]:
    """
    Return the IDs of one kind with this beginning, oldest first.

    *beginning* is of the 26 characters behind the prefix.
    """
    kinds = [kind for kind, one in events_by_kind().items() if one.aspects.makes is made]
    low, high = (decode_ulid(beginning.ljust(ULID_CHARS, end)) for end in "0Z")
    marks = ", ".join("?" * len(kinds))
    rows = conn.rows(
        f"SELECT event_id FROM ledger WHERE event_id >= ? AND event_id <= ? AND owner = ?"  # noqa: S608
        f" AND kind IN ({marks}) ORDER BY event_id LIMIT ?",
        (low, high, owner, *kinds, most),
    )
    return [made.stored(event_id) for (event_id,) in rows]


class LedgerWriter:
    """
    Appends events within one write transaction.

    The transaction excludes every other writer, so the tail is read once and kept up to date.
    """

    def __init__(self, conn: Connection, clock: Clock, ids: Ids) -> None:
        self._conn = conn
        self._clock = clock
        self._ids = ids
        self._tail: Tail | None = None
        self._least = 0

    @property
    def tail(self) -> Tail:
        """The end of the ledger, including events of this transaction."""
        if self._tail is None:
            self._tail = tail_of(self._conn)
            self._least = self._tail.recorded_at + 1
        return self._tail

    def append(
        self, event: Event, *, by: Actor, owner: Owner, idempotency_key: str | None
    ) -> Appended:
        """
        Write one event.

        Raises:
            IdempotencyConflictError: the key was used before, for something else.
        """
        payload = encode(event)
        key = None if idempotency_key is None else key_digest(owner, idempotency_key)
        if key is not None and (known := self._conn.rows(_BY_KEY, (key,))):
            row = read_row(known[0])
            is_erased = row.payload is None
            return Appended(_same_or_refuse(row, event), is_new=False, is_erased=is_erased)
        return Appended(self._write(event, payload, by, owner, key), is_new=True)

    def _write(
        self, event: Event, payload: str, by: Actor, owner: Owner, key: bytes | None
    ) -> Recorded:
        tail = self.tail
        now = self._clock.now()
        # Times of recording never go back (I7), even if the clock does.
        at = to_micros(now)
        recorded_at = at if at >= tail.recorded_at else max(self._least, tail.recorded_at)
        header = Header(
            seq=tail.seq + 1,
            event_id=self._ids.ulid(now),
            recorded_at=recorded_at,
            owner=owner,
            actor=by.name,
            actor_kind=by.kind.value,
            session_id=event.session,
            kind=event.kind,
            key=key,
        )
        salt = self._ids.salt()
        row = row_of(header, payload, salt, tail.chain)
        self._conn.rows(_INSERT, (*row.header, row.payload, row.salt, row.commitment, row.chain))
        self._tail = Tail(header.seq, recorded_at, row.chain)
        return _recorded(header, event)


def load_rows(conn: Connection, rows: Iterable[Row]) -> None:
    """
    Write the rows of another ledger into an empty one, unchanged.

    Raises:
        CorruptionError: their chain is broken.
    """
    before, last = GENESIS, 0
    lines = ((*row.header, *row[1:]) for row in rows)
    while some := list(itertools.islice(lines, _LINES)):
        for line in some:
            row = read_row(line)
            commitment = row.commitment
            if row.payload is not None:
                commitment = commit(row.salt or b"", row.payload)
            is_next = row.header.seq == last + 1 and commitment == row.commitment
            if not is_next or link(before, row.header, row.commitment) != row.chain:
                raise CorruptionError(f"line {last + 1} of the ledger is not as it was written")
            conn.rows(_INSERT, line)
            before, last = row.chain, row.header.seq


def row_of(header: Header, payload: str, salt: bytes, before: bytes) -> Row:
    """Return the row for *payload*, chained to the value *before* it."""
    commitment = commit(salt, payload)
    return Row(header, payload, salt, commitment, link(before, header, commitment))


def iter_rows(conn: Connection) -> Iterator[Row]:
    """Yield every line of the ledger in order."""
    return map(read_row, conn.stream(_ALL))


def rows_after(conn: Connection, after: int) -> Iterator[Row]:
    """Yield every line of the ledger after the place *after*, in order."""
    return map(read_row, conn.stream(_AFTER, (after,)))


def iter_lines(conn: Connection) -> Iterator[list[Line]]:
    """Yield the ledger in order, as lists of rows from the database."""
    stream = conn.stream(_ALL)
    while lines := list(itertools.islice(stream, _LINES)):
        yield lines


def continues_chain(lines: Sequence[Line], before: bytes, last: int) -> bool:
    """
    Say whether *lines* continue the chain from the value *before*, at the place *last*.

    They are checked column by column, since verify does this for every event.
    """
    columns = tuple(zip(*lines, strict=True))
    kinds = [set(map(type, column)) for column in columns]
    if not all(map(frozenset.issuperset, _WHOLE_TYPES, kinds)):
        return False
    headers = zip(*columns[:PAYLOAD], strict=True)
    payloads, salts, committed, chains = columns[PAYLOAD:]
    return (
        columns[0] == tuple(range(last + 1, last + 1 + len(lines)))
        and tuple(commitments(salts, payloads)) == committed
        and tuple(links((before, *chains[:-1]), headers, committed)) == chains
    )


def events_after(
    conn: Connection,
    after: int,
    limit: int,
    remains: Mapping[bytes, Gone] = _NOTHING,
    but: Sequence[str] = (),
) -> list[Recorded]:
    """
    Return up to *limit* events after a place, without the kinds *but*; fewer if at the end.

    Erased events are given by *remains*, or left out.
    """
    apart = f" AND kind NOT IN ({', '.join('?' * len(but))})" if but else ""
    sql = f"SELECT {_COLUMNS} FROM ledger WHERE seq > ?{apart} ORDER BY seq LIMIT ?"  # noqa: S608
    found: list[Recorded] = []
    # A whole range may be erased, with events behind it.
    while rows := conn.rows(sql, (after, *but, limit - len(found))):
        lines = [read_row(row) for row in rows]
        found += [one for line in lines if (one := recorded_of(line, remains)) is not None]
        after = lines[-1].header.seq
    return found


def places_of(conn: Connection, owner: Owner, keys: Sequence[str]) -> dict[str, int]:
    """Return the places of the events that were appended with these *keys*."""
    places = {}
    for key in keys:
        found = conn.rows("SELECT seq FROM ledger WHERE key = ?", (key_digest(owner, key),))
        if found:
            places[key] = int(found[0][0])
    return places


def remains_in(conn: Connection) -> dict[bytes, Gone]:
    """
    Return what erasures left of events, by the bytes of their IDs, from the ledger alone.

    This reads the whole ledger, to build the tables from it or to verify them.

    Raises:
        CorruptionError: an erasure cannot be read.
    """
    return _remains_of_erasures(conn, _ERASURES)


def remains_shown(conn: Connection) -> dict[bytes, Gone]:
    """
    Return the same as `remains_in`, from the erasures in the tables.

    Raises:
        CorruptionError: an erasure cannot be read.
    """
    return _remains_of_erasures(conn, _SHOWN_ERASURES)


def _remains_of_erasures(conn: Connection, erasures: str) -> dict[bytes, Gone]:
    remains: dict[bytes, Gone] = {}
    for row in map(read_row, conn.rows(erasures)):
        recorded = recorded_of(row)
        if recorded is not None and isinstance(recorded.event, Erased):
            remains |= {decode_ulid(one.event_id): one for one in recorded.event.gone}
    return remains


def described(conn: Connection, session_id: SessionId) -> list[Recorded]:
    """Return events that describe sessions of this ID as a whole, of every owner."""
    found = (recorded_of(read_row(row)) for row in conn.rows(_DESCRIBED, (session_id,)))
    return [one for one in found if one is not None]


def events_like(
    conn: Connection,
    patterns: Sequence[str],
    owner: Owner,
    is_meant: Callable[[str], bool],
    like: str,
    stretch: tuple[int, int],
) -> list[Recorded]:
    """Return an owner's events in a range of places whose payloads match."""
    sql = _LIKE.format(any=" OR ".join([f"payload {like} ?"] * len(patterns)))
    rows = conn.stream(sql, (*stretch, owner, *patterns)) if patterns else ()
    found = (recorded_of(read_row(row)) for row in rows if is_meant(row[PAYLOAD]))
    return [one for one in found if one is not None]


def set_aside_through(conn: Connection, through: int) -> frozenset[EventId]:
    """
    Return the events that are set aside at the place *through*.

    Raises:
        CorruptionError: an event that set something aside cannot be read.
    """
    aside: set[EventId] = set()
    rows = conn.rows(_SETTINGS_ASIDE, (through,))
    remains = remains_in(conn) if any(row[PAYLOAD] is None for row in rows) else {}
    for row in map(read_row, rows):
        recorded = recorded_of(row, remains)
        if recorded is not None and isinstance(recorded.event, SetAside):
            aside = (aside | set(recorded.event.aside)) - set(recorded.event.back)
    return frozenset(aside)


def rows_in_force(conn: Connection) -> Iterator[Row]:
    """Yield the rows of the ledger for a replay, in order: all that is not set aside."""
    passed = {decode_ulid(one) for one in set_aside_through(conn, tail_of(conn).seq)}
    return (row for row in iter_rows(conn) if row.header.event_id not in passed)


def recorded_of(row: Row, remains: Mapping[bytes, Gone] = _NOTHING) -> Recorded | None:
    """
    Return the event of *row*, or what *remains* of it; None if nothing does.

    Raises:
        CorruptionError: it cannot be read.
    """
    header = row.header
    session = None if header.session_id is None else SessionId(header.session_id)
    kind, payload = header.kind, row.payload
    if payload is None:
        left = remains.get(header.event_id)
        if left is None or not left.left_kind:
            return None
        kind, payload = left.left_kind, left.left
    try:
        return _recorded(header, decode(kind, payload, session))
    except (CorruptionError, InvalidInputError, OverflowError, ValueError) as error:
        raise CorruptionError(f"line {header.seq} of the ledger: {error}") from error


def store_id_of(conn: Connection) -> str:
    """
    Return the ID of the store, from the first event.

    Raises:
        CorruptionError: the ledger does not begin with that event.
    """
    first = conn.rows(f"SELECT {_COLUMNS} FROM ledger WHERE seq = 1")  # noqa: S608 - names of ours
    recorded = recorded_of(read_row(first[0])) if first else None
    if recorded is None or not isinstance(recorded.event, StoreCreated):
        raise CorruptionError(
            "the ledger has no beginning", hint="restore a backup with: tilth restore"
        )
    return recorded.event.store_id


def read_row(columns: Sequence[Any]) -> Row:
    """
    Return the row in the database's *columns*.

    Raises:
        CorruptionError: a column has an impossible value.
    """
    if tuple(map(type, columns)) not in _TYPES:
        raise CorruptionError(f"line {columns[0]} of the ledger holds another type than it should")
    return Row(Header._make(columns[:9]), *columns[9:])


def _recorded(header: Header, event: Event) -> Recorded:
    return Recorded(
        seq=header.seq,
        event_id=EventId(encode_ulid(header.event_id)),
        recorded_at=from_micros(header.recorded_at),
        owner=Owner(header.owner),
        by=actor_of(header.actor, header.actor_kind),
        session_id=None if header.session_id is None else SessionId(header.session_id),
        event=event,
    )


def _same_or_refuse(known: Row, event: Event) -> Recorded:
    header = known.header
    is_alike = (header.kind, header.session_id) == (event.kind, event.session)
    # An erased event is still known by its key, and a repetition does not bring it back.
    if is_alike and known.payload in {None, encode(event)}:
        return _recorded(header, event)
    raise IdempotencyConflictError(
        "this idempotency key was used before, for other content",
        hint=f"it made event {encode_ulid(header.event_id)}; use a new key for new content",
    )
