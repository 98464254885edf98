"""
The ledger's own tables on both engines: rows, realms, namings, and tombstones.

All others are declared where they are written (`tilth.core.table`).
"""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from string import Template
from typing import Any

from tilth.core.actor import ActorKind
from tilth.core.dataclass import dataclass
from tilth.core.errors import CorruptionError, ErasedError, InvalidInputError, NotFoundError
from tilth.core.event import Event, Recorded, decode
from tilth.core.ids import EventId, SessionId, decode_ulid, encode_ulid
from tilth.core.instant import from_micros, written_day
from tilth.core.scope import Owner, Scope, Visibility
from tilth.core.table import Filling, Table, rebuilt_tables, tables
from tilth.ledger.engine import Connection
from tilth.ledger.events import Erased, Erasure, Tombstone, erasure_of
from tilth.ledger.projection import Rows, projects
from tilth.ledger.records import RECORD, actor_of, find_place, read_record, rows_by_event
from tilth.ledger.snapshot import Snapshot, SnapshotReader
from tilth.ledger.sql_list import one_of

# The kinds that the first schema listed. Later ones are checked where events are written and read,
# so that a new kind is no migration of the largest table (docs/adr/0011-knowledge.md).
KINDS_CHECK = (
    " CHECK (kind IN ('store_created', 'episode_recorded', 'session_described', 'import_finished'))"
)
# Whoever does not answer to this name, such as a shell, is refused by it: what derives from the
# ledger is written by us alone.
WRITES_HERE = "tilth_alone_writes_this_table"
GUARDED_SINCE = 3

# Canonical, and it only ever grows; all other tables are projections of it.
LEDGER = Template(f"""
CREATE TABLE ledger (
    seq         $integer PRIMARY KEY CHECK (seq > 0),
    event_id    $blob NOT NULL UNIQUE CHECK (length(event_id) = 16),
    recorded_at $integer NOT NULL,
    owner       TEXT NOT NULL,
    actor       TEXT NOT NULL,
    actor_kind  TEXT NOT NULL CHECK (actor_kind IN ({one_of(ActorKind)})),
    session_id  TEXT,
    kind        TEXT NOT NULL{KINDS_CHECK},
    -- A digest of the owner and the idempotency key, so that its length is fixed.
    key         $blob CHECK (key IS NULL OR length(key) = 16),
    payload     TEXT,
    salt        $blob,
    commitment  $blob NOT NULL CHECK (length(commitment) = 32),
    chain       $blob NOT NULL CHECK (length(chain) = 32),
    -- An erased event has lost both; the chain stands on the commitment.
    CHECK ((payload IS NULL) = (salt IS NULL))
) $strict;

-- Appending twice under one key is one event, whoever races (I6).
CREATE UNIQUE INDEX one_event_for_a_key ON ledger (key) WHERE key IS NOT NULL;
""")
# What an erase looks for without reading everything: few lines are of either kind.
LEDGER_LOOKUPS = """
CREATE INDEX descriptions ON ledger (session_id) WHERE kind = 'session_described';
CREATE INDEX asides ON ledger (seq) WHERE kind = 'set_aside';
"""
# An owner and a scope make a realm. Reads name realms by number, so that the
# predicate that keeps them apart is one comparison of integers everywhere.
REALMS = Table(
    "realms",
    no=1,
    since=1,
    is_record=True,
    columns="""
    realm_no      $integer PRIMARY KEY,
    owner         TEXT NOT NULL,
    scope         TEXT NOT NULL,
    episode_count $integer NOT NULL,
    term_count    $integer NOT NULL,
    UNIQUE (owner, scope)
""",
)
# What stands where something was erased: by which event, and where it was seen.
TOMBSTONES = Table(
    "tombstones",
    no=29,
    since=2,
    is_record=True,
    columns="""
    erased_no  $integer PRIMARY KEY,
    erasure_no $integer NOT NULL CHECK (erasure_no > erased_no),
    scope      TEXT NOT NULL
""",
)


def _namings_in(lines: Iterable[Sequence[Any]]) -> Iterator[tuple[int, bytes]]:
    """Yield what each event of an older store names; of erased events, what was left of them."""
    erased: dict[str, int] = {}
    for seq, event_id, kind, session_id, payload in lines:
        if payload is None:
            erased[encode_ulid(bytes(event_id))] = seq
            continue
        event = decode(kind, payload, session_id)
        yield from ((seq, one) for one in _named_by(event))
        for one in event.gone if isinstance(event, Erased) else ():
            if one.left_kind:
                left = decode(one.left_kind, one.left, session_id)
                yield from ((erased[one.event_id], each) for each in _named_by(left))


def _named_by(event: Event) -> list[bytes]:
    found = []
    for one in event.names:
        # What agents are shown goes by names too, which nothing is erased by.
        with suppress(InvalidInputError):
            found.append(decode_ulid(one))
    return sorted(found)


_NAMES = "INSERT INTO namings (naming_no, named_no) SELECT ?, seq FROM ledger WHERE event_id = ?"
# Which event names which, whatever its kind: what goes with something is looked up here.
NAMINGS = Table(
    "namings",
    no=62,
    since=3,
    keyed=5,
    is_record=True,
    columns="""
    named_no  $integer NOT NULL,
    naming_no $integer NOT NULL,
    PRIMARY KEY (named_no, naming_no)
""",
    filling=Filling(
        "SELECT seq, event_id, kind, session_id, payload FROM ledger ORDER BY seq",
        _namings_in,
        _NAMES,
    ),
)

# An event is erased once; in a store that came back, maybe by an erasure that was applied again.
_ERASED = """
INSERT INTO tombstones (erased_no, erasure_no, scope) VALUES (?, ?, ?)
ON CONFLICT (erased_no) DO NOTHING
"""
_ERASURES = f"""
SELECT {RECORD} FROM ledger l
WHERE l.seq IN (SELECT erasure_no FROM tombstones) ORDER BY l.seq
"""  # noqa: S608 - names of ours
_PRESENT = f"""
SELECT l.event_id, {RECORD} FROM ledger l WHERE l.payload IS NOT NULL AND l.event_id IN
"""  # noqa: S608 - ours
_NAMING = f"""
SELECT {RECORD} FROM ledger l WHERE l.payload IS NOT NULL
AND l.seq IN (SELECT naming_no FROM namings WHERE named_no IN {{integers}})
AND l.seq NOT IN {{integers}} ORDER BY l.seq
"""  # noqa: S608 - names of ours
_IS_NAMED = """
SELECT 1 FROM namings n JOIN ledger l ON l.seq = n.naming_no
WHERE n.named_no = ? AND l.payload IS NOT NULL AND l.owner = ? AND l.kind IN ({kinds})
AND n.naming_no NOT IN {integers} LIMIT 1
"""
_TOMBSTONE = """
SELECT t.scope, e.recorded_at, e.actor, e.actor_kind FROM tombstones t
JOIN ledger l ON l.seq = t.erased_no JOIN ledger e ON e.seq = t.erasure_no
WHERE t.erased_no = ? AND l.owner = ?
"""
_DESCRIPTION = """
SELECT 1 FROM tombstones t JOIN ledger l ON l.seq = t.erased_no
WHERE l.kind = 'session_described' AND l.session_id = ? AND l.owner = ?
"""
# Which command shows them, where it is not `tilth NOUN list`.
_LISTED_BY = {"episode": "changes", "proposal": "review list"}


@projects(Event)
def names(rows: Rows, recorded: Recorded, event: Event) -> None:
    """Show what an event names."""
    for one in _named_by(event):
        rows.run(_NAMES, (recorded.seq, one))


@projects(Erased)
def erased(rows: Rows, recorded: Recorded, event: Erased) -> None:
    """Show where something was erased."""
    for one in event.gone:
        rows.run(_ERASED, (rows.place_of(one.event_id), recorded.seq, one.scope or ""))


def not_there(conn: Connection, noun: str, id_: str, within: Visibility) -> NotFoundError:
    """Return what says that there is no such thing, or that it was erased, when and by whom."""
    if (erased := _tombstone(conn, id_, within)) is None:
        listed = _LISTED_BY.get(noun, f"{noun} list")
        return NotFoundError(f"no {noun} {id_!r}", hint=f"see: tilth {listed}")
    return ErasedError(f"{id_} was erased on {written_day(erased.erased_at)} by {erased.by.name}")


class Namings(SnapshotReader):
    """Which events name which."""

    def of(self, places: Sequence[int], *, but: Collection[int] = ()) -> list[Recorded]:
        """Return the events that name anything at *places*, in ledger order, without some."""
        return [read_record(row) for row in self._rows(_NAMING, places, but)]

    def is_named(self, one: Recorded, kinds: Collection[str], *, but: Sequence[int]) -> bool:
        """Say whether an event of its owner and these kinds names *one*, but those at *but*."""
        marks = ", ".join("?" * len(kinds))
        sql = _IS_NAMED.format(kinds=marks, integers=self._integers)
        params = (one.seq, one.owner, *kinds, but)
        return bool(self._rows(sql, *params))


class Tombstones:
    """What stands where something was erased."""

    def __init__(self, view: Snapshot) -> None:
        self._conn = view.conn

    def find(self, id_: str, within: Visibility) -> Tombstone | None:
        """Return the tombstone of what was called *id_*; None if there is none to be seen."""
        return _tombstone(self._conn, id_, within)

    def took_description(self, session_id: SessionId, owner: Owner) -> bool:
        """Say whether what was said about a session as a whole was erased."""
        return bool(self._conn.rows(_DESCRIPTION, (session_id, owner)))

    def erasures(self) -> list[Erasure]:
        """Return every erasure of the store, whoever owns what went, the oldest first."""
        found = []
        for recorded in map(read_record, self._conn.rows(_ERASURES)):
            event = recorded.event
            if not isinstance(event, Erased):
                raise CorruptionError(f"place {recorded.seq} of the ledger erases nothing")
            found.append(erasure_of(recorded, event))
        return found

    def present(self, event_ids: Iterable[EventId]) -> list[Recorded]:
        """Return those of these events whose payload is still there."""
        wanted = [decode_ulid(one) for one in event_ids]
        found = rows_by_event(self._conn, _PRESENT, wanted)
        return [read_record(found[one][1:]) for one in wanted if one in found]


@dataclass(frozen=True, slots=True)
class Migration:
    """One step of the schema, applied in one transaction."""

    version: int
    script: str
    fillings: Sequence[Filling] = ()


def guarded_with(version: int, types: Mapping[str, str]) -> list[str]:
    """Return the tables whose guards come with a schema: at first of all, then of what it makes."""
    first = 0 if version == GUARDED_SINCE else max(version, GUARDED_SINCE + 1)
    new = [table.name for table in tables() if first <= table.since <= version]
    return [*new, *(table.name for table in rebuilt_tables(version, types))]


def _tombstone(conn: Connection, id_: str, within: Visibility) -> Tombstone | None:
    place = find_place(conn, id_)
    for scope, at, actor, kind in conn.rows(_TOMBSTONE, (place or 0, within.owner)):
        seen = Scope(scope) if scope else None
        if within.scopes is None or seen in within.scopes:
            by = actor_of(actor, kind)
            return Tombstone(id=id_, erased_at=from_micros(at), by=by, scope=seen)
    return None
