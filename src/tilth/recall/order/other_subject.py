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
from tilth.recall.order.statement import Said
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
class Asked:
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

    def is_of_another(self, older: Said, newer: Said) -> bool:
        """Say whether *newer* is about another person or thing than *older*."""
        pair = _Pair(self, older, newer)
        return (
            pair.is_apart
            or pair.is_anothers
            or pair.has_another_modifier
            or pair.is_of_a_part
            or pair.lacks_a_name
            or pair.has_only_the_name
        )

    def is_apart(self, older: Said, newer: Said) -> bool:
        """Say whether that is plain enough to put *newer* behind *older*."""
        pair = _Pair(self, older, newer)
        is_changed = newer.spoken.stance.tells_change
        return pair.is_apart or (is_changed and (pair.has_another_modifier or pair.is_anothers_own))

    def is_answered_by(self, older: Said, newer: Said) -> bool:
        """Say whether *newer* contains a person, number or time, if the question asks for one."""
        return not _Pair(self, older, newer).lacks_what_is_asked


@dataclass(frozen=True, eq=False)
class _Pair:
    asked: Asked
    older: Said
    newer: Said

    @cached_property
    def base(self) -> frozenset[str]:
        """The terms of the older one and of the question."""
        return self.asked.terms | self.older.spoken.terms

    @cached_property
    def missing(self) -> frozenset[str]:
        """The terms that the question and the older one share, and the newer one lacks."""
        return (self.asked.terms & self.older.spoken.terms) - self.newer.terms

    @cached_property
    def told(self) -> Aspect:
        """The sentence of the newer one that is closest to what the older one is about."""
        said = self.newer.spoken.told or self.newer.spoken.aspects
        if len(said) == 1:
            return said[0]
        return max(said, key=lambda one: len(one.terms & self.base))

    @property
    def is_apart(self) -> bool:
        """Whether it is plainly about something else."""
        return (
            self.is_of_family
            or self.is_of_another_self
            or self.is_of_another_name
            or self.is_of_another_owner
            or self.is_of_another_kind
            or self.is_of_another_subject
        )

    @property
    def is_of_family(self) -> bool:
        """Whether it is about somebody of my family, or a client."""
        return any(word in KIN and self._is_new(word) for word in self.told.lead)

    @property
    def is_of_another_self(self) -> bool:
        """Whether I ask about what is mine, and somebody else speaks of theirs."""
        return self._are_two_voices and self.asked.aspect.is_first and self.told.is_first

    @property
    def is_of_another_name(self) -> bool:
        """Whether I ask about somebody's own, and its subject is another name."""
        told, is_personal = self.told, bool(self._named) or self.asked.aspect.is_first
        if not is_personal or told.is_first or _WHO.search(self.asked.question.text):
            return False
        lead = told.lead[:1] if len(told.lead) <= _NAMED_LEAD_MAX else ()
        return any(lead == (name.lower(),) and self._is_new(name) for name in told.names[:1])

    @property
    def is_of_another_owner(self) -> bool:
        """Whether it is about Lina's pocket money, and Finn's was asked for."""
        owner = self.told.owner
        return bool(owner and self.missing and self._owned & self.base) and self._is_new(owner)

    @property
    def is_anothers(self) -> bool:
        """Whether the person in question said the older one, and somebody else the newer."""
        return (
            self._are_two_voices and bool(self._named) and not self.newer.spoken.terms & self._named
        )

    @property
    def is_anothers_own(self) -> bool:
        """Whether somebody else says it of themselves."""
        return self.is_anothers and self.told.is_first

    @property
    def is_of_another_kind(self) -> bool:
        """Whether it is about the staging cluster, and production was asked for."""
        asked = _by_class(self.asked.aspect.kinds)
        if not asked:  # Few questions name a member of a class, and the search takes long.
            return False
        told = _by_class(self.told.kinds)
        known = _by_class(chain.from_iterable(one.kinds for one in self.older.spoken.aspects))
        return any(
            told[number] and not told[number] & (kinds | known[number])
            for number, kinds in asked.items()
        )

    @property
    def is_of_another_subject(self) -> bool:
        """Whether it names what changed, and neither the older one nor the question does."""
        told = self.told
        return (
            told.is_changed
            and bool(self.missing)
            and bool(told.topic)
            and not (told.topic & self.base)
        )

    @property
    def is_of_a_part(self) -> bool:
        """Whether it is about the boat's engine, and the boat was asked for."""
        owner = self.told.owner
        return bool(owner and self._owned) and not (self._is_new(owner) or self._owned & self.base)

    @property
    def has_another_modifier(self) -> bool:
        """Whether it is about the docs site or team Heron, not the shop's site or team Falcon."""
        if not self.missing:
            return False
        known = {
            *self.asked.aspect.pairs,
            *chain.from_iterable(a.pairs for a in self.older.spoken.aspects),
        }
        apart = {head for modifier, head in known if modifier in self.missing}
        named = {modifier for modifier, head in known if head in self.missing}
        return any(
            (head in apart and modifier not in self.base)
            or (modifier in named and head in self.told.capitals and head not in self.base)
            for modifier, head in self.told.pairs
        )

    @property
    def lacks_a_name(self) -> bool:
        """Whether it lacks a name that the question and the older one contain."""
        return bool(self.asked.names & self.missing)

    @property
    def has_only_the_name(self) -> bool:
        """Whether both share only the name in the question, and it tells no change."""
        names = self.asked.names
        both = self.older.spoken.terms & self.newer.spoken.terms
        return bool(both) and both <= names and not self.newer.spoken.stance.tells_change

    @property
    def lacks_what_is_asked(self) -> bool:
        """Whether a person, number or time is asked for, and it has none."""
        text, said = self.asked.question.text, self.newer.spoken.stance.told
        if _WHO.search(text):
            names = chain(
                NAME.findall("; ".join(said)), *(one.names for one in self.newer.spoken.told)
            )
            return not self.told.is_first and not any(map(self._is_new, names))
        if _WHEN.search(text):
            return not any(map(_TIME.search, said))
        if _WHERE.search(text):
            return not any(map(_SOMEWHERE.search, said))
        return bool(_COUNT.search(text)) and not any(map(_NUMBER.search, said))

    @cached_property
    def _owned(self) -> frozenset[str]:
        """The terms of what its subject says that the owner has: "pocket money"."""
        owner, lead = self.told.owner, self.told.lead
        return frozenset(index_terms(" ".join(lead[lead.index(owner) + 1 :]))) if owner else _NONE

    @property
    def _named(self) -> frozenset[str]:
        """The terms of the older one's speaker, if the question contains them."""
        return frozenset(index_terms(self.older.episode.speaker)) & self.asked.terms

    @property
    def _are_two_voices(self) -> bool:
        """Whether two people speak; an assistant speaks for whoever asked."""
        voices = {_voice(self.older.episode), _voice(self.newer.episode)}
        return len(voices) > 1 and Role.ASSISTANT.value not in voices

    def _is_new(self, word: str) -> bool:
        return not self.base.issuperset(index_terms(word))


def _by_class(kinds: Iterable[tuple[int, int]]) -> Mapping[int, set[int]]:
    found: defaultdict[int, set[int]] = defaultdict(set)
    for number, kind in kinds:
        found[number].add(kind)
    return found


def _voice(episode: Episode) -> str:
    return episode.speaker.casefold() or episode.role.value
