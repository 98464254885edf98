"""
Screens, each declared once: a function that gathers, and a template of the same name that shows.

    @screen("/gaps", title="Gaps", group="Work", place=60, lead="What nobody could do.")
    def gaps(ask: Ask) -> Told:
        return {"gaps": ask.brain.gaps.list(limit=ask.number("limit", 50))}

From the declaration come the route, its place in the navigation, and a `.json` twin of the page
that holds the same. The state of a page is in its address, so it can be shared and gone back to.

A form on a page calls a verb, or an act of this machine that is no verb, declared likewise:

    @act("worker/stop")
    def stop_worker(ask: Ask) -> Said:
        return Said("The worker has ended.")
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import field
from datetime import UTC, date, datetime, time
from enum import StrEnum
from typing import TypeAlias, TypeVar

from tilth.core.dataclass import dataclass
from tilth.core.errors import InvalidInputError, TilthError
from tilth.core.instant import parse_instant
from tilth.core.json import Json
from tilth.core.scope import GLOBAL
from tilth.episodes.tables import Episodes
from tilth.interfaces.http.app import Serving
from tilth.runtime.brain import Brain

PAGE = 50
_DIGITS_MAX = 18
# What one can choose among at a glance; another is asked for by the address.
_SCOPES_MAX = 100

W = TypeVar("W", bound=StrEnum)
Row = TypeVar("Row")
Told: TypeAlias = Mapping[str, object]


def paged(found: Sequence[Row]) -> tuple[Sequence[Row], bool]:
    """Return a page of what was read with a limit of `PAGE + 1`, and whether more follows it."""
    return found[:PAGE], len(found) > PAGE


@dataclass(frozen=True, slots=True)
class Ask:
    """What was asked for: the brain, as the person who asks, and the values of address or form."""

    brain: Brain
    serving: Serving
    values: Mapping[str, str]
    lists: Mapping[str, Sequence[str]] = field(default_factory=dict)

    @property
    def where(self) -> str:
        """The store: a path or a URL."""
        return self.serving.where

    def text(self, name: str) -> str:
        """Return a value of the address; an empty text if it is not there."""
        return self.values.get(name, "").strip()

    def many(self, name: str) -> Sequence[str]:
        """Return all values that a form gives under one name."""
        return self.lists.get(name, ())

    def maybe(self, name: str) -> str | None:
        """Return a value of the address; None if it is not there, or empty."""
        return self.text(name) or None

    def moment(self, name: str) -> datetime | None:
        """
        Return the moment that a value names; a day means its end, since one looks back on it.

        Raises:
            InvalidInputError: it is none.
        """
        told = self.text(name)
        if not told:
            return None
        try:
            return datetime.combine(date.fromisoformat(told), time.max, UTC)
        except ValueError:
            return parse_instant(told)

    def day(self, name: str) -> datetime | None:
        """
        Return the beginning of the day that a value names, in UTC.

        Raises:
            InvalidInputError: it is none.
        """
        told = self.text(name)
        try:
            return datetime.combine(date.fromisoformat(told), time.min, UTC) if told else None
        except ValueError as error:
            raise InvalidInputError(
                f"{name} is a day such as 2026-03-01, not {told[:20]!r}"
            ) from error

    def word(self, name: str, words: type[W]) -> W | None:
        """
        Return the one of *words* that a value of the address is; None if it is not there, or empty.

        Raises:
            InvalidInputError: it is none of them.
        """
        told = self.text(name)
        if not told:
            return None
        if told not in set(words):
            raise InvalidInputError(f"{told[:20]!r} is no {name}", hint=f"it is {', '.join(words)}")
        return words(told)

    def is_on(self, name: str) -> bool:
        """
        Say whether a box of the address is ticked: `on`, as a form says it.

        Raises:
            InvalidInputError: it says something else.
        """
        told = self.text(name)
        if told not in {"", "on"}:
            raise InvalidInputError(f"{name} is on or left out, not {told[:20]!r}")
        return bool(told)

    def number(self, name: str, otherwise: int, *, least: int = 0, most: int = 1000) -> int:
        """
        Return a number of the address.

        Raises:
            InvalidInputError: it is none, or out of bounds.
        """
        told = self.text(name)
        if not told:
            return otherwise
        if not is_number(told) or not least <= int(told) <= most:
            raise InvalidInputError(f"{name} is a number from {least} to {most}, not {told[:20]!r}")
        return int(told)

    def title_of(self, session: str) -> str:
        """Return what a session is called; its ID, if nothing else is known of it any more."""
        try:
            return self.brain.sessions.get(session).info.title or session
        except TilthError:  # What names it is kept though it was erased.
            return session

    def scopes(self) -> Sequence[str]:
        """Return the scopes of sessions, the one that was active last first."""
        parts = self.brain.parts
        with parts.store.read() as view:
            found = Episodes(view).scopes(parts.within(None), limit=_SCOPES_MAX)
        return [GLOBAL, *(scope for scope, _ in found if scope != GLOBAL)]

    @property
    def offset(self) -> int:
        """How many rows stand before this page."""
        return self.number("offset", 0, most=1_000_000)

    def page(self, name: str, found: Sequence[object]) -> dict[str, object]:
        """Return rows that were read with a limit of `PAGE + 1` as a page, and what turns it."""
        shown, has_more = paged(found)
        return {name: shown, "has_more": has_more, "offset": self.offset, "page_size": PAGE}


def is_new(brain: Brain) -> bool:
    """Say whether nothing was told to *brain* yet: no session, no person, no fact, no note."""
    return not brain.changes(limit=1).items


def is_number(text: str) -> bool:
    """Say whether *text* is a whole number of few digits, as programs write it."""
    return text.isascii() and text.isdigit() and len(text) <= _DIGITS_MAX


@dataclass(frozen=True, slots=True, kw_only=True)
class Screen:
    """One screen: where it is, what it is called, and what gathers it."""

    path: str
    name: str
    title: str
    group: str
    place: int
    under: str
    lead: str
    gather: Callable[[Ask], Told]


SCREENS: dict[str, Screen] = {}


def screen(
    path: str, *, title: str, group: str = "", place: int = 0, under: str = "", lead: str = ""
) -> Callable[[Callable[[Ask], Told]], Callable[[Ask], Told]]:
    """
    Declare a screen.

    Args:
        path: Its address, with `{name}` for what changes; `{name:path}` takes slashes too.
        title: What it is called, in the navigation and above the page.
        group: Its heading in the navigation; none leaves it out.
        place: Its place there.
        under: The address of the screen that the navigation marks instead, for one that is left
            out; without it, the one at the first part of the address.
        lead: What it shows, in a sentence or two, for whoever opens it for the first time.
    """

    def declare(gather: Callable[[Ask], Told]) -> Callable[[Ask], Told]:
        SCREENS[path] = Screen(
            path=path,
            name=gather.__name__.rstrip("_"),
            title=title,
            group=group,
            place=place,
            under=under or f"/{path.split('/')[1]}",
            lead=lead,
            gather=gather,
        )
        return gather

    return declare


@dataclass(frozen=True, slots=True, kw_only=True)
class Done:
    """A verb that was called, or would be: its name, such as `facts/undo`, and its arguments."""

    verb: str
    told: Mapping[str, Json]


@dataclass(frozen=True, slots=True)
class Said:
    """
    What an act tells on the next page.

    `rows` stand below `text`, `secret` is shown this once. `back` is the page that comes next
    instead of the one that the form stands on. `undo` takes it back, all of it.
    """

    text: str
    rows: Sequence[tuple[str, str]] = ()
    secret: str = ""
    back: str = ""
    undo: Sequence[Done] = ()


ACTS: dict[str, Callable[[Ask], Said]] = {}


def act(name: str) -> Callable[[Callable[[Ask], Said]], Callable[[Ask], Said]]:
    """Declare what a form does that is no verb; *name* is none of a verb."""

    def declare(do: Callable[[Ask], Said]) -> Callable[[Ask], Said]:
        ACTS[name] = do
        return do

    return declare
