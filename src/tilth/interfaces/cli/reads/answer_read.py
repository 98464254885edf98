"""The worker's side: run a command that only reads, with the brain that is open."""

import io
import os
from argparse import Namespace
from collections.abc import Callable
from dataclasses import field, replace
from functools import cache
from threading import RLock

from tilth.agents.worker_socket import SocketReply
from tilth.core.dataclass import dataclass
from tilth.core.errors import TilthError
from tilth.core.scope import parse_owner
from tilth.interfaces.cli.invocation import Invocation, invoked_as
from tilth.interfaces.cli.open_brain import excluded
from tilth.interfaces.cli.parser import build_parser
from tilth.interfaces.cli.reads import COMMANDS
from tilth.interfaces.cli.reads.protocol import Answer, Question, build, settings_digest
from tilth.interfaces.cli.screen import Screen
from tilth.recall.lexicon import Lexicon
from tilth.runtime import places
from tilth.runtime.brain import Brain
from tilth.runtime.dependencies import Dependencies

Command = Callable[[Namespace, Screen], int]


class _LentBrain(Brain):
    """A brain that somebody else closes."""

    def close(self) -> None:  # type: ignore[explicit-override] # `typing.override` came with 3.12
        """Leave it open, but free what was read for it: its methods hold it as it holds them."""
        for name in [name for name in vars(self) if not name.startswith("_")]:
            delattr(self, name)


class _Capture(io.StringIO):
    """What a command writes, as if to where it would."""

    def __init__(self, *, is_tty: bool) -> None:
        super().__init__()
        self._is_tty = is_tty

    def isatty(self) -> bool:  # type: ignore[explicit-override] # likewise
        """Say whether the asker writes to a terminal."""
        return self._is_tty


@dataclass(frozen=True, slots=True)
class ReadAnswers:
    """
    Answers questions about the store at *where*.

    Nothing can be asked for that the asker could not read by itself: another user is not heard,
    commands that write are not run, and what is kept from agents is kept from all who ask here.
    """

    parts: Dependencies
    where: str
    run: Callable[[str], Command]
    # Of what is loaded here: the files may be replaced while this runs.
    build: str = field(default_factory=build)

    def __call__(self, heard: bytes) -> SocketReply | None:
        """Answer a question; None leaves it to the asker's own process."""
        question = Question.from_bytes(heard)
        if question is None or question.build != self.build or not self._is_answerable(question):
            return None
        try:
            told = self._run(question)
        except TilthError:
            # The asker's own process finds the same error, and tells it.
            return None
        return None if told is None else SocketReply(told.to_bytes())

    def _is_answerable(self, question: Question) -> bool:
        # Whoever says to be a person is not believed, and reads what is excluded for itself.
        if question.by.is_human and self.parts.settings.excluded_terms:
            return False
        if question.settings != settings_digest(self.parts.settings, self.where):
            return False
        now = places.loaded(os.environ).settings
        return question.settings == settings_digest(now, self.where)

    def _run(self, question: Question) -> Answer | None:
        args, unknown = build_parser().parse_known_args(question.words)
        if unknown or args.command not in COMMANDS:
            return None
        invocation = Invocation(
            by=question.by,
            folder=question.folder,
            columns=question.columns,
            lend=self._lend,
        )
        with invoked_as(invocation):
            screen = Screen(
                is_json=args.is_json,
                is_quiet=args.is_quiet,
                is_color=question.is_color,
                out=_Capture(is_tty=question.is_tty),
                err=_Capture(is_tty=False),
                # The settings are read once for an answer, which has a hundred parts.
                excluded=cache(excluded),
            )
            status = self.run(args.run)(args, screen)
        assert isinstance(screen.out, _Capture)
        assert isinstance(screen.err, _Capture)
        return Answer(status, screen.out.getvalue(), screen.err.getvalue())

    def _lend(self, owner: str | None) -> Brain:
        parts = self.parts
        recorder = parts.recorder
        if owner is not None:
            recorder = replace(recorder, owner=parse_owner(owner))
        # A lexicon that has read more numbers words otherwise, and the last bits of sums differ.
        # What it has read gives their vectors, and what was said in words.
        known = parts.recaller.lexicon
        lexicon = Lexicon(known, RLock(), earlier=known)
        recaller = replace(parts.recaller, lexicon=lexicon)
        return _LentBrain(replace(parts, recorder=recorder, recaller=recaller))
