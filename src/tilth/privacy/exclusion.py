"""
Excluded terms: left out of what is read, known and shown (KB-113).

A term is one where words end, or, in scripts that put nothing between words, wherever it stands. It
is covered and not cut, so that every place in a text stays one. The record itself is not touched:
who takes a term off the list has everything back, and `tilth erase` is there for the rest.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import fields, is_dataclass, replace
from enum import Enum
from functools import cached_property
from typing import Any, TypeVar

from tilth.core.dataclass import dataclass
from tilth.core.errors import ForbiddenError, InvalidInputError, LimitExceededError
from tilth.core.text.pattern import pattern

TERMS_MAX = 200
TERM_CHARS_MAX = 100
# A term with what may stand between its words.
_REACH_CHARS = 2 * TERM_CHARS_MAX
COVER = "█"
# What a text ends with that was cut. Fewer letters before it may be of any word.
CUT = "…"
_BEGUN_CHARS_MIN = 3
_CUTS = pattern(rf"(?<!{CUT}){CUT}")
# Thai to Myanmar, kana, the ideographs with their extensions, Hangul: no space tells their words.
_UNSPACED = pattern(
    "[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff"
    "\uac00-\ud7af\uf900-\ufaff\U00020000-\U0003ffff]"
)

_T = TypeVar("_T")


@dataclass(frozen=True)
class Exclusion:
    """The terms that are left out; without any, nothing changes and nothing is looked at."""

    terms: tuple[str, ...] = ()

    def covered(self, text: str) -> str:
        """Return *text* in its length, with every term covered."""
        if not self.terms:
            return text
        covered = self._pattern.sub(lambda found: COVER * len(found[0]), text)
        return self._without_begun(covered) if CUT in covered else covered

    def hides(self, text: str) -> bool:
        """Say whether a term stands in *text*."""
        return self.covered(text) != text

    def refuse(self, words: Iterable[str], becomes: str) -> None:
        """
        Refuse what would keep one of the terms.

        Args:
            words: All that it says.
            becomes: What nothing of that becomes, such as "a fact".

        Raises:
            ForbiddenError: one of the terms stands in *words*.
        """
        said = " ".join(words)
        if self.hides(said):
            raise ForbiddenError(
                f"a word in it is excluded, and nothing of that becomes {becomes}",
                hint="see the setting excluded_terms: tilth settings",
            )

    def shown(self, value: _T) -> _T:
        """Return *value* with every term covered in all its texts: of mappings the values alone."""
        return self._shown(value) if self.terms else value

    def _shown(self, value: Any) -> Any:  # noqa: ANN401 - whatever is told
        match value:
            case Enum():
                return value
            case str():
                return self.covered(value)
            case Mapping():
                return {key: self._shown(one) for key, one in value.items()}
            case tuple() | list() if not hasattr(value, "_fields"):
                return type(value)(map(self._shown, value))
            case _ if is_dataclass(value) and not isinstance(value, type):
                told = {
                    one.name: self._shown(getattr(value, one.name))
                    for one in fields(value)
                    if one.init
                }
                return replace(value, **told)
            case _:
                return value

    @cached_property
    def _pattern(self) -> re.Pattern[str]:
        longest_first = sorted(self.terms, key=len, reverse=True)
        return re.compile("|".join(map(_pattern_of, longest_first)), re.IGNORECASE)

    @cached_property
    def _begun(self) -> frozenset[str]:
        """What may be left of a term where a text was cut in it."""
        begun = {
            term[:end].rstrip().casefold() for term in self.terms for end in range(1, len(term))
        }
        return frozenset(
            one for one in begun if len(one) >= _BEGUN_CHARS_MIN or _UNSPACED.match(one)
        )

    def _without_begun(self, text: str) -> str:
        """Cover what is left of a term before each cut."""
        parts, done = [], 0
        for cut in _CUTS.finditer(text):
            whole = text[max(done, cut.start() - _REACH_CHARS) : cut.start()]
            before = whole.rstrip()
            begun = (
                start
                for start in _starts(before)
                if " ".join(before[start:].split()).casefold() in self._begun
            )
            begin = next(begun, len(before))
            at = cut.start() - len(whole)
            parts += [text[done : at + begin], COVER * (len(before) - begin)]
            done = at + len(before)
        return "".join([*parts, text[done:]])


def parse_exclusion(words: Sequence[str]) -> Exclusion:
    """
    Read the terms that are to be left out.

    Raises:
        InvalidInputError: a term has nothing in it that could be found.
        LimitExceededError: there are more, or longer ones, than are looked for.
    """
    terms = tuple(dict.fromkeys(" ".join(word.split()) for word in words))
    if len(terms) > TERMS_MAX or any(len(term) > TERM_CHARS_MAX for term in terms):
        raise LimitExceededError(
            f"at most {TERMS_MAX} terms are left out, of {TERM_CHARS_MAX} characters each"
        )
    for term in terms:
        if not any(char.isalnum() for char in term):
            raise InvalidInputError(f"{term!r} cannot be left out: it has neither letter nor digit")
    return Exclusion(terms)


def _starts(text: str) -> Iterator[int]:
    """Yield where a term may begin."""
    for at, char in enumerate(text):
        if not char.isspace() and (at == 0 or not _is_word(text[at - 1]) or _UNSPACED.match(char)):
            yield at


def _pattern_of(term: str) -> str:
    words = r"\s+".join(map(re.escape, term.split()))
    first = "" if _UNSPACED.match(term[0]) or not _is_word(term[0]) else r"(?<!\w)"
    last = "" if _UNSPACED.match(term[-1]) or not _is_word(term[-1]) else r"(?!\w)"
    return f"{first}{words}{last}"


def _is_word(char: str) -> bool:
    return char.isalnum() or char == "_"
