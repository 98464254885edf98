"""
The tables, for both engines.

`ledger` is canonical and only ever grows. The others are projections of it:
`tilth rebuild` empties them and makes them again.
"""

from string import Template

from tilth.core.actor import ActorKind
from tilth.episodes.episode import EpisodeKind, Role
from tilth.ledger.knowledge_tables import KNOWLEDGE
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

# An owner and a scope make a realm. Reads name realms by number, so that the
# predicate that keeps them apart is one comparison of integers everywhere.
GROUND: dict[str, Template] = {
    "realms": Template("""
CREATE $temporary TABLE realms (
    realm_no      $integer PRIMARY KEY,
    owner         TEXT NOT NULL,
    scope         TEXT NOT NULL,
    episode_count $integer NOT NULL,
    term_count    $integer NOT NULL,
    UNIQUE (owner, scope)
) $strict
"""),
    "sessions": Template("""
CREATE $temporary TABLE sessions (
    -- The place of the first event that named it.
    session_no    $integer PRIMARY KEY,
    realm_no      $integer NOT NULL,
    session_id    TEXT NOT NULL,
    title         TEXT NOT NULL,
    host          TEXT NOT NULL,
    folder        TEXT NOT NULL,
    uri           TEXT NOT NULL,
    tags          TEXT NOT NULL,
    started_at    $integer NOT NULL,
    last_at       $integer NOT NULL,
    episode_count $integer NOT NULL,
    UNIQUE (realm_no, session_id)
) $strict
"""),
    "episodes": Template(f"""
CREATE $temporary TABLE episodes (
    seq         $integer PRIMARY KEY,
    realm_no    $integer NOT NULL,
    -- 0 where there is no session; the position counts from 1 within one.
    session_no  $integer NOT NULL,
    position    $integer NOT NULL,
    occurred_at $integer NOT NULL,
    kind        TEXT NOT NULL CHECK (kind IN ({one_of(EpisodeKind)})),
    role        TEXT NOT NULL CHECK (role IN ({one_of(Role)}))
) $strict
"""),
    "imports": Template("""
CREATE $temporary TABLE imports (
    seq    $integer PRIMARY KEY,
    owner  TEXT NOT NULL,
    uri    TEXT NOT NULL,
    sha256 TEXT NOT NULL,
    UNIQUE (owner, uri)
) $strict
"""),
}

PROJECTIONS = GROUND | KNOWLEDGE

INDEXES = """
CREATE UNIQUE INDEX episodes_in_session ON episodes (session_no, position) WHERE session_no > 0;
CREATE INDEX episodes_in_time ON episodes (occurred_at);
CREATE INDEX sessions_in_time ON sessions (realm_no, last_at);
"""
