"""
The stem of an English word, by Porter's algorithm.

As it is told in "An algorithm for suffix stripping" (Program 14, 1980) and made exact at
snowballstem.org: a word loses its endings in five steps, as long as enough of it stays. What is
enough is counted in regions: the first begins behind the first consonant after a vowel, the
second behind the first consonant after a vowel of that.
"""

import re
from collections.abc import Mapping

_VOWELS = frozenset("aeiouy")
_REGION = re.compile(r"[^aeiouy]*[aeiouy]+[^aeiouy]")
_VOWEL = re.compile(r"[aeiouy]")
# A short syllable ends in consonant, vowel, consonant, and the last is none of these.
_NO_SHORT_END = frozenset("aeiouywxY")
_DOUBLES = frozenset(("bb", "dd", "ff", "gg", "mm", "nn", "pp", "rr", "tt"))
_LENGTHENED = frozenset(("at", "bl", "iz"))
_DERIVED = {
    "ational": "ate", "tional": "tion", "enci": "ence", "anci": "ance", "abli": "able",
    "entli": "ent", "eli": "e", "izer": "ize", "ization": "ize", "ation": "ate", "ator": "ate",
    "alli": "al", "alism": "al", "aliti": "al", "fulness": "ful", "ousli": "ous",
    "ousness": "ous", "iveness": "ive", "iviti": "ive", "biliti": "ble",
}  # fmt: skip
_DERIVED_AGAIN = {
    "alize": "al", "icate": "ic", "iciti": "ic", "ical": "ic", "ative": "", "ful": "", "ness": "",
}  # fmt: skip
_LAST = dict.fromkeys(
    ("al", "ance", "ence", "er", "ic", "able", "ible", "ant", "ement", "ment", "ent", "ou", "ism",
     "ate", "iti", "ous", "ive", "ize", "ion"), "",
)  # fmt: skip

_ENDING_CHARS_MAX = max(map(len, (*_DERIVED, *_DERIVED_AGAIN, *_LAST)))


def porter(word: str) -> str:
    """Return the stem of *word*, which is of small letters from a to z."""
    word = _marked(word)
    found = _REGION.match(word)
    first = found.end() if found else len(word)
    found = _REGION.match(word, first)
    second = found.end() if found else len(word)
    word = _without_plural(word)
    word = _without_past(word, first)
    if word[-1:] in {"y", "Y"} and _VOWEL.search(word, 0, len(word) - 1):
        word = f"{word[:-1]}i"
    word = _replaced(word, _DERIVED, first)
    word = _replaced(word, _DERIVED_AGAIN, first)
    word = _without_last(word, second)
    return _without_e(word, first, second).replace("Y", "y")


def _marked(word: str) -> str:
    """Return *word* with each "y" written large that is a consonant: first, or behind a vowel."""
    if "y" not in word:
        return word
    letters, before = [], "a"
    for letter in word:
        before = "Y" if letter == "y" and before in _VOWELS else letter
        letters.append(before)
    return "".join(letters)


def _without_plural(word: str) -> str:
    if word.endswith(("sses", "ies")):
        return word[:-2]
    return word[:-1] if word.endswith("s") and not word.endswith("ss") else word


def _without_past(word: str, first: int) -> str:
    if word.endswith("eed"):
        return word[:-1] if len(word) - len("eed") >= first else word
    ending = next((one for one in ("ed", "ing") if word.endswith(one)), "")
    stem = word[: len(word) - len(ending)]
    if not ending or not _VOWEL.search(stem):
        return word
    if stem[-2:] in _LENGTHENED:
        return f"{stem}e"
    if stem[-2:] in _DOUBLES:
        return stem[:-1]
    return f"{stem}e" if len(stem) == first and _is_short(stem) else stem


def _is_short(word: str) -> bool:
    """Say whether *word* ends in a short syllable."""
    before, vowel, end = word[-3:-2], word[-2:-1], word[-1:]
    is_short = bool(before) and before not in _VOWELS and vowel in _VOWELS
    return is_short and end not in _NO_SHORT_END


def _ending(word: str, known: Mapping[str, str]) -> str:
    """Return the longest of *known* that *word* ends with; empty if it ends with none."""
    for count in range(_ENDING_CHARS_MAX, 1, -1):
        if (end := word[-count:]) in known:
            return end
    return ""


def _replaced(word: str, endings: Mapping[str, str], first: int) -> str:
    end = _ending(word, endings)
    begin = len(word) - len(end)
    return word[:begin] + endings[end] if end and begin >= first else word


def _without_last(word: str, second: int) -> str:
    end = _ending(word, _LAST)
    begin = len(word) - len(end)
    if not end or begin < second or (end == "ion" and word[begin - 1] not in "st"):
        return word
    return word[:begin]


def _without_e(word: str, first: int, second: int) -> str:
    begin = len(word) - 1
    is_surplus = begin >= second or (begin >= first and not _is_short(word[:-1]))
    if word.endswith("e") and is_surplus:
        word = word[:-1]
    return word[:-1] if word.endswith("ll") and len(word) > second else word
