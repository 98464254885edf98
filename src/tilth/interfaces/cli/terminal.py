"""
Commands of the program itself: what needs more of a terminal than calling a verb.

They are declared as verbs are, and get a `Terminal` instead of a brain:

    @command("verify", section=Section.LOOK_AFTER, examples=("tilth verify",))
    def verify(terminal: Terminal) -> int: ...
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, TypeVar

from tilth.core.actor import Actor
from tilth.core.dataclass import dataclass
from tilth.core.verb import Section, Verb
from tilth.interfaces.cli.invocation import current_actor
from tilth.interfaces.cli.open_brain import open_brain, place_of
from tilth.interfaces.cli.screen import Screen

if TYPE_CHECKING:
    from tilth.runtime.brain import Brain

_Function = TypeVar("_Function", bound=Callable[..., int])
COMMANDS: dict[str, Verb] = {}


@dataclass(frozen=True, slots=True)
class Terminal:
    """A command line in progress: where it writes, and the store that is meant."""

    screen: Screen
    store: str | None
    owner: str | None

    @property
    def by(self) -> Actor:
        """Who sits here."""
        return current_actor()

    @property
    def place(self) -> str:
        """The path or URL of the store that is meant."""
        return place_of(self.store)

    def setting(self, name: str) -> object:
        """Refuse: a command reads settings itself."""
        raise LookupError(name)

    def open(self, *, create: bool = False) -> Brain:
        """Open the brain that is meant, acting as whoever sits here."""
        return open_brain(self.store, self.owner, create=create)


def command(
    words: str,
    *,
    section: Section = Section.ADVANCED,
    examples: Sequence[str] = (),
    old: Sequence[str] = (),
) -> Callable[[_Function], _Function]:
    """
    Declare a command: a function of a `Terminal` and annotated arguments, to an exit code.

    Args:
        words: Its words on the command line.
        section: Its heading in `tilth --help`, where no noun stands before it.
        examples: Command lines for its help.
        old: Commands that it had before, which errors tell the new name of.
    """

    def declare(function: _Function) -> _Function:
        COMMANDS[words] = Verb(
            function=function,
            command=words,
            section=section,
            examples=tuple(examples),
            old=tuple(old),
        )
        return function

    return declare
