"""Today: what the last sessions came to, what waits, and that capture runs."""

from tilth.core.scope import GLOBAL
from tilth.interfaces.web.screen import Ask, Told, screen

_SESSIONS = 12
_FACTS = 8
_WAITING = 5


@screen("/", title="Today", group="See", place=10)
def today(ask: Ask) -> Told:
    """Gather the last sessions by project, what was learned last, and what waits."""
    brain = ask.brain
    sessions = brain.sessions.list(limit=_SESSIONS)
    return {
        "sessions": sessions,
        "projects": sorted({one.scope for one in sessions} - {GLOBAL}),
        "learned": brain.facts.list(limit=_FACTS),
        "queue": brain.review.list(limit=_WAITING),
        "is_empty": not sessions,
    }
