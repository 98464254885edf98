"""
Transformed views of a text, with the way back to the position of each part.

Secrets are looked for in folded and decoded views of a text, and cut out of the text itself, so
every view can answer: which stretch of the original is this?

A text is folded to the characters that a reader means: compatibility forms are plain, invisible
ones are gone. A zero-width space in the middle of a token, or full-width letters, would hide it
from every pattern. Folding is per character, so positions stay traceable.
"""

import re
import unicodedata
from bisect import bisect_right
from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple, Self

from tilth.core.dataclass import dataclass

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


_PLAIN = frozenset(map(chr, (*range(0x20, 0x7F), 0x09, 0x0A, 0x0D)))


class Edit(NamedTuple):
    """
    The stretch from *start* to *end* was replaced by *length* characters.

    Where the one length divides the other, as in a run of equal escapes, each new
    character stands for an equal share.
    """

    start: int
    end: int
    length: int


class Trail:
    """The way back from a rewritten text, as the ordered edits that made it."""

    def __init__(self, edits: Sequence[Edit]) -> None:
        self._edits = edits
        self._at: list[int] = []  # where each replacement begins in the new text
        shift = 0
        for edit in edits:
            self._at.append(edit.start + shift)
            shift += edit.length - (edit.end - edit.start)

    def origin(self, start: int, end: int) -> tuple[int, int]:
        """Return the stretch of the old text that became *start* to *end* of the new."""
        return self._trace(start)[0], self._trace(end - 1)[1]

    def _trace(self, position: int) -> tuple[int, int]:
        index = bisect_right(self._at, position) - 1
        if index < 0:
            return position, position + 1
        edit = self._edits[index]
        beyond = position - self._at[index] - edit.length
        if beyond < 0:
            return _equal_share(edit, position - self._at[index])
        return edit.end + beyond, edit.end + beyond + 1


def _equal_share(edit: Edit, index: int) -> tuple[int, int]:
    share, rest = divmod(edit.end - edit.start, edit.length)
    if rest or not share:
        return edit.start, edit.end
    return edit.start + index * share, edit.start + (index + 1) * share


@dataclass(frozen=True, slots=True)
class View:
    """
    One byte for each character of a rewritten text.

    Patterns are ASCII, so every other character is the one byte `?`, and RE2 runs
    on positions that need no translation.
    """

    data: bytes
    trails: tuple[Trail, ...] = ()

    @classmethod
    def of(cls, text: str) -> Self:
        """Return *text* folded, as `folded` does it."""
        rare = set(text) - _PLAIN
        changes = {old: new for old in rare if (new := folded(old)) != old}
        same_length = {ord(old): new for old, new in changes.items() if len(new) == 1}
        others = {old: new for old, new in changes.items() if len(new) != 1}
        data = (text.translate(same_length) if same_length else text).encode("ascii", "replace")
        return cls(data).rewritten(_edits(text, others)) if others else cls(data)

    def rewritten(self, edits: Sequence[tuple[int, int, bytes]]) -> Self:
        """Return the view in which each (start, end, replacement) has been applied."""
        pieces: list[bytes] = []
        at = 0
        for start, end, replacement in edits:
            pieces += (self.data[at:start], replacement)
            at = end
        pieces.append(self.data[at:])
        trail = Trail([Edit(start, end, len(new)) for start, end, new in edits])
        return type(self)(b"".join(pieces), (*self.trails, trail))

    def origin(self, start: int, end: int) -> tuple[int, int]:
        """Return the stretch of the original text behind *start* to *end* of the data."""
        for trail in reversed(self.trails):
            start, end = trail.origin(start, end)
        return start, end


def _edits(text: str, changes: dict[str, str]) -> list[tuple[int, int, bytes]]:
    """Return the edits that make *changes* in *text*; characters that go together are one."""
    gone = "".join(sorted(old for old, new in changes.items() if not new))
    longer = "".join(sorted(old for old, new in changes.items() if new))
    kinds = [f"[{re.escape(gone)}]+"] * bool(gone) + [f"[{re.escape(longer)}]"] * bool(longer)
    return [
        (*match.span(), changes[match.group()[0]].encode("ascii", "replace"))
        for match in re.finditer("|".join(kinds), text)
    ]
