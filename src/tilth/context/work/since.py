"""
What was done and said since, by which earlier words are over.

What was put off and then done, a part that was taken out, a ban that was lifted, a version that
moved on and a day that passed tell nothing that still holds, and nobody comes back to say so.
"""

import re
from collections.abc import Sequence
from datetime import datetime
from functools import cached_property
from typing import TYPE_CHECKING

from tilth.context.work.cards import Work
from tilth.core.dataclass import dataclass
from tilth.core.text.pattern import AnyPart, pattern
from tilth.core.text.promises import is_done_by, puts_off
from tilth.core.text.tokens import index_terms
from tilth.exchanges.deeds import committed
from tilth.exchanges.moved import Moved, Swapped, moved_by, swapped_by
from tilth.exchanges.taken_up import taken_up_by, turns_down
from tilth.knowledge.likeness.bans import lifted_by
from tilth.practice.practice import uses_in_sight

if TYPE_CHECKING:
    from tilth.exchanges.taken_out import TakenOut

# "No deploys until Wednesday"; not where it goes on with what comes then.
_UNTIL = pattern(
    r"\b(?:until|till)\b(?!.*\b(?:then|afterwards|after that|from then)\b)", re.IGNORECASE
)
_TAKES_OUT = AnyPart("remove, delete, drop, eliminate, rip out, take out, get rid, throw")


@dataclass(frozen=True)
class Since:
    """
    What became of earlier words in a project, up to *now*.

    *said* are sentences of persons that are known still, each with when it was said.
    """

    work: Work
    said: Sequence[tuple[datetime, str]]
    now: datetime

    def ends(self, text: str, at: datetime, *, by_words: bool = False) -> bool:
        """
        Say whether what *text* told is over.

        Args:
            text: What was told.
            at: When.
            by_words: Whether a person told it on purpose: no commit of an agent ends that.
        """
        if self._is_past(text, at) or self._is_said_to_be_over(text, at):
            return True
        return not by_words and (
            self._is_outdone(text, at) or (puts_off(text) and self.is_done(text, at))
        )

    def is_done(self, put_off: str, at: datetime) -> bool:
        """Say whether a later commit tells most of what was *put off*."""
        return any(when > at and is_done_by(put_off, title) for when, title in self._commits)

    def _is_said_to_be_over(self, text: str, at: datetime) -> bool:
        """Say whether a person took it out, lifted its ban, or wants after all what it denies."""
        return (
            any(when > at and what.ends(text) for when, what in self._taken_out)
            or any(when > at and lifted_by(said, text) for when, said in self._spoken)
            or any(when > at and turns_down(text, terms) for when, terms in self._taken_up)
        )

    def _is_outdone(self, text: str, at: datetime) -> bool:
        """Say whether a commit took out what *text* is of, or moved its version."""
        terms = frozenset(index_terms(text))
        return any(
            when > at and named <= terms and what.ends(text) for when, named, what in self._outdone
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
        # Who commits by hand asks for the words alone.
        standing = [one for one in self.work.asks if not one.is_taken_back]
        return [*by_tools, *((one.ended_at, title) for one in standing for title in one.commits)]

    @cached_property
    def _spoken(self) -> list[tuple[datetime, str]]:
        asks = [(one.began_at, one.ask) for one in self.work.asks if one.is_standing]
        return [*asks, *self.said]

    @cached_property
    def _taken_out(self) -> "list[tuple[datetime, TakenOut]]":
        read = self.work.readings.taken_out
        standing = (one for one in self.work.asks if one.is_standing)
        return [(one.began_at, what) for one in standing for what in read(one.ask)]

    @cached_property
    def _taken_up(self) -> list[tuple[datetime, frozenset[str]]]:
        return [(at, terms) for at, said in self._spoken for terms in taken_up_by(said)]

    @cached_property
    def _outdone(self) -> "list[tuple[datetime, frozenset[str], TakenOut | Moved | Swapped]]":
        """What commits took out or moved, with when and what a text on it names."""
        found: list[tuple[datetime, frozenset[str], TakenOut | Moved | Swapped]] = []
        for at, title in self._commits:
            changed = (moved_by(title), swapped_by(title))
            found += [(at, frozenset(index_terms(one.thing)), one) for one in changed if one]
            if _TAKES_OUT.search(title):
                taken_out = self.work.readings.taken_out(title)
                found += [(at, what.what | what.within, what) for what in taken_out]
        return found
