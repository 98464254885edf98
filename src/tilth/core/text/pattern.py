"""
Patterns that are compiled on first use, and word lists that need no pattern.

The modules that a command loads declare hundreds, and most commands look for few of them; to
compile them all takes longer than such a command does (docs/adr/0024-start-up.md).
"""

import re
import sys
from collections.abc import Callable
from functools import lru_cache
from typing import Any, AnyStr, cast


class _Pattern:
    """A proxy for a compiled pattern, which keeps each method that was used."""

    def __init__(self, text: str | bytes, compiled: Callable[[], Any]) -> None:
        self.pattern = text
        self._compiled = compiled

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401 - the pattern's
        # `re` and RE2 keep what they compiled last, and each method is asked for once.
        found = getattr(self._compiled(), name)
        setattr(self, name, found)
        return found


def pattern(text: AnyStr, flags: int = 0) -> re.Pattern[AnyStr]:
    """Return a lazy `re.compile(text, flags)`."""
    return cast("re.Pattern[AnyStr]", _Pattern(text, lambda: re.compile(text, flags)))


def linear(text: bytes) -> Any:  # noqa: ANN401 - re2 has no types
    """Return a lazy `re2.compile(text)`, which loads RE2 on first use."""

    def compiled() -> Any:  # noqa: ANN401 - likewise
        import re2  # noqa: PLC0415 - for who looks through much

        return re2.compile(text)

    return _Pattern(text, compiled)


class AnyPart:
    """
    Matches a text that contains one of some parts, anywhere and in any case.

    Args:
        said: Words and phrases separated by commas, in small letters.
    """

    def __init__(self, said: str) -> None:
        self._parts = _listed(said)

    def search(self, text: str) -> bool:
        """Say whether *text* holds one of them."""
        there = text.lower()
        return any(one in there for one in self._parts)


class AnyOf:
    r"""
    Matches a text that contains one of some whole words and phrases, in any case.

    It finds what `\b(?:…|…)\b` finds, and compiles nothing: the words of a text are a set, which
    all lists share.

    Args:
        said: Words and phrases separated by commas, in small letters; one that ends with "…" is the
            beginning of a word.
    """

    def __init__(self, said: str) -> None:
        every = _listed(said)
        whole = [one for one in every if not one.endswith("…")]
        self._words = frozenset(one for one in whole if one.isalnum())
        self._phrases = tuple(one for one in whole if not one.isalnum())
        self._beginnings = tuple(one[:-1] for one in every if one.endswith("…"))

    def search(self, text: str) -> bool:
        """Say whether *text* has one of them."""
        there = text.lower()
        words = _words_in(there)
        return (
            not self._words.isdisjoint(words)
            or any(_is_whole(one, there) for one in self._phrases)
            or (bool(self._beginnings) and any(one.startswith(self._beginnings) for one in words))
        )


def _listed(said: str) -> list[str]:
    return [" ".join(one.split()) for one in said.split(",")]


_WORD = pattern(r"\w+")
_TEXTS_KEPT = 64


@lru_cache(maxsize=_TEXTS_KEPT)
def _words_in(text: str) -> frozenset[str]:
    return frozenset(_WORD.findall(text))


def _is_whole(phrase: str, text: str) -> bool:
    """Say whether a phrase stands in *text* with no letter, digit or score around it."""
    at = text.find(phrase)
    while at >= 0:
        end = at + len(phrase)
        if not (_is_of_a_word(text[max(at - 1, 0) : at]) or _is_of_a_word(text[end : end + 1])):
            return True
        at = text.find(phrase, at + 1)
    return False


def _is_of_a_word(char: str) -> bool:
    return char.isalnum() or char == "_"


class Worded:
    """
    A pattern with required words; a text without them is not searched.

    Args:
        text: The pattern; it ignores case.
        flags: Further flags.
        needs: What every match contains: one of the words of each text, separated by spaces
            and possibly parts of words, or what another matcher finds.
    """

    def __init__(self, text: str, *needs: "str | AnyPart | AnyOf", flags: int = 0) -> None:
        self._needs = [
            AnyPart(", ".join(one.split())) if isinstance(one, str) else one for one in needs
        ]
        self._form = pattern(text, flags | re.IGNORECASE)

    def search(self, text: str, start: int = 0, stop: int = sys.maxsize) -> re.Match[str] | None:
        """Return the first match between *start* and *stop*; None if there is none."""
        return self._form.search(text, start, stop) if self._may_be_in(text[start:stop]) else None

    def match(self, text: str) -> re.Match[str] | None:
        """Return the match at the beginning of *text*; None if there is none."""
        return self._form.match(text) if self._may_be_in(text) else None

    def _may_be_in(self, text: str) -> bool:
        return any(letter in text for letter in _OF_MORE_CASES) or all(
            one.search(text) for one in self._needs
        )


# Beside their large and small form an s and an i have these, to whoever passes over case.
_OF_MORE_CASES = "\u017f\u0130\u0131"
