"""The verbs that merge, split and tidy entities."""

from dataclasses import replace
from typing import Annotated, Protocol

from tilth.core.actor import Actor, ActorKind
from tilth.core.ids import EntityId
from tilth.core.verb import ANYONE, Arg, verb
from tilth.episodes.context import Context
from tilth.knowledge.entities.verbs import One, one_meant
from tilth.knowledge.facts.verbs import Reason
from tilth.knowledge.merging import merge as merges
from tilth.knowledge.merging import tidy as tidying
from tilth.knowledge.merging import views
from tilth.knowledge.merging.merge import Merged, Split
from tilth.knowledge.merging.tidy import Tidied
from tilth.llm.client import ModelClient, ModelPool, unfit
from tilth.llm.task import Task

# The actor of automatic merges, whoever starts tidying.
TIDIER = Actor("tidier", ActorKind.JOB)


class Needs(Context, Protocol):
    """What tidying needs of a brain besides what every verb needs."""

    @property
    def staff(self) -> ModelPool:
        """The language models, with their budgets."""

    @property
    def thinker(self) -> ModelClient:
        """The client for language models."""


@verb(
    "entity merge",
    python="entities.merge",
    roles=ANYONE,
    view=views.merged,
    examples=("tilth entity merge PostgreSQL pg --reason 'the same database'",),
)
def merge(
    brain: Context,
    winner: Annotated[One, Arg("the one that stays: a name, or its ID", metavar="WINNER")],
    loser: Annotated[One, Arg("the one that leads there: a name, or its ID", metavar="LOSER")],
    *,
    reason: Reason = "",
) -> Merged:
    """
    Let the first of two entities stay for both: the second leads to it.

    It is a redirect: nothing moves, and a split restores both exactly. An agent
    proposes it.

    Returns:
        The entity that stays, or the proposal that waits for a human, and the
        contradictions between the two.

    Raises:
        NotFoundError: there is no such entity.
        ConflictError: several go by its name, or it is merged already.
    """
    ends = one_meant(brain, winner), one_meant(brain, loser)
    return merges.merge_entities(brain.store, *ends, brain.recorder, reason=reason)


@verb(
    "entity split",
    python="entities.split",
    roles=ANYONE,
    view=views.split,
    examples=("tilth entity split 'Marina Costa' --reason 'two people'",),
)
def split(
    brain: Context,
    entity: Annotated[
        str,
        Arg(
            "what was merged away: the name that it had, or its ID",
            metavar="NAME",
            id=EntityId.prefix,
        ),
    ],
    *,
    reason: Reason = "",
) -> Split:
    """
    Undo a merge of entities.

    An agent proposes it. What was said since the merge stays with the other entity.

    Returns:
        Both entities, and what stays with the other one.

    Raises:
        NotFoundError: there is no such entity.
        ConflictError: it is not merged, or several that were had the name.
    """
    return merges.split_entity(brain.store, entity, brain.recorder, reason=reason)


@verb(
    "entity tidy",
    python="entities.tidy",
    roles=ANYONE,
    view=views.tidied,
    examples=("tilth entity tidy --limit 200",),
)
def tidy(
    brain: Needs,
    *,
    after: Annotated[int, Arg("go on after this place", metavar="N", least=0)] = 0,
    limit: Annotated[int, Arg("how many", metavar="N", least=1)] = 1000,
) -> Tidied:
    """
    Merge entities that are exactly one, and ask about those that come close.

    Returns:
        How many were looked at, merged and asked about, and where to go on.
    """
    recorder = replace(brain.recorder, by=TIDIER)
    thinker = None if unfit(brain.staff, Task.ADJUDICATE) else brain.thinker
    return tidying.tidy_entities(brain.store, recorder, after=after, limit=limit, thinker=thinker)
