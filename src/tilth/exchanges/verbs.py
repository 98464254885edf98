"""The verbs on exchanges."""

from collections.abc import Sequence
from typing import Annotated

from tilth.core.ids import EpisodeId, SessionId, parse_session_id
from tilth.core.verb import ANYONE, Arg, Section, noun, verb
from tilth.episodes.context import Context, Narrowed
from tilth.episodes.tables import Episodes
from tilth.exchanges import views
from tilth.exchanges.exchanges import Exchanges
from tilth.exchanges.model import Exchange

noun(
    "exchange",
    "what was asked in sessions, what was done, and how it ended",
    section=Section.ASK,
    bare="list",
)


@verb(
    "exchange list",
    roles=ANYONE,
    view=views.cards,
    key="exchanges",
    examples=("tilth exchange list", "tilth exchange list --session planning"),
)
def list_(
    brain: Context,
    *,
    session_id: Annotated[
        SessionId | None,
        Arg("only of this session", metavar="ID", flags=("--session",), parse=parse_session_id),
    ] = None,
    limit: Annotated[int, Arg("the most to return", metavar="N", least=1, most=1000)] = 20,
    scope: Narrowed = None,
) -> Sequence[Exchange]:
    """
    List exchanges, the newest first: what was asked, and how it ended.

    Returns:
        The exchanges with a report; of one session all, also those without an answer.
    """
    within = brain.within(scope)
    with brain.store.read() as view:
        reader = Exchanges(view, within)
        if session_id is None:
            found = reader.last(limit=limit)
        else:
            meant = Episodes(view).session_id_of(session_id, within)
            found = list(reversed(reader.in_session(meant)))[:limit]
    return brain.excluded.shown(found)


@verb(
    "exchange show",
    python="exchanges.get",
    roles=ANYONE,
    view=views.card,
    examples=("tilth exchange show epi_01KAR",),
)
def show(
    brain: Context,
    episode_id: Annotated[
        EpisodeId,
        Arg("any episode of it", metavar="ID", id=EpisodeId.prefix, parse=EpisodeId.parse),
    ],
    *,
    scope: Narrowed = None,
) -> Exchange:
    """
    Show the exchange of an episode: the ask, what was done, and the report.

    Returns:
        The exchange, word for word.

    Raises:
        NotFoundError: there is no such episode, it cannot be seen from the scope, or it belongs to
            no exchange.
    """
    with brain.store.read() as view:
        found = Exchanges(view, brain.within(scope)).get(episode_id)
    return brain.excluded.shown(found)
