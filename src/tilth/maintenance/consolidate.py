"""
Drawing several facts about one thing together into one that derives from them.

The sources stay as they are, and hold on (I19): what is drawn from them is one fact more, which
names them by its edges. Neither it nor they are drawn together again, so a second run finds
nothing. Without a language model it is their own words in a row; where one is chosen and what it
says does not hold, nothing happens.
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
from tilth.knowledge.facts.write.write_fact import Stated, Writing, state_in
from tilth.knowledge.graph.edge import EdgeDraft
from tilth.knowledge.graph.record_edge import joined_in
from tilth.knowledge.likeness.amounts import read_amounts
from tilth.knowledge.vocabulary.registries import EdgeKind
from tilth.knowledge.vocabulary.tables import KnownWords
from tilth.ledger.search import Search
from tilth.ledger.snapshot import Snapshot
from tilth.ledger.store import Store, Transaction
from tilth.llm.answers import SummaryDraft
from tilth.llm.client import ModelClient, Question, Reason, Refusal, think, why_unavailable
from tilth.llm.task import Task
from tilth.maintenance.compare import still_hold
from tilth.maintenance.retention import CONSOLIDATOR, ConsolidationGroup
from tilth.maintenance.tables import Tending
from tilth.privacy.redaction import scrub

# What is shorter says too little to be drawn together with anything (EM-071).
STATEMENT_CHARS_MIN = 20
SOURCES_MIN = 3
SOURCES_MAX = 20
# From here on two statements have to do with each other; a plan names them from there on too.
LIKENESS_MIN = 0.5
TEXT_CHARS_MAX = 2000


def in_a_row(name: str, texts: Sequence[str]) -> str:
    """
    Return *texts* as one statement about *name*, in the order in which they were said.

    What no longer fits is counted; a text that another one says whole is left out.
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
    Return which of *vectors* belong together: each with the oldest that is free and near it.

    Of what is near to too few nothing is returned; no vector is in two clusters.
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
    """Say whether *text* tells a number or a time that none of its *sources* does."""
    known = {(one.part, one.value) for source in sources for one in read_amounts(source)}
    return any((one.part, one.value) not in known for one in read_amounts(text))


logger = logging.getLogger(__name__)

# What one run draws together at most; the next goes on.
GROUPS_MAX = 100


@dataclass(frozen=True, slots=True, kw_only=True)
class Group:
    """
    Facts about one thing that belong together, the oldest first.

    `fact_id` is what was drawn from them; None in a dry run, and where nothing came of it.
    """

    about: EntityId
    scope: Scope
    sources: tuple[FactId, ...]
    fact_id: FactId | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Consolidated:
    """What was drawn together, or would be in a dry run; `has_more` says that more waits."""

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
    Draw together what belongs together, three facts or more at a time.

    Args:
        store: Where the facts are.
        writing: Who asks, and by what.
        thinker: Who sums up; nobody, unless a model is chosen for that.
        is_asked: Whether somebody asks for it. Else it is left alone where no model sums up.
        is_dry_run: Say what would be drawn together, and write nothing.

    Raises:
        ForbiddenError: nobody knows the caller.
    """
    require_known(writing.recorder.by, "draw together what is there")
    if not is_asked and why_unavailable(thinker.staff, Task.SUMMARISE):
        return Consolidated(is_dry_run=is_dry_run, groups=(), has_more=False)
    with store.read() as view:
        found = list(_gathered(view, writing))
    groups = [
        Group(about=one.about.id, scope=one.scope, sources=tuple(fact.id for fact in one.facts))
        for one in found[:GROUPS_MAX]
    ]
    if not is_dry_run:
        groups = [
            replace(group, fact_id=_drawn(store, sources, writing, thinker))
            for group, sources in zip(groups, found, strict=False)
        ]
    logger.info("drawn together: groups=%d dry=%s", len(groups), is_dry_run)
    return Consolidated(
        is_dry_run=is_dry_run, groups=tuple(groups), has_more=len(found) > GROUPS_MAX
    )


@dataclass(frozen=True, slots=True)
class _Sources:
    """What is drawn together: about what, from which facts, resting on which episodes."""

    about: Entity
    scope: Scope
    facts: tuple[Fact, ...]
    episodes: tuple[Episode, ...]


def _gathered(view: Snapshot, writing: Writing) -> Iterator[_Sources]:
    owner = writing.recorder.owner
    for crowd in Tending(view).crowds(owner, least=SOURCES_MIN):
        facts = [
            fact
            for fact in Facts(view).at(crowd.seqs, Visibility(owner, frozenset({crowd.scope})))
            if len(fact.said.text.strip()) >= STATEMENT_CHARS_MIN
        ]
        vectors = Search(view).vectors(writing.embedder.space, [fact.seq for fact in facts])
        known = [fact for fact in facts if fact.seq in vectors]
        if len(known) < SOURCES_MIN:
            continue
        rows = np.array([vectors[fact.seq] for fact in known])
        for members in clusters(rows):
            sources = _sources(view, crowd, [known[at] for at in members])
            # What nobody can look up any more is not said once more.
            if sources.episodes:
                yield sources


def _sources(view: Snapshot, crowd: ConsolidationGroup, facts: Sequence[Fact]) -> _Sources:
    owner = facts[0].owner
    # What came from a narrower scope, by a human's leave, is not led out of it once more.
    within = Visibility(owner, frozenset({GLOBAL, crowd.scope}))
    evidence = FactPlaces(view).evidence([fact.seq for fact in facts])
    seqs = sorted({seq for rests_on in evidence.values() for seq in rests_on})
    episodes = Episodes(view).at(seqs, within)[:EVIDENCE_MAX]
    about = Entities(view).get(crowd.about, Visibility(owner))
    return _Sources(about, crowd.scope, tuple(facts), tuple(episodes))


def _drawn(
    store: Store, sources: _Sources, writing: Writing, thinker: ModelClient
) -> FactId | None:
    text = _summed_up(sources, thinker)
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
            stated = _stated(tx, draft, by, vectors)
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
            joined_in(tx, edge, by.recorder)
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


def _stated(tx: Transaction, draft: FactDraft, writing: Writing, vectors: Vector) -> Stated:
    words = KnownWords(tx).known(writing.recorder.owner)
    return state_in(tx, draft, writing, words=words, vectors=vectors, reason=None)


def _summed_up(sources: _Sources, thinker: ModelClient) -> str | None:
    """Return what the sources come to; None where a model was asked and that does not hold."""
    texts = [fact.said.text for fact in sources.facts]
    question = Question(
        episodes=sources.episodes,
        things={fact.id: fact.said.text for fact in sources.facts},
        scope=sources.scope,
    )
    try:
        thought = think(thinker, SummaryDraft, question)
    except LimitExceededError:
        return in_a_row(sources.about.name, texts)
    if isinstance(thought, Refusal):
        return in_a_row(sources.about.name, texts) if thought.reason is Reason.OFF else None
    told = " ".join(scrub(thought.answer.summary).text.split())
    is_fit = STATEMENT_CHARS_MIN <= len(told) <= TEXT_CHARS_MAX and not invents_amounts(told, texts)
    return told if is_fit else None
