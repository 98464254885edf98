"""
Screens, each declared once: a function that gathers, and a template of the same name that shows.

    @screen("/gaps", title="Gaps", group="Work", place=60)
    def gaps(ask: Ask) -> Told:
        return {"gaps": ask.brain.gaps.list(limit=ask.number("limit", 50))}

From the declaration come the route, its place in the navigation, and a `.json` twin of the page
that holds the same. The state of a page is in its address, so it can be shared and gone back to.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TypeAlias

from tilth.core.errors import InvalidInputError
from tilth.runtime.brain import Brain

PAGE = 50

Told: TypeAlias = Mapping[str, object]


@dataclass(frozen=True, slots=True)
class Ask:
    """What a page was asked for: the brain, as the person who asks, and the address's values."""

    brain: Brain
    where: str
    values: Mapping[str, str]

    def text(self, name: str) -> str:
        """Return a value of the address; an empty text if it is not there."""
        return self.values.get(name, "").strip()

    def maybe(self, name: str) -> str | None:
        """Return a value of the address; None if it is not there, or empty."""
        return self.text(name) or None

    def number(self, name: str, otherwise: int, most: int = 1000) -> int:
        """
        Return a number of the address.

        Raises:
            InvalidInputError: it is none, or out of bounds.
        """
        told = self.text(name)
        if not told:
            return otherwise
        if not (told.isascii() and told.isdigit() and int(told) <= most):
            raise InvalidInputError(f"{name} is a number up to {most}, not {told[:20]!r}")
        return int(told)

    @property
    def offset(self) -> int:
        """How many rows stand before this page."""
        return self.number("offset", 0, most=1_000_000)


@dataclass(frozen=True, slots=True, kw_only=True)
class Screen:
    """One screen: where it is, what it is called, and what gathers it."""

    path: str
    name: str
    title: str
    group: str
    place: int
    gather: Callable[[Ask], Told]


SCREENS: dict[str, Screen] = {}


def screen(
    path: str, *, title: str, group: str = "", place: int = 0
) -> Callable[[Callable[[Ask], Told]], Callable[[Ask], Told]]:
    """
    Declare a screen.

    Args:
        path: Its address, with `{name}` for what changes; `{name:path}` takes slashes too.
        title: What it is called, in the navigation and above the page.
        group: Its heading in the navigation; none leaves it out.
        place: Its place there.
    """

    def declare(gather: Callable[[Ask], Told]) -> Callable[[Ask], Told]:
        SCREENS[path] = Screen(
            path=path,
            name=gather.__name__.rstrip("_"),
            title=title,
            group=group,
            place=place,
            gather=gather,
        )
        return gather

    return declare
