"""What can be asked about why facts are believed."""

from collections.abc import Sequence
from typing import Annotated

from tilth.core.ids import EPISODE_PREFIX, EpisodeId
from tilth.core.verb import ANYONE, Arg, verb
from tilth.episodes.context import Context, Narrowed
from tilth.knowledge.changes import provenance, views
from tilth.knowledge.changes.provenance import Resting


@verb(
    "episode facts",
    python="episodes.facts",
    roles=ANYONE,
    view=views.resting_facts,
    key="facts",
    examples=("tilth episode facts epi_01KAR",),
)
def facts_on(
    brain: Context,
    episode_id: Annotated[EpisodeId, Arg("the episode's ID", metavar="ID", id=EPISODE_PREFIX)],
    *,
    limit: Annotated[int, Arg("how many", metavar="N", least=1)] = 100,
    scope: Narrowed = None,
) -> Sequence[Resting]:
    """
    List the facts that rest on an episode.

    Returns:
        Each fact with the words that it rests on, and what it superseded, oldest first.

    Raises:
        NotFoundError: there is no such episode, or it cannot be seen from the scope.
    """
    return provenance.facts_on(brain.store, episode_id, brain.within(scope), limit=limit)
