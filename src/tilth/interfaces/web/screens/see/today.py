"""Today: what the last sessions came to, what waits, and that capture runs."""

import os
from collections.abc import Mapping, Sequence
from itertools import islice

from tilth.episodes.session import Session
from tilth.interfaces.web.screen import Ask, Told, screen
from tilth.interfaces.web.screens.decide.inbox import title_of
from tilth.knowledge.facts.fact import Fact
from tilth.privacy.inert import one_line
from tilth.runtime import connect as bootstrap
from tilth.runtime.system import SystemClock

# Of so many sessions those of the last projects are read to their end, for what they came to.
_SESSIONS, _PROJECTS, _OF_EACH = 40, 3, 3
# What sessions stated is looked for among so many facts, the newest.
_KNOWN, _FACTS = 200, 8
_WAITING = 5
_EXCHANGES = 20
_ENDS = 3
_REPORT_CHARS = 200
_OPEN = frozenset({"deferral"})


@screen(
    "/",
    title="Today",
    group="Every day",
    place=10,
    lead="What the last sessions came to, and what waits for you.",
)
def today(ask: Ask) -> Told:
    """Gather what the last sessions came to, by project, what was learned, and what waits."""
    brain, hooks = ask.brain, bootstrap.hooks(os.environ)
    sessions = brain.sessions.list(limit=_SESSIONS)
    known = brain.facts.list(limit=_KNOWN)
    queue = brain.review.list(limit=_WAITING)
    projects: dict[str, list[Session]] = {}
    for one in sessions:
        projects.setdefault(one.scope, []).append(one)
    return {
        "projects": [
            (scope, [_digest(ask, one, known) for one in _apart(ones)[:_OF_EACH]])
            for scope, ones in islice(projects.items(), _PROJECTS)
        ],
        "learned": known[:_FACTS],
        "queue": queue,
        "asked": [(one, title_of(brain.review.show(one.id))) for one in queue.proposals],
        "is_empty": not sessions,
        "hosts": sorted(one.host for one in hooks.receipts.in_force()),
        "is_paused": hooks.state.is_paused(SystemClock().now()),
        "last_at": sessions[0].last_at if sessions else None,
    }


def _apart(sessions: Sequence[Session]) -> Sequence[Session]:
    """Return of sessions that are called alike the last: what a program asks again and again."""
    named = {one.info.title or one.id: one for one in reversed(sessions)}
    return [one for one in sessions if named[one.info.title or one.id] is one]


def _digest(ask: Ask, session: Session, known: Sequence[Fact]) -> Mapping[str, object]:
    """Return what one session decided, changed and left open."""
    exchanges = ask.brain.exchanges.list(session_id=session.id, limit=_EXCHANGES)
    spoken = {one.id for one in exchanges} | {one.report_id for one in exchanges}
    stated = [one for one in known if any(rest.episode_id in spoken for rest in one.evidence)]
    return {
        "session": session,
        "commits": list(islice((line for one in exchanges for line in one.commits), _ENDS)),
        "files": len({path for one in exchanges for path in one.files}),
        "report": one_line(_words(exchanges[0].report), _REPORT_CHARS) if exchanges else "",
        "decided": [one for one in stated if one.metadata.get("kind") not in _OPEN][:_ENDS],
        "left": [one for one in stated if one.metadata.get("kind") in _OPEN][:_ENDS],
    }


def _words(report: str) -> str:
    """Return what a report says before the first block of code in it."""
    return report[:2000].partition("```")[0] or report[:2000]
