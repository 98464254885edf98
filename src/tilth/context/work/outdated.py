"""
Say which earlier words are outdated by later work and later statements.

Nobody comes back to say that something put off was done, a part taken out, a ban lifted, a version
moved on or a day has passed; such words no longer hold all the same.
"""

import re
from collections.abc import Sequence
from datetime import datetime
from functools import cached_property
from typing import TYPE_CHECKING

from tilth.context.work.exchange_lines import Work
from tilth.core.dataclass import dataclass
from tilth.core.text.pattern import AnyPart, pattern
from tilth.core.text.promises import is_done_by, puts_off
from tilth.core.text.tokens import index_terms
from tilth.exchanges.actions import committed
from tilth.exchanges.commit_changes import (
    Substitution,
    VersionMove,
    substitution_in,
    version_move_in,
)
from tilth.exchanges.reversals import turns_down, wanted_after_all
from tilth.knowledge.likeness.bans import lifted_by
from tilth.practice.practice import uses_in_sight

if TYPE_CHECKING:
    from tilth.exchanges.removals import Removal

# A date until which something holds, as in "no deploys until Wednesday", unless the sentence goes
# on with what comes then.
_UNTIL = pattern(
    r"\b(?:until|till)\b(?!.*\b(?:then|afterwards|after that|from then)\b)", re.IGNORECASE
)
_TAKES_OUT = AnyPart("remove, delete, drop, eliminate, rip out, take out, get rid, throw")


@dataclass(frozen=True)
class LaterWork:
    """
    What later work and statements made of earlier words in a project, up to *now*.

    *said* holds the sentences of persons that still stand, each with its time.
    """

    work: Work
    said: Sequence[tuple[datetime, str]]
    now: datetime

    def ends(self, text: str, at: datetime, *, by_words: bool = False) -> bool:
        """
        Say whether what *text* says is over.

        Args:
            text: The earlier words.
            at: When they were said.
            by_words: Whether a person stated them on purpose, so that no agent's commit ends them.
        """
        if self._is_past(text, at) or self._is_taken_back(text, at):
            return True
        return not by_words and (
            self._is_overruled(text, at) or (puts_off(text) and self.is_done(text, at))
        )

    def is_done(self, put_off: str, at: datetime) -> bool:
        """Say whether the title of a later commit contains most of what was *put off*."""
        return any(when > at and is_done_by(put_off, title) for when, title in self._commits)

    def _is_taken_back(self, text: str, at: datetime) -> bool:
        """Say whether a person took it out, lifted the ban, or wants what *text* denies."""
        return (
            any(when > at and what.ends(text) for when, what in self._taken_out)
            or any(when > at and lifted_by(said, text) for when, said in self._statements)
            or any(when > at and turns_down(text, terms) for when, terms in self._taken_up)
        )

    def _is_overruled(self, text: str, at: datetime) -> bool:
        """Say whether a later commit took out what *text* is about, or moved its version."""
        terms = frozenset(index_terms(text))
        return any(
            when > at and named <= terms and what.ends(text)
            for when, named, what in self._overruled
        )

    def _is_past(self, text: str, at: datetime) -> bool:
        limit = _UNTIL.search(text)
        if limit is None:
            return False
        from tilth.core.deadlines import deadline  # noqa: PLC0415 - few name a day

        due = deadline(text[limit.start() :], at)
        return due is not None and due < self.now

    @cached_property
    def _commits(self) -> list[tuple[datetime, str]]:
        uses = uses_in_sight(self.work.view, self.work.within)
        by_tools = [(use.call.at, title) for use in uses if (title := committed(use))]
        # A person who commits by hand asks the agent for the message only.
        standing = [one for one in self.work.asks if not one.is_taken_back]
        return [*by_tools, *((one.ended_at, title) for one in standing for title in one.commits)]

    @cached_property
    def _statements(self) -> list[tuple[datetime, str]]:
        asks = [(one.began_at, one.ask) for one in self.work.asks if one.is_standing]
        return [*asks, *self.said]

    @cached_property
    def _taken_out(self) -> "list[tuple[datetime, Removal]]":
        read = self.work.readings.taken_out
        standing = (one for one in self.work.asks if one.is_standing)
        return [(one.began_at, what) for one in standing for what in read(one.ask)]

    @cached_property
    def _taken_up(self) -> list[tuple[datetime, frozenset[str]]]:
        return [(at, terms) for at, said in self._statements for terms in wanted_after_all(said)]

    @cached_property
    def _overruled(
        self,
    ) -> "list[tuple[datetime, frozenset[str], Removal | VersionMove | Substitution]]":
        """What commits took out or moved, with the time and the terms that a text on it names."""
        found: list[tuple[datetime, frozenset[str], Removal | VersionMove | Substitution]] = []
        for at, title in self._commits:
            changed = (version_move_in(title), substitution_in(title))
            found += [(at, frozenset(index_terms(one.thing)), one) for one in changed if one]
            if _TAKES_OUT.search(title):
                taken_out = self.work.readings.taken_out(title)
                found += [(at, what.what | what.within, what) for what in taken_out]
        return found
