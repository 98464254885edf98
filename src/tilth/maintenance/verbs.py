"""The verbs that keep a store small, whole and fast."""

import logging
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Annotated, Protocol, TypeAlias

from tilth.core.actor import Actor, ActorKind
from tilth.core.dataclass import dataclass
from tilth.core.ids import FactId
from tilth.core.verb import ANYONE, HUMANS, KNOWN, Arg, Section, verb
from tilth.embedding.embedder import Embedder
from tilth.knowledge.facts.verbs import Needs as FactNeeds
from tilth.ledger.engine import Finding
from tilth.llm.client import why_unavailable
from tilth.llm.task import Task
from tilth.llm.verbs import Needs as ModelNeeds
from tilth.maintenance import archive as archiving
from tilth.maintenance import clean as cleaning
from tilth.maintenance import consolidate as consolidating
from tilth.maintenance import contradictions, embed, views
from tilth.maintenance import dedup as deduplicating
from tilth.maintenance.archive import Swept
from tilth.maintenance.clean import Cleaned
from tilth.maintenance.consolidate import Consolidated
from tilth.maintenance.contradictions import ContradictionScan
from tilth.maintenance.dedup import Deduplicated

logger = logging.getLogger(__name__)

# Whoever has it look, what it asks is a machine's question.
SCANNER = Actor("scan", ActorKind.JOB)

Progress: TypeAlias = Callable[[int], None]
DryRun: TypeAlias = Annotated[
    bool, Arg("say what would be done, and write nothing", flags=("-n", "--dry-run"))
]
IsAsked: TypeAlias = Annotated[
    bool,
    Arg("whether somebody asks for it; what nobody asks for is due once a day", is_hidden=True),
]


class Needs(FactNeeds, ModelNeeds, Protocol):
    """What upkeep needs of a brain besides what stating facts and asking a model need."""

    @property
    def first(self) -> Embedder:
        """The embedder that is in step with every write."""

    @property
    def embedders(self) -> Sequence[Embedder]:
        """The embedders of both tiers."""


@verb(
    "archive",
    roles=KNOWN,
    section=Section.LOOK_AFTER,
    view=views.archived,
    examples=("tilth archive --dry-run", "tilth archive"),
)
def archive(
    brain: Needs,
    *,
    is_asked: IsAsked = True,
    is_dry_run: DryRun = False,
    progress: Annotated[
        Progress, Arg("told how many facts are done", progress="archiving")
    ] = lambda _done: None,
) -> Swept:
    """
    Archive facts without new evidence for a long time.

    A fact is archived after 90 days without new evidence or good feedback, or after 270 if there
    was news of an entity that it is about. One call archives at most 10,000 facts and 50 MiB. Facts
    that a human wrote or confirmed, instructions, decisions, milestones, values of slots, facts
    tagged durable, and facts that a proposal waits for stay, and so do episodes. The worker does it
    once a day; `tilth unarchive` undoes it.

    Returns:
        The facts, the oldest first, and their size in bytes.
    """
    return archiving.sweep(
        brain.store,
        brain.clock,
        brain.recorder,
        is_asked=is_asked,
        is_dry_run=is_dry_run,
        progress=progress,
    )


@verb(
    "unarchive",
    roles=HUMANS,
    section=Section.LOOK_AFTER,
    view=views.unarchived,
    key="facts",
    examples=("tilth unarchive",),
    old=("archive --undo",),
)
def unarchive(brain: Needs) -> tuple[FactId, ...]:
    """
    Undo the last archiving of facts.

    Returns:
        Their IDs.

    Raises:
        ConflictError: nothing was archived, or it is back already.
    """
    return archiving.undo_sweep(brain.store, brain.recorder)


@verb(
    "consolidate",
    roles=KNOWN,
    section=Section.LOOK_AFTER,
    view=views.consolidated,
    examples=("tilth consolidate --dry-run", "tilth consolidate"),
)
def consolidate(
    brain: Needs, *, is_asked: IsAsked = True, is_dry_run: DryRun = False
) -> Consolidated:
    """
    Sum up related facts about one thing in one fact.

    Three or more facts that belong together become the sources of one that derives from them, in
    their words, or in those of a language model if one is set and its answer is valid. The sources
    stay as they are. The worker does it once a day if a model sums up.

    Returns:
        Each group with its sources, and the fact made of it.
    """
    return consolidating.consolidate(
        brain.store, brain.writing, brain.thinker, is_asked=is_asked, is_dry_run=is_dry_run
    )


@verb(
    "clean",
    roles=KNOWN,
    section=Section.LOOK_AFTER,
    view=views.cleaned,
    examples=("tilth clean",),
)
def clean(brain: Needs) -> Cleaned:
    """
    Have a language model find outdated and duplicate facts, and archive them.

    It reads thirty facts at a time.

    An outdated fact, or a duplicate of one that stays, is archived; `tilth fact restore` brings it
    back, and the model is not shown it again. Facts are first shown when they are a day old, and
    again after a week. Facts that a human wrote or confirmed, rules, decisions and values of slots
    are never shown. The worker does it if a model is set for the task `clean`.

    Returns:
        How many facts were shown, what was archived, and how many verdicts were ignored.
    """
    return cleaning.clean(brain.thinker)


@verb("", python="dedup", roles=KNOWN)
def dedup(
    brain: Needs,
    *,
    after: Annotated[int, Arg("begin after this place in the ledger", least=0)] = 0,
    is_dry_run: DryRun = False,
) -> Deduplicated:
    """
    Ask a human about facts that say nearly the same.

    One call looks at one stretch of the ledger.

    Returns:
        The pairs, the proposals made, and the place to continue after.
    """
    return deduplicating.dedup(
        brain.store, brain.embedders, brain.recorder, after=after, is_dry_run=is_dry_run
    )


@verb("", python="embed_backlog", roles=ANYONE)
def embed_backlog(
    brain: Needs,
    *,
    limit: Annotated[int | None, Arg("the most episodes in each tier", least=0)] = None,
    progress: Annotated[Progress, Arg("called with the number done")] = lambda _done: None,
) -> int:
    """
    Make the missing vectors of both tiers of embedders.

    Returns:
        How many were made.
    """
    return embed.embed_backlog(brain.store, brain.embedders, limit=limit, progress=progress)


@dataclass(frozen=True, slots=True)
class Verified:
    """The outcome of a check: how many events there are, and what is wrong."""

    event_count: int
    findings: tuple[Finding, ...]

    @property
    def is_whole(self) -> bool:
        """Whether nothing is wrong."""
        return not self.findings


@verb("", python="verify", roles=ANYONE)
def verify(brain: Needs) -> Verified:
    """
    Prove that the store is as it was written.

    Returns:
        How many events there are, and what is wrong.
    """
    with brain.store.read() as view:
        events = view.head().seq
    findings = tuple(brain.store.verify())
    logger.info("store verified: events=%d findings=%d", events, len(findings))
    return Verified(events, findings)


@verb("", python="rebuild", roles=HUMANS)
def rebuild(
    brain: Needs,
    *,
    progress: Annotated[Progress, Arg("told how many events are done")] = lambda _done: None,
) -> int:
    """
    Rebuild every table and index from the ledger.

    Returns:
        How many events there are.
    """
    count = brain.store.rebuild()
    embed.embed_backlog(brain.store, [brain.first], progress=progress)
    logger.info("store rebuilt: events=%d", count)
    return count


@verb("", python="backup", roles=ANYONE)
def backup(brain: Needs, target: Annotated[str, Arg("the path of the file to make")]) -> None:
    """
    Copy the store into a file.

    Raises:
        ConflictError: there is a file at the path.
        UnsupportedError: the store is a database behind a URL.
    """
    brain.store.backup(target)


@verb("", python="review.scan", roles=ANYONE)
def scan_contradictions(
    brain: Needs,
    *,
    after: Annotated[int, Arg("begin after this place in the ledger", metavar="SEQ", least=0)] = 0,
    limit: Annotated[int, Arg("the most events to check", least=1)] = contradictions.EVENTS_MAX,
) -> ContradictionScan:
    """
    Ask a human about current facts of one system that contradict each other.

    Returns:
        How many facts were compared, the waiting proposals, and the place to continue from.
    """
    return contradictions.scan_contradictions(
        brain.store,
        brain.embedders,
        replace(brain.recorder, by=SCANNER),
        after=after,
        limit=limit,
        thinker=None
        if why_unavailable(brain.thinker.model_pool, Task.CONTRADICTION)
        else brain.thinker,
    )
