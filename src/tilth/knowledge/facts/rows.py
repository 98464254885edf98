"""How events about facts and proposals show in the tables."""

from collections.abc import Iterable
from functools import partial

from tilth.core.errors import CorruptionError
from tilth.core.event import Recorded
from tilth.core.ids import FACT_PREFIX, FactId
from tilth.core.instant import to_micros
from tilth.core.keys import index_key
from tilth.core.lifecycle import Lifecycle, Review
from tilth.core.urn import node_key
from tilth.knowledge.facts import lives
from tilth.knowledge.facts.events import ChangeUndone, FactRecorded, FactReinforced
from tilth.knowledge.facts.fact import Evidence
from tilth.knowledge.facts.life import (
    Life,
    affirmed,
    as_evidence,
    disputed,
    rejected,
    restricted,
    retired,
    stale,
    superseded,
)
from tilth.knowledge.outcomes.tables import project_proposed
from tilth.knowledge.proposals.events import ProposalDecided, ProposalOpened, ProposalSnoozed
from tilth.knowledge.proposals.proposal import Action, Ruling
from tilth.knowledge.vocabulary.registries import word_key
from tilth.knowledge.vocabulary.rows import count_unknown
from tilth.ledger.engine import Connection
from tilth.ledger.places import place_of
from tilth.ledger.realms import realm_of

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
_PROPOSAL = """
INSERT INTO proposals (proposal_no, realm_no, kind, state, key) VALUES (?, ?, ?, 'open', ?)
"""
_PROPOSAL_FACT = """
INSERT INTO proposal_facts (proposal_no, position, fact_no, is_retired) VALUES (?, ?, ?, ?)
"""
_DECIDED = "UPDATE proposals SET state = 'decided', decided_no = ? WHERE proposal_no = ?"
_REOPENED = "UPDATE proposals SET state = 'open', decided_no = NULL WHERE decided_no = ?"
_SNOOZED = "UPDATE proposals SET snoozed_until = ? WHERE proposal_no = ?"


def project_fact(conn: Connection, recorded: Recorded, event: FactRecorded) -> None:
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
    conn.rows(_FACT, (recorded.seq, event.key, said.channel, *parts, *keys))
    for position, entity_id in enumerate(event.about):
        conn.rows(_ANCHOR, (recorded.seq, position, place_of(conn, entity_id)))
    for position, tag in enumerate(taxonomy.tags):
        conn.rows(_TAG, (recorded.seq, position, word_key(tag)))
    _add_evidence(conn, recorded, recorded.seq, event.evidence)
    count_unknown(conn, recorded.owner, event.unknown)
    if event.supersedes is not None and event.lifecycle is Lifecycle.CURRENT:
        by = FactId(FACT_PREFIX + recorded.event_id)
        lives.change(conn, recorded, event.supersedes, partial(superseded, by=by, at=begins))
    life = Life(
        scope=event.scope,
        lifecycle=event.lifecycle,
        review=Review.CONFIRMED if recorded.by.is_human else Review.UNREVIEWED,
        authority=event.authority,
        valid_from=begins,
        valid_to=event.valid_to,
        checked_at=recorded.recorded_at,
    )
    lives.begin(conn, recorded, recorded.seq, life, event.slot or None)


def project_reinforcement(conn: Connection, recorded: Recorded, event: FactReinforced) -> None:
    """Show that the same was said again."""
    _add_evidence(conn, recorded, place_of(conn, event.fact_id), event.evidence)


def project_undoing(conn: Connection, recorded: Recorded, event: ChangeUndone) -> None:
    """Give back what an event changed; a decision is open again."""
    event_no = place_of(conn, event.event_id)
    lives.take_back(conn, recorded, event_no)
    conn.rows(_REOPENED, (event_no,))


def project_proposal(conn: Connection, recorded: Recorded, event: ProposalOpened) -> None:
    """Show what waits for a human."""
    draft = event.draft
    realm = realm_of(conn, recorded.seq, recorded.owner, draft.scope)
    conn.rows(_PROPOSAL, (recorded.seq, realm, draft.kind.value, draft.key))
    if outcome := draft.detail.get("outcome"):
        project_proposed(conn, recorded.seq, str(outcome))
    named = [(one, 0) for one in draft.facts] + [(one, 1) for one in draft.retires]
    for position, (fact_id, is_retired) in enumerate(named):
        row = (recorded.seq, position, place_of(conn, fact_id), is_retired)
        conn.rows(_PROPOSAL_FACT, row)


def project_decision(conn: Connection, recorded: Recorded, event: ProposalDecided) -> None:
    """Show what a human decided, and all that follows for facts."""
    conn.rows(_DECIDED, (recorded.seq, place_of(conn, event.proposal_id)))
    ruling = event.ruling
    since = ruling.since or recorded.recorded_at
    for fact_id in ruling.retires:
        if ruling.facts:
            step: lives.Step = partial(superseded, by=ruling.facts[0], at=since)
        else:
            step = partial(retired, at=since)
        lives.change(conn, recorded, fact_id, step)
    for fact_id in ruling.rejects:
        lives.change(conn, recorded, fact_id, rejected)
    for fact_id in ruling.facts:
        lives.change(conn, recorded, fact_id, _step(ruling, recorded))


def project_snoozing(conn: Connection, event: ProposalSnoozed) -> None:
    """Show that a human will look at it later."""
    conn.rows(_SNOOZED, (to_micros(event.until), place_of(conn, event.proposal_id)))


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
    conn: Connection, recorded: Recorded, fact_no: int, evidence: Iterable[Evidence]
) -> None:
    for one in evidence:
        episode_no = place_of(conn, one.episode_id)
        row = (fact_no, fact_no, episode_no, one.start, one.end, recorded.seq)
        conn.rows(_EVIDENCE, row)
