"""
Projects at rest: a person pauses one, or archives it, and takes it up again (KB-127).

Of a project at rest nothing is told unasked; what is global, and of its domains, still is. It is
captured as before, and whoever asks finds all of it.
"""

from collections.abc import Collection

from tilth.context.events import ProjectMoved
from tilth.context.model import Project, ProjectState
from tilth.context.tables import Projects
from tilth.core.actor import require_human
from tilth.core.errors import ConflictError, NotFoundError
from tilth.core.scope import Scope, Visibility
from tilth.episodes.remember import WriteContext
from tilth.ledger.store import Store


def told_in(store: Store, within: Visibility) -> Visibility:
    """Return *within* without the projects that are at rest."""
    if within.scopes is None:
        return within
    with store.read() as view:
        at_rest = {one.scope for one in Projects(view).moved(within) if one.is_at_rest}
    return Visibility(within.owner, within.scopes - at_rest)


def known_projects(
    store: Store, within: Visibility, states: Collection[ProjectState]
) -> list[Project]:
    """Return the projects in *states* of which anything was recorded, by name."""
    with store.read() as view:
        return [one for one in Projects(view).select(within) if one.state in states]


def move(store: Store, recorder: WriteContext, scope: Scope, state: ProjectState) -> Project:
    """
    Say whether a project is worked on, paused or archived.

    Raises:
        ForbiddenError: the caller is not a human.
        NotFoundError: nothing was ever recorded of it.
        ConflictError: it is that already.
    """
    require_human(recorder.by, "say what becomes of a project")
    within = Visibility(recorder.owner, frozenset({scope}))
    with store.begin() as tx:
        known = [one for one in Projects(tx).select(within) if one.scope == scope]
        if not known:
            raise NotFoundError(
                f"nothing was recorded of {scope!r}", hint="see: tilth project list"
            )
        if known[0].state is state:
            raise ConflictError(f"{scope} is {state} already")
        tx.append(ProjectMoved(scope=scope, state=state), by=recorder.by, owner=recorder.owner)
        return next(one for one in Projects(tx).select(within) if one.scope == scope)
