"""Questions about a proposal, and what follows from the answer."""

import os
import select
import signal
import sys
import termios
import tty
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import cast

from tilth.interfaces.cli.review.card import card
from tilth.interfaces.cli.screen import Screen
from tilth.knowledge.facts.decisions import Shown
from tilth.knowledge.proposals.proposal import Action, ProposalKind
from tilth.privacy.terminal_text import one_line
from tilth.runtime.brain import Brain

# What ends a fact, and so must name it.
_ENDING = frozenset({Action.CONFIRM, Action.EDIT})
_END = b"\x04"
# A terminal that knows pastes puts them between marks once it is asked to.
_MARK_PASTES, _LEAVE_PASTES = "\x1b[?2004h", "\x1b[?2004l"
_PASTE_BEGINS, _PASTE_ENDS = b"\x1b[200~", b"\x1b[201~"
_READ_BYTES_MAX = 4096
_SHOWN_CHARS = 20
_CHARS_BEGUN = 4000
_REPLACING = frozenset({Action.MERGE, Action.SUPERSEDE})


def ask_agreement(
    brain: Brain, seen: Shown, action: str, answering: Mapping[str, object], screen: Screen
) -> bool:
    """Show a proposal and ask whether that is the answer; the end of input is a no (OB-060)."""
    for line in card(brain, seen):
        screen.show(line)
    ends = ", ".join(cast("Sequence[str]", answering.get("retires", ())))
    question = f"{action.replace('_', ' ')}{f', which retires {ends}' if ends else ''}? [y/N] "
    return screen.agrees(question)


def read_key(question: str, screen: Screen) -> str:
    """
    Ask a person, and return the key that was pressed: without Enter, at a terminal.

    Enter alone is nothing, the end of input is `q`. Elsewhere a line is read.
    """
    if not sys.stdin.isatty():
        return screen.ask(question)
    terminal = sys.stdin.fileno()
    with _key_by_key(terminal, question, screen):
        key = _read_key(terminal)
    pressed = "q" if key in (b"", _END) else key.decode("utf-8", "replace").strip()
    if key.startswith(_PASTE_BEGINS):
        pressed = (
            f"pasted: {one_line(pressed[len(_PASTE_BEGINS) : -len(_PASTE_ENDS)], _SHOWN_CHARS)}"
        )
    screen.prompt(f"{pressed if pressed.isprintable() else '?'}\n")
    return pressed


@contextmanager
def _key_by_key(terminal: int, question: str, screen: Screen) -> Iterator[None]:
    """Have the terminal give each key by itself, and mark what is pasted if it may be told to."""
    before = termios.tcgetattr(terminal)
    is_marking = screen.err.isatty() and os.environ.get("TERM", "dumb") != "dumb"

    def mark(pastes: str) -> None:
        print(pastes * is_marking, end="", file=screen.err, flush=True)

    def begin(*_: object) -> None:
        screen.prompt(question)
        # What was typed before the card stood there is no answer to it. Ctrl-C still interrupts.
        tty.setcbreak(terminal, termios.TCSAFLUSH)
        mark(_MARK_PASTES)

    # A shell gives the terminal back line by line to a program that it had stopped.
    former = signal.signal(signal.SIGCONT, begin)
    try:
        begin()
        yield
    finally:
        signal.signal(signal.SIGCONT, former)
        termios.tcsetattr(terminal, termios.TCSADRAIN, before)
        mark(_LEAVE_PASTES)


def _read_key(terminal: int) -> bytes:
    """
    Return what one key sends; more than a character, as of an arrow, is a key that is not known.

    So are words that are pasted, however long they take to come: none of them is an answer.
    """
    key = more = os.read(terminal, _READ_BYTES_MAX)
    while more and (_is_pasting(key) or select.select([terminal], [], [], 0)[0]):
        more = os.read(terminal, _READ_BYTES_MAX)
        key += more
    return key


def _is_pasting(key: bytes) -> bool:
    """Tell whether a paste began in *key* and has not ended."""
    return _PASTE_BEGINS in key and not key.endswith(_PASTE_ENDS)


def read_text(question: str, screen: Screen, begun: str) -> str:
    """Ask a person for words, beginning with those that are there, where the terminal can."""
    if not sys.stdin.isatty():
        return screen.ask(question)
    import readline  # noqa: PLC0415 - it takes hold of the terminal

    readline.set_startup_hook(lambda: readline.insert_text(one_line(begun, _CHARS_BEGUN)))
    try:
        return input(question).strip()
    except EOFError:
        return ""
    finally:
        readline.set_startup_hook(None)


def ended_facts(seen: Shown, action: str, keeps: str | None) -> Sequence[str]:
    """Return the facts that end if *action* is the answer."""
    is_choice = seen.proposal.draft.kind is ProposalKind.CONTRADICTION
    if action in _REPLACING or (is_choice and action == Action.CONFIRM):
        return [fact.id for fact in (*seen.facts, *seen.retires) if fact.id != keeps]
    return [fact.id for fact in seen.retires] if action in _ENDING else []
