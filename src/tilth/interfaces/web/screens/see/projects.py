"""A project: what holds there, what its sessions came to, and what its next agent is told."""

from collections.abc import Mapping, Sequence

from tilth.context.model import BriefRequest
from tilth.core.ids import EntityId
from tilth.core.lifecycle import Lifecycle
from tilth.core.scope import GLOBAL, Scope, Visibility
from tilth.episodes.session import Session
from tilth.episodes.tables import Episodes
from tilth.exchanges.exchanges import Exchanges
from tilth.exchanges.model import Exchange, is_scripted
from tilth.interfaces.web.rendering import scope_name
from tilth.interfaces.web.screen import PAGE, Ask, Told, screen
from tilth.knowledge.entities.entity import Entity
from tilth.knowledge.entities.sightings import Sightings
from tilth.knowledge.entities.tables import Entities, EntityFilter
from tilth.knowledge.facts.filters import FactFilter
from tilth.knowledge.facts.tables import Facts
from tilth.pages.model import PageKind

_SESSIONS = 10
_EXCHANGES, _EXCHANGES_READ = 5, 50
_THINGS, _THINGS_READ = 20, 500
# A slider with more steps than this is no longer moved by hand.
_TICKS = 1000
_KNOWN_TICKS = 200
_EVER = frozenset({Lifecycle.CURRENT, Lifecycle.SUPERSEDED})


@screen(
    "/projects",
    title="Projects",
    group="What is known",
    place=20,
    lead="One page for each project: what holds in it, what its sessions came to, and from there "
    "what its next agent is told.",
)
def projects(ask: Ask) -> Told:
    """Gather the projects of the sessions that were active last."""
    parts = ask.brain.parts
    with parts.store.read() as view:
        reader, owner = Episodes(view), parts.recorder.owner
        found = reader.scopes(parts.within(None), limit=PAGE + 1, offset=ask.offset)
        rows = [
            {
                "scope": scope,
                "count": count,
                "last": _last(reader, Visibility(owner, frozenset({scope}))),
            }
            for scope, count in found
        ]
    return ask.page("projects", rows)


def _last(reader: Episodes, within: Visibility) -> Session:
    """Return the last session that was no probe of a program; the last, if all were."""
    last = reader.sessions(within, limit=_SESSIONS)
    return next((one for one in last if not is_scripted(one.info.title)), last[0])


@screen("/projects/{scope:path}", title="Project")
def project(ask: Ask) -> Told:
    """Gather what holds in one project, or held, and what its sessions came to."""
    brain, scope = ask.brain, ask.text("scope")
    as_of, known_at = ask.moment("as_of"), ask.moment("known_at")
    told = brain.facts.list(scope=scope, as_of=as_of, known_at=known_at, limit=PAGE + 1)
    return {
        "scope": scope,
        "heading": scope.partition(":")[2] or "What holds everywhere",
        "own": [one for one in told[:PAGE] if one.life.scope == scope],
        "wider": [one for one in told[:PAGE] if one.life.scope != scope],
        "is_more": len(told) > PAGE,
        "as_of": ask.text("as_of"),
        "known_at": ask.text("known_at"),
        "page": next(iter(brain.pages.list(kind=PageKind.PROJECT, scope=scope)), None),
        "ticks": ticks_of(ask, scope=scope),
        "sessions": [
            one for one in brain.sessions.list(scope=scope, limit=_SESSIONS) if one.scope == scope
        ],
        "exchanges": _exchanges(ask, Scope(scope)),
        "things": _things(ask, Scope(scope)),
    }


@screen("/briefs/{scope:path}", title="Brief", under="/projects")
def brief(ask: Ask) -> Told:
    """Gather the brief that the next session of a project gets."""
    scope = ask.text("scope")
    whose = "without a project" if scope == GLOBAL else f"in {scope_name(scope)}"
    return {
        "scope": scope,
        "heading": f"What the next session {whose} is told",
        "brief": ask.brain.brief(BriefRequest(), scope=scope),
        "is_worked_in": _is_worked_in(ask, Scope(scope)),
    }


def _is_worked_in(ask: Ask, scope: Scope) -> bool:
    """Say whether a session of this project itself was read."""
    parts = ask.brain.parts
    with parts.store.read() as view:
        own = Visibility(parts.recorder.owner, frozenset({scope}))
        return bool(Episodes(view).sessions(own, limit=1))


def _exchanges(ask: Ask, scope: Scope) -> Sequence[Exchange]:
    """
    Return the last exchanges of a project that no probe of a program made.

    Those of its parents are found on their own pages.
    """
    parts = ask.brain.parts
    with parts.store.read() as view:
        reader = Exchanges(view, Visibility(parts.recorder.owner, frozenset({scope})))
        last = reader.last(limit=_EXCHANGES_READ)
    asked = [one for one in last if not is_scripted(one.ask)][:_EXCHANGES]
    return ask.brain.excluded.shown(asked)


def _things(ask: Ask, scope: Scope) -> Sequence[Entity]:
    """Return what the sessions of a project name, that of most sessions first."""
    parts = ask.brain.parts
    own = Visibility(parts.recorder.owner, frozenset({scope}))
    with parts.store.read() as view:
        known = Entities(view).select(EntityFilter(within=own), limit=_THINGS_READ)
        found = ask.brain.excluded.shown(Sightings(view).told(known, own))
    named = [(one.named.session_count, one) for one in found if one.named is not None]
    return [one for _, one in sorted(named, key=lambda told: -told[0])[:_THINGS]]


def ticks_of(
    ask: Ask, *, scope: str | None = None, about: EntityId | None = None
) -> Mapping[str, Sequence[str]]:
    """Return the days on which something began to hold, or was told; what ended since counts."""
    parts = ask.brain.parts
    which = FactFilter(within=parts.within(scope), lifecycles=_EVER, about=about)
    with parts.store.read() as view:
        days = {
            "held": Facts(view).days(which, limit=_TICKS),
            "known": Facts(view).recorded_days(which, limit=_KNOWN_TICKS),
        }
    return {name: [day.isoformat() for day in ones] for name, ones in days.items()}
