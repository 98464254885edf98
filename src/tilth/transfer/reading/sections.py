"""
Documents cut into sections that can be found and read by themselves.

Sections are slices of the text: put together they are the text again, to the
last character. A few words make no section of their own (row OB-066), and a
long one is cut between paragraphs.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

from markdown_it import MarkdownIt

from tilth.core.errors import LimitExceededError
from tilth.transfer.reading.limits import MARKDOWN_LINES_MAX

WORDS_MIN = 40
CHARS_MAX = 8_000  # some 2,000 tokens: what a reader of answers can still be handed whole
_LINE = re.compile(r"\r\n?|\n")  # as markdown-it counts lines
_SEPARATOR = " > "
_HEADING_CHARS_MAX = 400
# From the best place to cut to the worst.
_CUTS = ("\n\n", "\n\r\n", "\n", " ")
# Only blocks are parsed. Without what is within them, and without link definitions, the work is
# linear in the text.
_BLOCKS = MarkdownIt("commonmark").disable(["inline", "reference"])


@dataclass(frozen=True, slots=True)
class Section:
    """A slice of a document, the headings above it, and the line where it begins, from 1."""

    text: str
    heading: str = ""
    line: int = 1


def markdown_sections(text: str, *, first_line: int = 1) -> Iterator[Section]:
    """
    Yield the sections of the markdown *text*, which begins at *first_line* of its file.

    Raises:
        LimitExceededError: it has more lines than are read.
    """
    for section in _merged(list(_by_headings(text, first_line))):
        yield from _cut(section)


def plain_sections(text: str) -> Iterator[Section]:
    """Yield *text* in sections of whole paragraphs."""
    yield from _cut(Section(text))


def headings(text: str) -> list[tuple[int, int, str]]:
    """
    Return line (from 0), level and words of each heading outside of lists and quotes.

    Raises:
        LimitExceededError: *text* has more lines than are read.
    """
    if text.count("\n") > MARKDOWN_LINES_MAX:
        raise LimitExceededError(f"more than {MARKDOWN_LINES_MAX} lines", hint="cut it in parts")
    tokens = _BLOCKS.parse(text)
    return [
        (opening.map[0], int(opening.tag[1:]), " ".join(inline.content.split()))
        for opening, inline in pairwise(tokens)
        if opening.type == "heading_open" and opening.level == 0 and opening.map
    ]


def _by_headings(text: str, first_line: int) -> Iterator[Section]:
    begins = [0, *(match.end() for match in _LINE.finditer(text))]
    above: list[tuple[int, str]] = []
    begin, path, line = 0, "", 0
    for at, level, words in headings(text):
        if begins[at] > begin:
            yield Section(text[begin : begins[at]], path, first_line + line)
        above = [*(higher for higher in above if higher[0] < level), (level, words)]
        path = _SEPARATOR.join(name for _, name in above if name)[:_HEADING_CHARS_MAX]
        begin, line = begins[at], at
    yield Section(text[begin:], path, first_line + line)


def _merged(sections: list[Section]) -> list[Section]:
    """Return the sections, a short one joined to the next; the last, to the one before."""
    merged: list[Section] = []
    for section in sections:
        if merged and _is_short(merged[-1]):
            merged[-1] = _joined(merged[-1], section)
        else:
            merged.append(section)
    if len(merged) > 1 and _is_short(merged[-1]):
        last = merged.pop()
        merged[-1] = _joined(merged[-1], last)
    return merged


def _joined(one: Section, other: Section) -> Section:
    heading = max(one, other, key=lambda section: len(section.text)).heading
    return Section(one.text + other.text, heading, one.line)


def _is_short(section: Section) -> bool:
    return len(section.text.split(maxsplit=WORDS_MIN)) < WORDS_MIN


def _cut(section: Section) -> Iterator[Section]:
    text, at, line = section.text, 0, section.line
    while at < len(text):
        end = _end_of_piece(text, at)
        piece = text[at:end]
        yield Section(piece, section.heading, line)
        line += len(_LINE.findall(piece))
        at = end


def _end_of_piece(text: str, at: int) -> int:
    end = at + CHARS_MAX
    if end >= len(text):
        return len(text)
    for mark in _CUTS:
        # A cut in the first half would make crumbs.
        found = text.rfind(mark, at + CHARS_MAX // 2, end)
        if found >= 0:
            return found + len(mark)
    return end
