"""A document read whole: what its front matter says, and its body as drafts will have it."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime

from tilth.core.errors import InvalidInputError
from tilth.core.json import JsonObject
from tilth.episodes.episode import EpisodeKind
from tilth.transfer.importing import Skipped
from tilth.transfer.reading.conversation import Utterance
from tilth.transfer.reading.front_matter import body_begin, properties
from tilth.transfer.reading.sections import Section, headings, markdown_sections
from tilth.transfer.reading.shapes import string
from tilth.transfer.reading.source_file import SourceFile
from tilth.transfer.reading.timestamps import parse_timestamp

_DATES = ("date", "created", "created_at", "created-at")


@dataclass(frozen=True, slots=True)
class Document:
    """A markdown document: its body, what stands in front of it, and what is wrong with it."""

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
    """Take the document apart; what is wrong with it is noted and does not hide the rest."""
    text, problems = read_text(source)
    begin = body_begin(text)
    said: JsonObject = {}
    date = None
    try:
        said = properties(text)
        date = _date(said)
    except InvalidInputError as error:
        problems.append(Skipped(source.label, str(error)))
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
    """Return the text of *source*, and a note if not all of it is UTF-8."""
    raw = source.content()
    try:
        return raw.decode("utf-8-sig"), []
    except UnicodeDecodeError as error:
        note = f"not UTF-8 at byte {error.start}; what is not is replaced"
        return raw.decode("utf-8-sig", errors="replace"), [Skipped(source.label, note)]


def utterances(sections: Iterable[Section], label: str) -> Iterator[Utterance]:
    """Yield what is said in each of *sections*; *label* names the document in places."""
    for section in sections:
        place: JsonObject = {"heading": section.heading} if section.heading else {}
        yield Utterance(
            where=f"{label}:{section.line}",
            text=section.text,
            kind=EpisodeKind.DOCUMENT,
            metadata={**place, "line": section.line},
        )


def _date(said: JsonObject) -> datetime | None:
    written = string(said, *_DATES)
    return parse_timestamp(written) if written else None


def _first_heading(body: str) -> str:
    _, level, words = next(iter(headings(body)), (0, 0, ""))
    return words if level == 1 else ""
