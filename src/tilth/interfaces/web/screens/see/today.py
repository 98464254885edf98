"""Today: what the last sessions came to, what waits, and that capture runs."""

import os
from collections.abc import Mapping, Sequence
from datetime import timedelta
from itertools import islice

from tilth.core.text.promises import is_done_by, is_reported
from tilth.core.text.tokens import split_sentences
from tilth.episodes.session import Session
from tilth.exchanges.model import Exchange, is_scripted
from tilth.interfaces.describe_ids import question_of
from tilth.interfaces.web.screen import Ask, Told, is_new, screen
from tilth.knowledge.facts.fact import Fact
from tilth.playbooks.model import PlaybookState
from tilth.privacy.terminal_text import one_line
from tilth.runtime import connect as bootstrap
from tilth.runtime.system import SystemClock
from tilth.skills.model import SkillState

# Of so many sessions those of the last projects are read to their end, for what they came to.
_SESSIONS, _PROJECTS, _OF_EACH, _TRIED = 60, 3, 3, 8
# What sessions stated is looked for among so many facts, the newest.
_KNOWN, _FACTS = 200, 8
_WAITING = 5
_EXCHANGES = 20
_ENDS = 3
_REPORT_CHARS, _READ_CHARS = 200, 2000
# Something of these, and a session came to something.
_TELLS = ("asks", "files", "decided", "left")
_OPEN = frozenset({"deferral", "commitment"})
# What was put off or promised so long ago is no news of today; its own page has it still.
_OPEN_FOR = timedelta(days=30)


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
    for one in _distinct(sessions):
        projects.setdefault(one.scope, []).append(one)
    told = ((scope, _digests(ask, ones, known)) for scope, ones in projects.items())
    return {
        "projects": [*islice((one for one in told if one[1]), _PROJECTS)],
        "learned": known[:_FACTS],
        "queue": queue,
        "asked": [(one, question_of(brain.review.show(one.id))) for one in queue.proposals],
        "playbooks": brain.playbooks.list(state=PlaybookState.CANDIDATE, limit=_WAITING),
        "skills": brain.skills.list(state=SkillState.CANDIDATE, limit=_WAITING),
        "is_empty": not sessions and is_new(brain),
        "progress": ask.serving.importing.progress,
        "hosts": sorted(one.host for one in hooks.receipts.in_force()),
        "is_paused": hooks.state.is_paused(SystemClock().now()),
        "last_at": sessions[0].last_at if sessions else None,
    }


def _distinct(sessions: Sequence[Session]) -> Sequence[Session]:
    """Return sessions without a program's probes, and of those that are called alike the last."""
    named = {one.info.title or one.id: one for one in reversed(sessions)}
    last = (one for one in sessions if named[one.info.title or one.id] is one)
    return [one for one in last if not is_scripted(one.info.title)]


def _digests(
    ask: Ask, sessions: Sequence[Session], known: Sequence[Fact]
) -> Sequence[Mapping[str, object]]:
    """Return what the last of *sessions* came to; one that came to nothing tells nothing."""
    digests = (_digest(ask, one, known) for one in sessions[:_TRIED])
    return [*islice((one for one in digests if any(one[name] for name in _TELLS)), _OF_EACH)]


def _digest(ask: Ask, session: Session, known: Sequence[Fact]) -> Mapping[str, object]:
    """Return what one session decided, changed and left open."""
    exchanges = ask.brain.exchanges.list(session_id=session.id, limit=_EXCHANGES)
    spoken = {one.id for one in exchanges} | {one.report_id for one in exchanges}
    stated = [one for one in known if any(rest.episode_id in spoken for rest in one.evidence)]
    return {
        "session": session,
        "asks": len(exchanges),
        "commits": list(islice((line for one in exchanges for line in one.commits), _ENDS)),
        "files": len({path for one in exchanges for path in one.files}),
        "report": one_line(_prose(exchanges[0].report), _REPORT_CHARS) if exchanges else "",
        "decided": [one for one in stated if _kind(one) not in _OPEN][:_ENDS],
        "left": _open_promises(ask, session, stated)[:_ENDS],
    }


def _open_promises(ask: Ask, session: Session, stated: Sequence[Fact]) -> Sequence[Fact]:
    """Return what was put off or promised lately, and no later work of its project has done."""
    since = ask.brain.parts.clock.now() - _OPEN_FOR
    left = [one for one in stated if _kind(one) in _OPEN and one.life.valid_from >= since]
    later = ask.brain.exchanges.list(scope=session.scope, limit=_EXCHANGES) if left else ()
    return [one for one in left if not any(_fulfils(work, one) for work in later)]


def _fulfils(work: Exchange, owed: Fact) -> bool:
    """Say whether an exchange committed, or reports as done, what was owed before it."""
    began, said = owed.life.valid_from, owed.said.text
    is_committed = work.ended_at > began and any(is_done_by(said, one) for one in work.commits)
    is_told = work.began_at > began and any(
        is_reported(said, one) for one in split_sentences(work.report[:_READ_CHARS])
    )
    return (is_committed or is_told) and not work.is_taken_back


def _kind(fact: Fact) -> object:
    return fact.metadata.get("kind")


def _prose(report: str) -> str:
    """Return what a report says before the first block of code in it."""
    return report[:_READ_CHARS].partition("```")[0] or report[:_READ_CHARS]
