"""Being humble, being started and being ended: a worker among other processes."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import field
from pathlib import Path
from typing import NamedTuple

from tilth.core.dataclass import dataclass
from tilth.core.errors import ConflictError
from tilth.core.outside.alone import holder
from tilth.runtime.places import import_lock, serve_lock, worker_lock

# On two cores that others keep busy this leaves a worker a third of one (sched(7): a step of
# niceness is a factor of 1.25); with 10 it would be a tenth, and vectors would take an hour.
_NICENESS = 3
SHARE_MAX = 0.5
_REST_S_MAX = 5.0
# Whoever asks a worker waits a second at most; after that it goes on, or many would stop it.
_GIVES_WAY_S_MAX = 1.0
_END_S = 10.0
_LOOK_AGAIN_S = 0.05
_LOG_BYTES_MAX = 1 << 20
# -P: what lies in the current folder is never run.
_TILTH = (sys.executable, "-P", "-m", "tilth")
# A session that is going on asks again before that; after it, the last briefs stand in.
_IDLE_MINUTES = 15
FOR_HOOKS = (*_TILTH, "worker", "--idle-minutes", str(_IDLE_MINUTES))


class Ended(NamedTuple):
    """What there was to end in the background of a store; a server ends with its own worker."""

    importing: bool
    worker: bool
    server: bool


def end_background(where: str) -> Ended:
    """
    End an import into the store at *where*, then its worker, with the server whose own it is.

    Raises:
        ConflictError: one cannot be ended from here.
    """
    pid, is_served = holder(worker_lock(where)), holder(serve_lock(where)) is not None
    importing, worker = end(import_lock(where)), end(worker_lock(where))
    return Ended(importing, worker, worker and is_served and _is_server_over(where, pid))


def _is_server_over(where: str, pid: int | None) -> bool:
    """Wait for a server that is the process *pid*: its worker ends first, then its requests."""
    until = time.monotonic() + _END_S
    while holder(serve_lock(where)) is not None and _is_there(pid) and time.monotonic() < until:
        time.sleep(_LOOK_AGAIN_S)
    return holder(serve_lock(where)) is None


def _is_there(pid: int | None) -> bool:
    with suppress(ProcessLookupError, PermissionError):
        os.kill(pid or os.getpid(), 0)
        return True
    return False


def end(lock: Path) -> bool:
    """
    End the worker that holds *lock*, unless it is this process, and wait until it has.

    It is asked first and then killed, which loses nothing (`tilth.runtime.worker.loop`).

    Returns:
        Whether there was one to end.

    Raises:
        ConflictError: it cannot be ended from here.
    """
    first = holder(lock)
    if first == os.getpid():
        return False
    for told in (signal.SIGINT, signal.SIGKILL):
        held, until = holder(lock), time.monotonic() + _END_S
        if held:
            with suppress(ProcessLookupError, PermissionError):
                os.kill(held, told)
        while holder(lock) is not None and time.monotonic() < until:
            time.sleep(_LOOK_AGAIN_S)
    if holder(lock) is not None:
        raise ConflictError("a worker has this store and does not end", hint=f"it holds {lock}")
    return first is not None


def rest_s(worked_s: float, passed_s: float, share: float) -> float:
    """Return how long to rest after so much work in so much time, to take no more than a share."""
    return min(max(worked_s / share - passed_s, 0.0), _REST_S_MAX)


@dataclass(slots=True)
class Pace:
    """
    Keeps this process below half a core: after work it rests as long as that took.

    While somebody waits for an answer, as *is_asked* says, it rests on: Python runs one thread
    after the other, and who answers would have less than half.
    """

    share: float = SHARE_MAX
    is_asked: Callable[[], bool] = lambda: False
    worked_s: float = field(default_factory=time.process_time, init=False)
    rested_at: float = field(default_factory=time.monotonic, init=False)

    def rest(self) -> None:
        """Sleep for what was taken beyond the share since the last rest."""
        worked = time.process_time() - self.worked_s
        passed = time.monotonic() - self.rested_at
        time.sleep(rest_s(worked, passed, self.share))
        until = time.monotonic() + _GIVES_WAY_S_MAX
        while self.is_asked() and time.monotonic() < until:
            time.sleep(_LOOK_AGAIN_S)
        self.worked_s, self.rested_at = time.process_time(), time.monotonic()


def give_way() -> None:
    """Let everything else on this machine go first."""
    os.nice(_NICENESS)


def start(command: Sequence[str], environ: Mapping[str, str], log: Path) -> None:
    """
    Start a worker that outlives this process.

    A shell hands it over to the system and ends, so it is never our child and
    leaves no zombie. What it says goes to *log*, readable by its owner alone.

    Args:
        command: What to run.
        environ: The environment to run it in; what is secret belongs here, not in *command*.
        log: Where its output goes. A log that has grown too long is begun anew.
    """
    log.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    is_long = log.exists() and log.stat().st_size > _LOG_BYTES_MAX
    flags = os.O_WRONLY | os.O_CREAT | os.O_APPEND | (os.O_TRUNC if is_long else 0)
    handle = os.open(log, flags, 0o600)
    try:
        subprocess.run(  # noqa: S603 - the command is our own
            ["/bin/sh", "-c", '"$@" &', "sh", *command],
            check=True,
            env=dict(environ),
            stdin=subprocess.DEVNULL,
            stdout=handle,
            stderr=handle,
            start_new_session=True,
        )
    finally:
        os.close(handle)


def start_once(
    where: str,
    owner: str | None,
    environ: Mapping[str, str],
    state: Path,
    words: Sequence[str] = ("worker", "--once"),
) -> None:
    """Start *words*, a worker that ends when nothing waits, for the store at *where*."""
    # By the environment, since a URL may hold a password, and commands are seen by everyone.
    told = {"TILTH_STORE": where} | ({"TILTH_OWNER": owner} if owner else {})
    start((*_TILTH, *words), {**environ, **told}, state / "worker.log")
