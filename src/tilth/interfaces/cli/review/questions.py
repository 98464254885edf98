"""Questions about a proposal, and what follows from the answer."""

import os
import select
import sys
import termios
import tty
from collections.abc import Mapping, Sequence
from typing import cast

from tilth.interfaces.cli.review.card import card
from tilth.interfaces.cli.screen import Screen
from tilth.knowledge.facts.decisions import Shown
from tilth.knowledge.proposals.proposal import Action, ProposalKind
from tilth.privacy.inert import one_line
from tilth.runtime.brain import Brain

# What ends a fact, and so must name it.
_ENDING = frozenset({Action.CONFIRM, Action.EDIT})
_ESCAPE, _END = b"\x1b", b"\x04"
_SEQUENCE_BYTES_MAX = 16
_CHARS_BEGUN = 4000
_REPLACING = frozenset({Action.MERGE, Action.SUPERSEDE})


def agreed(
    brain: Brain, seen: Shown, action: str, answering: Mapping[str, object], screen: Screen
) -> bool:
    """Show a proposal and ask whether that is the answer; the end of input is a no (OB-060)."""
    for line in card(brain, seen):
        screen.show(line)
    ends = ", ".join(cast("Sequence[str]", answering.get("retires", ())))
    question = f"{action.replace('_', ' ')}{f', which retires {ends}' if ends else ''}? [y/N] "
    return read_answer(question, screen).casefold() in {"y", "yes"}


def read_answer(question: str, screen: Screen) -> str:
    """Ask a person, and return what was typed; nothing at the end of input."""
    screen.ask(question)
    return sys.stdin.readline().strip()


def read_key(question: str, screen: Screen) -> str:
    """
    Ask a person, and return the key that was pressed: without Enter, at a terminal.

    Enter alone is nothing, the end of input is `q`. Elsewhere a line is read.
    """
    if not sys.stdin.isatty():
        return read_answer(question, screen)
    screen.ask(question)
    terminal = sys.stdin.fileno()
    before = termios.tcgetattr(terminal)
    try:
        # What was typed before the card stood there is no answer to it. Ctrl-C still interrupts.
        tty.setcbreak(terminal, termios.TCSAFLUSH)
        key = os.read(terminal, 1)
        # What a key sends beyond a character, as an arrow does, is one key that is not known.
        while key == _ESCAPE and select.select([terminal], [], [], 0)[0]:
            key += os.read(terminal, _SEQUENCE_BYTES_MAX)
    finally:
        termios.tcsetattr(terminal, termios.TCSADRAIN, before)
    pressed = "q" if key in (b"", _END) else key.decode("ascii", "replace").strip()
    screen.ask(f"{pressed if pressed.isprintable() else '?'}\n")
    return pressed


def read_text(question: str, screen: Screen, begun: str) -> str:
    """Ask a person for words, beginning with those that are there, where the terminal can."""
    if not sys.stdin.isatty():
        return read_answer(question, screen)
    import readline  # noqa: PLC0415 - it takes hold of the terminal

    readline.set_startup_hook(lambda: readline.insert_text(one_line(begun, _CHARS_BEGUN)))
    try:
        return input(question).strip()
    except EOFError:
        return ""
    finally:
        readline.set_startup_hook(None)


def ending(seen: Shown, action: str, keeps: str | None) -> Sequence[str]:
    """Return the facts that end if *action* is the answer."""
    is_choice = seen.proposal.draft.kind is ProposalKind.CONTRADICTION
    if action in _REPLACING or (is_choice and action == Action.CONFIRM):
        return [fact.id for fact in (*seen.facts, *seen.retires) if fact.id != keeps]
    return [fact.id for fact in seen.retires] if action in _ENDING else []
