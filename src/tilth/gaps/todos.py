"""TODOs: how they are filed, where a human chose that they are, and the places as we see them."""

from datetime import datetime
from enum import StrEnum
from typing import Protocol

from tilth.core.actor import Actor
from tilth.core.dataclass import dataclass
from tilth.core.scope import Scope

REPOSITORY_CHARS_MAX = 1000
# What is left of a draft when something is erased, until the next run writes it again.
BLANK = "written again at the next run"


class Way(StrEnum):
    """How a TODO is filed in a repository: as a line of its TODO.md, or as an issue by `gh`."""

    TODO_FILE = "todo_file"
    GH = "gh"


@dataclass(frozen=True, slots=True, kw_only=True)
class Filing:
    """A human's word that TODOs of a scope may be filed in a repository, a folder here."""

    scope: Scope
    repository: str
    way: Way
    by: Actor
    at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class Task:
    """A TODO to be filed: under the ID of its gap, with a title of one line, and its whole text."""

    gap_id: str
    title: str
    text: str


class Outbox(Protocol):
    """A folder beside the store, readable by its owner alone. Names are ours."""

    def put(self, name: str, text: str) -> None:
        """
        Write a file, whole and durably, in the place of one of that name.

        Raises:
            UnavailableError: it cannot be written; what was there is there.
        """
        ...

    def read(self, name: str) -> str | None:
        """
        Return a file; None if there is none.

        Raises:
            UnavailableError: it cannot be read.
        """
        ...

    def path_of(self, name: str) -> str:
        """Return where on this machine a file lies, or would; empty if nowhere."""
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
        Put a task where it is kept, unless it is there, and return where that is.

        Raises:
            UnavailableError: it could not be put there, or nobody knows whether it was.
            ConflictError: what is there cannot be added to.
        """
        ...

    def is_done(self, gap_id: str, ref: str) -> bool:
        """
        Say whether the task of a gap is done; one that is not there any more is not.

        Raises:
            UnavailableError: nobody can say.
        """
        ...


class TaskLists(Protocol):
    """The task lists that this machine can reach."""

    def check(self, filing: Filing) -> None:
        """
        Refuse a repository that nothing can be filed in.

        Raises:
            InvalidInputError: it is no folder here, or the way does not lead there.
        """
        ...

    def of(self, filing: Filing) -> TaskList:
        """Return the tasks of a repository."""
        ...
