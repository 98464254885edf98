"""Facts as hits of an answer."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from tilth.core.ids import EntityId, FactId
from tilth.core.lifecycle import Lifecycle, Review, freshness_of
from tilth.core.scope import Visibility
from tilth.knowledge.facts.fact import Fact
from tilth.knowledge.facts.filters import FactFilter, Moment
from tilth.knowledge.facts.places import FactPlaces
from tilth.knowledge.facts.tables import Facts
from tilth.ledger.snapshot import Snapshot
from tilth.recall.candidates import Ask
from tilth.recall.model import Hit, RecallOptions, Tier
from tilth.recall.packing import snippet
from tilth.recall.ranking import Grouped

# What is remembered of facts: drafts wait, and what was put away or rejected is no memory.
_TOLD = frozenset({Lifecycle.CURRENT, Lifecycle.SUPERSEDED, Lifecycle.HISTORICAL})
_NOT_REJECTED = frozenset(Review) - {Review.REJECTED}


@dataclass(frozen=True, slots=True)
class Scores:
    """What ranking says of one candidate."""

    score: float
    signals: Mapping[str, float]
    parts: Mapping[str, float]


@dataclass(frozen=True, slots=True)
class LoadedFacts:
    """The facts of an answer, and those in doubt with what speaks against them."""

    facts: Mapping[int, Fact]
    rivals: Mapping[int, Sequence[FactId]]


def facts_within(
    within: Visibility, options: RecallOptions, about: EntityId | None = None
) -> FactFilter | None:
    """Return which facts may answer; None if none may."""
    if not options.has_facts:
        return None
    return FactFilter(
        within=within,
        moment=Moment(options.as_of, options.known_at),
        lifecycles=_TOLD,
        reviews=_NOT_REJECTED,
        about=about,
        area=options.area,
    )


def load_facts(view: Snapshot, which: FactFilter | None, seqs: Sequence[int]) -> LoadedFacts:
    """Read the facts at *seqs* whole."""
    if which is None or not seqs:
        return LoadedFacts({}, {})
    facts = {one.seq: one for one in Facts(view).at(seqs, which.within, which.moment)}
    doubtful = [seq for seq, fact in facts.items() if _is_doubtful(fact)]
    found = FactPlaces(view).rivals(doubtful, which.moment) if doubtful else {}
    others = {seq for rivals in found.values() for seq in rivals}
    named = {one.seq: one.id for one in Facts(view).at(sorted(others), which.within, which.moment)}
    rivals = {
        seq: [named[other] for other in rivals if other in named] for seq, rivals in found.items()
    }
    return LoadedFacts(facts, rivals)


def fact_hit(
    ask: Ask, chosen: Grouped, fact: Fact, loaded: LoadedFacts, scores: Scores, *, is_full: bool
) -> Hit:
    """Return *fact* as a hit."""
    life, text = fact.life, fact.said.text
    shown = text if is_full else snippet(text, ask.question.terms)
    return Hit(
        id=fact.id,
        tier=Tier.FACT,
        text=shown,
        word_count=len(text.split()),
        is_snippet=shown != text,
        score=scores.score,
        signals=scores.signals,
        parts=scores.parts,
        group=chosen.group,
        session_id=None,
        session_title="",
        session_tags=(),
        episode_ids=tuple(dict.fromkeys(one.episode_id for one in fact.evidence)),
        kind=None,
        role=None,
        speaker="",
        scope=life.scope,
        valid_from=life.valid_from,
        valid_to=life.valid_to,
        recorded_at=fact.recorded_at,
        lifecycle=life.lifecycle,
        review=life.review,
        freshness=freshness_of(_now(ask) - life.checked_at),
        confidence=fact.confidence,
        authority=life.authority,
        successor=life.successor,
        rivals=tuple(loaded.rivals.get(fact.seq, ())),
        is_contested=fact.is_contested,
    )


def _is_doubtful(fact: Fact) -> bool:
    return fact.is_contested or fact.life.review is Review.DISPUTED


def _now(ask: Ask) -> datetime:
    """Return when it is asked; what was known then is as old as it was then."""
    known_at = None if ask.facts is None else ask.facts.moment.known_at
    return known_at or ask.recaller.clock.now()
