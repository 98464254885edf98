"""
What happens in the background: what hooks wrote is recorded, and vectors catch up.

One worker at a time has a store, by a lock that the system frees however the
worker ends. Each batch is committed on its own, so it may be killed at any
moment and the next one goes on where it stopped.
"""

import fcntl
import logging
import os
import subprocess
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

from tilth.app import Brain
from tilth.errors import UnavailableError

logger = logging.getLogger(__name__)

ROUND_EPISODES = 2048
PAUSE_S = 5.0
_NICENESS = 10
_LOG_BYTES_MAX = 1 << 20


@contextmanager
def alone(lock: Path) -> Iterator[bool]:
    """Hold *lock* meanwhile; yields whether it was free. The file stays, its lock does not."""
    lock.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    handle = os.open(lock, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        yield _is_taken(handle)
    finally:
        os.close(handle)


def work(
    brain: Brain,
    *,
    is_once: bool,
    ingest: Callable[[], int] = lambda: 0,
    progress: Callable[[int], None] = lambda _done: None,
    is_stopped: Callable[[], bool] = lambda: False,
) -> int:
    """
    Do what waits, round by round; with *is_once* until nothing does, else for ever.

    Args:
        brain: Whose work it is.
        is_once: End when nothing waits.
        ingest: Brings in what hooks wrote, and says how many records that were.
        progress: Called with the number of episodes embedded so far.
        is_stopped: Whether somebody asked for an end; looked at after each round.

    Returns:
        How many episodes were embedded.

    Raises:
        UnavailableError: the model or the store does not answer, and there is no next time.
    """
    total = 0

    def counted(done: int) -> None:
        progress(total + done)

    while not is_stopped():
        heard = done = 0
        try:
            heard = ingest()
            done = brain.embed_backlog(limit=ROUND_EPISODES, progress=counted)
        except UnavailableError as error:
            if is_once:
                raise
            logger.warning("work put off: code=%s", error.code)
        total += done
        if heard + done == 0:
            if is_once:
                break
            time.sleep(PAUSE_S)
    return total


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


def _is_taken(handle: int) -> bool:
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True
