"""
Who sits at the command line, where, and before how wide a screen.

It is this process's own terminal and folder, unless a worker runs a command for another process.
"""

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import TYPE_CHECKING

from tilth.core.actor import Actor
from tilth.core.dataclass import dataclass
from tilth.interfaces.cli.caller import caller

if TYPE_CHECKING:  # It is there already where one is lent.
    from tilth.runtime.brain import Brain


@dataclass(frozen=True, slots=True, kw_only=True)
class Seat:
    """The seat of another process: its caller, folder and columns, and the brain lent to it."""

    by: Actor
    folder: str
    columns: int
    lend: "Callable[[str | None], Brain]"


# Where no terminal tells its own.
_COLUMNS = 80
_SEAT: ContextVar[Seat | None] = ContextVar("seat", default=None)


@contextmanager
def seated(seat: Seat) -> Iterator[None]:
    """Run commands in this thread as if at *seat*."""
    token = _SEAT.set(seat)
    try:
        yield
    finally:
        _SEAT.reset(token)


def lent(owner: str | None) -> "Brain | None":
    """Return the brain that is lent to the caller, for *owner*; None if it opens its own."""
    seat = _SEAT.get()
    return None if seat is None else seat.lend(owner)


def who() -> Actor:
    """Return whoever sits at the command line."""
    seat = _SEAT.get()
    return caller(os.environ, is_tty=sys.stdin.isatty()) if seat is None else seat.by


def folder() -> str:
    """Return the folder that the caller is in."""
    seat = _SEAT.get()
    return os.getcwd() if seat is None else seat.folder  # noqa: PTH109 - a path as text


def width() -> int:
    """Return the columns of the caller's terminal."""
    seat = _SEAT.get()
    return _columns() if seat is None else seat.columns


def _columns() -> int:
    """Return the columns of this terminal; `shutil` tells the same, and loads archivers for it."""
    told = os.environ.get("COLUMNS", "")
    if told.isdecimal() and int(told):
        return int(told)
    try:
        return os.get_terminal_size().columns or _COLUMNS
    except OSError:  # It goes to a file, or to another program.
        return _COLUMNS
