"""The verbs of recall."""

from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from datetime import datetime
from typing import Annotated, Protocol

from tilth.core.ids import SessionId, parse_session_id
from tilth.core.verb import ANYONE, Arg, Section, verb
from tilth.episodes.context import Context, Narrowed
from tilth.episodes.episode import Episode, EpisodeKind
from tilth.recall import recall as recalling
from tilth.recall import views
from tilth.recall.model import AROUND_MAX, LIMIT_MAX, Recall, RecallOptions, Tier
from tilth.recall.recaller import Recaller


class Needs(Context, Protocol):
    """What recall needs of a brain besides what every verb needs."""

    @property
    def recaller(self) -> Recaller:
        """The embedders, the lexicon and the clock."""


@verb(
    "recall",
    roles=ANYONE,
    section=Section.ASK,
    view=views.hits,
    examples=(
        "tilth recall which database did we choose",
        "tilth recall 'who runs the shop?' --as-of 2026-01-01 --explain",
    ),
)
def recall(
    brain: Needs,
    question: Annotated[str, Arg("in your own words, quoted or not", is_words=True)],
    *,
    limit: Annotated[
        int, Arg("the most hits to return", setting="recall_limit", least=1, most=LIMIT_MAX)
    ],
    as_of: Annotated[
        datetime | None, Arg("episodes up to this instant, and facts that held then")
    ] = None,
    known_at: Annotated[datetime | None, Arg("only records made by this instant")] = None,
    tiers: Annotated[
        AbstractSet[Tier] | None, Arg("only this tier; may be repeated", flags=("--tier",))
    ] = None,
    kinds: Annotated[
        AbstractSet[EpisodeKind] | None,
        Arg("only episodes of this kind, and no facts; may be repeated", flags=("--kind",)),
    ] = None,
    session_id: Annotated[
        SessionId | None,
        Arg(
            "only this session, and no facts",
            metavar="ID",
            flags=("--session",),
            parse=parse_session_id,
        ),
    ] = None,
    entity: Annotated[
        str | None, Arg("only hits about this entity, by ID or name", metavar="NAME")
    ] = None,
    area: Annotated[
        str | None, Arg("only facts of this area, and what they rest on", metavar="WORD")
    ] = None,
    budget_tokens: Annotated[
        int,
        Arg(
            "stop at about so many tokens; 0 is no limit",
            metavar="TOKENS",
            flags=("--budget",),
            setting="recall_budget_tokens",
            least=0,
        ),
    ],
    is_full: Annotated[bool, Arg("whole texts instead of snippets", unless_given=False)] = True,
    is_grouped: Annotated[
        bool,
        Arg("bring the current one of nearly equal statements to the front", is_hidden=True),
    ] = True,
    around: Annotated[
        int | None,
        Arg("how many turns to show before and after each hit", least=0, most=AROUND_MAX),
    ] = None,
    scope: Narrowed = None,
) -> Recall:
    """
    Find the facts and episodes that answer a question, the best first.

    It searches words, meanings, names and times together. Of similar statements the current one
    comes first, and a superseded one never stands above its successor.

    Returns:
        The hits with their scores, whether they answer the question, and notes.

    Raises:
        InvalidInputError: an option is out of its bounds.
        NotFoundError: no entity has that name or ID.
    """
    options = RecallOptions(
        limit=limit,
        as_of=as_of,
        known_at=known_at,
        tiers=frozenset(Tier) if tiers is None else frozenset(tiers),
        kinds=None if kinds is None else frozenset(kinds),
        session_id=session_id,
        entity=entity,
        area=area,
        budget_tokens=budget_tokens,
        is_full=is_full,
        is_grouped=is_grouped,
        around=around or 0,
    )
    found = recalling.recall(brain.store, brain.recaller, question, brain.within(scope), options)
    return brain.excluded.shown(found)


@verb("", python="fetch", roles=ANYONE)
def fetch(
    brain: Context,
    episode_ids: Annotated[Sequence[str], Arg("the IDs of at most 20 episodes")],
    *,
    scope: Narrowed = None,
) -> list[Episode]:
    """
    Return whole episodes by ID.

    Returns:
        The episodes that exist and are visible, in the order of their IDs.

    Raises:
        InvalidInputError: more than 20 are asked for.
    """
    found = recalling.fetch(brain.store, episode_ids, brain.within(scope))
    return brain.excluded.shown(found)
