"""The verbs on the garden."""

import logging
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Annotated, Protocol, TypeAlias

from tilth.core.actor import require_human, require_known
from tilth.core.calls.paging import PAGE_MAX
from tilth.core.errors import ConflictError
from tilth.core.ids import FactId
from tilth.core.scope import GLOBAL, Visibility
from tilth.core.verb import ANYONE, HUMANS, WORKERS, Arg, Section, noun, verb
from tilth.episodes.context import Context, Narrowed, Place
from tilth.garden import topics, views
from tilth.garden.candidates import TopicStory, candidates_in
from tilth.garden.cycle import inbox as inbox_files
from tilth.garden.cycle import run as cycle
from tilth.garden.cycle.folder import OWN_INBOX
from tilth.garden.cycle.gardener import Gardener
from tilth.garden.cycle.inbox import InboxReport
from tilth.garden.cycle.outbox import allowances, measured
from tilth.garden.cycle.run import CycleReport
from tilth.garden.events import TopicContains
from tilth.garden.measures import Metrics
from tilth.garden.model import (
    FRESHNESS_DAYS_MAX,
    Allowance,
    Candidate,
    Credibility,
    Source,
    SourceId,
    Topic,
    TopicDraft,
    TopicId,
)
from tilth.garden.tables import CandidateFilter, Cycles, Links, Sources, Topics
from tilth.garden.topics import TopicChange, added_in, rated_in
from tilth.knowledge.facts.tables import Facts
from tilth.llm.client import ModelPool
from tilth.privacy.redaction import scrub

logger = logging.getLogger(__name__)


class Needs(Context, Protocol):
    """What the garden needs of a brain besides what every verb needs."""

    @property
    def gardener(self) -> Gardener:
        """What a cycle works with."""

    @property
    def model_pool(self) -> ModelPool:
        """The language models, with their budgets."""


noun(
    "garden",
    "research on a schedule: cycles, candidates, digests",
    section=Section.LOOK_AFTER,
    bare="status",
)
noun("topic", "subjects that the garden keeps up to date", section=Section.LOOK_AFTER, bare="list")
noun(
    "source",
    "where candidates come from, and how far each is believed",
    section=Section.LOOK_AFTER,
    bare="list",
)

Which: TypeAlias = Annotated[
    str, Arg("the topic: its name, or its ID", metavar="NAME", id=TopicId.prefix)
]
WhichSource: TypeAlias = Annotated[
    SourceId, Arg("the source's ID", id=SourceId.prefix, parse=SourceId.parse)
]
Hours: TypeAlias = Annotated[
    int,
    Arg("how long after one cycle the next is due", least=1, most=87_600, setting="garden_hours"),
]
Reason: TypeAlias = Annotated[str, Arg("why", metavar="TEXT")]
_PRIORITY = Arg("1 (least) to 5 (tended first)", least=1, most=5, metavar="NUMBER")
_DAYS = Arg("the days after which it is stale", least=1, most=FRESHNESS_DAYS_MAX, flags=("--days",))


@verb(
    "topic add",
    roles=WORKERS,
    view=views.topic,
    key="topic",
    examples=("tilth topic add 'release practice' --priority 4 --days 7",),
)
def add(
    brain: Context,
    name: Annotated[
        str, Arg("what it is about, in its usual words", metavar="NAME", is_words=True)
    ],
    *,
    priority: Annotated[int, _PRIORITY] = 3,
    freshness_days: Annotated[int, _DAYS] = 7,
    scope: Place = GLOBAL,
) -> Topic:
    """
    Add a topic for the garden to tend.

    Cycles search for what is new about it, and propose candidates with their source.

    Returns:
        The topic.

    Raises:
        ConflictError: a topic of that name exists.
        InvalidInputError: the name is empty, or a number is out of its range.
    """
    draft = TopicDraft(name=name, priority=priority, freshness_days=freshness_days, scope=scope)
    require_known(brain.recorder.by, "add a topic")
    draft = replace(draft, name=scrub(" ".join(draft.name.split())).text)
    with brain.store.begin() as tx:
        topic = added_in(tx, draft, brain.recorder)
    logger.info("topic added: topic=%s", topic.id)
    return topic


@verb(
    "topic list",
    roles=ANYONE,
    view=views.topics,
    key="topics",
    examples=("tilth topic list", "tilth topic list --archived"),
)
def list_(
    brain: Context,
    *,
    is_archived: Annotated[bool, Arg("only archived ones", flags=("--archived",))] = False,
    scope: Narrowed = None,
) -> Sequence[Topic]:
    """
    List topics, those of the highest priority first.

    Returns:
        The visible topics, with when they were tended and what they contain.
    """
    with brain.store.read() as view:
        return Topics(view).select(brain.within(scope), archived=is_archived)


def _meant(brain: Context, word: str) -> TopicId:
    with brain.store.read() as view:
        return topics.topic_meant(view, word, Visibility(brain.recorder.owner))


@verb(
    "topic edit",
    roles=WORKERS,
    view=views.topic,
    key="topic",
    examples=("tilth topic edit backups --priority 5",),
)
def edit(
    brain: Context,
    topic_id: Which,
    *,
    name: Annotated[str, Arg("its new name", metavar="NAME")] = "",
    priority: Annotated[int | None, _PRIORITY] = None,
    freshness_days: Annotated[int | None, _DAYS] = None,
    reason: Reason = "",
) -> Topic:
    """
    Change the name, priority or freshness of a topic.

    Returns:
        The topic as it is now.

    Raises:
        NotFoundError: there is no such topic.
        ConflictError: nothing would change, or another topic has that name.
        InvalidInputError: a number is out of its range.
    """
    told = TopicChange(name=name, priority=priority, freshness_days=freshness_days, reason=reason)
    return topics.change_topic(brain.store, _meant(brain, topic_id), told, brain.recorder)


@verb(
    "topic archive",
    roles=WORKERS,
    view=views.topic,
    key="topic",
    examples=("tilth topic archive backups --reason 'the project is over'",),
)
def archive(brain: Context, topic_id: Which, *, reason: Reason = "") -> Topic:
    """
    Stop tending a topic; its facts stay as they are.

    Returns:
        The topic as it is now.

    Raises:
        NotFoundError: there is no such topic.
        ConflictError: it is archived already.
    """
    told = TopicChange(is_archived=True, reason=reason)
    return topics.change_topic(brain.store, _meant(brain, topic_id), told, brain.recorder)


@verb(
    "topic restore",
    roles=WORKERS,
    view=views.topic,
    key="topic",
    examples=("tilth topic restore backups",),
)
def restore(brain: Context, topic_id: Which, *, reason: Reason = "") -> Topic:
    """
    Tend an archived topic again.

    Returns:
        The topic as it is now.

    Raises:
        NotFoundError: there is no such topic.
        ConflictError: it is not archived.
    """
    told = TopicChange(is_archived=False, reason=reason)
    return topics.change_topic(brain.store, _meant(brain, topic_id), told, brain.recorder)


@verb(
    "topic contain",
    roles=WORKERS,
    view=views.topic,
    key="topic",
    examples=("tilth topic contain backups fct_01KAR",),
)
def contain(
    brain: Context,
    topic_id: Which,
    fact_id: Annotated[FactId, Arg("the fact's ID", id=FactId.prefix, parse=FactId.parse)],
) -> Topic:
    """
    Add a known fact to a topic.

    Returns:
        The topic as it is now.

    Raises:
        NotFoundError: there is no such topic or fact.
        ConflictError: the topic contains it already.
    """
    require_known(brain.recorder.by, "say what a topic contains")
    within = Visibility(brain.recorder.owner)
    with brain.store.begin() as tx:
        topic = Topics(tx).get(topics.topic_meant(tx, topic_id, within), within)
        fact = Facts(tx).get(fact_id, within)
        if any(one.id == topic.id for one in Topics(tx).of_fact(fact.id, within)):
            raise ConflictError(f"{fact_id} is of {topic.name!r} already")
        event = TopicContains(topic_id=topic.id, fact_id=fact_id)
        tx.append(event, by=brain.recorder.by, owner=brain.recorder.owner)
        topic = Topics(tx).get(topic.id, within)
    logger.info("topic grew: topic=%s fact=%s", topic.id, fact_id)
    return topic


@verb(
    "source list",
    roles=ANYONE,
    view=views.sources,
    key="sources",
    examples=("tilth source list --limit 20",),
)
def list_sources(
    brain: Context,
    *,
    limit: Annotated[int, Arg("the most to return", least=1, most=PAGE_MAX)] = 50,
    scope: Narrowed = None,
) -> Sequence[Source]:
    """
    List the sources that cycles read, the last one read first.

    Returns:
        Each source with its credibility, what became of its candidates, and what those suggest.
    """
    with brain.store.read() as view:
        return Sources(view).select(brain.within(scope), limit=limit)


@verb(
    "source rate",
    roles=HUMANS,
    view=views.source,
    key="source",
    examples=("tilth source rate src_01KAR high --reason 'the project itself'",),
)
def rate(
    brain: Context,
    source_id: WhichSource,
    credibility: Annotated[Credibility, Arg("how credible it is")],
    *,
    reason: Reason = "",
) -> Source:
    """
    Rate how far a source is believed, for the confidence of later candidates.

    Returns:
        The source as it is now.

    Raises:
        NotFoundError: there is no such source.
        ConflictError: it has that rating already.
    """
    require_human(brain.recorder.by, "rate a source")
    with brain.store.begin() as tx:
        source = rated_in(tx, source_id, credibility, brain.recorder, reason=reason)
    logger.info("source rated: source=%s", source_id)
    return source


@verb(
    "topic show",
    python="topics.get",
    roles=ANYONE,
    view=views.topic_story,
    examples=("tilth topic show backups",),
)
def show(brain: Context, topic_id: Which, *, scope: Narrowed = None) -> TopicStory:
    """
    Show a topic, what its cycles found, and what became of that.

    Returns:
        The topic, its candidates and their sources.

    Raises:
        NotFoundError: there is no such topic, or it cannot be seen from the scope.
    """
    within = brain.within(scope)
    with brain.store.read() as view:
        topic = Topics(view).get(topics.topic_meant(view, topic_id, within), within)
        found = candidates_in(view, within, CandidateFilter(topic_id=topic.id))
        facts = Facts(view).at(Links(view).contained(topic.id), within)
        ids = dict.fromkeys(one.source_id for one in found)
        sources = [Sources(view).get(one, within) for one in ids]
    return TopicStory(topic=topic, facts=facts, candidates=found, sources=sources)


@verb(
    "garden init",
    python="garden.init",
    roles=WORKERS,
    view=views.made,
    key="made",
    examples=("tilth garden init",),
)
def init(brain: Needs) -> Sequence[str]:
    """
    Make the garden's folder: inbox, outbox, snapshots, logs.

    Returns:
        The names of what was made; none if all of it exists.

    Raises:
        UnavailableError: the folder cannot be made.
    """
    return brain.gardener.folder.init()


@verb(
    "garden run",
    python="garden.run",
    roles=WORKERS,
    view=views.ran,
    status=lambda report: int(report.exit_code),
    examples=("tilth garden run", "tilth garden run --apply"),
)
def run_(
    brain: Needs,
    *,
    is_applied: Annotated[
        bool, Arg("carry it out; without it, only show it", flags=("--apply",))
    ] = False,
    is_forced: Annotated[bool, Arg("even if none is due", flags=("--force",))] = False,
    hours: Hours,
) -> CycleReport:
    """
    Run the cycle that is due; without --apply only say what it would do.

    A cycle reads the inbox, tends at most three topics with at most 5 searches, 3 documents and 10
    candidates, and writes the outbox. The worker runs one a day. An interrupted cycle is finished
    first. The command exits with 0 if the garden is healthy, 1 if not, 3 if another cycle runs.

    Returns:
        What was done or would be, the nine signs of health, and when the next one is due.

    Raises:
        UnavailableError: the folder cannot be written; the next run continues.
    """
    every = timedelta(hours=hours)
    if is_applied:
        return cycle.run(brain.gardener, every, is_forced=is_forced)
    return cycle.look(brain.gardener, every)


@verb(
    "garden status",
    python="garden.status",
    roles=ANYONE,
    view=views.status,
    status=lambda report: int(report.exit_code),
    examples=("tilth garden status",),
)
def status(
    brain: Needs,
    *,
    hours: Hours,
) -> CycleReport:
    """
    Show nine signs of the garden's health, the last cycle, and what waits.

    Returns:
        The signs, what needs attention, and when the next cycle is due.
    """
    return cycle.look(brain.gardener, timedelta(hours=hours))


@verb(
    "garden next",
    python="garden.next",
    roles=ANYONE,
    view=views.next_at,
    key="next_at",
    examples=("tilth garden next",),
)
def next_(
    brain: Needs,
    *,
    hours: Hours,
) -> datetime:
    """
    Say when the next cycle is due.

    Returns:
        The instant; now, if a cycle was missed or interrupted.
    """
    return cycle.look(brain.gardener, timedelta(hours=hours)).next_at


@verb(
    "garden budget",
    python="garden.budget",
    roles=ANYONE,
    view=views.budget,
    key="budget",
    examples=("tilth garden budget",),
)
def budget(brain: Needs) -> Sequence[Allowance]:
    """
    Show what the last cycle spent, and what it may spend.

    The ledger records all of it for each cycle, so a killed cycle continues with what is left:
    searches, documents, candidates, and the calls, tokens and money of models. The setting
    `spend_run` limits the latter.

    Returns:
        Each budget, with what is spent of it; none before the first cycle.
    """
    owner = brain.recorder.owner
    with brain.store.read() as view:
        last = next(iter(Cycles(view).last(owner)), None)
        return allowances(view, last, owner, brain.model_pool.budget.run) if last else ()


@verb(
    "garden candidates",
    python="garden.candidates",
    roles=ANYONE,
    view=views.candidates,
    key="candidates",
    examples=("tilth garden candidates", "tilth garden candidates --topic backups --all"),
)
def candidates(
    brain: Context,
    *,
    topic_id: Annotated[
        str | None,
        Arg(
            "only of this topic, by its name or its ID",
            metavar="NAME",
            id=TopicId.prefix,
            flags=("--topic",),
        ),
    ] = None,
    is_all: Annotated[bool, Arg("also decided ones", flags=("--all",))] = False,
    limit: Annotated[int, Arg("the most to return", least=1, most=PAGE_MAX)] = 50,
    scope: Narrowed = None,
) -> Sequence[Candidate]:
    """
    List candidates with their evidence, the newest first.

    Returns:
        The candidates that wait for a human; with `is_all`, also the decided ones.
    """
    within = brain.within(scope)
    with brain.store.read() as view:
        topic = topics.topic_meant(view, topic_id, within) if topic_id else None
        which = CandidateFilter(topic_id=topic, is_open=None if is_all else True)
        return candidates_in(view, within, which, limit=limit)


@verb(
    "garden digest",
    python="garden.digest",
    roles=ANYONE,
    view=views.text,
    key="digest",
    examples=("tilth garden digest",),
)
def digest(brain: Needs) -> str:
    """
    Show the digest as the last cycle wrote it.

    Returns:
        Its text, in Markdown.
    """
    return brain.gardener.folder.read("outbox/digest.md")


@verb(
    "garden sign",
    python="garden.sign",
    roles=HUMANS,
    view=views.signed,
    examples=("tilth garden sign", "tilth garden sign ana"),
)
def sign(
    brain: Needs,
    inbox: Annotated[str, Arg("whose inbox, such as ana of inbox/ana", metavar="NAME")] = OWN_INBOX,
) -> InboxReport:
    """
    Sign the files of an inbox as they are, and carry them out.

    A file has no authority: until a human signs exactly its bytes, it only suggests answers. Files
    in a folder that is named after a reviewer count as that reviewer's.

    Returns:
        What was applied, what disagrees with another reviewer, and what names no candidate.

    Raises:
        NotFoundError: there is no such inbox, or its files hold no answer.
        InvalidInputError: a file is not a list of candidates.
    """
    return inbox_files.sign(brain.gardener, inbox, brain.by)


@verb(
    "garden metrics",
    python="garden.metrics",
    roles=ANYONE,
    view=views.metrics,
    examples=("tilth garden metrics",),
)
def metrics(brain: Needs) -> Metrics:
    """
    Show the garden's coverage, freshness, accuracy, efficiency and engagement.

    Returns:
        The five figures, and what became of the candidates of each question and source.
    """
    return measured(brain.gardener, brain.clock.now())
