"""
Blocking: choose which names are worth comparing, by keys instead of reading all names.

A store keeps the `blocking_keys` of every name, counts how many names share each key of a new one,
and reads the names with most weight by `worth_asking`. Rare keys weigh most, so a name among
100,000 is compared with a few hundred.
"""

import functools
import math
from collections.abc import Iterator, Mapping

from tilth.core.dataclass import dataclass
from tilth.core.text.names import name_key, skeleton
from tilth.core.text.pattern import pattern
from tilth.core.text.tokens import fold

# A key of more names than this brings too many of them, and tells too little.
POSTINGS_MAX = 2000
CANDIDATES_MAX = 200

_GRAM = 3
# In characters. Longer words are cut, and still found by their beginning.
_WORD_CHARS_MAX = 40
_WORD = pattern(r"[^\W_]+")
_INITIALS_MIN = 2
_INITIALS_MAX = 8
# Words that initials mostly omit.
_SMALL_WORDS = "a an and at by de del di du for from in la le of on or the to und von"
_SMALL = frozenset(_SMALL_WORDS.split())


@dataclass(frozen=True, slots=True)
class Parts:
    """A name taken apart: its words without accents, and their runs of three characters."""

    words: tuple[str, ...]
    grams: frozenset[str]
    initials: frozenset[str]

    @property
    def joined(self) -> str:
        """The name without anything between its words."""
        return "".join(self.words)


@functools.lru_cache(1 << 15)
def parts(name: str) -> Parts:
    """Take *name* apart."""
    words = tuple(word[:_WORD_CHARS_MAX] for word in _WORD.findall(fold(name_key(name)).casefold()))
    grams = frozenset(gram for word in words for gram in _grams(word))
    return Parts(words, grams, frozenset(_initials(words)))


def blocking_keys(name: str) -> frozenset[str]:
    """
    Return the keys under which *name* is found, each with a mark of its kind.

    `=` its key, `~` its skeleton, `+` its joined words, `@` its initials (or itself, where it may
    be the initials of another), `:` a word, and bare runs of three characters.
    """
    apart = parts(name)
    found = {f"={name_key(name)}", f"~{skeleton(name)}", f"+{apart.joined}"}
    found |= {f"@{initials}" for initials in apart.initials}
    if len(apart.words) == 1 and _INITIALS_MIN <= len(apart.joined) <= _INITIALS_MAX:
        found.add(f"@{apart.joined}")
    return frozenset(found.union((f":{word}" for word in apart.words), apart.grams))


def worth_asking(counts: Mapping[str, int], total: int) -> dict[str, float]:
    """
    Return the keys that are worth following, each with its weight.

    Args:
        counts: How many names share each key of the new name, counted up to `POSTINGS_MAX`.
        total: How many names there are.
    """
    return {
        key: math.log1p(total / count) for key, count in counts.items() if 0 < count <= POSTINGS_MAX
    }


def _grams(word: str) -> Iterator[str]:
    framed = f" {word} "
    return (framed[at : at + _GRAM] for at in range(len(framed) - _GRAM + 1))


def _initials(words: tuple[str, ...]) -> Iterator[str]:
    for taken in (words, [word for word in words if word not in _SMALL]):
        if _INITIALS_MIN <= len(taken) <= _INITIALS_MAX:
            yield "".join(word[0] for word in taken)
