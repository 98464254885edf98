"""Start, slow down and end a worker, as a process among others."""

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
from tilth.core.io.file_lock import lock_holder
from tilth.runtime.places import import_lock, serve_lock, worker_lock

# On two cores that others keep busy, this leaves a worker a third of one (sched(7): each step is a
# factor of 1.25). At 10 it would get a tenth, and vectors would take an hour.
_NICENESS = 3
SHARE_MAX = 0.5
_REST_S_MAX = 5.0
# In seconds. Whoever asks a worker waits no longer; then the worker goes on, since many who ask
# could stop it for good.
_GIVES_WAY_S_MAX = 1.0
_END_S = 10.0
_LOOK_AGAIN_S = 0.05
_LOG_BYTES_MAX = 1 << 20
# -P keeps Python from running files of the current folder.
_TILTH = (sys.executable, "-P", "-m", "tilth")
# In minutes: a live session asks again within this time. After it, the last briefs serve.
_IDLE_MINUTES = 15
HOOK_WORKER = (*_TILTH, "worker", "--idle-minutes", str(_IDLE_MINUTES))


class EndedProcesses(NamedTuple):
    """What was ended in the background of a store; a server ends with its worker."""

    importing: bool
    worker: bool
    server: bool


def end_processes(where: str) -> EndedProcesses:
    """
    End an import into the store at *where*, then its worker, and its server if it has one.

    Raises:
        ConflictError: one of them cannot be ended from here.
    """
    pid, is_served = lock_holder(worker_lock(where)), lock_holder(serve_lock(where)) is not None
    importing, worker = end(import_lock(where)), end(worker_lock(where))
    return EndedProcesses(importing, worker, worker and is_served and _has_server_ended(where, pid))


def _has_server_ended(where: str, pid: int | None) -> bool:
    """Wait until the server with process ID *pid* has ended: its worker, then its requests."""
    until = time.monotonic() + _END_S
    while (
        lock_holder(serve_lock(where)) is not None and _is_running(pid) and time.monotonic() < until
    ):
        time.sleep(_LOOK_AGAIN_S)
    return lock_holder(serve_lock(where)) is None


def _is_running(pid: int | None) -> bool:
    with suppress(ProcessLookupError, PermissionError):
        os.kill(pid or os.getpid(), 0)
        return True
    return False


def end(lock: Path) -> bool:
    """
    End the worker that holds *lock*, unless it is this process, and wait for its end.

    It is asked first and then killed, which loses nothing (`tilth.runtime.worker.loop`).

    Returns:
        Whether there was a worker to end.

    Raises:
        ConflictError: it cannot be ended from here.
    """
    first = lock_holder(lock)
    if first == os.getpid():
        return False
    for told in (signal.SIGINT, signal.SIGKILL):
        held, until = lock_holder(lock), time.monotonic() + _END_S
        if held:
            with suppress(ProcessLookupError, PermissionError):
                os.kill(held, told)
        while lock_holder(lock) is not None and time.monotonic() < until:
            time.sleep(_LOOK_AGAIN_S)
    if lock_holder(lock) is not None:
        raise ConflictError("a worker has this store and does not end", hint=f"it holds {lock}")
    return first is not None


def rest_s(worked_s: float, passed_s: float, share: float) -> float:
    """Return how long to rest, in seconds, so that work takes no more than *share* of the time."""
    return min(max(worked_s / share - passed_s, 0.0), _REST_S_MAX)


@dataclass(slots=True)
class Pace:
    """
    Keeps this process below half a core: after work it rests for as long as the work took.

    While somebody waits for an answer, as *is_asked* says, it goes on resting: Python runs one
    thread at a time, and the answering thread would have less than half.
    """

    share: float = SHARE_MAX
    is_asked: Callable[[], bool] = lambda: False
    worked_s: float = field(default_factory=time.process_time, init=False)
    rested_at: float = field(default_factory=time.monotonic, init=False)

    def rest(self) -> None:
        """Sleep to make up for work beyond the share since the last rest."""
        worked = time.process_time() - self.worked_s
        passed = time.monotonic() - self.rested_at
        time.sleep(rest_s(worked, passed, self.share))
        until = time.monotonic() + _GIVES_WAY_S_MAX
        while self.is_asked() and time.monotonic() < until:
            time.sleep(_LOOK_AGAIN_S)
        self.worked_s, self.rested_at = time.process_time(), time.monotonic()


def lower_priority() -> None:
    """Lower the priority of this process below all others."""
    os.nice(_NICENESS)


def start(command: Sequence[str], environ: Mapping[str, str], log: Path) -> None:
    """
    Start a worker that outlives this process.

    A shell starts it and ends, so that it is never a child of this process and leaves no zombie.

    Args:
        command: The command to run.
        environ: Its environment; secrets belong here, not in *command*.
        log: The file for its output, readable by the user alone; begun anew when too long.
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
    """Start *words*, a worker that ends when no work waits, for the store at *where*."""
    # In the environment, since a URL may hold a password, and everybody can see commands.
    told = {"TILTH_STORE": where} | ({"TILTH_OWNER": owner} if owner else {})
    start((*_TILTH, *words), {**environ, **told}, state / "worker.log")
