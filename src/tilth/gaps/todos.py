"""The model of TODOs, the permission to file them, and the interfaces of their places."""

from datetime import datetime
from enum import StrEnum
from typing import Protocol

from tilth.core.actor import Actor
from tilth.core.dataclass import dataclass
from tilth.core.scope import Scope

REPOSITORY_CHARS_MAX = 1000
# What is left of a draft after an erase, until the next run writes it again.
BLANK = "written again at the next run"


class Way(StrEnum):
    """How a TODO is filed: as a line of TODO.md, or as an issue by `gh`."""

    TODO_FILE = "todo_file"
    GH = "gh"


@dataclass(frozen=True, slots=True, kw_only=True)
class Filing:
    """A human's permission to file the TODOs of a scope in a local repository."""

    scope: Scope
    repository: str
    way: Way
    by: Actor
    at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class Task:
    """A TODO to file: the ID of its gap, a title of one line, and the whole text."""

    gap_id: str
    title: str
    text: str


class Outbox(Protocol):
    """A folder beside the store, readable by its owner alone. Tilth chooses the names."""

    def put(self, name: str, text: str) -> None:
        """
        Write a file whole and durably, replacing one of that name.

        Raises:
            UnavailableError: it cannot be written; an earlier file is unchanged.
        """
        ...

    def read(self, name: str) -> str | None:
        """
        Return a file's text; None if there is none.

        Raises:
            UnavailableError: it cannot be read.
        """
        ...

    def path_of(self, name: str) -> str:
        """Return the local path of a file, whether it exists or not; empty if there is none."""
        ...

    def remove(self, name: str) -> None:
        """
        Remove a file, if it is there.

        Raises:
            UnavailableError: it cannot be removed.
        """
        ...


class TaskList(Protocol):
    """The tasks of one repository."""

    def file(self, task: Task) -> str:
        """
        Add a task unless it exists, and return its reference.

        Raises:
            UnavailableError: it was not added, or that is unknown.
            ConflictError: the existing list cannot be added to.
        """
        ...

    def is_done(self, gap_id: str, ref: str) -> bool:
        """
        Say whether the task of a gap is done; a task that is gone is not.

        Raises:
            UnavailableError: it cannot be determined.
        """
        ...


class TaskLists(Protocol):
    """The task lists that this machine can reach."""

    def check(self, filing: Filing) -> None:
        """
        Check a repository.

        Raises:
            InvalidInputError: it is no local folder, or cannot be filed in this way.
        """
        ...

    def of(self, filing: Filing) -> TaskList:
        """Return the task list of a repository."""
        ...
