"""The verb that shows what is known about an entity."""

from datetime import datetime
from typing import Annotated

from tilth.core.verb import ANYONE, Arg, Section, verb
from tilth.episodes.context import Context, Narrowed
from tilth.knowledge.about import about as abouts
from tilth.knowledge.about import views
from tilth.knowledge.about.about import About
from tilth.knowledge.entities.verbs import Named
from tilth.knowledge.facts.filters import Moment
from tilth.knowledge.facts.verbs import KnownAt


@verb(
    "about",
    roles=ANYONE,
    section=Section.ASK,
    view=views.about,
    examples=("tilth about postgres", "tilth about Marina --as-of 2026-01-01"),
)
def about(
    brain: Context,
    name: Named,
    *,
    limit: Annotated[int, Arg("the most facts to return", least=1, most=abouts.LIMIT_MAX)] = 20,
    as_of: Annotated[datetime | None, Arg("facts that held at this instant")] = None,
    known_at: KnownAt = None,
    scope: Narrowed = None,
) -> About:
    """
    Show what is known about a thing.

    That is its names, its current facts, its links, and the episodes that mention it.

    Returns:
        All of that in one answer.

    Raises:
        NotFoundError: no visible entity has that name.
    """
    moment, seen = Moment(as_of, known_at), brain.within(scope)
    known = abouts.about(brain.store, brain.clock, name, seen, limit=limit, moment=moment)
    return brain.excluded.shown(known)
