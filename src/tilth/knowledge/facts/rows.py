"""
Facts: their tables, and how events show in them.

`facts` holds what a fact says, which never changes; `lives` what it was for
how long, in places of the ledger. What was said itself stays in the ledger,
once. Columns of names hold keys (`tilth.core.text.names`), for comparing alone.
"""

from collections.abc import Iterable
from functools import partial

from tilth.core.errors import CorruptionError
from tilth.core.event import Recorded, decode
from tilth.core.ids import FactId
from tilth.core.lifecycle import Lifecycle, Review
from tilth.core.table import Table
from tilth.core.text.keys import index_key
from tilth.core.text.tokens import index_terms
from tilth.core.text.urn import node_key
from tilth.knowledge.facts import lives
from tilth.knowledge.facts.events import FactArchived, FactRecorded, FactReinforced, FactRetired
from tilth.knowledge.facts.fact import Evidence
from tilth.knowledge.facts.life import (
    Life,
    affirmed,
    archived,
    as_evidence,
    disputed,
    rejected,
    restricted,
    retired,
    stale,
    superseded,
)
from tilth.knowledge.proposals.events import ChangeUndone, ProposalDecided
from tilth.knowledge.proposals.proposal import Action, Ruling
from tilth.knowledge.vocabulary.registries import Channel, word_key
from tilth.knowledge.vocabulary.rows import count_unknown
from tilth.ledger.engine import FACTS as INDEXED_FACTS
from tilth.ledger.projection import Rows, indexes_terms, projects
from tilth.ledger.sql_list import one_of

FACTS = Table(
    "facts",
    no=5,
    since=2,
    columns=f"""
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
""",
    indexes="""
CREATE INDEX facts_by_statement ON facts (statement);
CREATE INDEX facts_by_subject ON facts (subject, predicate) WHERE subject IS NOT NULL;
CREATE INDEX facts_by_object ON facts (object) WHERE object IS NOT NULL;
CREATE INDEX triples_from ON facts (subject_node, fact_no) WHERE subject_node IS NOT NULL;
CREATE INDEX triples_in_a_channel ON facts (subject_node, channel, fact_no)
    WHERE subject_node IS NOT NULL;
CREATE INDEX triples_to ON facts (object_node, fact_no) WHERE object_node IS NOT NULL;
CREATE INDEX facts_by_system ON facts (system, component) WHERE system <> '';
""",
)
ANCHORS = Table(
    "anchors",
    no=7,
    since=2,
    columns="""
    fact_no   $integer NOT NULL,
    position  $integer NOT NULL,
    entity_no $integer NOT NULL,
    PRIMARY KEY (fact_no, position)
""",
    indexes="""
CREATE INDEX facts_about ON anchors (entity_no, fact_no);
""",
)
EVIDENCE = Table(
    "evidence",
    no=8,
    since=2,
    columns="""
    fact_no    $integer NOT NULL,
    position   $integer NOT NULL,
    episode_no $integer NOT NULL,
    span_start $integer NOT NULL,
    span_end   $integer NOT NULL,
    since      $integer NOT NULL,
    PRIMARY KEY (fact_no, position),
    UNIQUE (fact_no, episode_no, span_start, span_end)
""",
    indexes="""
CREATE INDEX facts_resting_on ON evidence (episode_no, fact_no);
""",
)
FACT_TAGS = Table(
    "fact_tags",
    no=9,
    since=2,
    columns="""
    fact_no  $integer NOT NULL,
    position $integer NOT NULL,
    tag      TEXT NOT NULL,
    PRIMARY KEY (fact_no, position)
""",
    indexes="""
CREATE INDEX facts_by_tag ON fact_tags (tag, fact_no);
""",
)

_FACT = """
INSERT INTO facts (fact_no, statement, channel, subject, predicate, object,
                   subject_node, object_node,
                   area, environment, system, component)
VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
"""
_ANCHOR = "INSERT INTO anchors (fact_no, position, entity_no) VALUES (?, ?, ?)"
_TAG = "INSERT INTO fact_tags (fact_no, position, tag) VALUES (?, ?, ?)"
# Saying the same again from the same words is no new evidence (I24).
_EVIDENCE = """
INSERT INTO evidence (fact_no, position, episode_no, span_start, span_end, since)
VALUES (?, (SELECT count(*) FROM evidence WHERE fact_no = ?), ?, ?, ?, ?)
ON CONFLICT (fact_no, episode_no, span_start, span_end) DO NOTHING
"""


@projects(FactRecorded)
def recorded_fact(rows: Rows, recorded: Recorded, event: FactRecorded) -> None:
    """Show a new fact; if it is current, what it supersedes ends where it begins."""
    said, begins = event.said, event.valid_from or recorded.recorded_at
    triple, taxonomy = said.triple, said.taxonomy
    parts: tuple[str | None, ...] = (None,) * 5
    if triple is not None:
        parts = (
            index_key(triple.subject),
            word_key(triple.predicate),
            index_key(triple.object),
            node_key(triple.subject),
            node_key(triple.object),
        )
    places = (taxonomy.area, taxonomy.environment, taxonomy.system, taxonomy.component)
    keys = map(index_key, places)
    rows.run(_FACT, (recorded.seq, event.key, said.channel, *parts, *keys))
    for position, entity_id in enumerate(event.about):
        rows.run(_ANCHOR, (recorded.seq, position, rows.place_of(entity_id)))
    for position, tag in enumerate(taxonomy.tags):
        rows.run(_TAG, (recorded.seq, position, word_key(tag)))
    _add_evidence(rows, recorded, recorded.seq, event.evidence)
    count_unknown(rows, recorded.owner, event.unknown)
    if event.supersedes is not None and event.lifecycle is Lifecycle.CURRENT:
        by = FactId.of(recorded.event_id)
        lives.change(rows, recorded, event.supersedes, partial(superseded, by=by, at=begins))
    life = Life(
        scope=event.scope,
        lifecycle=event.lifecycle,
        review=Review.CONFIRMED if recorded.by.is_human else Review.UNREVIEWED,
        authority=event.authority,
        valid_from=begins,
        valid_to=event.valid_to,
        checked_at=recorded.recorded_at,
    )
    lives.begin(rows, recorded, recorded.seq, life, event.slot or None)
    realm = rows.realm_of(recorded, event.scope)
    rows.texts.facts.add(rows.conn, recorded.seq, realm, index_terms(said.words))


@projects(FactReinforced)
def reinforced(rows: Rows, recorded: Recorded, event: FactReinforced) -> None:
    """Show that the same was said again."""
    _add_evidence(rows, recorded, rows.place_of(event.fact_id), event.evidence)


@projects(FactRetired)
def retired_fact(rows: Rows, recorded: Recorded, event: FactRetired) -> None:
    """Show that a fact ended."""
    at = event.valid_to or recorded.recorded_at
    lives.change(rows, recorded, event.fact_id, partial(retired, at=at))


@projects(FactArchived)
def archived_fact(rows: Rows, recorded: Recorded, event: FactArchived) -> None:
    """Show that a fact was put away."""
    lives.change(rows, recorded, event.fact_id, archived)


@projects(ChangeUndone)
def undone(rows: Rows, recorded: Recorded, event: ChangeUndone) -> None:
    """Give back what an event changed."""
    lives.take_back(rows, recorded, rows.place_of(event.event_id))


@projects(ProposalDecided)
def decided(rows: Rows, recorded: Recorded, event: ProposalDecided) -> None:
    """Show all that follows for facts from what a human decided."""
    ruling = event.ruling
    since = ruling.since or recorded.recorded_at
    for fact_id in ruling.retires:
        if ruling.facts:
            step: lives.Step = partial(superseded, by=ruling.facts[0], at=since)
        else:
            step = partial(retired, at=since)
        lives.change(rows, recorded, fact_id, step)
    for fact_id in ruling.rejects:
        lives.change(rows, recorded, fact_id, rejected)
    for fact_id in ruling.facts:
        lives.change(rows, recorded, fact_id, _step(ruling, recorded))


@indexes_terms(INDEXED_FACTS)
def _fact_terms(payload: str) -> list[str]:
    """
    Return what the full-text index holds of the fact with this *payload*.

    Raises:
        CorruptionError: it is not that of a fact.
    """
    event = decode("fact_recorded", payload, None)
    if not isinstance(event, FactRecorded):
        raise CorruptionError("a fact cannot be read")
    return index_terms(event.said.words)


def _step(ruling: Ruling, recorded: Recorded) -> lives.Step:
    at = recorded.recorded_at
    match ruling.action:
        case Action.CONFIRM | Action.SUPERSEDE | Action.EDIT | Action.MERGE:
            return partial(affirmed, since=ruling.since, at=at)
        case Action.REJECT:
            return rejected
        case Action.DISPUTE:
            return disputed
        case Action.MARK_STALE:
            return stale
        case Action.EVIDENCE_ONLY:
            return as_evidence
        case Action.RESTRICT_SCOPE:
            if ruling.scope is None:
                raise CorruptionError("a scope is restricted, and none is named")
            since = ruling.since or at
            return partial(restricted, scope=ruling.scope, since=since, at=at)


def _add_evidence(
    rows: Rows, recorded: Recorded, fact_no: int, evidence: Iterable[Evidence]
) -> None:
    for one in evidence:
        episode_no = rows.place_of(one.episode_id)
        row = (fact_no, fact_no, episode_no, one.start, one.end, recorded.seq)
        rows.run(_EVIDENCE, row)
