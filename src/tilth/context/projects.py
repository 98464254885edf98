"""
Projects at rest: a person pauses one, or archives it, and takes it up again (KB-127).

Of a project at rest nothing is told unasked; what is global, and of its domains, still is.
"""

from tilth.context.tables import Projects
from tilth.core.scope import Visibility
from tilth.ledger.store import Store


def told_in(store: Store, within: Visibility) -> Visibility:
    """Return *within* without the projects that are at rest."""
    if within.scopes is None:
        return within
    with store.read() as view:
        at_rest = {one.scope for one in Projects(view).moved(within) if one.is_at_rest}
    return Visibility(within.owner, within.scopes - at_rest)
