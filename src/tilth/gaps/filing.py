"""Where the TODOs of a scope are filed, besides the outbox, because a human chose so."""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from tilth.core.actor import Actor
from tilth.core.errors import InvalidInputError
from tilth.core.scope import Scope

REPOSITORY_CHARS_MAX = 1000
# What is left of a draft when something is erased, until the next pulse writes it again.
BLANK = "written again at the next pulse"


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


def parse_way(word: str) -> Way:
    """
    Read how TODOs are filed.

    Raises:
        InvalidInputError: *word* is no way.
    """
    try:
        return Way(word)
    except ValueError as error:
        raise InvalidInputError(
            f"unknown way {word!r}", hint=f"use one of {', '.join(Way)}"
        ) from error
