"""
Characters as a reader means them: compatibility forms folded, invisible ones gone.

A zero-width space in the middle of a token, or full-width letters, would hide it
from every pattern. Folding is per character, so positions stay traceable.
"""

import unicodedata
from functools import lru_cache

# Non-spacing and enclosing marks, format characters (zero-width, bidi, tags), controls.
_UNSEEN_CATEGORIES = frozenset({"Mn", "Me", "Cf", "Cc"})
_KEPT_CONTROLS = frozenset("\t\n\v\f\r\x1b")  # spaces, and the escape that `decoding` reads

# Default_Ignorable_Code_Point (Unicode DerivedCoreProperties) outside those categories:
# Hangul fillers and the ranges that are reserved for format characters.
_UNSEEN_CHARACTERS = frozenset("\u115f\u1160\u2065\u3164\uffa0")
_UNSEEN_RANGES = ((0xFFF0, 0xFFF8), (0xE0000, 0xE0FFF))


@lru_cache(maxsize=8192)
def folded(character: str) -> str:
    """Return what *character* stands for under NFKC: nothing when it cannot be seen."""
    if character in _KEPT_CONTROLS:
        return character
    if _is_unseen(character):
        return ""
    return unicodedata.normalize("NFKC", character)


def _is_unseen(character: str) -> bool:
    code = ord(character)
    return (
        unicodedata.category(character) in _UNSEEN_CATEGORIES
        or character in _UNSEEN_CHARACTERS
        or any(first <= code <= last for first, last in _UNSEEN_RANGES)
    )
