"""`tilth worker`, and starting one in the background."""

import logging
import os
import signal
import sys
import threading
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import field, replace
from enum import Enum
from typing import Annotated, Self

from tilth.agents.hook_server import HookServer
from tilth.agents.hooks import Hooks
from tilth.agents.worker_socket import WorkerSocket
from tilth.core.dataclass import dataclass
from tilth.core.errors import NewerSchemaError
from tilth.core.io.file_lock import alone, holder
from tilth.core.verb import Arg, Section, noun
from tilth.core.view import Dim, Line, number_of
from tilth.interfaces.cli.open_brain import SERVER_ENDED
from tilth.interfaces.cli.program import command as command_named
from tilth.interfaces.cli.progress import Advance
from tilth.interfaces.cli.reads.answer_read import Reads
from tilth.interfaces.cli.reads.protocol import address, build, is_replaced
from tilth.interfaces.cli.screen import Screen
from tilth.interfaces.cli.terminal import Terminal, command
from tilth.interfaces.hooks.answer_hook import Answers
from tilth.interfaces.hooks.brief_files import BriefFiles
from tilth.interfaces.hooks.note_request import note_request
from tilth.ledger.search import Search
from tilth.recall.recall import warm
from tilth.runtime import connect as bootstrap
from tilth.runtime import places
from tilth.runtime.brain import Brain
from tilth.runtime.machine import unread_of
from tilth.runtime.stages import Ran, StageCounts
from tilth.runtime.system import SystemClock
from tilth.runtime.worker.due_stages import garden_stage, pages_stage
from tilth.runtime.worker.loop import PAUSE_S, Stage, Until, work
from tilth.runtime.worker.process import SHARE_MAX, Pace, end_background, give_way, start_once

logger = logging.getLogger(__name__)

_END_SECONDS = 4.0
ROUND_SESSIONS = 500
_COUNTED_MAX = 10_000
# Each statement of an answer waits so long for the thread that works; Python's own is 5 ms.
_SWITCH_S = 0.0005
# What hooks wrote meanwhile is recorded between two rounds.
ROUND_EPISODES = 256
ROUND_ENTITIES = 256
_REPLACED = "this program was replaced or removed while it ran; start it again"

noun("worker", "the background process: status and stop", section=Section.ADVANCED, bare="run")


@command(
    "worker run",
    examples=("tilth worker --once", "tilth worker --idle-minutes 15"),
)
def run(
    terminal: Terminal,
    *,
    once: Annotated[bool, Arg("end when nothing waits")] = False,
    idle_minutes: Annotated[int | None, Arg("end after this many idle minutes", least=1)] = None,
) -> int:
    """
    Do what waits in the background.

    Records what hooks captured, fills in vectors, writes briefs, and answers
    hooks meanwhile; with `--once` where much waits, as after an import. A store
    has one worker at a time; another one ends at once.
    """
    done, screen, built = _Done(), terminal.screen, build()
    idle_s = 0 if once else None if idle_minutes is None else 60.0 * idle_minutes
    outcome = _worked(terminal, idle_s, done, built)
    if outcome is _Outcome.ANOTHERS:
        screen.answer(done.told(is_alone=False), ["another worker has this store"])
        return 0
    # Whoever sets a model, or what agents are told, need not know that a worker runs.
    while outcome is _Outcome.RESET:
        logger.info("the worker goes on with the settings as they are now")
        outcome = _worked(terminal, idle_s, done, built)
    lines = [
        f"recorded {number_of(done.recorded, 'episode')}",
        f"stated {number_of(done.stated, 'fact')}",
        f"embedded {number_of(done.embedded, 'text')}",
    ]
    screen.answer(done.told(is_alone=True), lines)
    _say_what_is_of_others(terminal)
    return 0


class _Outcome(Enum):
    """How a stretch of work ended: as it was to, at settings that changed, or before it began."""

    OVER = "over"
    RESET = "reset"
    ANOTHERS = "anothers"


def _worked(terminal: Terminal, idle_s: float | None, done: "_Done", built: str) -> _Outcome:
    """Work by the settings as they are now, until that is over or they say something else."""
    where, stopped = terminal.place, threading.Event()
    watch = places.SettingsWatch(os.environ)
    with terminal.open() as brain, alone(places.worker_lock(where)) as is_alone:
        if not is_alone:
            return _Outcome.ANOTHERS
        duty = replace(_duty(terminal, brain, stopped, built), watch=watch)
        with interruption(stopped):
            _work(idle_s, terminal.screen, duty, done)
        if is_replaced(duty.build):
            logger.warning(_REPLACED)
            return _Outcome.OVER
        is_current = duty.briefs is not None and duty.briefs.is_current()
    if is_current and "://" not in where:
        duty.hooks.state.say_current(where)
    is_reset = watch.is_new() and terminal.place == where
    return _Outcome.RESET if is_reset else _Outcome.OVER


@command("worker status", examples=("tilth worker status",))
def status(terminal: Terminal) -> int:
    """
    Show whether a worker or an import runs, and what waits for it.

    `tilth metrics` shows what its stages did so far.
    """
    held = holder(places.worker_lock(terminal.place))
    importing = holder(places.import_lock(terminal.place))
    is_hooked = places.is_of_hooks(os.environ, terminal.place, terminal.owner)
    spool = unread_of(os.environ).waiting_bytes if is_hooked else 0
    with terminal.open() as brain:
        lacking = lacking_vectors(brain)
    count = f"{lacking:,}{' or more' if lacking == _COUNTED_MAX else ''}"
    wait = "text waits" if lacking == 1 else "texts wait"
    lines: list[Line] = [
        ("a worker runs", Dim(f"  process {held}")) if held else "no worker runs",
        *([("an import runs", Dim(f"  process {importing}"))] if importing else []),
        f"{count} {wait} for a vector, and {spool:,} bytes of hooks to be recorded",
    ]
    told = {
        "is_running": held is not None,
        "process": held or None,
        "import_process": importing or None,
        "lacking_vector_count": lacking,
        "waiting_bytes": spool,
        "waits_for": places.shown(places.hooks_store(os.environ)),
    }
    terminal.screen.answer(told, lines)
    _say_what_is_of_others(terminal)
    return 0


@command("worker stop", examples=("tilth worker stop",))
def stop(terminal: Terminal) -> int:
    """
    End the worker of this store, and an import that runs.

    A server whose own worker it is ends with it. Nothing is lost: the next one goes on
    where it stopped. Hooks start the worker again, unless `tilth pause` or `tilth unplug`
    keeps them from it.
    """
    ended = end_background(terminal.place)
    lines = ["the worker has ended" if ended.worker else "no worker was running"]
    if ended.importing:
        lines.append("the import has ended; tilth import goes on where it stopped")
    if ended.server:
        lines.append(SERVER_ENDED)
    told = {
        "was_running": ended.worker,
        "was_importing": ended.importing,
        "was_serving": ended.server,
    }
    terminal.screen.answer(told, lines)
    return 0


def _say_what_is_of_others(terminal: Terminal) -> None:
    """Say for whom it waits, where hooks wrote for another store or owner than is meant here."""
    where, of_hooks = terminal.place, places.hooks_store(os.environ)
    if places.is_of_hooks(os.environ, where, terminal.owner):
        return
    if unread_of(os.environ).waiting_bytes:
        waits = f"what hooks wrote waits for {places.shown(of_hooks)}"
        this = "an owner of it that the settings do not name" if where == of_hooks else where
        terminal.screen.say(f"{waits}, and this is {places.shown(this)}")


def record_what_waits(terminal: Terminal, brain: Brain) -> None:
    """Record what hooks wrote for this store, unless a worker is there that does so itself."""
    if places.is_of_hooks(os.environ, terminal.place, terminal.owner):
        with alone(places.worker_lock(terminal.place)) as is_alone:
            if is_alone:
                hooks = bootstrap.hooks(os.environ)
                brain.ingest(hooks.spool, hooks.reading)


@dataclass(slots=True)
class _Done:
    recorded: int = 0
    embedded: int = 0
    stated: int = 0
    asked: int = 0
    archived: int = 0
    # What was recorded for hooks between two runs of the stage that does so.
    heard: Ran = field(default_factory=Ran)

    def told(self, *, is_alone: bool) -> dict[str, object]:
        return {
            "is_alone": is_alone,
            "recorded_count": self.recorded,
            "stated_count": self.stated,
            "asked_count": self.asked,
            "archived_count": self.archived,
            "embedded_count": self.embedded,
        }


@dataclass(frozen=True, slots=True)
class _Duty:
    """Whose work is done: a brain at a place, and what it shares with hooks if they mean it."""

    brain: Brain
    where: str
    hooks: Hooks
    briefs: BriefFiles | None
    stopped: threading.Event
    build: str
    watch: places.SettingsWatch | None = None


class Beside:
    """
    Does what waits in a thread, as often as no other worker has the store, until it is stopped.

    When it is, the piece of work that runs is finished, if it is short; what is left is the
    next worker's, as if this one had been killed. It can be started again.
    """

    def __init__(self, terminal: Terminal, brain: Brain) -> None:
        self._terminal, self._brain = terminal, brain
        self._lock = threading.Lock()
        self._stopped = threading.Event()
        self._thread: threading.Thread | None = None

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(self, *exc: object) -> None:
        self.stop()

    @property
    def is_on(self) -> bool:
        """Whether it works, or waits for something to do."""
        return self._thread is not None and self._thread.is_alive()

    def start(self) -> None:
        """Begin, or go on."""
        with self._lock:
            if not self.is_on:
                self._stopped = threading.Event()
                self._thread = threading.Thread(
                    target=self._go, args=(self._stopped,), name="worker", daemon=True
                )
                self._thread.start()

    def stop(self) -> None:
        """End it, and wait a little until it has."""
        with self._lock:
            self._stopped.set()
            if self._thread is not None:
                self._thread.join(_END_SECONDS)
            self._thread = None

    def _go(self, stopped: threading.Event) -> None:
        terminal = self._terminal
        give_way()  # On Linux the niceness is this thread's alone.
        built = build()
        while not stopped.is_set():
            if is_replaced(built):
                logger.warning(_REPLACED)
                return
            try:
                with alone(places.worker_lock(terminal.place)) as is_alone:
                    if is_alone:
                        # Beside a server it works unseen: the terminal is the server's.
                        duty = _duty(terminal, self._brain, stopped, built)
                        quiet = replace(terminal.screen, is_quiet=True)
                        _work(None, quiet, duty, _Done())
            except NewerSchemaError as error:
                logger.error("%s; %s", error, error.hint)  # noqa: TRY400 - no bug of ours
                return
            except Exception as error:
                logger.exception("the worker begins again: error=%s", type(error).__name__)
            stopped.wait(PAUSE_S)


def _duty(terminal: Terminal, brain: Brain, stopped: threading.Event, built: str) -> _Duty:
    shared = bootstrap.hooks(os.environ)
    is_hooked = places.is_of_hooks(os.environ, terminal.place, terminal.owner)
    briefs = BriefFiles(brain, shared.state, SystemClock()) if is_hooked else None
    return _Duty(brain, terminal.place, shared, briefs, stopped, built)


def _work(idle_s: float | None, screen: Screen, duty: _Duty, done: _Done) -> None:
    with ExitStack() as open_:
        sys.setswitchinterval(_SWITCH_S)
        # What ends at once is gone before anybody asks; what an import left may take hours.
        is_heard = idle_s != 0 or lacking_vectors(duty.brain) > ROUND_EPISODES
        is_asked = duty.briefs is not None and is_heard
        # Asked before anybody can see that it runs: they may unplug the last host once they do.
        is_woken = is_asked and duty.hooks.state.may_wake()
        asked = [open_.enter_context(_reads(duty))] if is_heard else []
        asked += [open_.enter_context(_answering(duty))] if is_asked else []
        advance = open_.enter_context(screen.progress("embedding"))
        # Where somebody looks on, all of a core; beside a server they look at that.
        share = 1.0 if sys.stderr.isatty() and not screen.is_quiet else SHARE_MAX
        pace = Pace(share, lambda: any(one.is_asked() for one in asked))
        advance = _resting(pace, advance)
        stages = _stages(duty, done, pace, advance)
        until = Until(
            idle_s=idle_s,
            asked_at=lambda: max((one.asked_at() for one in asked), default=0.0),
            is_stopped=lambda: _is_over(duty, is_woken=is_woken),
            pause=duty.stopped.wait,
        )
        work(stages, bootstrap.stage_log(duty.where), SystemClock(), until, rest=pace.rest)


def _stages(duty: _Duty, done: _Done, pace: Pace, advance: Advance) -> list[Stage]:
    """Return what is done in a round, in its order; where learning is off, recording alone."""
    brain = duty.brain
    stages = [Stage("erase", lambda: _finish_erasures(brain))]
    if brain.parts.settings.learning:
        stages += [
            Stage("distil", lambda: _distil(duty, done, pace)),
            Stage("things", lambda: _acquaint(duty)),
            Stage("vectors", lambda: _embed(brain, done, advance)),
            Stage("names", lambda: _tidy(duty, done)),
            Stage("contradictions", lambda: _compare(duty, done)),
            Stage("duplicates", lambda: _deduplicate(duty, done)),
            Stage("tend", lambda: _tend(brain, done)),
            Stage("conversations", lambda: _rest(brain)),
            Stage("reading", lambda: _read(brain, done)),
            Stage("gaps", lambda: _gaps(brain)),
            Stage("reflect", lambda: _reflect(duty)),
            garden_stage(brain),
            pages_stage(brain),
        ]
    else:
        stages.append(Stage("vectors", lambda: _embed(brain, done, advance)))
    if duty.briefs:
        duty.hooks.injections.tidy()
        spool = Stage("spool", lambda: _ingest(duty, done))
        stages = [spool, *stages, Stage("briefs", duty.briefs.run)]
    return stages


def _resting(pace: Pace, advance: Advance) -> Advance:
    """Return *advance* with a rest behind each step of it."""

    def rested(done: int) -> None:
        advance(done)
        pace.rest()

    return rested


def _is_over(duty: _Duty, *, is_woken: bool) -> bool:
    """Say whether the worker was told to end, or is of no use any more."""
    if duty.stopped.is_set() or is_replaced(duty.build):
        return True
    if duty.watch is not None and duty.watch.is_new():
        return True
    return is_woken and _is_of_no_use(duty.hooks)


def _is_of_no_use(hooks: Hooks) -> bool:
    """Say whether the last host was unplugged since, and nothing waits that it told."""
    return not hooks.state.may_wake() and not hooks.spool.waiting_bytes()


def _ingest(duty: _Duty, done: _Done) -> Ran:
    """Record what hooks wrote; tell of what was recorded between two runs of this stage, too."""
    ingested = duty.brain.ingest(duty.hooks.spool, duty.hooks.reading)
    done.recorded += ingested.new_count
    before, done.heard = done.heard, Ran()
    return Ran(
        before.found + ingested.record_count,
        before.made + ingested.new_count + ingested.known_count,
    )


def _finish_erasures(brain: Brain) -> Ran:
    finished = brain.erase.finish()
    return Ran(finished.due_count, finished.due_count if finished.is_clean else 0)


def _distil(duty: _Duty, done: _Done, pace: Pace) -> Ran:
    """Look through sessions, and record between two of them what hooks write: it may take long."""

    def between(_count: int) -> None:
        pace.rest()
        if duty.briefs and duty.hooks.spool.waiting_bytes():
            done.heard = _ingest(duty, done)

    distilled = duty.brain.distil(is_asked=False, at_most=ROUND_SESSIONS, progress=between)
    done.stated += len(distilled.stated)
    return Ran(distilled.found_count, len(distilled.stated))


def _rest(brain: Brain) -> Ran:
    rested = len(brain.conversations.rest())
    return Ran(rested, rested)


def _read(brain: Brain, done: _Done) -> Ran:
    read = brain.read_by_model()
    done.stated += len(read.stated)
    asked = 0 if read.is_put_off else read.asked_count
    return Ran(asked, read.asked_count - read.refused_count)


def _gaps(brain: Brain) -> Ran:
    """Look for gaps, and draft their TODOs, every six hours."""
    done = brain.gaps.run()
    found = 0 if done.scanned is None else len(done.scanned.patterns)
    made = found + len(done.resolved) + len(done.drafted) + len(done.filed)
    return Ran(made + len(done.failed), made)


def _reflect(duty: _Duty) -> Ran:
    """Draft playbooks from what sessions did, once it is quiet."""
    if not duty.brain.parts.settings.reflection:
        return Ran()
    known = _counts_of(duty, "reflect")
    done = duty.brain.reflect(is_asked=False, after=known.through)
    return Ran(done.made_count, done.made_count, done.through)


def _embed(brain: Brain, done: _Done, advance: Advance) -> Ran:
    before = done.embedded
    made = brain.embed_backlog(limit=ROUND_EPISODES, progress=lambda count: advance(before + count))
    done.embedded += made
    return Ran(made, made)


def _compare(duty: _Duty, done: _Done) -> Ran:
    known = _counts_of(duty, "contradictions")
    through, is_done, compared = known.through, False, 0
    while not (is_done or compared):
        scanned = duty.brain.review.scan(after=through)
        through, is_done, compared = scanned.through, scanned.is_done, scanned.fact_count
        done.asked += len(scanned.asked)
    return Ran(compared, compared, through)


def _deduplicate(duty: _Duty, done: _Done) -> Ran:
    known = _counts_of(duty, "duplicates")
    through, is_done, compared = known.through, False, 0
    while not (is_done or compared):
        found = duty.brain.dedup(after=through)
        through, is_done, compared = found.through, found.is_done, found.fact_count
        done.asked += len(found.asked)
    return Ran(compared, compared, through)


def _tend(brain: Brain, done: _Done) -> Ran:
    """Put away, draw together and have read over, once a day."""
    swept = brain.archive(is_asked=False)
    if swept.is_early:
        return Ran()
    drawn = [group for group in brain.consolidate(is_asked=False).groups if group.fact_id]
    cleaned = brain.clean()
    done.archived += len(swept.facts) + len(cleaned.facts)
    done.stated += len(drawn)
    made = len(swept.facts) + len(cleaned.facts) + len(drawn)
    return Ran(made, made)


def _counts_of(duty: _Duty, stage: str) -> StageCounts:
    """Return how far a stage came, by the log that outlives the worker."""
    return bootstrap.stage_log(duty.where).read().get(stage, StageCounts())


def _acquaint(duty: _Duty) -> Ran:
    """Know what sessions name that an older version recorded, a few projects at a time."""
    known = _counts_of(duty, "things")
    told = duty.brain.acquaint(after=known.through)
    return Ran(told.scope_count, told.scope_count, told.cursor)


def _tidy(duty: _Duty, done: _Done) -> Ran:
    known = _counts_of(duty, "names")
    tidied = duty.brain.entities.tidy(after=known.through, limit=ROUND_ENTITIES)
    done.asked += tidied.proposed_count
    return Ran(tidied.seen_count, tidied.seen_count, tidied.cursor)


@contextmanager
def _answering(duty: _Duty) -> Iterator[WorkerSocket]:
    """Answer hooks; without a socket the last briefs stand in."""
    answers = Answers(
        duty.brain, duty.hooks.injections, duty.hooks.rollouts.completed, note_request
    )
    answers.rehearse()
    with _listening(HookServer(duty.hooks.state.worker_address, answers, SystemClock())) as one:
        yield one


@contextmanager
def _reads(duty: _Duty) -> Iterator[WorkerSocket]:
    """Answer commands that read; without a socket each is its own process's."""
    parts = duty.brain.parts
    duty.brain.recall("what was tended", limit=1)  # The first one loads the models.
    warm(parts.store, parts.recaller, parts.within(None))
    reads = Reads(parts, duty.where, command_named)
    with _listening(WorkerSocket(address(duty.where), reads, "reads")) as one:
        yield one


@contextmanager
def _listening(one: WorkerSocket) -> Iterator[WorkerSocket]:
    with ExitStack() as open_:
        try:
            open_.enter_context(one)
        except OSError as error:
            logger.warning("nobody is answered: errno=%s", error.errno)
        yield one


@contextmanager
def interruption(pressed: threading.Event) -> Iterator[None]:
    """
    Set *pressed* where Ctrl-C is pressed, and end with it.

    Python raises it wherever the program stands. In a callback of C code, or while a library
    is imported, it can be swallowed, and a worker would never end. What a shell starts in the
    background does not hear it at all, unless it asks to.
    """

    def stop(_signal: int, _frame: object) -> None:
        pressed.set()
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGINT, stop)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
    if pressed.is_set():
        raise KeyboardInterrupt


def lacking_vectors(brain: Brain) -> int:
    """Return how many texts wait for a vector of the second tier, as far as they are counted."""
    second = brain.parts.second
    with brain.parts.store.read() as view:
        return Search(view).unembedded_count(second.space, at_most=_COUNTED_MAX) if second else 0


def start_in_background(terminal: Terminal, *, importing: Sequence[str] | None = None) -> None:
    """
    Start a worker for the store of *terminal* that ends when nothing waits.

    With *importing*, it first imports those paths; none means what agents left on this machine.
    """
    words = ("worker", "--once") if importing is None else ("import", *importing)
    state = places.folders(os.environ).state
    start_once(terminal.place, terminal.owner, os.environ, state, words)
