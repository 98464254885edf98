"""
`tilth demo`: import what is here, and show what was learned and what can be asked of it now.

Transcripts of agents on this machine go to the user's own store, as `tilth
import` would bring them. Where there are none, a small sample of ours goes to
a store of its own, so that nothing made up ever stands among real memories.
"""

import os
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from itertools import chain, islice, zip_longest
from pathlib import Path
from typing import Annotated

import tilth
from tilth.core.lifecycle import Lifecycle
from tilth.core.verb import Arg, Section
from tilth.core.view import Bold, Dim, Line
from tilth.episodes.episode import EpisodeKind, Role
from tilth.episodes.session import Session
from tilth.episodes.views import title_of
from tilth.interfaces.cli.commands.imports import bring_in, find_all, here, lines_of
from tilth.interfaces.cli.commands.worker import start_in_background
from tilth.interfaces.cli.opening import shown_place
from tilth.interfaces.cli.screen import columns
from tilth.interfaces.cli.terminal import Terminal, command
from tilth.interfaces.import_summary import Summary
from tilth.interfaces.suggestions import Suggestion, Talk, suggest
from tilth.learning.candidate import StatementKind
from tilth.privacy.inert import one_line
from tilth.runtime import places
from tilth.runtime.brain import Brain

SAMPLE = Path(tilth.__file__).with_name("runtime") / "sample"
# The worker looks through the rest; so many take some seconds.
_SESSIONS_LOOKED_THROUGH = 100
_PAGE = 500
_SESSIONS_ASKED_ABOUT = 60
_MESSAGES_READ = 80
_QUESTIONS = 5
_HITS_READ = 10
_ANSWER_CHARS = 280
_TITLE_CHARS = 60
_FACTS_READ = 500
_FACTS_SHOWN = 6
_FACT_CHARS = 100
# What a new reader likes to see kept comes first.
_SHOWN_LAST = {
    StatementKind.FACT,
    StatementKind.MILESTONE,
    StatementKind.OPINION,
    StatementKind.GAP,
}
_KINDS = sorted(StatementKind, key=lambda kind: kind in _SHOWN_LAST)


@dataclass(frozen=True, slots=True, kw_only=True)
class Holding:
    """What the store holds of one host."""

    host: str
    session_count: int
    episode_count: int
    first_at: datetime
    last_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class Learned:
    """A fact that was drawn from what was said, and what kind of thing was said."""

    kind: StatementKind
    text: str
    valid_from: datetime
    fact_id: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """A question, and what the store says to it."""

    question: str
    text: str
    session_id: str
    session: str
    occurred_at: datetime
    episode_id: str


@command("demo", section=Section.START, examples=("tilth demo", "tilth demo --from ~/transcripts"))
def run(
    terminal: Terminal,
    *,
    source: Annotated[
        str, Arg("import this, instead of what is found here", metavar="PATH", flags=("--from",))
    ] = "",
) -> int:
    """
    Import what is on this machine, and ask it questions.

    Transcripts of your agents go to your store. Where there are none, a sample
    goes to a store of its own.
    """
    screen = terminal.screen
    found = [] if source else here()
    if not source and not found:
        source = str(SAMPLE)
        sample = str(places.folders(os.environ).data / "demo.db")
        terminal = replace(terminal, store=terminal.store or sample)
    with terminal.open(create=True) as brain:
        sources = found or find_all(brain, [source])
        summary, _ = bring_in(brain, sources, screen)
        with screen.progress("sessions") as advance:
            brain.distil(at_most=_SESSIONS_LOOKED_THROUGH, progress=advance)
        learned = list(_learned(brain))
        sessions = list(_sessions(brain))
        holdings = _holdings(sessions)
        answers = list(_answers(brain, sessions))
    if summary.total.new_count:
        start_in_background(terminal)
    answer = {
        "store": shown_place(terminal.place),
        "summary": summary,
        "holdings": holdings,
        "learned": learned,
        "answers": answers,
    }
    store = f" --store {shown_place(terminal.store)}" if terminal.store else ""
    lines = chain(_stock(summary, holdings), _lessons(learned, store), _dialogue(answers, store))
    screen.answer(answer, lines)
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


def _learned(brain: Brain) -> Iterator[Learned]:
    """Yield some of what was drawn from what was said: of each kind one, then another, the new."""
    known = brain.facts.list(
        lifecycles=[Lifecycle.HISTORICAL, Lifecycle.CURRENT], limit=_FACTS_READ
    )
    by_kind = {
        kind: [fact for fact in known if fact.metadata.get("kind") == kind] for kind in _KINDS
    }
    rounds = chain.from_iterable(zip_longest(*by_kind.values()))
    for fact in islice((fact for fact in rounds if fact is not None), _FACTS_SHOWN):
        kind = StatementKind(str(fact.metadata["kind"]))
        yield Learned(
            kind=kind, text=fact.said.text, valid_from=fact.life.valid_from, fact_id=fact.id
        )


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


def _stock(summary: Summary, holdings: Sequence[Holding]) -> Iterator[Line]:
    yield from lines_of(summary)
    yield ""
    yield (Bold("What is remembered"),)
    yield from columns([_row(holding) for holding in holdings])


def _lessons(learned: Sequence[Learned], store: str) -> Iterator[Line]:
    if not learned:
        return
    yield ""
    yield (Bold("What was learned of it, without a model"), Dim("  nobody confirmed it yet"))
    yield from columns([_lesson(one) for one in learned])
    yield Dim(f"  all of it: tilth fact list --lifecycle historical --lifecycle current{store}")


def _dialogue(answers: Sequence[Answer], store: str) -> Iterator[Line]:
    yield ""
    yield (Bold("What can be asked, and what is answered"),)
    for answer in answers:
        yield ""
        yield (Bold(f"  {answer.question}"),)
        yield f"    {one_line(answer.text, _ANSWER_CHARS)}"
        title = one_line(answer.session, _TITLE_CHARS)
        yield Dim(f"    {answer.occurred_at:%Y-%m-%d}  {title}  {answer.episode_id}")
    yield ""
    question = answers[0].question if answers else "QUESTION"
    yield ("go on: ", Bold(f'tilth recall "{question}"{store}'))


def _lesson(one: Learned) -> list[str]:
    return [
        Dim(f"  {one.kind}"),
        one_line(one.text, _FACT_CHARS),
        Dim(f"{one.valid_from:%Y-%m-%d}"),
    ]


def _row(holding: Holding) -> list[str]:
    return [
        Bold(f"  {holding.host}"),
        f"{holding.session_count:,} sessions",
        f"{holding.episode_count:,} episodes",
        f"{holding.first_at:%Y-%m-%d} to {holding.last_at:%Y-%m-%d}",
    ]
