"""
Read documents: front matter, and the body in sections.

Front matter is the YAML between two lines of `---` with which a markdown file may begin. Every
scalar is read as the text that it is, since YAML 1.1 makes `no` a boolean, `1.10` a number and
`12:30:45` a count of seconds. Aliases are refused: a few hundred bytes of them unfold to gigabytes
(threat T16).

Sections are slices of the text that can be found and read by themselves: put together they are the
text again, to the last character. A few words make no section of their own (row OB-066), and a long
one is cut between paragraphs.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime
from functools import lru_cache
from itertools import pairwise

import yaml
from markdown_it import MarkdownIt

from tilth.core.dataclass import dataclass
from tilth.core.errors import InvalidInputError, LimitExceededError
from tilth.core.json import Json, JsonObject
from tilth.core.text.surrogates import without_surrogates
from tilth.episodes.episode import EpisodeKind
from tilth.transfer.model import Mended, Skipped
from tilth.transfer.reading.conversation import Utterance
from tilth.transfer.reading.lenient_json import parse_timestamp, sequence, string
from tilth.transfer.reading.limits import MARKDOWN_LINES_MAX
from tilth.transfer.reading.source_file import SourceFile, decoded

_FRONT_CHARS_MAX = 1 << 16
_FRONT_DEPTH_MAX = 16
_FRONT = re.compile(
    r"\ufeff?---[ \t]*\r?\n(.*?)^(?:---|\.\.\.)[ \t]*(?:\r?\n|\Z)", re.DOTALL | re.MULTILINE
)


class _Loader(yaml.BaseLoader):
    """Loads texts, lists and mappings; refuses aliases and too much depth."""

    _depth = 0

    def compose_node(  # type: ignore[explicit-override] # typing.override came with 3.12
        self, parent: yaml.Node | None, index: int
    ) -> yaml.Node | None:
        if self.check_event(yaml.AliasEvent):
            raise InvalidInputError("front matter with aliases")
        if self._depth > _FRONT_DEPTH_MAX:
            raise LimitExceededError(f"front matter nested deeper than {_FRONT_DEPTH_MAX} levels")
        self._depth += 1
        node = super().compose_node(parent, index)
        self._depth -= 1
        return node


def body_begin(text: str) -> int:
    """Return where the body of *text* begins: after its front matter, or at 0."""
    match = _FRONT.match(text, 0, _FRONT_CHARS_MAX)
    return match.end() if match else 0


def properties(text: str) -> JsonObject:
    """
    Return what the front matter of *text* says, nothing if there is none.

    Raises:
        InvalidInputError: it is no YAML, has aliases, or is no mapping.
        LimitExceededError: it is deeper than is read.
    """
    match = _FRONT.match(text, 0, _FRONT_CHARS_MAX)
    if not match:
        return {}
    try:
        value = yaml.load(match[1], _Loader)  # noqa: S506 - it makes texts, never objects
    except (yaml.YAMLError, ValueError, OverflowError) as error:
        problem = getattr(error, "problem", None) or type(error).__name__
        raise InvalidInputError(f"front matter is no YAML: {str(problem)[:100]}") from error
    if not isinstance(value, Mapping):
        if value in (None, ""):
            return {}
        raise InvalidInputError("front matter is no mapping")
    return {without_surrogates(key): _whole(said) for key, said in value.items()}


def _whole(value: Json) -> Json:
    if isinstance(value, str):
        return without_surrogates(value)
    if isinstance(value, Mapping):
        return {without_surrogates(key): _whole(said) for key, said in value.items()}
    return [_whole(said) for said in value] if isinstance(value, list) else value


def tags_of(said: JsonObject) -> tuple[str, ...]:
    """Return the tags of front matter: a list, or one line with commas or spaces."""
    listed = [tag for tag in sequence(said, "tags") if isinstance(tag, str)]
    found = listed or re.split(r"[,\s]+", string(said, "tags", "tag"))
    return tuple(tag.strip().removeprefix("#") for tag in found if tag.strip())


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


@lru_cache(maxsize=1)  # a document is asked for its title, then for its sections
def headings(text: str) -> tuple[tuple[int, int, str], ...]:
    """
    Return line (from 0), level and words of each heading outside of lists and quotes.

    Raises:
        LimitExceededError: *text* has more lines than are read.
    """
    if text.count("\n") > MARKDOWN_LINES_MAX:
        raise LimitExceededError(f"more than {MARKDOWN_LINES_MAX} lines", hint="cut it in parts")
    tokens = _BLOCKS.parse(text)
    return tuple(
        (opening.map[0], int(opening.tag[1:]), " ".join(inline.content.split()))
        for opening, inline in pairwise(tokens)
        if opening.type == "heading_open" and opening.level == 0 and opening.map
    )


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


_DATES = ("date", "created", "created_at", "created-at")


@dataclass(frozen=True, slots=True)
class Document:
    """A markdown document: its body, its front matter, and what is wrong with it."""

    body: str
    first_line: int
    properties: JsonObject
    title: str
    date: datetime | None
    problems: tuple[Skipped, ...]

    @property
    def sections(self) -> Iterator[Section]:
        """The sections of the body."""
        return markdown_sections(self.body, first_line=self.first_line)


def read_document(source: SourceFile) -> Document:
    """Read a document; problems of one part are noted, and the rest is read."""
    text, problems = read_text(source)
    begin = body_begin(text)
    said: JsonObject = {}
    date = None
    try:
        said = properties(text)
    except InvalidInputError as error:
        problems.append(Skipped(source.label, str(error)))
    try:
        if written := string(said, *_DATES):
            date = parse_timestamp(written)
    except InvalidInputError as error:
        problems.append(Mended(source.label, f"{error}; the file's own time is taken instead"))
    body = text[begin:]
    if not body.strip():
        problems.append(Skipped(source.label, "no words but front matter"))
    return Document(
        body=body,
        first_line=1 + len(re.findall(r"\r\n?|\n", text[:begin])),
        properties=said,
        title=string(said, "title") or _first_heading(body),
        date=date,
        problems=tuple(problems),
    )


def read_text(source: SourceFile) -> tuple[str, list[Skipped]]:
    """Return the text of *source*, and a note if not all of it could be read."""
    text, problem = decoded(source.content())
    return text, [Mended(source.label, problem)] if problem else []


def utterances(sections: Iterable[Section], label: str) -> Iterator[Utterance]:
    """Yield an utterance for each of *sections*; *label* names the document in their places."""
    for section in sections:
        place: JsonObject = {"heading": section.heading} if section.heading else {}
        yield Utterance(
            where=f"{label}:{section.line}",
            text=section.text,
            kind=EpisodeKind.DOCUMENT,
            metadata={**place, "line": section.line},
        )


def _first_heading(body: str) -> str:
    _, level, words = next(iter(headings(body)), (0, 0, ""))
    return words if level == 1 else ""
