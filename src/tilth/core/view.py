"""
What a view is made of: lines for a person, which an interface renders.

A view turns a result into lines. It decides on words and order; colour, width and
escaping are the interface's.
"""

from collections.abc import Sequence
from typing import TypeAlias


class Bold(str):
    """A part of a line that stands out."""

    __slots__ = ()


class Dim(str):
    """A part of a line that stays in the background."""

    __slots__ = ()


class Note(str):
    """A message beside the answer: shown to a person, and left out where the answer is JSON."""

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
