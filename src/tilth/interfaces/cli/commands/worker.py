"""`tilth worker`, and starting one in the background."""

import logging
import os
import signal
import sys
import threading
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from enum import Enum
from typing import Annotated, Self

from tilth.agents.hook_server import HookServer
from tilth.agents.worker_socket import WorkerSocket
from tilth.core.errors import NewerSchemaError
from tilth.core.io.file_lock import lock_holder, try_lock
from tilth.core.verb import Arg, Section, noun
from tilth.core.view import Dim, Line, number_of
from tilth.interfaces.cli.open_brain import SERVER_ENDED
from tilth.interfaces.cli.program import command as command_named
from tilth.interfaces.cli.reads.answer_read import ReadAnswers
from tilth.interfaces.cli.reads.protocol import build, is_replaced, socket_path
from tilth.interfaces.cli.screen import Screen
from tilth.interfaces.cli.terminal import Terminal, command
from tilth.interfaces.hooks.answer_hook import Answers
from tilth.interfaces.hooks.brief_files import BriefFiles
from tilth.interfaces.hooks.note_request import note_request
from tilth.interfaces.worker_stages import ROUND_EPISODES, Job, Totals, WorkerStages
from tilth.ledger.search import Search
from tilth.recall.recall import warm
from tilth.runtime import connect as bootstrap
from tilth.runtime import places
from tilth.runtime.brain import Brain
from tilth.runtime.machine import spool_state
from tilth.runtime.system import SystemClock
from tilth.runtime.worker.loop import PAUSE_S, Until, work
from tilth.runtime.worker.process import SHARE_MAX, Pace, end_processes, lower_priority, start_once

logger = logging.getLogger(__name__)

_END_SECONDS = 4.0
_COUNTED_MAX = 10_000
# Each statement of an answer waits so long for the thread that works; Python's own is 5 ms.
_SWITCH_S = 0.0005
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
    totals, screen, built = Totals(), terminal.screen, build()
    idle_s = 0 if once else None if idle_minutes is None else 60.0 * idle_minutes
    outcome = _work_once(terminal, idle_s, totals, built)
    if outcome is _Outcome.ANOTHERS:
        screen.answer(_as_json(totals, is_alone=False), ["another worker has this store"])
        screen.say("which one: tilth worker status; to end it: tilth worker stop")
        return 0
    # Whoever sets a model, or what agents are told, need not know that a worker runs.
    while outcome is _Outcome.RESET:
        logger.info("the worker goes on with the settings as they are now")
        outcome = _work_once(terminal, idle_s, totals, built)
    lines = [
        f"recorded {number_of(totals.recorded, 'episode')}",
        f"stated {number_of(totals.stated, 'fact')}",
        f"embedded {number_of(totals.embedded, 'text')}",
    ]
    screen.answer(_as_json(totals, is_alone=True), lines)
    _say_other_spool(terminal)
    return 0


def _as_json(totals: Totals, *, is_alone: bool) -> dict[str, object]:
    return {
        "is_alone": is_alone,
        "recorded_count": totals.recorded,
        "stated_count": totals.stated,
        "asked_count": totals.asked,
        "archived_count": totals.archived,
        "embedded_count": totals.embedded,
    }


class _Outcome(Enum):
    """How a stretch of work ended: as it was to, at settings that changed, or before it began."""

    OVER = "over"
    RESET = "reset"
    ANOTHERS = "anothers"


def _work_once(terminal: Terminal, idle_s: float | None, totals: Totals, built: str) -> _Outcome:
    """Work by the settings as they are now, until that is over or they say something else."""
    where, stopped = terminal.place, threading.Event()
    watch = places.SettingsWatch(os.environ)
    with terminal.open() as brain, try_lock(places.worker_lock(where)) as is_alone:
        if not is_alone:
            return _Outcome.ANOTHERS
        job = replace(_job_of(terminal, brain, stopped, built), watch=watch)
        with raising_interrupt(stopped):
            _work(idle_s, terminal.screen, job, totals)
        if is_replaced(job.build):
            logger.warning(_REPLACED)
            return _Outcome.OVER
        is_current = job.briefs is not None and job.briefs.is_current()
    if is_current and "://" not in where:
        job.hooks.state.say_current(where)
    is_reset = watch.is_new() and terminal.place == where
    return _Outcome.RESET if is_reset else _Outcome.OVER


@command("worker status", examples=("tilth worker status",))
def status(terminal: Terminal) -> int:
    """
    Show whether a worker or an import runs, and what waits for it.

    `tilth metrics` shows what its stages did so far.
    """
    held = lock_holder(places.worker_lock(terminal.place))
    importing = lock_holder(places.import_lock(terminal.place))
    is_hooked = places.is_of_hooks(os.environ, terminal.place, terminal.owner)
    spool = spool_state(os.environ).waiting_bytes if is_hooked else 0
    with terminal.open() as brain:
        lacking = count_lacking_vectors(brain)
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
    if not held:
        by_hooks = "the next session of an agent that is set up starts one; " if is_hooked else ""
        terminal.screen.say(f"{by_hooks}to start one now: tilth worker run")
    _say_other_spool(terminal)
    return 0


@command("worker stop", examples=("tilth worker stop",))
def stop(terminal: Terminal) -> int:
    """
    End the worker of this store, and an import that runs.

    A server whose own worker it is ends with it. Nothing is lost: the next one goes on
    where it stopped. Hooks start the worker again, unless `tilth pause` or `tilth unplug`
    keeps them from it.
    """
    ended = end_processes(terminal.place)
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


def _say_other_spool(terminal: Terminal) -> None:
    """Say for whom it waits, where hooks wrote for another store or owner than is meant here."""
    where, of_hooks = terminal.place, places.hooks_store(os.environ)
    if places.is_of_hooks(os.environ, where, terminal.owner):
        return
    if spool_state(os.environ).waiting_bytes:
        waits = f"what hooks wrote waits for {places.shown(of_hooks)}"
        this = "an owner of it that the settings do not name" if where == of_hooks else where
        terminal.screen.say(f"{waits}, and this is {places.shown(this)}")


def record_spool(terminal: Terminal, brain: Brain) -> None:
    """Record what hooks wrote for this store, unless a worker is there that does so itself."""
    if places.is_of_hooks(os.environ, terminal.place, terminal.owner):
        with try_lock(places.worker_lock(terminal.place)) as is_alone:
            if is_alone:
                hooks = bootstrap.hooks(os.environ)
                brain.ingest(hooks.spool, hooks.reading)


class ServerWorker:
    """
    The worker of a server: it works in a thread while no other worker has the store.

    When it is stopped, it finishes a short piece of work; the next worker does the rest, as if
    this one had been killed. It can be started again.
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
        """Whether the worker runs; it may wait for work."""
        return self._thread is not None and self._thread.is_alive()

    def start(self) -> None:
        """Start the worker if it does not run."""
        with self._lock:
            if not self.is_on:
                self._stopped = threading.Event()
                self._thread = threading.Thread(
                    target=self._run, args=(self._stopped,), name="worker", daemon=True
                )
                self._thread.start()

    def stop(self) -> None:
        """Stop the worker, and wait up to 4 seconds for its end."""
        with self._lock:
            self._stopped.set()
            if self._thread is not None:
                self._thread.join(_END_SECONDS)
            self._thread = None

    def _run(self, stopped: threading.Event) -> None:
        terminal = self._terminal
        lower_priority()  # On Linux the niceness is this thread's alone.
        built = build()
        while not stopped.is_set():
            if is_replaced(built):
                logger.warning(_REPLACED)
                return
            try:
                with try_lock(places.worker_lock(terminal.place)) as is_alone:
                    if is_alone:
                        # Beside a server it works unseen: the terminal is the server's.
                        job = _job_of(terminal, self._brain, stopped, built)
                        quiet = replace(terminal.screen, is_quiet=True)
                        _work(None, quiet, job, Totals())
            except NewerSchemaError as error:
                logger.error("%s; %s", error, error.hint)  # noqa: TRY400 - no bug of ours
                return
            except Exception as error:
                logger.exception("the worker begins again: error=%s", type(error).__name__)
            stopped.wait(PAUSE_S)


def _job_of(terminal: Terminal, brain: Brain, stopped: threading.Event, built: str) -> Job:
    shared = bootstrap.hooks(os.environ)
    is_hooked = places.is_of_hooks(os.environ, terminal.place, terminal.owner)
    briefs = BriefFiles(brain, shared.state, SystemClock()) if is_hooked else None
    return Job(brain, terminal.place, shared, briefs, stopped, built)


def _work(idle_s: float | None, screen: Screen, job: Job, totals: Totals) -> None:
    with ExitStack() as open_:
        sys.setswitchinterval(_SWITCH_S)
        # What ends at once is gone before anybody asks; what an import left may take hours.
        is_heard = idle_s != 0 or count_lacking_vectors(job.brain) > ROUND_EPISODES
        is_asked = job.briefs is not None and is_heard
        # Asked before anybody can see that it runs: they may unplug the last host once they do.
        is_woken = is_asked and job.hooks.state.may_wake()
        asked = [open_.enter_context(_answering_reads(job))] if is_heard else []
        asked += [open_.enter_context(_answering_hooks(job))] if is_asked else []
        advance = open_.enter_context(screen.progress("embedding"))
        # Where somebody looks on, all of a core; beside a server they look at that.
        share = 1.0 if sys.stderr.isatty() and not screen.is_quiet else SHARE_MAX
        pace = Pace(share, lambda: any(one.is_asked() for one in asked))
        log = bootstrap.stage_log(job.where)
        stages = WorkerStages(job, totals, log, pace, advance).in_order()
        until = Until(
            idle_s=idle_s,
            asked_at=lambda: max((one.asked_at() for one in asked), default=0.0),
            is_stopped=lambda: _should_end(job, is_woken=is_woken),
            pause=job.stopped.wait,
        )
        work(stages, log, SystemClock(), until, rest=pace.rest)


def _should_end(job: Job, *, is_woken: bool) -> bool:
    """Say whether the worker was told to end, or is of no use any more."""
    has_new_settings = job.watch is not None and job.watch.is_new()
    if job.stopped.is_set() or is_replaced(job.build) or has_new_settings:
        return True
    # The last host was unplugged since, and nothing waits that it wrote.
    return is_woken and not job.hooks.state.may_wake() and not job.hooks.spool.waiting_bytes()


@contextmanager
def _answering_hooks(job: Job) -> Iterator[WorkerSocket]:
    """Answer hooks; without a socket the last briefs stand in."""
    answers = Answers(job.brain, job.hooks.injections, job.hooks.rollouts.completed, note_request)
    answers.rehearse()
    with _listening(HookServer(job.hooks.state.worker_address, answers, SystemClock())) as one:
        yield one


@contextmanager
def _answering_reads(job: Job) -> Iterator[WorkerSocket]:
    """Answer commands that read; without a socket each is its own process's."""
    parts = job.brain.parts
    job.brain.recall("what was tended", limit=1)  # The first one loads the models.
    warm(parts.store, parts.recaller, parts.within(None))
    reads = ReadAnswers(parts, job.where, command_named)
    with _listening(WorkerSocket(socket_path(job.where), reads, "reads")) as one:
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
def raising_interrupt(pressed: threading.Event) -> Iterator[None]:
    """
    Set *pressed* at Ctrl-C, and raise KeyboardInterrupt at the end of the block.

    Python raises it wherever the program is: in a callback of C code, or while a library is
    imported, it can be swallowed, and a worker would never end. A process that a shell starts in
    the background ignores the signal unless it sets a handler.
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


def count_lacking_vectors(brain: Brain) -> int:
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
