"""Tombstones: what stands where something was erased, read with the SQL of both engines."""

from collections.abc import Iterable

from tilth.core.errors import CorruptionError, ErasedError, NotFoundError
from tilth.core.event import Recorded
from tilth.core.ids import EventId, SessionId, decode_ulid
from tilth.core.instant import from_micros
from tilth.core.scope import Owner, Scope, Visibility
from tilth.ledger.engine import Connection
from tilth.ledger.events import Erased, Erasure, Tombstone, erasure_of
from tilth.ledger.places import find_place
from tilth.ledger.records import RECORD, actor_of, read_record
from tilth.ledger.snapshot import Snapshot

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
