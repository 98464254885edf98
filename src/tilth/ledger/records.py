"""Lines of the ledger as other tables are joined with them."""

import functools
import json
from collections.abc import Sequence

from tilth.core.actor import Actor, ActorKind
from tilth.core.event import Recorded, decode
from tilth.core.ids import EventId, SessionId, encode_ulid
from tilth.core.instant import from_micros
from tilth.core.scope import Owner
from tilth.ledger.engine import Connection, Row

# The ledger is `l`. An erased line has no payload, and must be left out.
RECORD = """l.seq, l.event_id, l.recorded_at, l.owner, l.actor, l.actor_kind, l.session_id,
l.kind, l.payload"""
RECORD_WIDTH = 9


@functools.lru_cache(maxsize=256)
def actor_of(name: str, kind: str) -> Actor:
    """Return whoever the ledger names."""
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


def records_at(conn: Connection, seqs: Sequence[int], integers: str) -> list[Recorded]:
    """Return the events at *seqs*, whoever owns them: for jobs that serve the store."""
    sql = f"""SELECT {RECORD} FROM ledger l
        WHERE l.seq IN {integers} AND l.payload IS NOT NULL ORDER BY l.seq"""  # noqa: S608 - ours
    return [read_record(row) for row in conn.rows(sql, (json.dumps(list(seqs)),))]
