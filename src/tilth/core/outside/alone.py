"""Keeping other processes of ours out of a folder."""

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tilth.core.outside.refusals import refused


@contextmanager
def alone_in(folder: Path) -> Iterator[None]:
    """
    Wait until no other process of ours is in a folder, and keep them out meanwhile.

    Raises:
        UnavailableError: the folder cannot be opened.
    """
    try:
        handle = os.open(folder, os.O_RDONLY | os.O_CLOEXEC)
    except OSError as error:
        raise refused(error, f"{str(folder)!r} cannot be opened") from error
    try:
        fcntl.flock(handle, fcntl.LOCK_EX)
        yield
    finally:
        os.close(handle)
