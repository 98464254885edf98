"""
`tilth demo`: import what is here, and show what is remembered and how it answers.

Transcripts of agents on this machine go to the user's own store, as `tilth
import` would bring them. Where there are none, a small sample of ours goes to
a store of its own, so that nothing made up ever stands among real memories.
"""

import os
import shutil
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from datetime import datetime
from itertools import chain, islice
from pathlib import Path
from shlex import quote
from typing import Annotated

import tilth
from tilth.agents.hosts.registry import HOSTS
from tilth.core.dataclass import dataclass
from tilth.core.errors import UnavailableError
from tilth.core.instant import written_day
from tilth.core.io.paths import users_home
from tilth.core.lifecycle import Lifecycle, Review
from tilth.core.scope import key_of
from tilth.core.verb import Arg, Section
from tilth.core.view import Bold, Command, Dim, Line, Paragraph, Row, number_of
from tilth.episodes.session import Session
from tilth.interfaces.cli.commands.imports import agent_transcripts, sources_at
from tilth.interfaces.cli.commands.worker import start_in_background
from tilth.interfaces.cli.terminal import Terminal, command
from tilth.interfaces.import_transcripts import (
    Remaining,
    Summary,
    learn,
    most_telling_first,
    run_import,
)
from tilth.interfaces.suggestions import COMMAND_QUESTIONS, SCORE_MAX, questions_on, showing_score
from tilth.knowledge.facts.fact import Fact
from tilth.learning.candidate import StatementKind
from tilth.ledger.snapshot import every
from tilth.llm.task import AGENT_PROGRAMS
from tilth.privacy.terminal_text import one_line
from tilth.runtime import connect as bootstrap
from tilth.runtime import places
from tilth.runtime.brain import Brain
from tilth.snapshots.folder import snapshots_of

SAMPLE = Path(tilth.__file__).with_name("runtime") / "sample"
# Of the 15 s of one core that a first look may take; the rest is left to learning and asking.
_READ_CPU_S = 6.0
_FACTS_READ = 1000
_SHOWN = 3
_ASKED_ABOUT = 24
_ASKED_OF_EACH = 4
_ANSWER_CHARS = 320
_PROJECTS_NAMED = 3
# Of these nothing is in a store of work; the first that nothing answers is shown.
_UNKNOWN = (
    "Which florist delivers the tulips for the wedding?",
    "What is the name of the neighbour's parrot?",
    "Who won the chess tournament in Reykjavik?",
)
# What tells most of what was laid down comes first.
_RANKS: dict[StatementKind | None, int] = {
    StatementKind.DECISION: 0,
    StatementKind.PREFERENCE: 1,
    StatementKind.CORRECTION: 2,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Holding:
    """What the store holds: how much of which hosts and projects, and since when."""

    hosts: dict[str, int]
    projects: list[str]
    episode_count: int
    fact_count: int
    confirmed_count: int
    first_at: datetime
    last_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class Learned:
    """A fact that was drawn from what was said, and what kind of thing was said."""

    kind: str
    text: str
    project: str
    valid_from: datetime
    fact_id: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """
    A question, and what the store says to it first; without a text nothing answers it.

    A command that answers has no ID.
    """

    question: str
    text: str = ""
    project: str = ""
    said_at: datetime | None = None
    id: str = ""


@command("demo", section=Section.START, examples=("tilth demo", "tilth demo --from ~/transcripts"))
def run(
    terminal: Terminal,
    *,
    source: Annotated[
        str, Arg("import this, instead of what is found here", metavar="PATH", flags=("--from",))
    ] = "",
    is_served: Annotated[bool, Arg("then serve the pages", flags=("--serve",))] = False,
) -> int:
    """
    Import what is on this machine, and ask it questions.

    Transcripts of your agents go to your store. Where there are none, a sample
    goes to a store of its own. Shows what was read, what is remembered, three
    decisions, three questions with their answers and one that nothing answers.
    Of many transcripts the last of each project are read first, the others while
    you look; where that is cut short, the next import goes on.
    """
    is_enough = _spent(_READ_CPU_S)
    # It is one screen, and what stands at its end is not to wait behind a pager.
    screen = replace(terminal.screen, pager="")
    found = [] if source else agent_transcripts()
    is_sample = not source and not found
    is_only_this = is_sample and not terminal.store
    if is_sample:
        source = str(SAMPLE)
        sample = str(places.folders(os.environ).data / "demo.db")
        terminal = replace(terminal, store=terminal.store or sample)
    with terminal.open(create=True) as brain:
        is_only_this = is_only_this or not brain.changes(limit=1).items
        sources = most_telling_first(found or sources_at(brain, [source]))
        with screen.progress("importing", sum(one.size for one in sources)) as advance:
            summary, reports = run_import(brain, sources, advance, is_enough=is_enough)
        left = Remaining(sources=sources[len(reports) :], read_count=len(reports))
        with screen.progress("sessions") as advance:
            learn(brain, advance)
        known = _known(brain)
        holding = _holding([*every(brain.sessions.list)], known)
        answers = list(_answers(brain, known))
        unanswered = _unanswered(brain)
        # What else is in the store would go with its file.
        kept = _stored_at(terminal.place, brain.store_id) if is_only_this else ()
    learned = _learned(known, [answer.id for answer in answers])
    if left.sources and not is_served:
        start_in_background(terminal, importing=[source] if source else [])
    elif summary.total.new_count:
        start_in_background(terminal)
    screen.answer(
        {
            "store": places.shown(terminal.place),
            "is_sample": is_sample,
            "summary": summary,
            "left_count": len(left.sources),
            "holding": holding,
            "learned": learned,
            "answers": answers,
            "unanswered": unanswered,
        },
        chain(
            _import_lines(summary, holding, left, is_sample=is_sample),
            _learned_lines(learned),
            _question_lines([*answers, *unanswered]),
            _next_steps(terminal, answers, holding, kept, is_sample=is_sample),
        ),
    )
    return _serve(terminal, left) if is_served else 0


def _spent(cpu_s: float) -> Callable[[], bool]:
    """Return what says whether the program has computed for so many seconds from now on."""
    # Not by the clock on the wall: a machine that has much else to do shows as much.
    began_s = time.process_time()
    return lambda: time.process_time() - began_s > cpu_s


def _serve(terminal: Terminal, left: Remaining) -> int:
    """Serve the pages of what was shown, on the usual port or on one that is free."""
    # It takes a while to load, and most who look at a demo first read.
    from tilth.interfaces.cli.commands import serve  # noqa: PLC0415

    terminal.screen.out.flush()
    try:
        return serve.serve_at(terminal, serve.HOST, serve.PORT, remaining=left)
    except UnavailableError:
        return serve.serve_at(terminal, serve.HOST, 0, remaining=left)


def _holding(sessions: Sequence[Session], known: Sequence[Fact]) -> Holding | None:
    if not sessions:
        return None
    hosts = [session.info.host or "other" for session in sessions]
    projects = [key_of(session.scope) for session in sessions]
    return Holding(
        hosts={host: hosts.count(host) for host in sorted(set(hosts))},
        projects=sorted({*filter(None, projects)}, key=lambda one: (-projects.count(one), one)),
        episode_count=sum(session.episode_count for session in sessions),
        fact_count=len(known),
        confirmed_count=sum(one.life.review is Review.CONFIRMED for one in known),
        first_at=min(session.started_at for session in sessions),
        last_at=max(session.last_at for session in sessions),
    )


def _known(brain: Brain) -> list[Fact]:
    """Return what was drawn from what was said: what shows most first, then the newest."""
    known = brain.facts.list(
        lifecycles=[Lifecycle.HISTORICAL, Lifecycle.CURRENT], limit=_FACTS_READ
    )
    return sorted(known, key=_rank)


def _rank(fact: Fact) -> tuple[bool, int, bool, int]:
    worth = showing_score(fact.said.text)
    is_nowhere = not key_of(fact.life.scope)
    return worth < SCORE_MAX, _RANKS.get(_kind(fact), len(_RANKS)), is_nowhere, -worth


def _kind(fact: Fact) -> StatementKind | None:
    kind = fact.metadata.get("kind")
    return StatementKind(str(kind)) if kind in set(StatementKind) else None


def _answers(brain: Brain, known: Sequence[Fact]) -> Iterator[Answer]:
    """Yield some questions about what is known, each of which its own fact answers first."""
    left, asked = _SHOWN, set[str]()
    for fact in known[:_ASKED_ABOUT]:
        if left and (answer := _answer(brain, fact)) and answer.question not in asked:
            asked.add(answer.question)
            left -= 1
            yield answer
    yield from islice(_commands(brain), left)


def _commands(brain: Brain) -> Iterator[Answer]:
    """Yield questions that commands answer, each for what it does."""
    for question in COMMAND_QUESTIONS:
        if found := brain.recall(question, limit=1, is_full=False).commands:
            first = found[0]
            runs = first.ok_count + first.failed_count
            yield Answer(
                question=question,
                text=f"`{first.shown}`, in {number_of(first.session_count, 'session')};"
                f" {first.ok_count} of {number_of(runs, 'run')} came through",
                project=key_of(first.scope),
                said_at=first.last_at,
            )


def _answer(brain: Brain, fact: Fact) -> Answer | None:
    is_decision = _kind(fact) is StatementKind.DECISION
    for _, question in zip(
        range(_ASKED_OF_EACH), questions_on(fact.said.text, is_decision=is_decision), strict=False
    ):
        found = brain.recall(question, limit=1, is_full=False)
        first = found.hits[0] if found.answerable and found.hits else None
        right = {fact.id, *(one.episode_id for one in fact.evidence)}
        if first is not None and first.id in right:
            return Answer(
                question=question,
                text=first.text,
                project=key_of(first.scope),
                said_at=first.valid_from,
                id=first.id,
            )
    return None


def _unanswered(brain: Brain) -> list[Answer]:
    """Return a question that nothing here answers, as recall says itself."""
    unknown = (one for one in _UNKNOWN if not brain.recall(one, limit=1).answerable)
    return [Answer(question=question) for question in unknown][:1]


def _learned(known: Sequence[Fact], answering: Sequence[str]) -> list[Learned]:
    """Return what to show: what the questions are about, and then what shows most."""
    about = [
        fact
        for fact in known
        if {fact.id, *(one.episode_id for one in fact.evidence)} & {*answering}
    ]
    shown = dict.fromkeys(fact.said.text for fact in [*about, *known[:_SHOWN]])
    by_text = {fact.said.text: fact for fact in reversed([*about, *known])}
    return [
        Learned(
            kind=str(_kind(fact) or "fact"),
            text=fact.said.text,
            project=key_of(fact.life.scope),
            valid_from=fact.life.valid_from,
            fact_id=fact.id,
        )
        for fact in (by_text[text] for text in list(shown)[:_SHOWN])
    ]


def _import_lines(
    summary: Summary, holding: Holding | None, left: Remaining, *, is_sample: bool
) -> Iterator[Line]:
    total = summary.total
    files = "files of a sample, since no agent left transcripts here" if is_sample else "files"
    if left.sources:
        all_count = total.source_count + len(left.sources)
        files = f"of {all_count:,} files, the last of each project first"
    new = f"{total.new_count:,} new messages and tool calls" if total.new_count else "nothing new"
    yield Row((Bold("Read"), f"{total.source_count:,} {files}"))
    if left.sources:
        yield Row(("", f"the other {len(left.sources):,} are being read while you look"))
    yield Row(("", f"{new}, in {summary.seconds:.1f} s"))
    if total.skipped_count:
        yield Row(("", f"{total.skipped_count:,} entries left out: nobody said anything in them"))
    if holding is None:
        return
    hosts = ", ".join(f"{count:,} of {host}" for host, count in holding.hosts.items())
    span = f"{written_day(holding.first_at)} to {written_day(holding.last_at)}"
    more = len(holding.projects) - _PROJECTS_NAMED
    named = ", ".join(holding.projects[:_PROJECTS_NAMED]) + (f" and {more} more" * (more > 0))
    yield Row((Bold("Remembered"), f"{number_of(sum(holding.hosts.values()), 'session')}: {hosts}"))
    yield Row(("", f"{holding.episode_count:,} messages and tool calls, word for word, {span}"))
    is_any = bool(holding.confirmed_count)
    confirmed = f"{holding.confirmed_count:,} confirmed" if is_any else "none is confirmed yet"
    yield Row(("", f"{number_of(holding.fact_count, 'fact')}; {confirmed}"))
    yield Row(("", f"projects: {named or 'none'}"))


def _learned_lines(learned: Sequence[Learned]) -> Iterator[Line]:
    if not learned:
        return
    yield ""
    is_laid_down = {one.kind for one in learned} <= _RANKS.keys()
    yield Bold("Some of what was decided" if is_laid_down else "Some of what was learned")
    for one in learned:
        yield ""
        yield Paragraph(one.text)
        place = f"{one.project} · " if one.project else ""
        yield Dim(f"   {written_day(one.valid_from)} · {place}{one.kind} · {one.fact_id}")


def _question_lines(answers: Sequence[Answer]) -> Iterator[Line]:
    yield ""
    yield Bold("Questions, and what recall finds first")
    for answer in answers:
        yield ""
        yield (Bold(f"?  {answer.question}"),)
        yield Paragraph(one_line(answer.text, _ANSWER_CHARS) or "Nothing here answers that.")
        if answer.said_at is not None:
            told = (written_day(answer.said_at), answer.project, answer.id)
            yield Dim(f"   {' · '.join(filter(None, told))}")


def _stored_at(place: str, store_id: str) -> Sequence[str]:
    """Return where the store and all that is made of it lie, as a shell takes it."""
    around = places.folders(os.environ)
    made = (snapshots_of(around.data, store_id), around.state / "briefs", around.state / "readings")
    return [f"{_typed(place)}*", *(_typed(str(one)) for one in made)]


def _next_steps(
    terminal: Terminal,
    answers: Sequence[Answer],
    holding: Holding | None,
    kept: Sequence[str],
    *,
    is_sample: bool,
) -> Iterator[Line]:
    at = f" --store {_typed(terminal.store)}" if terminal.store else ""
    question = answers[0].question if answers else "QUESTION"
    what = "remove the sample" if is_sample else "forget what was imported"
    forget = (what, f"worker stop{at}; rm -rf {' '.join(kept)}")
    # Where the store held something before, what was imported goes session by session.
    erase = ("take a session out again, as `session list` names it", f"erase --session ID{at}")
    # Of the sample's agents, none need be here.
    found = {} if holding is None or is_sample else holding.hosts
    plugged = {one.host for one in bootstrap.hooks(os.environ).receipts.in_force()}
    agents = sorted((found.keys() & set(HOSTS)) - plugged)
    whose = "of these agents" if len(agents) > 1 else "of this agent or another"
    ways = [
        ("ask whatever you like", f'recall "{question}"{at}'),
        ("see all that was learned", f"fact list{at}"),
        *(
            (f"remember every session from now on, {whose}", f"init {one}")
            for one in [" ".join(agents) or "claude-code" * (not plugged)]
            if one
        ),
        *(
            ("have sessions read by a language model, which learns far more", f"model use {one}")
            for one in _readers()
        ),
        forget if kept else erase,
    ]
    yield ""
    yield Bold("Go on")
    for what, words in ways:
        yield ""
        yield f"   {what}"
        yield ("   ", Command(f"{_program()} {words}"))


def _readers() -> Sequence[str]:
    """Return the agent program that is here and can read sessions, if none was set to."""
    if places.loaded(os.environ).settings.model_cheap:
        return ()
    return [one for one in AGENT_PROGRAMS if shutil.which(one)][:1]


def _program() -> str:
    """Return what a person types to run this program from here."""
    path = Path(sys.argv[0])
    if shutil.which("tilth") or not path.exists():
        return "tilth"
    here = Path.cwd()
    return str(path.relative_to(here) if path.is_relative_to(here) else path)


def _typed(path: str) -> str:
    """Return a path as a person types it to a shell."""
    home = f"{users_home(os.environ)}/"
    shown = places.shown(path)
    return f"~/{quote(shown.removeprefix(home))}" if shown.startswith(home) else quote(shown)
