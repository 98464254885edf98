"""`tilth session list` and `tilth session show`."""

from argparse import Namespace
from collections.abc import Iterator, Sequence

from tilth.core.view import Bold, Dim, Line
from tilth.episodes.episode import Episode
from tilth.episodes.session import Session
from tilth.interfaces.cli.episode import headed
from tilth.interfaces.cli.opening import open_brain
from tilth.interfaces.cli.screen import Screen, columns
from tilth.privacy.inert import one_line

_TITLE_CHARS = 60


def list_(args: Namespace, screen: Screen) -> int:
    """List sessions, the last active first."""
    with open_brain(args) as brain:
        sessions = brain.sessions.list(limit=args.limit, offset=args.offset, scope=args.scope)
    screen.answer({"sessions": sessions}, columns([_row(session) for session in sessions]))
    if not sessions:
        screen.say("no sessions; bring some in with: tilth import")
    return 0


def show(args: Namespace, screen: Screen) -> int:
    """Show one session, and its episodes in the order of the ledger."""
    with open_brain(args) as brain:
        session = brain.sessions.get(args.session, scope=args.scope)
        episodes = brain.episodes.list(
            session_id=session.id, limit=args.limit, after=args.after, scope=args.scope
        )
    screen.answer({"session": session, "episodes": episodes}, _page(session, episodes))
    if len(episodes) == args.limit:
        screen.say(f"more: tilth session show {session.id} --after {episodes[-1].seq}")
    return 0


def title_of(session: Session) -> str:
    """Return what a person knows the session by."""
    return session.info.title or session.info.folder or session.id


def _row(session: Session) -> list[str]:
    return [
        f"{session.last_at:%Y-%m-%d %H:%M}",
        Bold(one_line(title_of(session), _TITLE_CHARS)),
        f"{session.episode_count} episodes",
        session.info.host or "-",
        Dim(session.id),
    ]


def _page(session: Session, episodes: Sequence[Episode]) -> Iterator[Line]:
    yield (Bold(title_of(session)),)
    yield Dim(
        f"{session.info.host or 'no host'} · {session.scope} · {session.episode_count} episodes"
        f" · {session.started_at:%Y-%m-%d %H:%M} to {session.last_at:%Y-%m-%d %H:%M}"
    )
    for episode in episodes:
        yield ""
        yield from headed(episode)
