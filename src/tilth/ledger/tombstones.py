"""Tombstones: what stands where something was erased, read with the SQL of both engines."""

from collections.abc import Iterable

from tilth.core.errors import CorruptionError, ErasedError, NotFoundError
from tilth.core.ids import EventId, SessionId, decode_ulid
from tilth.core.instant import from_micros
from tilth.core.scope import Owner, Scope, Visibility
from tilth.erasure.model import Erasure, Tombstone, erasure_of
from tilth.ledger.engine import Connection
from tilth.ledger.erased import Erased
from tilth.ledger.events import Recorded
from tilth.ledger.places import find_place
from tilth.ledger.records import RECORD, actor_of, read_record

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
    if (erased := Tombstones(conn).find(id_, within)) is None:
        listed = _LISTED_BY.get(noun, f"{noun} list")
        return NotFoundError(f"no {noun} {id_!r}", hint=f"see: tilth {listed}")
    return ErasedError(f"{id_} was erased on {erased.erased_at:%Y-%m-%d} by {erased.by.name}")


class Tombstones:
    """See `tilth.ledger.erasure_ports.TombstoneReader`."""

    def __init__(self, conn: Connection) -> None:
        self._conn = conn

    def find(self, id_: str, within: Visibility) -> Tombstone | None:
        """See `tilth.ledger.erasure_ports.TombstoneReader.find`."""
        place = find_place(self._conn, id_)
        for scope, at, actor, kind in self._conn.rows(_TOMBSTONE, (place or 0, within.owner)):
            seen = Scope(scope) if scope else None
            if within.scopes is None or seen in within.scopes:
                by = actor_of(actor, kind)
                return Tombstone(id=id_, erased_at=from_micros(at), by=by, scope=seen)
        return None

    def took_description(self, session_id: SessionId, owner: Owner) -> bool:
        """See `tilth.ledger.erasure_ports.TombstoneReader.took_description`."""
        return bool(self._conn.rows(_DESCRIPTION, (session_id, owner)))

    def erasures(self) -> list[Erasure]:
        """See `tilth.ledger.erasure_ports.TombstoneReader.erasures`."""
        found = []
        for recorded in map(read_record, self._conn.rows(_ERASURES)):
            event = recorded.event
            if not isinstance(event, Erased):
                raise CorruptionError(f"place {recorded.seq} of the ledger erases nothing")
            found.append(erasure_of(recorded, event))
        return found

    def present(self, event_ids: Iterable[EventId]) -> list[Recorded]:
        """See `tilth.ledger.erasure_ports.TombstoneReader.present`."""
        return [
            read_record(row)
            for event_id in event_ids
            for row in self._conn.rows(_PRESENT, (decode_ulid(event_id),))
        ]
