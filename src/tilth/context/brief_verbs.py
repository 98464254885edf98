"""The verbs that show an agent something unasked, in a module of their own for a fast start."""

from dataclasses import replace
from typing import Annotated, Protocol

from tilth.context.brief import Fence
from tilth.context.brief import brief as make_brief
from tilth.context.injection import Injection
from tilth.context.model import Brief, BriefRequest
from tilth.context.pitfalls import Pitfall, ToolFailure, known_pitfall
from tilth.context.tables import Projects
from tilth.context.work.reading_cache import KeptReadings
from tilth.core.scope import Visibility
from tilth.core.verb import ANYONE, Arg, verb
from tilth.episodes.context import Context, Narrowed
from tilth.recall.recaller import Recaller


class Needs(Context, Protocol):
    """What briefs need of a brain besides what every verb needs."""

    @property
    def recaller(self) -> Recaller:
        """What recall works with."""

    @property
    def covering_fence(self) -> Fence:
        """Wraps a brief in markers, and masks excluded terms in it."""

    @property
    def injection(self) -> Injection:
        """What agents may be shown unasked."""

    @property
    def readings(self) -> KeptReadings | None:
        """Readings of exchanges, kept from earlier briefs; None keeps nothing."""


@verb("", python="brief", roles=ANYONE)
def brief(
    brain: Needs,
    request: Annotated[BriefRequest, Arg("for whom, beside which prompt, and how long")],
    *,
    scope: Narrowed = None,
) -> Brief:
    """
    Make a brief for an agent, for the beginning of a session or beside a prompt.

    Making it leaves no receipt; `receipts.keep` records one once it was shown.

    Returns:
        The text between markers, its estimated tokens, and the blocks that it is made of.
    """
    within = worked_on(brain, scope)
    made = make_brief(
        brain.store,
        brain.recaller,
        brain.covering_fence,
        request,
        within,
        injection=brain.injection,
        kept=brain.readings,
    )
    return replace(
        made,
        blocks=brain.excluded.shown(made.blocks),
        is_at_rest=scope is not None and within.scopes is not None and scope not in within.scopes,
    )


@verb("", python="pitfall", roles=ANYONE)
def pitfall(
    brain: Needs,
    failure: Annotated[ToolFailure, Arg("the tool's call and what it answered")],
    *,
    scope: Narrowed = None,
) -> Pitfall | None:
    """
    Find how a failure of a tool was overcome before.

    Returns:
        The earlier failure and what worked then; None if there is none, or the setting
        turns warnings off.
    """
    if not brain.injection.warns:
        return None
    within = worked_on(brain, scope)
    known = known_pitfall(brain.store, brain.recaller, failure, within)
    return brain.excluded.shown(known)


def worked_on(brain: Context, scope: Narrowed) -> Visibility:
    """Return what is visible from a scope, without projects at rest."""
    # `within` reads the store itself: inside the block it would take a second connection.
    within = brain.within(scope)
    with brain.store.read() as view:
        return Projects(view).worked_on(within)
