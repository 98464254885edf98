"""
The tables of the structured tier, for both engines.

`facts` holds what a fact says, which never changes; `lives` what it was for
how long, in places of the ledger. What was said itself stays in the ledger,
once. Columns of names hold keys (`tilth.core.names`), for comparing alone.
"""

from string import Template

from tilth.core.lifecycle import Lifecycle, Review
from tilth.gaps.schema import GAP_INDEXES, GAPS
from tilth.knowledge.entities.identity import LinkConfidence
from tilth.knowledge.facts.life import Authority
from tilth.knowledge.proposals.proposal import ProposalKind, ProposalState
from tilth.knowledge.vocabulary.registries import Channel, EdgeKind, EntityType, NodeKind, Registry
from tilth.ledger.sql_list import one_of
from tilth.llm.task import Task
from tilth.people.conversation import ConversationStatus
from tilth.recall.feedback import Verdict

# A store is known by these texts, comments and old names in them too: not a letter may change.
KNOWLEDGE: dict[str, Template] = {
    "facts": Template(f"""
CREATE $temporary TABLE facts (
    fact_no     $integer PRIMARY KEY,
    statement   TEXT NOT NULL,
    channel     TEXT CHECK (channel IN ({one_of(Channel)})),
    subject     TEXT,
    predicate   TEXT,
    object      TEXT,
    -- The things at the ends: of a sub-URN, the whole (`tilth.domain.urn`).
    subject_node TEXT,
    object_node  TEXT,
    area        TEXT NOT NULL,
    environment TEXT NOT NULL,
    system      TEXT NOT NULL,
    component   TEXT NOT NULL,
    CHECK (subject IS NULL OR channel IS NOT NULL),
    CHECK (component = '' OR system <> '')
) $strict
"""),
    "lives": Template(f"""
CREATE $temporary TABLE lives (
    life_no      $integer PRIMARY KEY,
    fact_no      $integer NOT NULL,
    -- The places of the events that began and ended it; an open one has no end.
    since        $integer NOT NULL,
    until        $integer CHECK (until > since),
    realm_no     $integer NOT NULL,
    slot         TEXT,
    lifecycle    TEXT NOT NULL CHECK (lifecycle IN ({one_of(Lifecycle)})),
    review       TEXT NOT NULL CHECK (review IN ({one_of(Review)})),
    authority    TEXT NOT NULL CHECK (authority IN ({one_of(Authority)})),
    valid_from   $integer NOT NULL,
    valid_to     $integer CHECK (valid_to >= valid_from),
    checked_at   $integer NOT NULL,
    successor_no $integer CHECK (successor_no <> fact_no),
    -- An event takes a fact one step.
    UNIQUE (fact_no, since)
) $strict
"""),
    "anchors": Template("""
CREATE $temporary TABLE anchors (
    fact_no   $integer NOT NULL,
    position  $integer NOT NULL,
    entity_no $integer NOT NULL,
    PRIMARY KEY (fact_no, position)
) $strict
"""),
    "evidence": Template("""
CREATE $temporary TABLE evidence (
    fact_no    $integer NOT NULL,
    position   $integer NOT NULL,
    episode_no $integer NOT NULL,
    span_start $integer NOT NULL,
    span_end   $integer NOT NULL,
    since      $integer NOT NULL,
    PRIMARY KEY (fact_no, position),
    UNIQUE (fact_no, episode_no, span_start, span_end)
) $strict
"""),
    "fact_tags": Template("""
CREATE $temporary TABLE fact_tags (
    fact_no  $integer NOT NULL,
    position $integer NOT NULL,
    tag      TEXT NOT NULL,
    PRIMARY KEY (fact_no, position)
) $strict
"""),
    "entities": Template(f"""
CREATE $temporary TABLE entities (
    entity_no   $integer PRIMARY KEY,
    realm_no    $integer NOT NULL,
    type        TEXT NOT NULL CHECK (type IN ({one_of(EntityType)})),
    merged_into $integer CHECK (merged_into <> entity_no),
    -- The place of the event that merged it.
    merged_by   $integer,
    CHECK ((merged_into IS NULL) = (merged_by IS NULL))
) $strict
"""),
    "names": Template("""
CREATE $temporary TABLE names (
    entity_no $integer NOT NULL,
    -- 0 is the name that it is shown by.
    position  $integer NOT NULL,
    key       TEXT NOT NULL,
    name      TEXT NOT NULL,
    PRIMARY KEY (entity_no, position),
    UNIQUE (entity_no, key)
) $strict
"""),
    # Under which keys a name is found by likeness (`knowledge.entities.blocking`), as numbers.
    "name_keys": Template("""
CREATE $temporary TABLE name_keys (
    key_no    $integer NOT NULL,
    entity_no $integer NOT NULL,
    realm_no  $integer NOT NULL,
    PRIMARY KEY (key_no, realm_no, entity_no)
) $strict
"""),
    # What was merged once, and is not the same: only a human merges it again.
    "splits": Template("""
CREATE $temporary TABLE splits (
    entity_no $integer NOT NULL,
    other_no  $integer NOT NULL,
    PRIMARY KEY (entity_no, other_no)
) $strict
"""),
    "edges": Template(f"""
CREATE $temporary TABLE edges (
    edge_no     $integer PRIMARY KEY,
    realm_no    $integer NOT NULL,
    source      $integer NOT NULL,
    source_kind TEXT NOT NULL CHECK (source_kind IN ({one_of(NodeKind)})),
    kind        TEXT NOT NULL CHECK (kind IN ({one_of(EdgeKind)})),
    target      $integer NOT NULL CHECK (target <> source),
    target_kind TEXT NOT NULL CHECK (target_kind IN ({one_of(NodeKind)})),
    until       $integer,
    UNIQUE (source, kind, target, edge_no)
) $strict
"""),
    "proposals": Template(f"""
CREATE $temporary TABLE proposals (
    proposal_no   $integer PRIMARY KEY,
    realm_no      $integer NOT NULL,
    kind          TEXT NOT NULL CHECK (kind IN ({one_of(ProposalKind)})),
    state         TEXT NOT NULL CHECK (state IN ({one_of(ProposalState)})),
    key           TEXT NOT NULL,
    snoozed_until $integer,
    decided_no    $integer,
    CHECK ((state = 'decided') = (decided_no IS NOT NULL))
) $strict
"""),
    "proposal_facts": Template("""
CREATE $temporary TABLE proposal_facts (
    proposal_no $integer NOT NULL,
    position    $integer NOT NULL,
    fact_no     $integer NOT NULL,
    is_retired  $integer NOT NULL CHECK (is_retired IN (0, 1)),
    PRIMARY KEY (proposal_no, position)
) $strict
"""),
    "words": Template(f"""
CREATE $temporary TABLE words (
    word_no   $integer PRIMARY KEY,
    owner     TEXT NOT NULL,
    registry  TEXT NOT NULL CHECK (registry IN ({one_of(Registry)})),
    key       TEXT NOT NULL,
    word      TEXT NOT NULL,
    -- The place of the event that registered it last; none did while it is in the queue.
    entry_no  $integer,
    use_count $integer NOT NULL,
    UNIQUE (owner, registry, key)
) $strict
"""),
    "receipts": Template("""
CREATE $temporary TABLE receipts (
    receipt_no $integer PRIMARY KEY,
    realm_no   $integer NOT NULL,
    session_id TEXT
) $strict
"""),
    "votes": Template(f"""
CREATE $temporary TABLE votes (
    vote_no   $integer PRIMARY KEY,
    target_no $integer NOT NULL,
    -- The actor and the session, as one text.
    voter     TEXT NOT NULL,
    verdict   TEXT NOT NULL CHECK (verdict IN ({one_of(Verdict)})),
    voted_at  $integer NOT NULL,
    UNIQUE (target_no, voter)
) $strict
"""),
    # What calls of language models may come to; once settled, what they came to.
    "reservations": Template(f"""
CREATE $temporary TABLE reservations (
    reservation_no $integer PRIMARY KEY,
    realm_no       $integer NOT NULL,
    run            TEXT NOT NULL,
    task           TEXT NOT NULL CHECK (task IN ({one_of(Task)})),
    model          TEXT NOT NULL,
    reserved_at    $integer NOT NULL,
    calls          $integer NOT NULL,
    tokens         $integer NOT NULL,
    millionths     $integer NOT NULL,
    settled_no     $integer,
    session_id     TEXT
) $strict
"""),
    # Where episodes came from, with whom and in which conversation, where they say so.
    "origins": Template("""
CREATE $temporary TABLE origins (
    episode_no      $integer PRIMARY KEY,
    transport       TEXT NOT NULL,
    -- As it is compared, and as they were told; empty where nobody said.
    address         TEXT NOT NULL,
    entity_id       TEXT NOT NULL,
    conversation_id TEXT NOT NULL
) $strict
"""),
    "identities": Template(f"""
CREATE $temporary TABLE identities (
    identity_no $integer PRIMARY KEY,
    entity_no   $integer NOT NULL,
    owner       TEXT NOT NULL,
    transport   TEXT NOT NULL,
    address     TEXT NOT NULL,
    confidence  TEXT NOT NULL CHECK (confidence IN ({one_of(LinkConfidence)})),
    verified_at $integer,
    -- What it is looked for by: the address, and what its bearer is called there.
    goes_by     TEXT NOT NULL,
    CHECK ((confidence = 'confirmed') = (verified_at IS NOT NULL)),
    -- An address is one entity's alone (EM-021).
    UNIQUE (owner, transport, address)
) $strict
"""),
    "conversations": Template(f"""
CREATE $temporary TABLE conversations (
    conversation_no $integer PRIMARY KEY,
    realm_no        $integer NOT NULL,
    entity_no       $integer NOT NULL,
    transport       TEXT NOT NULL,
    address         TEXT NOT NULL,
    status          TEXT NOT NULL CHECK (status IN ({one_of(ConversationStatus)}))
) $strict
"""),
    "summaries": Template("""
CREATE $temporary TABLE summaries (
    summary_no      $integer PRIMARY KEY,
    conversation_no $integer NOT NULL,
    -- The places of the first and the last message that it is of.
    first_no        $integer NOT NULL,
    last_no         $integer NOT NULL CHECK (last_no >= first_no),
    message_count   $integer NOT NULL CHECK (message_count > 0),
    -- The place of the summary that superseded it.
    until           $integer CHECK (until > summary_no)
) $strict
"""),
    "traits": Template("""
CREATE $temporary TABLE traits (
    trait_no  $integer PRIMARY KEY,
    entity_no $integer NOT NULL,
    key       TEXT NOT NULL,
    -- The place of the event that told otherwise.
    until     $integer CHECK (until > trait_no)
) $strict
"""),
    # What came of putting facts to the test, and the promotion that was proposed because of it.
    "outcomes": Template("""
CREATE $temporary TABLE outcomes (
    outcome_no  $integer PRIMARY KEY,
    fact_no     $integer NOT NULL,
    proposal_no $integer,
    revoked_no  $integer CHECK (revoked_no > outcome_no)
) $strict
"""),
    # Rounds of putting away by rule, and what each put away.
    "sweeps": Template("""
CREATE $temporary TABLE sweeps (
    sweep_no $integer PRIMARY KEY,
    began_at $integer NOT NULL,
    owner    TEXT NOT NULL
) $strict
"""),
    "swept": Template("""
CREATE $temporary TABLE swept (
    -- The place of the event that put a fact away.
    archived_no $integer PRIMARY KEY,
    sweep_no    $integer NOT NULL
) $strict
"""),
    # What stands where something was erased: by which event, and where it was seen.
    "tombstones": Template("""
CREATE $temporary TABLE tombstones (
    erased_no  $integer PRIMARY KEY,
    erasure_no $integer NOT NULL CHECK (erasure_no > erased_no),
    scope      TEXT NOT NULL
) $strict
"""),
    # Up to which place each session was looked through for what it states, by the oldest list of
    # extractors, and behind which place it waits for a language model.
    "distilled": Template("""
CREATE $temporary TABLE distilled (
    session_no   $integer PRIMARY KEY,
    through      $integer NOT NULL,
    version      $integer NOT NULL,
    unread_after $integer CHECK (unread_after < through)
) $strict
"""),
} | GAPS

KNOWLEDGE_INDEXES = (
    """
CREATE UNIQUE INDEX one_current_fact_in_a_slot ON lives (realm_no, slot)
    WHERE until IS NULL AND lifecycle = 'current' AND slot IS NOT NULL;
CREATE UNIQUE INDEX one_open_life_of_a_fact ON lives (fact_no) WHERE until IS NULL;
CREATE INDEX unread_sessions ON distilled (unread_after) WHERE unread_after IS NOT NULL;
CREATE INDEX lives_begun_by ON lives (since);
CREATE INDEX lives_succeeded_by ON lives (successor_no) WHERE successor_no IS NOT NULL;
CREATE INDEX lives_in_time ON lives (realm_no, lifecycle, valid_from, fact_no)
    WHERE until IS NULL;
CREATE INDEX lives_in_a_slot ON lives (realm_no, slot) WHERE slot IS NOT NULL;
CREATE INDEX facts_by_statement ON facts (statement);
CREATE INDEX facts_by_subject ON facts (subject, predicate) WHERE subject IS NOT NULL;
CREATE INDEX facts_by_object ON facts (object) WHERE object IS NOT NULL;
CREATE INDEX triples_from ON facts (subject_node, fact_no) WHERE subject_node IS NOT NULL;
CREATE INDEX triples_in_a_channel ON facts (subject_node, channel, fact_no)
    WHERE subject_node IS NOT NULL;
CREATE INDEX triples_to ON facts (object_node, fact_no) WHERE object_node IS NOT NULL;
CREATE INDEX facts_by_system ON facts (system, component) WHERE system <> '';
CREATE INDEX facts_about ON anchors (entity_no, fact_no);
CREATE INDEX facts_resting_on ON evidence (episode_no, fact_no);
CREATE INDEX facts_by_tag ON fact_tags (tag, fact_no);
CREATE INDEX entities_by_name ON names (key);
CREATE INDEX entities_in_realm ON entities (realm_no);
CREATE INDEX entities_merged_into ON entities (merged_into) WHERE merged_into IS NOT NULL;
CREATE UNIQUE INDEX one_edge_of_a_kind ON edges (realm_no, source, kind, target)
    WHERE until IS NULL;
CREATE INDEX edges_to ON edges (target, kind);
CREATE INDEX origins_by_address ON origins (address, transport);
CREATE INDEX origins_by_entity ON origins (entity_id) WHERE entity_id <> '';
CREATE INDEX origins_by_conversation ON origins (conversation_id, episode_no)
    WHERE conversation_id <> '';
CREATE UNIQUE INDEX one_open_conversation_by_a_way
    ON conversations (realm_no, entity_no, transport, address) WHERE status <> 'closed';
CREATE UNIQUE INDEX one_current_summary ON summaries (conversation_no) WHERE until IS NULL;
CREATE INDEX summaries_of_a_conversation ON summaries (conversation_no);
CREATE INDEX identities_of_an_entity ON identities (entity_no);
CREATE INDEX identities_by_address ON identities (address);
CREATE UNIQUE INDEX one_current_trait_for_a_key ON traits (entity_no, key) WHERE until IS NULL;
CREATE INDEX traits_of_an_entity ON traits (entity_no);
CREATE INDEX proposals_waiting ON proposals (realm_no, state);
CREATE INDEX proposals_by_key ON proposals (key);
CREATE INDEX proposals_about ON proposal_facts (fact_no);
CREATE INDEX reservations_in_time ON reservations (reserved_at, realm_no);
CREATE INDEX reservations_of_a_run ON reservations (run);
CREATE INDEX reservations_for_a_session ON reservations (session_id)
    WHERE session_id IS NOT NULL;
CREATE INDEX outcomes_of_a_fact ON outcomes (fact_no);
CREATE INDEX outcomes_proposed ON outcomes (proposal_no) WHERE proposal_no IS NOT NULL;
CREATE INDEX swept_by ON swept (sweep_no);
CREATE INDEX documents ON episodes (realm_no, session_no)
    WHERE position = 1 AND kind = 'document';
CREATE INDEX receipts_of_a_session ON receipts (session_id) WHERE session_id IS NOT NULL;
"""
    + GAP_INDEXES
)
