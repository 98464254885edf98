"""Read candidates with their words, their source and the answers of humans."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from functools import partial

from tilth.core.dataclass import dataclass
from tilth.core.errors import NotFoundError
from tilth.core.event import decode
from tilth.core.ids import FactId
from tilth.core.instant import from_micros
from tilth.core.lifecycle import Review
from tilth.core.scope import Visibility
from tilth.discovery.own_material import addresses_of
from tilth.discovery.rules import independent_count
from tilth.episodes.tables import Episodes
from tilth.garden.events import GardenSpent
from tilth.garden.model import (
    Candidate,
    CycleId,
    Source,
    SourceId,
    SuggestedVerdict,
    Topic,
    TopicId,
    confidence_by,
)
from tilth.garden.reports import Clash
from tilth.garden.tables import EVERY, CandidateFilter, Inbox, Links, Sources, Topics
from tilth.garden.topics import normal_address
from tilth.knowledge.facts.fact import Fact
from tilth.knowledge.facts.tables import Facts
from tilth.knowledge.proposals.proposal import ProposalKind, ProposalState
from tilth.knowledge.proposals.tables import ProposalFilter, Proposals
from tilth.ledger.engine import Row
from tilth.ledger.records import find_place
from tilth.ledger.snapshot import Snapshot, every

CANDIDATES_LISTED_MAX = 1000


def candidates_in(
    view: Snapshot,
    within: Visibility,
    which: CandidateFilter = EVERY,
    *,
    limit: int = CANDIDATES_LISTED_MAX,
) -> list[Candidate]:
    """Return candidates, newest first."""
    rows = Links(view).select(within, which, limit=limit)
    suggested = suggested_in(view, within)
    facts = {fact.seq: fact for fact in Facts(view).at([int(row[0]) for row in rows], within)}
    known = [row for row in rows if int(row[0]) in facts]
    pairs = ((row, facts[int(row[0])]) for row in known)
    return [_candidate(view, row, fact, within, suggested.get(fact.id, ())) for row, fact in pairs]


def suggested_in(view: Snapshot, within: Visibility) -> Mapping[FactId, Sequence[SuggestedVerdict]]:
    """Return what unsigned files suggest for each open candidate."""
    found: dict[FactId, list[SuggestedVerdict]] = defaultdict(list)
    for fact_id, said in Inbox(view).suggested(within):
        found[fact_id].append(
            SuggestedVerdict(inbox=said.inbox, verdict=said.verdict, reason=said.reason)
        )
    return found


def clashes_in(view: Snapshot, within: Visibility) -> list[Clash]:
    """Return open contradictions that involve a fact of a topic, oldest first."""
    which = ProposalFilter(
        within=within,
        states=frozenset({ProposalState.OPEN}),
        kinds=frozenset({ProposalKind.CONTRADICTION}),
    )
    found: list[Clash] = []
    for one in every(partial(Proposals(view).select, which)):
        if any(Topics(view).of_fact(side, within) for side in one.draft.facts):
            older, newer = (Facts(view).get(side, within) for side in one.draft.facts)
            if Review.REJECTED not in {older.life.review, newer.life.review}:
                found.append(Clash(proposal=one, older=older, newer=newer))
    return found


def _candidate(
    view: Snapshot,
    row: Row,
    fact: Fact,
    within: Visibility,
    suggested: Sequence[SuggestedVerdict],
) -> Candidate:
    said_by = _sources_of(view, fact, within) if len(fact.evidence) > 1 else []
    independent = independent_count((one.domain, one.cluster) for one in said_by)
    nth, topic, source, cycle, found_at, payload = row[4], *row[7:12]
    asked = decode("garden_spent", payload, None) if payload else None
    return Candidate(
        fact=fact,
        quote=quote_of(view, fact, within),
        topic_id=TopicId.stored(topic),
        source_id=SourceId.stored(source),
        cycle_id=CycleId.stored(cycle),
        nth=int(nth),
        question=asked.what if isinstance(asked, GardenSpent) else "",
        found_at=from_micros(found_at),
        proposal=Proposals(view).asked(f"fact:{fact.id}", fact.owner, fact.life.scope),
        confidence=confidence_by(fact.confidence.value, independent),
        said_by=tuple(one.id for one in said_by),
        suggested=tuple(suggested),
    )


def _sources_of(view: Snapshot, fact: Fact, within: Visibility) -> list[Source]:
    """Return the sources that a fact's evidence is from, each once."""
    found: dict[SourceId, Source] = {}
    places = [find_place(view.conn, one.episode_id) or 0 for one in fact.evidence]
    for episode in Episodes(view).at(places, within):
        known = (Sources(view).at(normal_address(at), within) for at in addresses_of(episode))
        if (source := next(filter(None, known), None)) is not None:
            found.setdefault(source.id, source)
    return list(found.values())


def quote_of(view: Snapshot, fact: Fact, within: Visibility) -> str:
    """Return the words of a fact's first evidence; empty if their episode is gone."""
    for one in fact.evidence[:1]:
        try:
            text = Episodes(view).get(one.episode_id, within).text
        except NotFoundError:
            return ""
        return text[one.start : one.end] if one.end else text
    return ""


@dataclass(frozen=True, slots=True, kw_only=True)
class TopicStory:
    """A topic with its candidates, their sources, and the facts that somebody added to it."""

    topic: Topic
    facts: Sequence[Fact]
    candidates: Sequence[Candidate]
    sources: Sequence[Source]
