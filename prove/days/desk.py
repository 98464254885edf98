"""An installation whose clock obeys, at which the ten days are played."""

import os
import subprocess
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import tilth_spool
from prove.days.playing import WITH_TRANSCRIPTS, Act, Session, together
from prove.days.story import BY_HAND_UNTIL, ENDED_BY_HAND, IDLE_DAY
from prove.days.truth import Told, Truth, more_often
from tests.fakes import FixedClock
from tilth.agents.hook_record import HookRecord
from tilth.agents.hooks import Hooks
from tilth.core.actor import Human
from tilth.core.instant import EPOCH
from tilth.episodes.episode import EpisodeKind
from tilth.interfaces.hooks.answer_hook import Answers
from tilth.interfaces.http.call_verb import acting
from tilth.ledger.sqlite.store import create_store, open_store
from tilth.ledger.store import StoreEnvironment
from tilth.runtime.brain import Brain
from tilth.runtime.connect import connect
from tilth.runtime.settings import Settings
from tilth.runtime.system import SystemIds

# A Monday.
START = datetime(2026, 3, 2, tzinfo=UTC)
_EVERY = 9_000
_REMOTE = "git@example.org:ada/ledger.git"


@dataclass(slots=True)
class Desk:
    """A store, its hooks and its clock, and the folders in which agents work."""

    folder: Path
    brain: Brain
    hooks: Hooks
    clock: FixedClock
    folders: dict[str, str]
    truth: Truth
    told: list[Told] = field(default_factory=list)
    doubled: list[str] = field(default_factory=list)
    _recorded: set[int] = field(default_factory=set)
    _sessions: dict[int, Session] = field(default_factory=dict)

    def played(self, story: Sequence[Act], days: int) -> Iterator[Told]:
        """Play the days, and yield every brief of each in its order."""
        for day in range(days):
            today = [(n, one) for n, one in enumerate(story, 1) if one.day == day != IDLE_DAY]
            begun = len(self.told)
            for group in _at_once(today):
                if day in ENDED_BY_HAND and group[0][1].hour == BY_HAND_UNTIL:
                    self._end_by_hand(ENDED_BY_HAND[day])
                self._work(group)
            self._bring_in(day, [self._sessions[n] for n, _ in today])
            yield from self.told[begun:]

    def _work(self, group: Sequence[tuple[int, Act]]) -> None:
        """Play sessions that go on at once, and record what their hooks were told."""
        self.clock.at = min(map(_begins, (one for _, one in group)))
        # The worker goes on in between.
        self.brain.distil(is_asked=False)
        going = []
        for number, one in group:
            session = Session(
                number=number,
                act=one,
                folder=self.folders[one.place],
                begins=_begins(one),
                forks=number - 1 if one.beside == "fork" else 0,
            )
            self._sessions[number] = session
            self.truth.add(session)
            going.append(session.records(self._asker(session)))
        for record in together(*going):
            at_ns = (record.at - EPOCH) // timedelta(microseconds=1) * 1000
            line = tilth_spool.framed(record.host, record.event, at_ns, record.payload)
            tilth_spool.append(str(self.folder / "spool"), line)
        self._recorded |= {number for number, _ in group}
        self._record()

    def _asker(self, session: Session) -> Callable[[HookRecord], str]:
        answers = Answers(self.brain, self.hooks.injections, self.hooks.rollouts.completed)

        def ask(record: HookRecord) -> str:
            self.clock.at = record.at
            answered = answers(record)
            answered.then()
            known = frozenset(self._recorded)
            self.told.append(Told(session, record.event, record.at, answered.text, known))
            return answered.text

        return ask

    def _record(self) -> None:
        """Do what the worker does with what hooks kept."""
        self.brain.ingest(self.hooks.spool, self.hooks.reading)
        self.brain.distil(is_asked=False)

    def _bring_in(self, day: int, sessions: Iterable[Session]) -> None:
        """Import the transcripts that hosts wrote of a day's sessions."""
        there = self.folder / "transcripts" / str(day)
        for one in sessions:
            if one.host in WITH_TRANSCRIPTS:
                one.transcribed(there, (self._sessions[one.forks],) if one.forks else ())
        if there.exists():
            before = self._kept()
            list(self.brain.import_sources(self.brain.find_sources(str(there))))
            self.doubled += more_often(before, self._kept())
            self.clock.at += timedelta(hours=2)
            self._record()

    def _kept(self) -> list[tuple[str, str]]:
        """Return the session and words of each episode."""
        every = self.brain.episodes.list(limit=_EVERY)
        # Two calls may have the same outcome.
        told = (one for one in every if one.kind is not EpisodeKind.TOOL_RESULT)
        return [(str(one.session_id), one.text.strip()) for one in told]

    def _end_by_hand(self, words: str) -> None:
        """Confirm, as a person, what would end the rule of these words."""
        person = acting(self.brain, Human("ada"))
        for one in person.review.list().proposals:
            shown = person.review.show(one.id)
            if any(fact.said.text.casefold().startswith(words) for fact in shown.retires):
                person.review.confirm(one.id, digest=shown.digest, retires=one.draft.retires)


def _begins(one: Act) -> datetime:
    return START + timedelta(days=one.day, hours=one.hour)


def _at_once(today: Iterable[tuple[int, Act]]) -> list[list[tuple[int, Act]]]:
    """Return acts in groups: what goes on beside the one before it is of its group."""
    groups: list[list[tuple[int, Act]]] = []
    for number, one in today:
        if one.beside == "at once" and groups:
            groups[-1].append((number, one))
        else:
            groups.append([(number, one)])
    return groups


@contextmanager
def desk(folder: Path, truth: Truth) -> Iterator[Desk]:
    """Make an installation in *folder*, whose clock stands at the first day."""
    before = os.environ.get("TILTH_HOME")
    os.environ["TILTH_HOME"] = str(folder / "home")
    clock, path = FixedClock(START), folder / "tilth.db"
    around = StoreEnvironment(clock, SystemIds(), folder / "state")
    try:
        create_store(path, around)
        hooks = Hooks.within(folder, folder / "state", SystemIds())
        with connect(path, settings=Settings()) as made, closing(open_store(path, around)) as store:
            parts = made.parts
            brain = Brain(
                replace(
                    parts,
                    store=store,
                    clock=clock,
                    recaller=replace(parts.recaller, clock=clock),
                    fence=hooks.injections,
                )
            )
            yield Desk(folder, brain, hooks, clock, _folders(folder / "code"), truth)
    finally:
        os.environ.pop("TILTH_HOME")
        if before is not None:
            os.environ["TILTH_HOME"] = before


def _folders(root: Path) -> dict[str, str]:
    """Make one repository with a worktree and a clone; the other folders are not here."""
    main, tree, clone = (str(root / one) for one in ("ledger", "ledger-worktree", "ledger-clone"))
    _git("init", "-q", main)
    _git("-C", main, "remote", "add", "origin", _REMOTE)
    _git(
        *("-C", main, "-c", "user.name=Ada", "-c", "user.email=ada@example.org"),
        *("commit", "-q", "--allow-empty", "-m", "Begin"),
    )
    _git("-C", main, "worktree", "add", "-q", tree)
    _git("clone", "-q", main, clone)
    _git("-C", clone, "remote", "set-url", "origin", _REMOTE)
    return {
        "ledger": main,
        "ledger-worktree": tree,
        "ledger-clone": clone,
        "kettle": "/home/ada/code/kettle",
        "scratch": "/tmp/scratch-1",  # noqa: S108 - nothing is written there
    }


def _git(*words: str) -> None:
    subprocess.run(("git", *words), check=True, capture_output=True)  # noqa: S607
