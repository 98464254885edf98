"""Identifiers and places: the same thing, named outside and inside the database."""

from tilth.core.errors import CorruptionError
from tilth.core.event import events_by_kind
from tilth.core.ids import ULID_CHARS, EventId, decode_ulid, encode_ulid
from tilth.ledger.engine import Connection

_PLACE = "SELECT seq FROM ledger WHERE event_id = ?"


def find_place(conn: Connection, id_: str) -> int | None:
    """Return the place of the event that *id_* was made by; None if the ledger has none."""
    found = conn.rows(_PLACE, (decode_ulid(id_[-ULID_CHARS:]),))
    return int(found[0][0]) if found else None


def place_of(conn: Connection, id_: str) -> int:
    """
    Return the place of the event that *id_* was made by.

    Raises:
        CorruptionError: the ledger has none, though an event of it names it.
    """
    if (place := find_place(conn, id_)) is None:
        raise CorruptionError(f"an event names {id_}, which the ledger does not hold")
    return place


def named(kind: str, event_id: bytes) -> str:
    """Return the identifier of what an event of *kind* made."""
    return events_by_kind()[kind].made_by(EventId(encode_ulid(bytes(event_id))))
