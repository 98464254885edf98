"""What a command line asks of the worker, and what it gets."""

import hashlib
import json
import os
import sys
from dataclasses import asdict
from pathlib import Path
from typing import Self

import tilth
from tilth.core.actor import Actor, ActorKind
from tilth.core.dataclass import dataclass
from tilth.runtime.places import folders
from tilth.runtime.settings import Settings

GREETING = b"tilth read 1\n"


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """
    A command line, and all that its answer depends on besides the store.

    Attributes:
        words: The command line.
        build: Which code would answer it; see `build`.
        settings: The settings in force, as `settings_digest` tells them.
        actor: Who gives the command: name and kind.
        folder: The folder that it is given in.
        columns: The width of the terminal.
        is_tty: Whether the answer goes to a terminal.
        is_color: Whether it is coloured.
    """

    words: list[str]
    build: str
    settings: str
    actor: tuple[str, str]
    folder: str
    columns: int
    is_tty: bool
    is_color: bool

    @property
    def by(self) -> Actor:
        """Who gives the command."""
        name, kind = self.actor
        return Actor(name, ActorKind(kind))

    def to_bytes(self) -> bytes:
        """Write it."""
        return GREETING + json.dumps(asdict(self)).encode()

    @classmethod
    def from_bytes(cls, heard: bytes) -> Self | None:
        """Read it; None if this is no such question."""
        if not heard.startswith(GREETING):
            return None
        try:
            told = json.loads(heard[len(GREETING) :])
            name, kind = told.pop("actor")
            return cls(actor=(name, ActorKind(kind).value), **told)
        except (ValueError, TypeError, KeyError, AttributeError):
            return None


@dataclass(frozen=True, slots=True)
class Answer:
    """What a command wrote: its exit code, its answer, and what it said beside it."""

    status: int
    out: str
    err: str

    def to_bytes(self) -> bytes:
        """Write it."""
        return GREETING + json.dumps([self.status, self.out, self.err]).encode()

    @classmethod
    def from_bytes(cls, heard: bytes) -> Self | None:
        """Read it; None if it is not there as a whole."""
        if not heard.startswith(GREETING):
            return None
        try:
            status, out, err = json.loads(heard[len(GREETING) :])
        except (ValueError, TypeError):
            return None
        return cls(status, out, err)


def socket_path(where: str) -> Path:
    """Return where the worker of the store at *where* is asked."""
    name = hashlib.sha256(where.encode()).hexdigest()[:16]
    return folders(os.environ).state / f"{name}.sock"


def build() -> str:
    """Return what is another text for another installation of this program."""
    installed = os.stat(tilth.__file__).st_mtime_ns  # noqa: PTH116 - of a path as text
    zone = os.environ.get("TZ", "")
    return f"{tilth.__version__} {sys.version} {installed} {tilth.__file__} {zone}"


def is_replaced(since: str) -> bool:
    """
    Say whether this program was replaced or removed after it was the build *since*.

    What it has not loaded yet would be that of another version.
    """
    try:
        return build() != since
    except OSError:
        return True


def settings_digest(settings: Settings, where: str) -> str:
    """Return what is another text for other settings, or another store; none can be read in it."""
    told = json.dumps([where, {**asdict(settings), "store": ""}], sort_keys=True, default=str)
    return hashlib.sha256(told.encode()).hexdigest()
