"""Being alone, being humble, and being started: a worker among other processes."""

import fcntl
import os
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

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
