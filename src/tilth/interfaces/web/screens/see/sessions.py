"""Sessions: what was said and done together, as a transcript."""

import re
from collections.abc import Callable, Sequence
from datetime import timedelta
from itertools import accumulate, groupby

from tilth.core.errors import TilthError
from tilth.core.scope import Visibility, parse_scope
from tilth.episodes.episode import PROSE, Episode, EpisodeKind
from tilth.episodes.filters import SessionFilter
from tilth.episodes.session import Session
from tilth.episodes.tables import Episodes
from tilth.exchanges.model import is_scripted
from tilth.interfaces.web.screen import PAGE, Ask, Told, paged, screen
from tilth.knowledge.changes.provenance import facts_on_each
from tilth.practice.calls import call_in
from tilth.privacy.terminal_text import one_line

_DAY = timedelta(days=1)
_EPISODES = 300
_EXCHANGES = 100
_LEARNED_OF_EACH = 20
_CALL_CHARS = 140
# What tells most of a call that runs no command and changes no file.
_ABOUT = re.compile(
    r'"(?:file_path|path|pattern|query|url|description|prompt|subject|skill)":\s*"((?:[^"\\]|\\.)+)'
)


@screen(
    "/sessions",
    title="Sessions",
    group="How work is done",
    place=40,
    lead="What you and your agents said and did together, as transcripts.",
)
def sessions(ask: Ask) -> Told:
    """Gather sessions, the last active first: of a project, an agent program, a day, a title."""
    parts, scope, day = ask.brain.parts, ask.text("scope"), ask.day("day")
    every = parts.within(None)
    which = SessionFilter(
        host=ask.text("host"),
        words=ask.text("title"),
        active_from=day,
        active_before=day and day + _DAY,
    )
    # What holds everywhere is no session of a project.
    within = Visibility(every.owner, frozenset({parse_scope(scope)})) if scope else every
    with parts.store.read() as view:
        reader = Episodes(view)
        read = reader.sessions(within, limit=PAGE + 1, offset=ask.offset, which=which)
        hosts = reader.hosts(every)
    found, has_more = paged(read)
    groups = _alike(found)
    return {
        "sessions": [first for first, *_ in groups],
        "alike": {first.id: rest for first, *rest in groups},
        "has_more": has_more,
        "offset": ask.offset,
        "page_size": PAGE,
        "scopes": ask.scopes(),
        "hosts": hosts,
        "is_narrowed": any(ask.text(name) for name in ("host", "title", "day", "scope")),
    }


def _alike(found: Sequence[Session]) -> Sequence[Sequence[Session]]:
    """Return sessions together that begin with the same words, or with a program's prompt."""
    groups: dict[str, list[Session]] = {}
    for one in found:
        key = "" if is_scripted(one.info.title) else one.info.title or one.id
        groups.setdefault(key, []).append(one)
    return [*groups.values()]


@screen("/sessions/{session:path}", title="Session")
def transcript(ask: Ask) -> Told:
    """Gather a session's episodes, what was learned of each, and what its agent was shown."""
    brain, session = ask.brain, ask.text("session")
    page = brain.sessions.show(session, limit=_EPISODES, after=ask.number("after", 0, most=10**12))
    spoken = [one for one in page.episodes if one.kind in PROSE]
    learned = facts_on_each(
        brain.parts.store, spoken, brain.parts.within(None), limit=_LEARNED_OF_EACH
    )
    return {
        "session": page.session,
        "episodes": page.episodes,
        "turns": _turns(page.episodes),
        "learned": learned,
        "calls": {
            one.id: _called(one.text) for one in page.episodes if one.kind is EpisodeKind.TOOL_CALL
        },
        "exchanges": [*reversed(brain.exchanges.list(session_id=session, limit=_EXCHANGES))],
        "here": {one.id for one in page.episodes},
        "receipts": brain.receipts.list(session_id=session, limit=20),
        "spoken": PROSE,
        "failure": EpisodeKind.TOOL_FAILURE,
        "heading": page.session.info.title or session,
        "after": page.episodes[-1].seq if len(page.episodes) == _EPISODES else None,
        "is_first": not ask.text("after"),
    }


def _called(text: str) -> tuple[str, str]:
    """Return the tool that a call calls, and what it is about, in a line."""
    call = call_in(text)
    about = call.about.partition("\n")[0]
    if not about:
        told = text.partition(":")[2].strip()
        about = next((named[1] for named in _ABOUT.finditer(told)), told)
    return call.tool, one_line(about, _CALL_CHARS)


def _turns(episodes: Sequence[Episode]) -> Sequence[tuple[int, int]]:
    """Return where each turn of a transcript begins among its episodes, and where it ends."""
    lengths = [len(list(same)) for _, same in groupby(episodes, _turn())]
    ends = [*accumulate(lengths)]
    return [*zip([0, *ends[:-1]], ends, strict=True)] if ends else []


def _turn() -> Callable[[Episode], int]:
    """Return what numbers turns: each message is one, and so are the calls between two."""
    count, was_spoken = 0, True

    def turn(episode: Episode) -> int:
        nonlocal count, was_spoken
        is_spoken = episode.kind in PROSE
        count += is_spoken or was_spoken
        was_spoken = is_spoken
        return count

    return turn


@screen("/episodes/{episode}", title="Episode", under="/sessions")
def episode(ask: Ask) -> Told:
    """Gather one episode, whole, and what rests on it."""
    brain = ask.brain
    (one,) = brain.episodes.show([ask.text("episode")])
    try:
        session = brain.sessions.get(one.session_id) if one.session_id else None
    except TilthError:
        session = None
    return {"episode": one, "session": session, "facts": brain.episodes.facts(one.id, limit=50)}
