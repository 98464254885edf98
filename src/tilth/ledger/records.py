"""Rows of the ledger: by place, and joined with other tables."""

import functools
import json
from collections.abc import Iterable, Sequence
from typing import TypeVar

from tilth.core.actor import Actor, ActorKind
from tilth.core.errors import CorruptionError
from tilth.core.event import Event, Recorded, decode, events_by_kind
from tilth.core.ids import ULID_CHARS, EventId, SessionId, decode_ulid, encode_ulid
from tilth.core.instant import from_micros
from tilth.core.scope import Owner
from tilth.ledger.engine import Connection, Row

E = TypeVar("E", bound=Event)
# The ledger is `l`. An erased row has no payload, and must be left out.
RECORD = """l.seq, l.event_id, l.recorded_at, l.owner, l.actor, l.actor_kind, l.session_id,
l.kind, l.payload"""
RECORD_WIDTH = 9
# The most parameters of one statement on every build of SQLite.
_ASKED_AT_ONCE = 500
_PLACE = "SELECT seq FROM ledger WHERE event_id = ?"
_PLACES = "SELECT event_id, seq FROM ledger WHERE event_id IN"


@functools.lru_cache(maxsize=256)
def actor_of(name: str, kind: str) -> Actor:
    """Return the actor of a row."""
    return Actor(name, ActorKind(kind))


def read_record(row: Row) -> Recorded:
    """Return the event in the columns of `RECORD`."""
    seq, event_id, recorded_at, owner, actor, actor_kind, session_id, kind, payload = row
    session = None if session_id is None else SessionId(session_id)
    return Recorded(
        seq=seq,
        event_id=EventId(encode_ulid(bytes(event_id))),
        recorded_at=from_micros(recorded_at),
        owner=Owner(owner),
        by=actor_of(actor, actor_kind),
        session_id=session,
        event=decode(kind, payload, session),
    )


def event_id_at(value: object) -> EventId:
    """Return the ID of an event as its column holds it."""
    return EventId(encode_ulid(bytes(value)))  # type: ignore[call-overload]  # a blob


def read_as(kind: type[E], row: Row) -> tuple[Recorded, E]:
    """
    Return the event of *kind* in the first columns of *row*, which are those of `RECORD`.

    Raises:
        CorruptionError: it is of another kind.
    """
    recorded = read_record(row[:RECORD_WIDTH])
    if not isinstance(recorded.event, kind):
        raise CorruptionError(f"place {recorded.seq} of the ledger holds no {kind.kind}")
    return recorded, recorded.event


def records_at(conn: Connection, seqs: Sequence[int], integers: str) -> list[Recorded]:
    """Return the events at *seqs* of every owner, for jobs that serve the whole store."""
    sql = f"""SELECT {RECORD} FROM ledger l
        WHERE l.seq IN {integers} AND l.payload IS NOT NULL ORDER BY l.seq"""  # noqa: S608 - ours
    return [read_record(row) for row in conn.rows(sql, (json.dumps(list(seqs)),))]


def count_at(conn: Connection, seqs: Sequence[int], integers: str) -> int:
    """Return how many of *seqs* have events that were not erased, of every owner."""
    sql = f"SELECT COUNT(*) FROM ledger l WHERE l.seq IN {integers} AND l.payload IS NOT NULL"  # noqa: S608 - ours
    return int(conn.rows(sql, (json.dumps(list(seqs)),))[0][0])


def find_place(conn: Connection, id_: str) -> int | None:
    """Return the place of the event that made *id_*; None if the ledger has none."""
    found = conn.rows(_PLACE, (decode_ulid(id_[-ULID_CHARS:]),))
    return int(found[0][0]) if found else None


def rows_by_event(conn: Connection, sql: str, event_ids: Sequence[bytes]) -> dict[bytes, Row]:
    """Return the rows of *sql*, by the event ID in their first column, for the IDs in its `IN`."""
    found: dict[bytes, Row] = {}
    for begin in range(0, len(event_ids), _ASKED_AT_ONCE):
        some = event_ids[begin : begin + _ASKED_AT_ONCE]
        rows = conn.rows(f"{sql} ({', '.join('?' * len(some))})", some)
        found |= {bytes(row[0]): row for row in rows}
    return found


def find_places(conn: Connection, ids: Iterable[str]) -> dict[str, int]:
    """Return the places of the events that made *ids*, as far as they exist."""
    by_event = {decode_ulid(one[-ULID_CHARS:]): one for one in dict.fromkeys(ids)}
    found = rows_by_event(conn, _PLACES, [*by_event])
    return {id_: int(found[one][1]) for one, id_ in by_event.items() if one in found}


def place_of(conn: Connection, id_: str) -> int:
    """
    Return the place of the event that made *id_*.

    Raises:
        CorruptionError: the ledger has none, though an event names it.
    """
    if (place := find_place(conn, id_)) is None:
        raise CorruptionError(f"an event names {id_}, which the ledger does not hold")
    return place


def id_made_by(kind: str, event_id: bytes) -> str:
    """Return the ID of what an event of *kind* made."""
    return events_by_kind()[kind].made_by(EventId(encode_ulid(bytes(event_id))))
