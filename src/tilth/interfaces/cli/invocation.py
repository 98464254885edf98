"""
Who gives a command, in which folder, and how wide the terminal is.

These are of this process, unless a worker runs a command for another one.
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
class Invocation:
    """
    A command that another process gave: its caller, folder and columns.

    `lend` opens a brain for it, for an owner or for that of the settings.
    """

    by: Actor
    folder: str
    columns: int
    lend: "Callable[[str | None], Brain]"


# Where no terminal tells its own.
_COLUMNS = 80
_CURRENT: ContextVar[Invocation | None] = ContextVar("invocation", default=None)


@contextmanager
def invoked_as(current: Invocation) -> Iterator[None]:
    """Run commands in this thread as the process that gave *current*."""
    token = _CURRENT.set(current)
    try:
        yield
    finally:
        _CURRENT.reset(token)


def lent_brain(owner: str | None) -> "Brain | None":
    """Return the brain that is lent to the caller, for *owner*; None if it opens its own."""
    current = _CURRENT.get()
    return None if current is None else current.lend(owner)


def current_actor() -> Actor:
    """Return who gives the command."""
    current = _CURRENT.get()
    return caller(os.environ, is_tty=sys.stdin.isatty()) if current is None else current.by


def current_folder() -> str:
    """Return the folder in which the command is given."""
    current = _CURRENT.get()
    return os.getcwd() if current is None else current.folder  # noqa: PTH109 - a path as text


def terminal_width() -> int:
    """Return the columns of the terminal at which the command is given."""
    current = _CURRENT.get()
    return _columns() if current is None else current.columns


def _columns() -> int:
    """Return the columns of this terminal; `shutil` does the same, and loads archivers for it."""
    told = os.environ.get("COLUMNS", "")
    if told.isdecimal() and int(told):
        return int(told)
    try:
        return os.get_terminal_size().columns or _COLUMNS
    except OSError:  # The output goes to a file, or to another program.
        return _COLUMNS
