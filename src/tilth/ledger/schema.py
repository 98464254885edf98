"""
The ledger's own table, for both engines: it is canonical and only ever grows.

All others are projections of it, and each is declared where it is written (`tilth.core.table`).
"""

from string import Template

from tilth.core.actor import ActorKind
from tilth.ledger.sql_list import one_of

# The kinds that the first schema listed. Later ones are checked where events are written and read,
# so that a new kind is no migration of the largest table (docs/adr/0011-knowledge.md).
KINDS_CHECK = (
    " CHECK (kind IN ('store_created', 'episode_recorded', 'session_described', 'import_finished'))"
)


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
