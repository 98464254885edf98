"""
`tilth demo`: import what is here, and show what can be asked of it now.

Transcripts of agents on this machine go to the user's own store, as `tilth
import` would bring them. Where there are none, a small sample of ours goes to
a store of its own, so that nothing made up ever stands among real memories.
"""

import os
from argparse import Namespace
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

import tilth
from tilth import bootstrap
from tilth.app import Brain
from tilth.domain.episode import EpisodeKind, Role
from tilth.domain.session import Session
from tilth.privacy.inert import one_line
from tilth.surfaces.cli.imports import bring_in, find_all, here, lines_of
from tilth.surfaces.cli.opening import open_brain, place_of, shown_place
from tilth.surfaces.cli.screen import Bold, Dim, Line, Screen, columns
from tilth.surfaces.cli.session import title_of
from tilth.surfaces.cli.worker import start_in_background
from tilth.surfaces.import_summary import Summary
from tilth.surfaces.suggestions import Suggestion, Talk, suggest

SAMPLE = Path(tilth.__file__).with_name("demo") / "data"
_PAGE = 500
_SESSIONS_ASKED_ABOUT = 60
_MESSAGES_READ = 80
_QUESTIONS = 5
_HITS_READ = 10
_ANSWER_CHARS = 280
_TITLE_CHARS = 60


@dataclass(frozen=True, slots=True, kw_only=True)
class Holding:
    """What the store holds of one host."""

    host: str
    session_count: int
    episode_count: int
    first_at: datetime
    last_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """A question, and what the store says to it."""

    question: str
    text: str
    session_id: str
    session: str
    occurred_at: datetime
    episode_id: str


def run(args: Namespace, screen: Screen) -> int:
    """Import, take stock, ask."""
    found = [] if args.source else here()
    if not args.source and not found:
        args.source = str(SAMPLE)
        args.store = args.store or str(bootstrap.folders(os.environ).data / "demo.db")
    with open_brain(args, create=True) as brain:
        sources = found or find_all(brain, [args.source])
        summary, _ = bring_in(brain, sources, screen)
        sessions = list(_sessions(brain))
        holdings = _holdings(sessions)
        answers = list(_answers(brain, sessions))
    if summary.total.new_count:
        start_in_background(args)
    answer = {
        "store": shown_place(place_of(args)),
        "summary": summary,
        "holdings": holdings,
        "answers": answers,
    }
    screen.answer(answer, _page(args, summary, holdings, answers))
    return 0


def _sessions(brain: Brain) -> Iterator[Session]:
    offset = 0
    while page := brain.sessions.list(limit=_PAGE, offset=offset):
        yield from page
        offset += len(page)


def _holdings(sessions: Sequence[Session]) -> list[Holding]:
    hosts: dict[str, list[Session]] = defaultdict(list)
    for session in sessions:
        hosts[session.info.host or "other"].append(session)
    return [
        Holding(
            host=host,
            session_count=len(held),
            episode_count=sum(session.episode_count for session in held),
            first_at=min(session.started_at for session in held),
            last_at=max(session.last_at for session in held),
        )
        for host, held in sorted(hosts.items())
    ]


def _answers(brain: Brain, sessions: Sequence[Session]) -> Iterator[Answer]:
    """Yield the first questions whose answer lies in the session that they came from."""
    by_id: dict[str, Session] = {
        session.id: session for session in sessions[:_SESSIONS_ASKED_ABOUT]
    }
    asked: set[str] = set()
    for suggestion in suggest([_talk(brain, session) for session in by_id.values()]):
        if len(asked) == _QUESTIONS:
            return
        if suggestion.session_id not in asked and (answer := _answer(brain, suggestion, by_id)):
            asked.add(suggestion.session_id)
            yield answer


def _talk(brain: Brain, session: Session) -> Talk:
    episodes = brain.episodes.list(session_id=session.id, limit=_MESSAGES_READ)
    said = [episode for episode in episodes if episode.kind is EpisodeKind.MESSAGE]
    said.sort(key=lambda episode: episode.role is not Role.USER)
    return Talk(session.id, [episode.text for episode in said])


def _answer(brain: Brain, suggestion: Suggestion, sessions: Mapping[str, Session]) -> Answer | None:
    """Ask, and take the hit from the session in question that holds most of the telling words."""
    recall = brain.recall(suggestion.question, limit=_HITS_READ, is_full=False)
    said = [
        hit
        for hit in recall.hits
        if hit.session_id == suggestion.session_id
        and (hit.role is Role.ASSISTANT or not suggestion.is_request)
    ]
    if not said:
        return None
    best = max(said, key=lambda hit: sum(word in hit.text for word in suggestion.words))
    return Answer(
        question=suggestion.question,
        text=best.text,
        session_id=suggestion.session_id,
        session=title_of(sessions[suggestion.session_id]),
        occurred_at=best.valid_from,
        episode_id=best.id,
    )


def _page(
    args: Namespace, summary: Summary, holdings: Sequence[Holding], answers: Sequence[Answer]
) -> Iterator[Line]:
    yield from lines_of(summary)
    yield ""
    yield (Bold("What is remembered"),)
    yield from columns([_row(holding) for holding in holdings])
    yield ""
    yield (Bold("What can be asked, and what is answered"),)
    for answer in answers:
        yield ""
        yield (Bold(f"  {answer.question}"),)
        yield f"    {one_line(answer.text, _ANSWER_CHARS)}"
        title = one_line(answer.session, _TITLE_CHARS)
        yield Dim(f"    {answer.occurred_at:%Y-%m-%d}  {title}  {answer.episode_id}")
    yield ""
    store = f" --store {shown_place(args.store)}" if args.store else ""
    question = answers[0].question if answers else "QUESTION"
    yield ("go on: ", Bold(f'tilth recall "{question}"{store}'))


def _row(holding: Holding) -> list[str]:
    return [
        Bold(f"  {holding.host}"),
        f"{holding.session_count:,} sessions",
        f"{holding.episode_count:,} episodes",
        f"{holding.first_at:%Y-%m-%d} to {holding.last_at:%Y-%m-%d}",
    ]
