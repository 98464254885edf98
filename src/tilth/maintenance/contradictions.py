"""
Looking for facts that contradict each other, and asking a human about them.

It runs behind the writing, never in it: by the worker, or by `tilth review scan`.
So no statement waits for it, and one that is written twice is compared once. What
it finds is a question with both sides; it picks none, and changes no fact. What a
human has answered is not asked again, though it be said anew in the same words.
"""

import logging
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import islice

from tilth.core.dataclass import dataclass
from tilth.core.ids import FactId, ProposalId
from tilth.core.scope import GLOBAL, Visibility, seen_from
from tilth.core.text.tokens import index_terms
from tilth.embedding.embedder import Embedder
from tilth.episodes.remember import WriteContext
from tilth.knowledge.entities.tables import Entities
from tilth.knowledge.facts.fact import Fact, contradiction_key
from tilth.knowledge.facts.filters import FactFilter
from tilth.knowledge.facts.tables import Facts
from tilth.knowledge.likeness.contradiction import Near, rank
from tilth.knowledge.proposals.proposal import REASON_CHARS_MAX, ProposalDraft, ProposalKind
from tilth.knowledge.vocabulary.registries import Channel
from tilth.ledger.records import find_places
from tilth.ledger.search import Search
from tilth.ledger.snapshot import Snapshot
from tilth.ledger.store import Store
from tilth.llm.answers import Contradictions
from tilth.llm.client import ModelClient, Question, Refusal, think
from tilth.maintenance.compare import ask_about, mean_cosines, nearest_places, new_facts

logger = logging.getLogger(__name__)

# So many are compared with each, by words and by vectors of each tier.
NEAR_MAX = 25
EVENTS_MAX = 1000
# A model is shown so many facts in one question, of each new one so many that are near it, and is
# heard where it is so sure.
_SHOWN_MAX = 60
_NEAR_SHOWN = 5
_SURE_FROM = 0.7
_BY_MODEL = "model"
# One statement asks at most about those that it contradicts likeliest: a queue is for people.
ASKED_MAX = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class ContradictionScan:
    """
    What a scan compared and asked; the next one goes on behind `through`.

    `is_done` says that nothing is left behind it.
    """

    fact_count: int
    asked: tuple[ProposalId, ...]
    through: int
    is_done: bool


@dataclass(frozen=True, slots=True)
class _Pair:
    """
    Two facts, and in what they disagree; `newer` was recorded after `older`.

    `sign` is what gave it away: a kind of conflict, or the opinion of a model.
    """

    newer: Fact
    older: Fact
    reason: str
    score: float
    sign: str

    @property
    def key(self) -> str:
        return contradiction_key(self.newer, self.older)


def scan_contradictions(
    store: Store,
    embedders: Sequence[Embedder],
    recorder: WriteContext,
    *,
    after: int,
    limit: int,
    thinker: ModelClient | None,
) -> ContradictionScan:
    """
    Compare what became current behind the place *after* with what is near it, and ask.

    Args:
        store: Where the facts are.
        embedders: The tiers whose vectors tell what is near.
        recorder: Who asks, and for whom.
        after: Where the last scan ended.
        limit: How many lines of the ledger to look at.
        thinker: What may ask a language model besides; None asks none.
    """
    with store.read() as view:
        events = view.events(after=after, limit=limit)
        facts = list(new_facts(view, events, recorder))
        pairs = [pair for fact in facts for pair in _pairs(view, fact, embedders)]
        near = {fact.id: _comparable(view, fact, embedders) for fact in facts} if thinker else {}
    if thinker is not None:
        pairs += _seen_by_model(thinker, facts, near)
    asked = [asked for pair in pairs if (asked := _asked(store, pair, recorder)) is not None]
    level = logging.INFO if facts else logging.DEBUG
    logger.log(level, "facts compared: facts=%d asked=%d", len(facts), len(asked))
    return ContradictionScan(
        fact_count=len(facts),
        asked=tuple(asked),
        through=events[-1].seq if events else after,
        is_done=len(events) < limit,
    )


def _pairs(view: Snapshot, fact: Fact, embedders: Sequence[Embedder]) -> Iterator[_Pair]:
    near = _comparable(view, fact, embedders)
    cosines = mean_cosines(view, fact, near, embedders)
    pool = [Near(one.said.text, cosine) for one, cosine in zip(near, cosines, strict=True)]
    found = (
        _Pair(fact, near[one.index], one.reason, one.score, one.kind.value)
        for one in rank(fact.said.text, pool)
    )
    # Of two new ones, the newer asks.
    yield from islice((pair for pair in found if pair.older.seq < fact.seq), ASKED_MAX)


def _seen_by_model(
    thinker: ModelClient, facts: Sequence[Fact], near: Mapping[FactId, Sequence[Fact]]
) -> Iterator[_Pair]:
    """Yield the pairs of which a model says that both cannot hold, each with a new side."""
    shown: dict[FactId, Fact] = {}
    for fact in facts:
        others = near[fact.id][:_NEAR_SHOWN]
        if others and len(shown) + len(others) < _SHOWN_MAX:
            shown |= {one.id: one for one in (fact, *others)}
    if not shown:
        return
    things = {str(one.id): one.said.text for one in shown.values()}
    thought = think(thinker, Contradictions, Question(things=things))
    if isinstance(thought, Refusal):
        return
    for seen in thought.answer.conflicts:
        if seen.confidence < _SURE_FROM:
            continue
        older, newer = sorted((shown[seen.first], shown[seen.second]), key=lambda one: one.seq)
        if newer.id in near and older in near[newer.id]:
            reason = f"{thought.model} says that both cannot hold"
            yield _Pair(newer, older, reason, seen.confidence, _BY_MODEL)


def _comparable(view: Snapshot, fact: Fact, embedders: Sequence[Embedder]) -> list[Fact]:
    return [other for other in _near(view, fact, embedders) if _may_differ(fact, other)]


def _near(view: Snapshot, fact: Fact, embedders: Sequence[Embedder]) -> list[Fact]:
    """Return the current facts about the same that are nearest, by words and by vectors."""
    scope = fact.life.scope
    within = seen_from(fact.owner, None if scope == GLOBAL else scope)
    terms = list(dict.fromkeys(index_terms(fact.said.words)))
    seqs: list[int] = []
    for which in _about_the_same(view, fact, within):
        seqs += [one.seq for one in Search(view).lexical(terms, which, limit=NEAR_MAX)]
        seqs += nearest_places(view, fact, which, embedders, limit=NEAR_MAX)
    return Facts(view).at(list(dict.fromkeys(seqs)), within)


def _about_the_same(view: Snapshot, fact: Fact, within: Visibility) -> Iterator[FactFilter]:
    """
    Yield which facts are about the same system as one (OB-059).

    Where no system is named, these are what names none either and shares an entity with it:
    the ports of two services are no contradiction.
    """
    same = FactFilter(within=within, system=fact.said.taxonomy.system)
    if same.system:
        yield same
        return
    entities = Entities(view)
    roots = entities.roots([*find_places(view.conn, fact.about).values()])
    for entity_id in entities.ids_at(sorted(set(roots.values()))).values():
        yield replace(same, about=entity_id)


def _may_differ(fact: Fact, other: Fact) -> bool:
    """
    Say whether two facts could contradict.

    In one slot, one scope has simply its own value; of two parts of a system, each has its own.
    Two bare triples differ only in what one channel says under one predicate.
    """
    is_same = other.id == fact.id or other.key == fact.key
    parts = {one.said.taxonomy.component for one in (fact, other)} - {""}
    if is_same or len(parts) > 1 or (fact.slot and fact.slot == other.slot):
        return False
    questions = {_question(one) for one in (fact, other)} - {None}
    return len(questions) <= 1


def _question(fact: Fact) -> tuple[Channel | None, str] | None:
    """Return the channel and predicate of a bare triple; None of what words say."""
    said = fact.said
    if said.triple is None:
        return None
    # What its object was read as may be written otherwise.
    is_bare = said.text.startswith(said.triple.words.removesuffix(said.triple.object))
    return (said.channel, said.triple.predicate) if is_bare else None


def _asked(store: Store, pair: _Pair, recorder: WriteContext) -> ProposalId | None:
    """Ask about a pair, unless it was asked about, or one side has ended meanwhile."""
    newer, older = pair.newer, pair.older
    scope = older.life.scope if newer.life.scope == GLOBAL else newer.life.scope
    draft = ProposalDraft(
        kind=ProposalKind.CONTRADICTION,
        reason=pair.reason[:REASON_CHARS_MAX],
        scope=scope,
        facts=(older.id, newer.id),
        detail={"score": round(pair.score, 3), "sign": pair.sign},
        key=pair.key,
    )
    return ask_about(store, (newer, older), draft, recorder)
