"""
The tables of the ledger's own, for both engines: its lines, realms, and tombstones.

All others are declared where they are written (`tilth.core.table`).
"""

from collections.abc import Iterable
from string import Template

from tilth.core.actor import ActorKind
from tilth.core.errors import CorruptionError, ErasedError, NotFoundError
from tilth.core.event import Recorded
from tilth.core.ids import EventId, SessionId, decode_ulid
from tilth.core.instant import from_micros
from tilth.core.scope import Owner, Scope, Visibility
from tilth.core.table import Table
from tilth.ledger.engine import Connection
from tilth.ledger.events import Erased, Erasure, Tombstone, erasure_of
from tilth.ledger.projection import Rows, projects
from tilth.ledger.records import RECORD, actor_of, find_place, read_record
from tilth.ledger.snapshot import Snapshot
from tilth.ledger.sql_list import one_of

# The kinds that the first schema listed. Later ones are checked where events are written and read,
# so that a new kind is no migration of the largest table (docs/adr/0011-knowledge.md).
KINDS_CHECK = (
    " CHECK (kind IN ('store_created', 'episode_recorded', 'session_described', 'import_finished'))"
)
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

# An event is erased once; in a store that came back, maybe by an erasure that was applied again.
_ERASED = """
INSERT INTO tombstones (erased_no, erasure_no, scope) VALUES (?, ?, ?)
ON CONFLICT (erased_no) DO NOTHING
"""
_ERASURES = f"""
SELECT {RECORD} FROM ledger l
WHERE l.seq IN (SELECT erasure_no FROM tombstones) ORDER BY l.seq
"""  # noqa: S608 - names of ours
_PRESENT = f"SELECT {RECORD} FROM ledger l WHERE l.event_id = ? AND l.payload IS NOT NULL"  # noqa: S608 - ours
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
    return ErasedError(f"{id_} was erased on {erased.erased_at:%Y-%m-%d} by {erased.by.name}")


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
        return [
            read_record(row)
            for event_id in event_ids
            for row in self._conn.rows(_PRESENT, (decode_ulid(event_id),))
        ]


def _tombstone(conn: Connection, id_: str, within: Visibility) -> Tombstone | None:
    place = find_place(conn, id_)
    for scope, at, actor, kind in conn.rows(_TOMBSTONE, (place or 0, within.owner)):
        seen = Scope(scope) if scope else None
        if within.scopes is None or seen in within.scopes:
            by = actor_of(actor, kind)
            return Tombstone(id=id_, erased_at=from_micros(at), by=by, scope=seen)
    return None
