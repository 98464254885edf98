"""A project on one page: what holds there, what its sessions came to, what its agents are told."""

from collections.abc import Sequence

from tilth.context.model import BriefRequest
from tilth.core.ids import EntityId
from tilth.core.lifecycle import Lifecycle
from tilth.core.scope import Visibility
from tilth.episodes.tables import Episodes
from tilth.interfaces.web.screen import PAGE, Ask, Told, screen
from tilth.knowledge.facts.filters import FactFilter
from tilth.knowledge.facts.tables import Facts

_SESSIONS = 10
# A slider with more steps than this is no longer moved by hand.
_TICKS = 1000
_EVER = frozenset({Lifecycle.CURRENT, Lifecycle.SUPERSEDED})


@screen("/projects", title="Projects", group="See", place=15)
def projects(ask: Ask) -> Told:
    """Gather the projects of the sessions that were active last."""
    parts = ask.brain.parts
    with parts.store.read() as view:
        reader, owner = Episodes(view), parts.recorder.owner
        found = reader.scopes(parts.within(None), limit=PAGE, offset=ask.offset)
        rows = [
            {
                "scope": scope,
                "count": count,
                "last": reader.sessions(Visibility(owner, frozenset({scope})), limit=1)[0],
            }
            for scope, count in found
        ]
    return {"projects": rows, "offset": ask.offset, "page_size": PAGE}


@screen("/projects/{scope:path}", title="Project")
def project(ask: Ask) -> Told:
    """Gather what holds in one project, or held, and the brief that its next session gets."""
    brain, scope = ask.brain, ask.text("scope")
    as_of, known_at = ask.maybe("as_of"), ask.maybe("known_at")
    told = brain.facts.list(scope=scope, as_of=as_of, known_at=known_at, limit=PAGE + 1)
    return {
        "scope": scope,
        "heading": scope.partition(":")[2] or scope,
        "facts": told[:PAGE],
        "is_more": len(told) > PAGE,
        "as_of": ask.text("as_of"),
        "known_at": ask.text("known_at"),
        "ticks": ticks_of(ask, scope=scope),
        "sessions": [
            one for one in brain.sessions.list(scope=scope, limit=_SESSIONS) if one.scope == scope
        ],
        "exchanges": [
            one for one in brain.exchanges.list(scope=scope, limit=_SESSIONS) if one.scope == scope
        ][:5],
        "brief": None if as_of or known_at else brain.brief(BriefRequest(), scope=scope),
    }


def ticks_of(ask: Ask, *, scope: str | None = None, about: EntityId | None = None) -> Sequence[str]:
    """Return the days on which something began to hold, and what ended since counts, too."""
    parts = ask.brain.parts
    which = FactFilter(within=parts.within(scope), lifecycles=_EVER, about=about)
    with parts.store.read() as view:
        return [day.isoformat() for day in Facts(view).days(which, limit=_TICKS)]
