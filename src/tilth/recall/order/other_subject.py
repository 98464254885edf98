"""
Decide whether a later statement is about another person, thing or attribute.

A similar statement may be about my mother's doctor, the staging cluster, or the price where the
opening hours were asked. Word positions decide this, since likeness cannot.
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping
from functools import cached_property
from itertools import chain

from tilth.core.dataclass import dataclass
from tilth.core.text.pattern import pattern
from tilth.core.text.tokens import index_terms
from tilth.episodes.episode import Episode, Role
from tilth.recall.order.aspect import KIN, NAME, Aspect, aspect
from tilth.recall.order.statement import Statement
from tilth.recall.question import Question

_WHO = pattern(r"^\W*(?:who|whom|whose)\b", re.IGNORECASE)
_COUNT = pattern(
    r"\bhow (?:much|many|long|often|far|big|large|old|high|tall|fast)\b|\bwhat (?:number|share)\b",
    re.IGNORECASE,
)
_WHEN = pattern(
    r"^\W*(?:(?:at|on|from|until|till) )?(?:when|(?:what|which) (?:time|day|date))\b", re.IGNORECASE
)
_NUMBER = pattern(
    r"\d|\b(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|fifteen|twenty|"
    r"thirty|forty|fifty|hundred|thousand|half|doubled?|halved|noon|midnight)\b",
    re.IGNORECASE,
)
_TIME = pattern(
    r"\d|\b(?:mon|tues|wednes|thurs|fri|satur|sun)days?\b|\b(?:january|february|march|april|may|"
    r"june|july|august|september|october|november|december|morning|noon|evening|night|tomorrow|"
    r"today|cancel\w*|daily|weekly|monthly|hourly|quarter|minutes?|hours?)\b",
    re.IGNORECASE,
)
_WHERE = pattern(r"^\W*where\b", re.IGNORECASE)
_SOMEWHERE = pattern(
    r"[:/\d]|\b(?:in|at|on|to|into|onto|near|under|behind|beside|next|via|through|with|by|here|"
    r"there|home|off|back|address|lives?|living)\b",
    re.IGNORECASE,
)
_NONE = frozenset[str]()
# The most words before the verb where a name alone is the subject.
_NAMED_LEAD_MAX = 2


@dataclass(frozen=True, eq=False)
class AskedSubject:
    """What a question asks for, as far as it distinguishes things."""

    question: Question

    @cached_property
    def terms(self) -> frozenset[str]:
        """The terms of the question."""
        return frozenset(self.question.terms)

    @cached_property
    def names(self) -> frozenset[str]:
        """The terms of the names in the question."""
        return frozenset(index_terms(" ".join(NAME.findall(self.question.text))))

    @cached_property
    def aspect(self) -> Aspect:
        """What it is about."""
        return aspect(self.question.text)

    def is_about_another(self, older: Statement, newer: Statement) -> bool:
        """Say whether *newer* is about another person or thing than *older*."""
        pair = _Pair(self, older, newer)
        return (
            pair.is_clearly_about_another
            or pair.is_by_another_speaker
            or pair.has_another_modifier
            or pair.is_about_a_part
            or pair.lacks_a_name
            or pair.has_only_the_name
        )

    def is_clearly_about_another(self, older: Statement, newer: Statement) -> bool:
        """Say whether that is plain enough to put *newer* behind *older*."""
        pair = _Pair(self, older, newer)
        is_changed = newer.content.stance.tells_change
        return pair.is_clearly_about_another or (
            is_changed and (pair.has_another_modifier or pair.is_another_speakers_own)
        )

    def is_answered_by(self, older: Statement, newer: Statement) -> bool:
        """Say whether *newer* contains a person, number or time, if the question asks for one."""
        return not _Pair(self, older, newer).lacks_asked_kind


@dataclass(frozen=True, eq=False)
class _Pair:
    asked: AskedSubject
    older: Statement
    newer: Statement

    @cached_property
    def base(self) -> frozenset[str]:
        """The terms of the older one and of the question."""
        return self.asked.terms | self.older.content.terms

    @cached_property
    def missing(self) -> frozenset[str]:
        """The terms that the question and the older one share, and the newer one lacks."""
        return (self.asked.terms & self.older.content.terms) - self.newer.terms

    @cached_property
    def closest(self) -> Aspect:
        """The sentence of the newer one that is closest to what the older one is about."""
        said = self.newer.content.asserted_aspects or self.newer.content.aspects
        if len(said) == 1:
            return said[0]
        return max(said, key=lambda one: len(one.terms & self.base))

    @property
    def is_clearly_about_another(self) -> bool:
        """Whether it is plainly about something else."""
        return (
            self.is_about_family
            or self.is_about_other_speaker
            or self.is_about_another_name
            or self.is_about_another_owner
            or self.is_about_another_kind
            or self.has_another_subject
        )

    @property
    def is_about_family(self) -> bool:
        """Whether it is about somebody of my family, or a client."""
        return any(word in KIN and self._is_new_word(word) for word in self.closest.lead)

    @property
    def is_about_other_speaker(self) -> bool:
        """Whether I ask about what is mine, and somebody else speaks of theirs."""
        return self._are_two_speakers and self.asked.aspect.is_first and self.closest.is_first

    @property
    def is_about_another_name(self) -> bool:
        """Whether I ask about somebody's own, and its subject is another name."""
        told, is_personal = self.closest, bool(self._named) or self.asked.aspect.is_first
        if not is_personal or told.is_first or _WHO.search(self.asked.question.text):
            return False
        lead = told.lead[:1] if len(told.lead) <= _NAMED_LEAD_MAX else ()
        return any(lead == (name.lower(),) and self._is_new_word(name) for name in told.names[:1])

    @property
    def is_about_another_owner(self) -> bool:
        """Whether it is about Lina's pocket money, and Finn's was asked for."""
        owner = self.closest.owner
        return bool(owner and self.missing and self._owned & self.base) and self._is_new_word(owner)

    @property
    def is_by_another_speaker(self) -> bool:
        """Whether the person in question said the older one, and somebody else the newer."""
        return (
            self._are_two_speakers
            and bool(self._named)
            and not self.newer.content.terms & self._named
        )

    @property
    def is_another_speakers_own(self) -> bool:
        """Whether somebody else says it of themselves."""
        return self.is_by_another_speaker and self.closest.is_first

    @property
    def is_about_another_kind(self) -> bool:
        """Whether it is about the staging cluster, and production was asked for."""
        asked = _by_class(self.asked.aspect.kinds)
        if not asked:  # Few questions name a member of a class, and the search takes long.
            return False
        told = _by_class(self.closest.kinds)
        known = _by_class(chain.from_iterable(one.kinds for one in self.older.content.aspects))
        return any(
            told[number] and not told[number] & (kinds | known[number])
            for number, kinds in asked.items()
        )

    @property
    def has_another_subject(self) -> bool:
        """Whether it names what changed, and neither the older one nor the question does."""
        told = self.closest
        return (
            told.is_changed
            and bool(self.missing)
            and bool(told.topic)
            and not (told.topic & self.base)
        )

    @property
    def is_about_a_part(self) -> bool:
        """Whether it is about the boat's engine, and the boat was asked for."""
        owner = self.closest.owner
        return bool(owner and self._owned) and not (
            self._is_new_word(owner) or self._owned & self.base
        )

    @property
    def has_another_modifier(self) -> bool:
        """Whether it is about the docs site or team Heron, not the shop's site or team Falcon."""
        if not self.missing:
            return False
        known = {
            *self.asked.aspect.pairs,
            *chain.from_iterable(a.pairs for a in self.older.content.aspects),
        }
        apart = {head for modifier, head in known if modifier in self.missing}
        named = {modifier for modifier, head in known if head in self.missing}
        return any(
            (head in apart and modifier not in self.base)
            or (modifier in named and head in self.closest.capitals and head not in self.base)
            for modifier, head in self.closest.pairs
        )

    @property
    def lacks_a_name(self) -> bool:
        """Whether it lacks a name that the question and the older one contain."""
        return bool(self.asked.names & self.missing)

    @property
    def has_only_the_name(self) -> bool:
        """Whether both share only the name in the question, and it tells no change."""
        names = self.asked.names
        both = self.older.content.terms & self.newer.content.terms
        return bool(both) and both <= names and not self.newer.content.stance.tells_change

    @property
    def lacks_asked_kind(self) -> bool:
        """Whether a person, number or time is asked for, and it has none."""
        text, said = self.asked.question.text, self.newer.content.stance.asserted
        if _WHO.search(text):
            names = chain(
                NAME.findall("; ".join(said)),
                *(one.names for one in self.newer.content.asserted_aspects),
            )
            return not self.closest.is_first and not any(map(self._is_new_word, names))
        if _WHEN.search(text):
            return not any(map(_TIME.search, said))
        if _WHERE.search(text):
            return not any(map(_SOMEWHERE.search, said))
        return bool(_COUNT.search(text)) and not any(map(_NUMBER.search, said))

    @cached_property
    def _owned(self) -> frozenset[str]:
        """The terms of what its subject says that the owner has: "pocket money"."""
        owner, lead = self.closest.owner, self.closest.lead
        return frozenset(index_terms(" ".join(lead[lead.index(owner) + 1 :]))) if owner else _NONE

    @property
    def _named(self) -> frozenset[str]:
        """The terms of the older one's speaker, if the question contains them."""
        return frozenset(index_terms(self.older.episode.speaker)) & self.asked.terms

    @property
    def _are_two_speakers(self) -> bool:
        """Whether two people speak; an assistant speaks for whoever asked."""
        voices = {_speaker(self.older.episode), _speaker(self.newer.episode)}
        return len(voices) > 1 and Role.ASSISTANT.value not in voices

    def _is_new_word(self, word: str) -> bool:
        return not self.base.issuperset(index_terms(word))


def _by_class(kinds: Iterable[tuple[int, int]]) -> Mapping[int, set[int]]:
    found: defaultdict[int, set[int]] = defaultdict(set)
    for number, kind in kinds:
        found[number].add(kind)
    return found


def _speaker(episode: Episode) -> str:
    return episode.speaker.casefold() or episode.role.value
