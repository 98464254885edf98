"""
Consolidate several facts about one thing in a new fact that derives from them.

The sources stay current (I19), and edges lead from the new fact to them. Neither they nor it are
consolidated again, so a second run finds nothing. Without a language model the new fact has their
own words in a row. If a model is set and its answer is not valid, nothing is written.
"""

import logging
from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np

from tilth.core.actor import require_known
from tilth.core.dataclass import dataclass
from tilth.core.errors import ConflictError, ForbiddenError, InvalidInputError, LimitExceededError
from tilth.core.ids import EntityId, FactId
from tilth.core.scope import GLOBAL, Scope, Visibility
from tilth.embedding.embedder import Vector
from tilth.episodes.episode import Episode, Quote
from tilth.episodes.tables import Episodes
from tilth.knowledge.entities.entity import Entity
from tilth.knowledge.entities.tables import Entities
from tilth.knowledge.facts.fact import EVIDENCE_MAX, Fact, FactDraft
from tilth.knowledge.facts.ranking_inputs import FactPlaces
from tilth.knowledge.facts.statement import Statement
from tilth.knowledge.facts.tables import Facts
from tilth.knowledge.facts.write.normalise_fact import scrubbed_fact
from tilth.knowledge.facts.write.write_fact import Writing, state_in
from tilth.knowledge.graph.edge import EdgeDraft
from tilth.knowledge.graph.record_edge import add_edge_in
from tilth.knowledge.likeness.amounts import read_amounts
from tilth.knowledge.vocabulary.registries import EdgeKind
from tilth.knowledge.vocabulary.tables import KnownWords
from tilth.ledger.search import Search
from tilth.ledger.snapshot import Snapshot
from tilth.ledger.store import Store
from tilth.llm.answers import SummaryDraft
from tilth.llm.client import ModelClient, Question, Reason, Refusal, think, why_unavailable
from tilth.llm.task import Task
from tilth.maintenance.compare import still_hold
from tilth.maintenance.retention import CONSOLIDATOR, ConsolidationGroup
from tilth.maintenance.tables import Retention
from tilth.privacy.redaction import scrub

# Shorter statements say too little to be consolidated (EM-071).
STATEMENT_CHARS_MIN = 20
SOURCES_MIN = 3
SOURCES_MAX = 20
# The least cosine of statements that belong together.
LIKENESS_MIN = 0.5
TEXT_CHARS_MAX = 2000


def join_statements(name: str, texts: Sequence[str]) -> str:
    """
    Return *texts* as one statement about *name*, in their order.

    A text that another one contains is left out. Those beyond `TEXT_CHARS_MAX` are only counted.
    """
    told = [" ".join(text.split()).rstrip(".;") for text in texts]
    kept = [
        text
        for at, text in enumerate(told)
        if not any(
            text in other and (text != other or at > here) for here, other in enumerate(told)
        )
    ]
    said = f"About {name}: "
    for at, text in enumerate(kept):
        more = f"{'; ' if at else ''}{text}"
        if len(said) + len(more) > TEXT_CHARS_MAX:
            return f"{said}; and {len(kept) - at} more"
        said += more
    return said


def clusters(vectors: Vector) -> list[list[int]]:
    """
    Return the rows of *vectors* that belong together: each with the oldest free one near it.

    A cluster has `SOURCES_MIN` to `SOURCES_MAX` rows, and no row is in two.
    """
    cosines = vectors @ vectors.T
    free = np.ones(len(vectors), bool)
    found = []
    for seed in range(len(vectors)):
        if not free[seed]:
            continue
        near = np.flatnonzero(free & (cosines[seed] >= LIKENESS_MIN))
        members = [int(at) for at in near[:SOURCES_MAX]]
        if len(members) >= SOURCES_MIN:
            free[members] = False
            found.append(members)
    return found


def invents_amounts(text: str, sources: Sequence[str]) -> bool:
    """Say whether *text* has a number or a time that none of its *sources* has."""
    known = {(one.part, one.value) for source in sources for one in read_amounts(source)}
    return any((one.part, one.value) not in known for one in read_amounts(text))


logger = logging.getLogger(__name__)

# The most groups of one run; the next one continues.
GROUPS_MAX = 100


@dataclass(frozen=True, slots=True, kw_only=True)
class Group:
    """
    Facts about one thing that belong together, the oldest first.

    `fact_id` is the fact made of them; None in a dry run, or if none was made.
    """

    about: EntityId
    scope: Scope
    sources: tuple[FactId, ...]
    fact_id: FactId | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Consolidated:
    """The groups that were consolidated, or would be in a dry run; `has_more` says more wait."""

    is_dry_run: bool
    groups: tuple[Group, ...]
    has_more: bool


def consolidate(
    store: Store,
    writing: Writing,
    thinker: ModelClient,
    *,
    is_asked: bool = True,
    is_dry_run: bool = False,
) -> Consolidated:
    """
    Consolidate facts that belong together, three or more at a time.

    Args:
        store: The store with the facts.
        writing: The caller, and what a write of a fact needs.
        thinker: The client for the model that summarises, if one is set.
        is_asked: Whether somebody asks for it. Otherwise nothing is done without such a model.
        is_dry_run: Return what would be consolidated, and write nothing.

    Raises:
        ForbiddenError: the caller is unknown.
    """
    require_known(writing.recorder.by, "draw together what is there")
    if not is_asked and why_unavailable(thinker.model_pool, Task.SUMMARISE):
        return Consolidated(is_dry_run=is_dry_run, groups=(), has_more=False)
    with store.read() as view:
        found = list(_find_sources(view, writing))
    groups = [
        Group(about=one.about.id, scope=one.scope, sources=tuple(fact.id for fact in one.facts))
        for one in found[:GROUPS_MAX]
    ]
    if not is_dry_run:
        groups = [
            replace(group, fact_id=_write_summary(store, sources, writing, thinker))
            for group, sources in zip(groups, found, strict=False)
        ]
    logger.info("drawn together: groups=%d dry=%s", len(groups), is_dry_run)
    return Consolidated(
        is_dry_run=is_dry_run, groups=tuple(groups), has_more=len(found) > GROUPS_MAX
    )


@dataclass(frozen=True, slots=True)
class _Sources:
    """Facts to consolidate: what they are about, and the episodes that they rest on."""

    about: Entity
    scope: Scope
    facts: tuple[Fact, ...]
    episodes: tuple[Episode, ...]


def _find_sources(view: Snapshot, writing: Writing) -> Iterator[_Sources]:
    owner = writing.recorder.owner
    for group in Retention(view).groups(owner, least=SOURCES_MIN):
        facts = [
            fact
            for fact in Facts(view).at(group.seqs, Visibility(owner, frozenset({group.scope})))
            if len(fact.said.text.strip()) >= STATEMENT_CHARS_MIN
        ]
        vectors = Search(view).vectors(writing.embedder.space, [fact.seq for fact in facts])
        known = [fact for fact in facts if fact.seq in vectors]
        if len(known) < SOURCES_MIN:
            continue
        rows = np.array([vectors[fact.seq] for fact in known])
        for members in clusters(rows):
            sources = _sources(view, group, [known[at] for at in members])
            # A fact without any episode left has no evidence to derive from.
            if sources.episodes:
                yield sources


def _sources(view: Snapshot, group: ConsolidationGroup, facts: Sequence[Fact]) -> _Sources:
    owner = facts[0].owner
    # A human let these facts leave a narrower scope; its episodes stay there.
    within = Visibility(owner, frozenset({GLOBAL, group.scope}))
    evidence = FactPlaces(view).evidence([fact.seq for fact in facts])
    seqs = sorted({seq for rests_on in evidence.values() for seq in rests_on})
    episodes = Episodes(view).at(seqs, within)[:EVIDENCE_MAX]
    about = Entities(view).get(group.about, Visibility(owner))
    return _Sources(about, group.scope, tuple(facts), tuple(episodes))


def _write_summary(
    store: Store, sources: _Sources, writing: Writing, thinker: ModelClient
) -> FactId | None:
    text = _summarise(sources, thinker)
    if text is None:
        return None
    try:
        draft = _draft(sources, text)
    except InvalidInputError as error:
        logger.warning("nothing was drawn: about=%s reason=%s", sources.about.id, error.code)
        return None
    vectors = writing.embedder.embed([draft.said.words, draft.said.text])
    by = replace(writing, recorder=replace(writing.recorder, by=CONSOLIDATOR))
    with store.begin() as tx:
        if not still_hold(tx, sources.facts):
            return None
        try:
            words = KnownWords(tx).known(by.recorder.owner)
            stated = state_in(tx, draft, by, words=words, vectors=vectors, reason=None)
        except (ConflictError, ForbiddenError) as error:
            logger.warning("nothing was drawn: about=%s reason=%s", sources.about.id, error.code)
            return None
        for fact in sources.facts:
            edge = EdgeDraft(
                source=stated.fact.id,
                kind=EdgeKind.DERIVED_FROM,
                target=fact.id,
                scope=sources.scope,
            )
            add_edge_in(tx, edge, by.recorder)
    return stated.fact.id


def _draft(sources: _Sources, text: str) -> FactDraft:
    return scrubbed_fact(
        FactDraft(
            said=Statement(text=text),
            scope=sources.scope,
            valid_from=max(fact.life.valid_from for fact in sources.facts),
            confidence=min(fact.confidence.value for fact in sources.facts),
            about=(sources.about.id,),
            quotes=tuple(Quote(episode.id) for episode in sources.episodes),
        )
    )


def _summarise(sources: _Sources, thinker: ModelClient) -> str | None:
    """Return the statement that sums up *sources*; None if a model's answer is not valid."""
    texts = [fact.said.text for fact in sources.facts]
    question = Question(
        episodes=sources.episodes,
        things={fact.id: fact.said.text for fact in sources.facts},
        scope=sources.scope,
    )
    try:
        thought = think(thinker, SummaryDraft, question)
    except LimitExceededError:
        return join_statements(sources.about.name, texts)
    if isinstance(thought, Refusal):
        return join_statements(sources.about.name, texts) if thought.reason is Reason.OFF else None
    told = " ".join(scrub(thought.answer.summary).text.split())
    is_fit = STATEMENT_CHARS_MIN <= len(told) <= TEXT_CHARS_MAX and not invents_amounts(told, texts)
    return told if is_fit else None
