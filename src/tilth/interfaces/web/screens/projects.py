"""A project on one page: what holds there, what its sessions came to, what its agents are told."""

from tilth.context.model import BriefRequest
from tilth.interfaces.web.screen import PAGE, Ask, Told, screen

_SESSIONS = 10


@screen("/projects", title="Projects", group="See", place=15)
def projects(ask: Ask) -> Told:
    """Gather the projects of the sessions that were active last."""
    sessions = ask.brain.sessions.list(limit=1000)
    scopes = dict.fromkeys(one.scope for one in sessions)
    return {
        "projects": [
            {
                "scope": scope,
                "count": sum(one.scope == scope for one in sessions),
                "last": next(one for one in sessions if one.scope == scope),
            }
            for scope in scopes
        ]
    }


@screen("/projects/{scope:path}", title="Project")
def project(ask: Ask) -> Told:
    """Gather what is known in one project, and the brief that its next session gets."""
    brain, scope = ask.brain, ask.text("scope")
    return {
        "scope": scope,
        "heading": scope.partition(":")[2] or scope,
        "facts": brain.facts.list(scope=scope, limit=PAGE),
        "sessions": [
            one for one in brain.sessions.list(scope=scope, limit=_SESSIONS) if one.scope == scope
        ],
        "exchanges": [
            one for one in brain.exchanges.list(scope=scope, limit=_SESSIONS) if one.scope == scope
        ][:5],
        "brief": brain.brief(BriefRequest(), scope=scope),
    }
