"""
Remove private spans, which stand between `<private>` and `</private>`.

A tokenizer, not a pattern: tags nest, carry attributes, come in any case, may be split between
chunks of a stream, and may be disguised with full-width or invisible characters. Whatever is in
doubt is private: an unclosed tag lasts to the end. A removed span leaves the marker `[private]`, so
that a reader knows of the gap.
"""

import re
from enum import IntEnum, auto

from tilth.core.dataclass import dataclass
from tilth.core.text.pattern import pattern
from tilth.privacy.text_views import View, folded

MARKER = "[private]"
_NAME = "private"
# Every character that NFKC folds to "<", unless what follows it can be no tag of ours.
_OPENER = pattern("[<\ufe64\uff1c](?![ -.0-;=-OQ-oq-~\t\n\r])")
# A tag of ours, as it reads once the text is folded; a space that is not ASCII reads as "?".
_NAMED = pattern(rb"<(?:/[\s?]*)?private", re.IGNORECASE)
# A whole tag without attributes, as people write it: read in one step instead of one by one.
_SIMPLE = pattern(r"<(/?)private[ \t\r\n]*(/?)>", re.IGNORECASE | re.ASCII)
_QUOTES = "\"'"


@dataclass(frozen=True, slots=True)
class Stripped:
    """A text without its private spans, and how many there were."""

    text: str
    removed: int


class _Place(IntEnum):
    """Where in the grammar the next character stands; the later ones are inside a tag."""

    TEXT = auto()
    SLASH_OR_NAME = auto()  # after "<"
    NAME = auto()  # within "private"
    NAME_END = auto()  # after "private": a tag only if the name ends here
    ATTRIBUTES = auto()  # from here on, a tag for certain
    VALUE_START = auto()  # after "="
    UNQUOTED = auto()
    QUOTED = auto()


# Within a tag, runs of these change nothing, but that a slash before them does not end it.
_RUNS = {
    _Place.ATTRIBUTES: pattern("[!-.0-<?-~]+"),
    _Place.UNQUOTED: pattern("[!-=?-~]+"),
    _Place.QUOTED: pattern("[ !#-&(-~\t\n\r]+"),
}


def strip_private(text: str) -> Stripped:
    """Remove the private spans of a whole *text*."""
    if not _OPENER.search(text) or not _NAMED.search(View.of(text).data):
        return Stripped(text, 0)
    private = PrivateTagFilter()
    kept = private.feed(text) + private.close()
    return Stripped(kept, private.removed)


def is_all_private(kept: str) -> bool:
    """Say whether of a text, as it was *kept*, every word was private."""
    return MARKER in kept and not any(map(str.isalnum, kept.replace(MARKER, "")))


class PrivateTagFilter:
    """
    Strips private spans from a stream, however it is cut into chunks.

    The concatenated results of `feed` and of one final `close` equal
    `strip_private` of the concatenated chunks.
    """

    def __init__(self) -> None:
        self.removed = 0
        self._depth = 0
        self._place = _Place.TEXT
        self._held: list[str] = []  # the characters of what may turn out to be a tag
        self._matched = 0  # how much of the name has been read
        self._closing = False
        self._self_closing = False
        self._quote = ""
        self._interrupted = False  # this tag stands inside an unfinished one

    def feed(self, chunk: str) -> str:
        """Take the next *chunk* and return what is now certain to be public."""
        kept: list[str] = []
        at = 0
        while at < len(chunk):
            if self._place is _Place.TEXT:
                at = self._to_tag(chunk, at, kept)
            elif self._place in _RUNS and (run := _RUNS[self._place].match(chunk, at)):
                if self._place is _Place.ATTRIBUTES:
                    self._self_closing = False
                at = run.end()
            else:
                self._step(chunk[at], kept)
                at += 1
        return "".join(kept)

    def _to_tag(self, chunk: str, at: int, kept: list[str]) -> int:
        """Keep what stands before the next opener, and return where to go on."""
        found = _OPENER.search(chunk, at)
        if not found:
            self._keep(kept, chunk[at:])
            return len(chunk)
        self._keep(kept, chunk[at : found.start()])
        self._begin(found.group())
        simple = _SIMPLE.match(chunk, found.start())
        if not simple:
            return found.end()
        self._closing, self._self_closing = bool(simple[1]), bool(simple[2])
        self._finish_tag(kept)
        return simple.end()

    def close(self) -> str:
        """End the stream and return the rest; the filter is not used afterwards."""
        kept: list[str] = []
        if self._place >= _Place.NAME_END:
            self._finish_tag(kept)
        else:
            self._keep(kept, "".join(self._held))
        return "".join(kept)

    def _keep(self, kept: list[str], text: str) -> None:
        if self._depth == 0 and text:
            kept.append(text)
            self._interrupted = False

    def _begin(self, opener: str) -> None:
        self._place = _Place.SLASH_OR_NAME
        self._held = [opener]
        self._matched = 0
        self._closing = self._self_closing = False

    def _step(self, raw: str, kept: list[str]) -> None:
        character = folded(raw).lower()
        if self._place >= _Place.ATTRIBUTES:
            self._step_inside(character, kept)
        elif character == "<":
            self._keep(kept, "".join(self._held))
            self._interrupted = True
            self._begin(raw)
        else:
            self._held.append(raw)
            if character:
                self._step_name(character, kept)

    def _step_name(self, character: str, kept: list[str]) -> None:
        if self._place is _Place.NAME_END:
            if character.isspace() or character in "/>":
                self._place = _Place.ATTRIBUTES
                self._held = []
                self._step_inside(character, kept)
            else:
                self._not_a_tag(kept)
        elif character == "/" and self._place is _Place.SLASH_OR_NAME and not self._closing:
            self._closing = True
        elif character == _NAME[self._matched]:
            self._matched += 1
            self._place = _Place.NAME_END if self._matched == len(_NAME) else _Place.NAME
        elif not (self._closing and self._matched == 0 and character.isspace()):
            self._not_a_tag(kept)

    def _not_a_tag(self, kept: list[str]) -> None:
        self._place = _Place.TEXT
        self._keep(kept, "".join(self._held))
        self._held = []

    def _step_inside(self, character: str, kept: list[str]) -> None:
        if self._place is _Place.QUOTED:
            if character == self._quote:
                self._place = _Place.ATTRIBUTES
        elif character == ">":
            self._finish_tag(kept)
        elif self._place is _Place.UNQUOTED:
            if character.isspace():
                self._place = _Place.ATTRIBUTES
        elif character and not character.isspace():
            self._step_attribute(character)

    def _step_attribute(self, character: str) -> None:
        # A slash closes the tag by itself only outside values: `path=/home/>` opens one.
        self._self_closing = character == "/" and self._place is _Place.ATTRIBUTES
        if self._place is _Place.VALUE_START:
            self._quote = character
            self._place = _Place.QUOTED if character in _QUOTES else _Place.UNQUOTED
        elif character == "=":
            self._place = _Place.VALUE_START

    def _finish_tag(self, kept: list[str]) -> None:
        self._place = _Place.TEXT
        self._held = []
        if self._closing and self._depth:
            self._depth -= 1
        elif not self._closing and not self._self_closing:
            if self._depth == 0:
                self._keep(kept, MARKER)
                self.removed += 1
            self._depth += 1
        elif self._interrupted:
            # Without a marker the two ends of the outer, broken tag would become one.
            self._keep(kept, MARKER)
        self._interrupted = False
