"""
Find facts that contradict each other, and ask a human about them.

The worker or `tilth review scan` does it after facts are written, so no write waits for it. A
proposal names both sides, and no fact changes until a human decides. A question that a human
answered is not asked again, even if a fact is stated anew in the same words.
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

# How many facts each is compared with, by words and by the vectors of each tier.
NEAR_MAX = 25
EVENTS_MAX = 1000
# How many facts a model is shown in one question, how many near each new one, and how sure it must
# be.
_SHOWN_MAX = 60
_NEAR_SHOWN = 5
_SURE_FROM = 0.7
_BY_MODEL = "model"
# The most proposals about one fact, the likeliest ones, since people read the queue.
ASKED_MAX = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class ContradictionScan:
    """
    How many facts a scan compared, and the proposals that it opened.

    The next scan begins after the place `through` of the ledger; `is_done` says nothing is left.
    """

    fact_count: int
    asked: tuple[ProposalId, ...]
    through: int
    is_done: bool


@dataclass(frozen=True, slots=True)
class _Pair:
    """
    Two facts that seem to contradict each other; `newer` was recorded after `older`.

    `score` is from 0 to 1; `sign` is a kind of conflict, or `model` if a model said so.
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
    Compare facts that became current with those near them, and ask about contradictions.

    Args:
        store: The store with the facts.
        embedders: The embedders whose vectors say which facts are near.
        recorder: The caller, and the owner of the facts.
        after: The place in the ledger at which the last scan ended.
        limit: How many events to read.
        thinker: The client for a model that is asked as well; None asks none.
    """
    with store.read() as view:
        events = view.events(after=after, limit=limit)
        facts = list(new_facts(view, events, recorder))
        pairs = [pair for fact in facts for pair in _pairs(view, fact, embedders)]
        near = {fact.id: _comparable(view, fact, embedders) for fact in facts} if thinker else {}
    if thinker is not None:
        pairs += _pairs_by_model(thinker, facts, near)
    asked = [asked for pair in pairs if (asked := _ask(store, pair, recorder)) is not None]
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
    # Of two new facts, only the newer one yields the pair.
    yield from islice((pair for pair in found if pair.older.seq < fact.seq), ASKED_MAX)


def _pairs_by_model(
    thinker: ModelClient, facts: Sequence[Fact], near: Mapping[FactId, Sequence[Fact]]
) -> Iterator[_Pair]:
    """Yield the pairs that a model finds contradictory, each with a new fact."""
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
    """Return the nearest current facts about the same system or entity."""
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
    Yield filters for the facts about the same system as one (OB-059).

    For a fact without a system these are facts without one that share an entity with it: the ports
    of two services do not contradict each other.
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
    Say whether two facts could contradict each other.

    Facts in one slot do not, since each scope has its own value, nor do facts about two components
    of a system. Two bare triples do only if they have one channel and one predicate.
    """
    is_same = other.id == fact.id or other.key == fact.key
    parts = {one.said.taxonomy.component for one in (fact, other)} - {""}
    if is_same or len(parts) > 1 or (fact.slot and fact.slot == other.slot):
        return False
    questions = {_question(one) for one in (fact, other)} - {None}
    return len(questions) <= 1


def _question(fact: Fact) -> tuple[Channel | None, str] | None:
    """Return the channel and predicate of a bare triple; None of a fact in words."""
    said = fact.said
    if said.triple is None:
        return None
    # The object in the text may be written otherwise than the one that was read from it.
    is_bare = said.text.startswith(said.triple.words.removesuffix(said.triple.object))
    return (said.channel, said.triple.predicate) if is_bare else None


def _ask(store: Store, pair: _Pair, recorder: WriteContext) -> ProposalId | None:
    """Ask about a pair, unless that was asked already or one side no longer holds."""
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
