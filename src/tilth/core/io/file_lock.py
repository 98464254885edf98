"""File locks between processes of Tilth, which the system releases however a process ends."""

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tilth.core.io.os_errors import unavailable


@contextmanager
def lock_folder(folder: Path) -> Iterator[None]:
    """
    Wait for the lock of a folder, and hold it in the block.

    Raises:
        UnavailableError: the folder cannot be opened.
    """
    try:
        handle = os.open(folder, os.O_RDONLY | os.O_CLOEXEC)
    except OSError as error:
        raise unavailable(error, f"{str(folder)!r} cannot be opened") from error
    try:
        fcntl.flock(handle, fcntl.LOCK_EX)
        yield
    finally:
        os.close(handle)


@contextmanager
def try_lock(lock: Path) -> Iterator[bool]:
    """
    Hold *lock* in the block, and yield whether it was free.

    The file remains, with the last holder's process ID; only the lock is released.
    """
    lock.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    handle = os.open(lock, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        is_taken = _is_taken(handle)
        if is_taken:
            os.ftruncate(handle, 0)
            os.write(handle, f"{os.getpid()}\n".encode())
        yield is_taken
    finally:
        os.close(handle)


def lock_holder(lock: Path) -> int | None:
    """Return the ID of the process that holds *lock*; None if it is free, 0 if unknown."""
    try:
        handle = os.open(lock, os.O_RDWR | os.O_CLOEXEC)
    except FileNotFoundError:
        return None
    try:
        if _is_taken(handle):
            return None
        said = os.read(handle, 32).strip()
        return int(said) if said.isdigit() else 0
    finally:
        os.close(handle)


def _is_taken(handle: int) -> bool:
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True
