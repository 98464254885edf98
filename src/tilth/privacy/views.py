"""
A text seen another way, with the way back to where each part came from.

Secrets are looked for in folded and decoded views of a text, and cut out of the
text itself, so every view can answer: which stretch of the original is this?
"""

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple, Self

from tilth.privacy.folding import folded

_PLAIN = frozenset(map(chr, (*range(0x20, 0x7F), 0x09, 0x0A, 0x0D)))


class Edit(NamedTuple):
    """The stretch from *start* to *end* was replaced by *length* characters."""

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
            return edit.start, edit.end
        return edit.end + beyond, edit.end + beyond + 1


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
        """Return *text* folded, as `tilth.privacy.folding` does it."""
        data = text.encode("ascii", "replace")
        rare = set(text) - _PLAIN
        changes = {character: folded(character) for character in rare}
        changes = {old: new for old, new in changes.items() if new != old}
        if not changes:
            return cls(data)
        edits = [
            (position, position + 1, changes[character].encode("ascii", "replace"))
            for position, character in enumerate(text)
            if character in changes
        ]
        return cls(data).rewritten(edits)

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
