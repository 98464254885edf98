"""Identifiers and places: the same thing, named outside and inside the database."""

from tilth.core.errors import CorruptionError
from tilth.core.ids import (
    CONVERSATION_PREFIX,
    EDGE_PREFIX,
    ENTITY_PREFIX,
    EPISODE_PREFIX,
    FACT_PREFIX,
    GAP_PREFIX,
    OUTCOME_PREFIX,
    PROPOSAL_PREFIX,
    SUMMARY_PREFIX,
    ULID_CHARS,
    decode_ulid,
    encode_ulid,
)
from tilth.ledger.engine import Connection

# Which identifiers the events of each kind give.
PREFIXES = {
    "episode_recorded": EPISODE_PREFIX,
    "fact_recorded": FACT_PREFIX,
    "entity_recorded": ENTITY_PREFIX,
    "edge_recorded": EDGE_PREFIX,
    "proposal_opened": PROPOSAL_PREFIX,
    "conversation_begun": CONVERSATION_PREFIX,
    "summary_written": SUMMARY_PREFIX,
    "outcome_observed": OUTCOME_PREFIX,
    "gap_detected": GAP_PREFIX,
}
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
    return PREFIXES[kind] + encode_ulid(bytes(event_id))
