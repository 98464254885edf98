"""
Views: lines for a person, made from a result and rendered by an interface.

A view turns a result into lines. It decides on words and order; colour, width and escaping are the
interface's.
"""

from collections.abc import Iterator, Sequence, Sized
from typing import TypeAlias

from tilth.core.calls.paging import PAGE_MAX

# How to take back a change whose operation the reader does not know.
UNDO_BY_NAME = "tilth undo OPERATION, which tilth changes names"


class Bold(str):
    """A part of a line that stands out."""

    __slots__ = ()


class Command(Bold):
    """A command to copy into a shell: never wrapped, since each line would run by itself."""

    __slots__ = ()


class Exact(str):
    """A line that a person is to judge as it stands: never wrapped."""

    __slots__ = ()


class Dim(str):
    """A part of a line that stays in the background."""

    __slots__ = ()


class Note(str):
    """A message beside the answer: shown to a person, and left out of JSON."""

    __slots__ = ()


class Paragraph(str):
    """Text that is wrapped to the width of the screen, set in by three spaces."""

    __slots__ = ()


class Aside(Paragraph):
    """A paragraph that stays in the background."""

    __slots__ = ()


class Row(tuple[str, ...]):
    """A line of a table: the cells of neighbouring rows stand under one another."""

    __slots__ = ()


Line: TypeAlias = str | Sequence[str]


def page_end(
    shown: Sized, none: str, *, limit: int, offset: int = 0, flag: str = "--offset"
) -> Iterator[Note]:
    """Yield how to see more of a list in pages or, if nothing is *shown*, why."""
    if not shown:
        yield Note("that was all" if offset else none)
    elif is_full(shown, limit):
        yield Note(f"there may be more: {flag} {offset + len(shown)}")


def list_end(shown: Sized, none: str, *, limit: int) -> Iterator[Note]:
    """Yield how to see more of a list without pages or, if nothing is *shown*, why."""
    if not shown:
        yield Note(none)
    elif is_full(shown, limit):
        yield Note("there may be more: --limit N shows them")


def is_full(shown: Sized, limit: int) -> bool:
    """Return whether as much is *shown* as was asked for, so that there may be more."""
    return len(shown) >= min(limit, PAGE_MAX)


def number_of(count: int, noun: str) -> str:
    """Return a count with its noun in the number that it takes: "1 fact", "1,200 facts"."""
    return f"{count:,} {noun}{'s' * (count != 1)}"


def of_count(several: str, count: float) -> str:
    """Return a noun that is known by its plural as it reads beside a count."""
    if count != 1:
        return several
    if several.endswith("ies"):
        return several.removesuffix("ies") + "y"
    return several.removesuffix("es" if several.endswith(("ases", "ches")) else "s")
