"""Sessions: what was said and done together, as a transcript."""

from collections.abc import Callable
from itertools import groupby

from tilth.core.errors import TilthError
from tilth.episodes.episode import SPOKEN, Episode, EpisodeKind
from tilth.interfaces.web.screen import PAGE, Ask, Told, screen

_EPISODES = 300


@screen("/sessions", title="Sessions", group="See", place=40)
def sessions(ask: Ask) -> Told:
    """Gather sessions, the last active first."""
    scope = ask.maybe("scope")
    return {
        "sessions": ask.brain.sessions.list(limit=PAGE, offset=ask.offset, scope=scope),
        "offset": ask.offset,
        "page_size": PAGE,
        "scope": scope,
    }


@screen("/sessions/{session:path}", title="Session")
def transcript(ask: Ask) -> Told:
    """Gather a session's episodes, what was learned of each, and what its agent was shown."""
    brain, session = ask.brain, ask.text("session")
    page = brain.sessions.show(session, limit=_EPISODES, after=ask.number("after", 0, most=10**12))
    learned = {
        one.id: found
        for one in page.episodes
        if one.kind in SPOKEN and (found := brain.episodes.facts(one.id, limit=20))
    }
    return {
        "session": page.session,
        "episodes": page.episodes,
        "turns": [list(same) for _, same in groupby(page.episodes, _turn())],
        "learned": learned,
        "receipts": brain.receipts.list(session_id=session, limit=20),
        "spoken": SPOKEN,
        "failure": EpisodeKind.TOOL_FAILURE,
        "heading": page.session.info.title or session,
        "after": page.episodes[-1].seq if len(page.episodes) == _EPISODES else None,
    }


def _turn() -> Callable[[Episode], int]:
    """Return what numbers turns: each message is one, and so are the calls between two."""
    count, was_spoken = 0, True

    def turn(episode: Episode) -> int:
        nonlocal count, was_spoken
        is_spoken = episode.kind in SPOKEN
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
