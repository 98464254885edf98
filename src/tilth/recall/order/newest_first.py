"""
Put the newer of two statements first, if it says how the same thing is now.

Ranking measures likeness, and an old statement is often the most alike. Whether a later one says
how the same thing is now is weighed from what the two share, from verbs of change, and from whether
the later one only asks, plans, compares or denies (`tilth.recall.order.stance`). The weights are
rounded from a logistic regression over pairs of statements (`bench.newer`).
"""

import re
from collections.abc import Sequence
from functools import cached_property

import numpy as np

from tilth.core.clock import Instant
from tilth.core.dataclass import dataclass
from tilth.core.text.pattern import pattern
from tilth.recall.order.other_subject import AskedSubject
from tilth.recall.order.ranking import Grouped
from tilth.recall.order.signals import Floats
from tilth.recall.order.statement import Comparison
from tilth.recall.question import Question

# How many of the best are compared; each of them may be outdated by another.
COMPARED = 10
LEADERS = 3
_SHARED_MAX, _LACKED_MAX = 3, 2
# The least weight at which a statement is outdated, and at which both are about the same thing.
_SURE, _MENTIONED = 1.6, -0.4
# What a change adds to the weight; more if it names what the older one says, as in "Kong is gone".
_CHANGE, _NAMED = 0.8, 1.7
# From this cosine on, a statement is about a word of the question.
_ABOUT = 0.6
# The most compared statements that may be nearer; a statement merely on the same subject has more.
_NEARER_MAX = 2
# A question about the past: later changes do not matter, except corrections.
_PAST = pattern(r"\b(?:did|was|were|had)\b", re.IGNORECASE)
_WHEN = pattern(r"\bwhen (?:did|was|were|had)\b", re.IGNORECASE)


def newest_first(
    ordered: Sequence[Grouped], best: Comparison, question: Question, met: Floats
) -> list[Grouped]:
    """
    Return *ordered* with each of the best behind one that says how the same thing is now.

    A statement that only asks, plans, compares or denies goes behind the one that it is about.
    Nothing is added or lost.

    Args:
        ordered: The candidates, best first.
        best: Those of them that are compared.
        question: The question.
        met: How well each candidate (column) contains each word of the question (row).
    """
    pair = _Pairs(best, question, met)
    order = [one.at for one in ordered[:COMPARED] if one.at in best.statements]
    for leader in order[:LEADERS]:
        behind = (
            at for at in order[order.index(leader) + 1 :] if pair.is_only_mentioned(at, leader)
        )
        if (told := next(behind, None)) is not None:
            order.remove(leader)
            order.insert(order.index(told) + 1, leader)
    for leader in order[:LEADERS]:
        behind = (at for at in order[order.index(leader) + 1 :] if pair.is_outdated(leader, at))
        for at in sorted(behind, key=lambda at: pair.weight(leader, at), reverse=True):
            order.remove(at)
            order.insert(order.index(leader), at)
    known = {one.at: one for one in ordered}
    moved = iter(order)
    return [known[next(moved)] if one.at in order else one for one in ordered]


@dataclass(frozen=True, eq=False)
class _Pairs:
    """Pairs of the best, the older one first."""

    best: Comparison
    question: Question
    met: Floats

    def is_outdated(self, older: int, newer: int) -> bool:
        """Say whether *newer* says how the thing is now that *older* is about."""
        # Most pairs are unlike, and reading a text takes longest, so that comes last.
        return (
            self._is_later(older, newer)
            and self._is_near(older, newer)
            and self._may_share_subject(older, newer)
            and self._likeness(older, newer) + _CHANGE + _NAMED > 0
            and self.weight(older, newer) > 0
            and self._may_have_changed(older, newer)
            and not self._asserts_nothing(older, newer)
            and not self._asked.is_about_another(
                self.best.statements[older], self.best.statements[newer]
            )
            and self._asked.is_answered_by(self.best.statements[older], self.best.statements[newer])
        )

    def _is_near(self, older: int, newer: int) -> bool:
        """Say whether few of the compared are nearer to *older* than *newer* is."""
        return self._nearer[self._number[older]][self._number[newer]] <= _NEARER_MAX

    @cached_property
    def _nearer(self) -> list[list[int]]:
        # A statement is nearest to itself, which does not count.
        cosine = np.where(
            np.eye(len(self.best.statements), dtype=np.bool_), -1, self.best.near.cosine
        )
        nearer: list[list[int]] = (cosine[:, None] > cosine[:, :, None]).sum(axis=2).tolist()
        return nearer

    def _may_share_subject(self, older: int, newer: int) -> bool:
        """Say whether the two share a word of their own, or both contain a word of the question."""
        return self._may_share[self._number[older]][self._number[newer]]

    @cached_property
    def _may_share(self) -> list[list[bool]]:
        of_question = np.any(self.met[:, list(self.best.statements)] > _ABOUT, axis=0)
        both = np.logical_and.outer(of_question, of_question)
        may: list[list[bool]] = ((self.best.near.shared > 0) | both).tolist()
        return may

    def is_only_mentioned(self, older: int, newer: int) -> bool:
        """Say whether *newer* only asks, plans or denies what *older* says, or is about another."""
        return (
            self._is_later(older, newer)
            and self._is_near(older, newer)
            and not self._is_same_session(older, newer)
            and self._likeness(older, newer) + _CHANGE + _NAMED > _MENTIONED
            and self.weight(older, newer) > _MENTIONED
            and (
                self._asserts_nothing(older, newer)
                or self._asked.is_clearly_about_another(
                    self.best.statements[older], self.best.statements[newer]
                )
            )
        )

    def _asserts_nothing(self, older: int, newer: int) -> bool:
        of = self.best.statements[older].content.terms | self._asked.terms
        return self.best.statements[newer].content.asserts_nothing_of(of)

    def _may_have_changed(self, older: int, newer: int) -> bool:
        """Say whether time may have changed the answer, judging by question and position."""
        if _WHEN.search(self.question.text):
            return False  # the date of an event does not change
        is_past = self._is_same_session(older, newer) or bool(_PAST.search(self.question.text))
        return not is_past or self.best.statements[newer].content.stance.tells_change

    def _is_same_session(self, older: int, newer: int) -> bool:
        one, other = self.best.statements[older].episode, self.best.statements[newer].episode
        return other.session_id is not None and one.session_id == other.session_id

    def _is_later(self, older: int, newer: int) -> bool:
        return bool(self._came[newer].is_after(self._came[older]))

    @cached_property
    def _came(self) -> dict[int, Instant]:
        return {at: one.episode.instant for at, one in self.best.statements.items()}

    def weight(self, at: int, other: int) -> float:
        """Return how surely the second says how the first one's thing is now."""
        older, newer = self.best.statements[at].content, self.best.statements[other].content
        if not newer.stance.tells_change:
            return self._likeness(at, other)
        named = bool((older.terms - self._asked.terms) & newer.changes)
        return self._likeness(at, other) + _CHANGE + _NAMED * named

    def _likeness(self, at: int, other: int) -> float:
        """Return the same without the part of verbs of change."""
        return self._likenesses[self._number[at]][self._number[other]]

    @cached_property
    def _likenesses(self) -> list[list[float]]:
        near, met = self.best.near, self.met[:, list(self.best.statements)]
        # What the first is about and the second lacks indicates another subject.
        was = np.where(met > _ABOUT, met, 0.0)
        lost = np.maximum(was[:, :, None] - met[:, None, :], 0.0).sum(axis=0) / max(len(met), 1)
        likeness = (
            0.2 * np.minimum(near.shared, _SHARED_MAX)
            - 1.0 * np.minimum(near.lacked, _LACKED_MAX)
            + 3.1 * near.cosine
            + 2.5 * near.met
            - 0.6 * near.met.T
            - 0.6 * lost
            - _SURE
        )
        is_said = near.is_said[:, None] & near.is_said
        told: list[list[float]] = np.where(is_said, likeness, -np.inf).tolist()
        return told

    @cached_property
    def _number(self) -> dict[int, int]:
        return {at: number for number, at in enumerate(self.best.statements)}

    @cached_property
    def _asked(self) -> AskedSubject:
        return AskedSubject(self.question)
