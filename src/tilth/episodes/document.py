"""Documents: what was imported in sections, under names by which it is read again."""

import hashlib
import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import groupby

from tilth.core.dataclass import dataclass
from tilth.core.ids import SessionId
from tilth.core.text.pattern import pattern
from tilth.episodes.episode import Episode
from tilth.episodes.session import Session

_NAME_CHARS = 40
_DIGEST_CHARS = 4
_SUFFIX = pattern(r"\.(?:md|markdown|txt|text)$", re.IGNORECASE)
_HEADING_SEPARATOR = " > "
_UNTITLED = "text"


@dataclass(frozen=True, slots=True, kw_only=True)
class DocumentSection:
    """One section of a document: the pieces of which it is made, as they were imported last."""

    slug: str
    heading: str
    pieces: tuple[Episode, ...]

    @property
    def text(self) -> str:
        """What the section says."""
        return "".join(piece.text for piece in self.pieces)


@dataclass(frozen=True, slots=True, kw_only=True)
class Document:
    """A document: the session that holds it, and the name by which it is read."""

    slug: str
    session: Session

    @property
    def title(self) -> str:
        """What it is called, or its name."""
        return self.session.info.title or self.slug


def document_of(session: Session) -> Document:
    """Return the document that *session* holds."""
    return Document(slug=document_slug(session.id), session=session)


def document_slug(session_id: SessionId) -> str:
    """Return the name of a document: that of its file, and a few digits that tell it apart."""
    name = _SUFFIX.sub("", session_id.rpartition("/")[2].rpartition(":")[2])
    digest = hashlib.sha256(session_id.encode()).hexdigest()[:_DIGEST_CHARS]
    return f"{_slug(name)}-{digest}"


def is_named(document: Document, slug: str) -> bool:
    """Say whether *slug* means the document: with or without its digits, or its session's ID."""
    short = document.slug.rpartition("-")[0]
    return slug in {document.slug, short, document.session.id}


def sections_of(episodes: Sequence[Episode]) -> list[DocumentSection]:
    """
    Return the sections of a document, in the order of its lines.

    So it is where nothing says what the document was made of when it was read last: a section
    that was imported again is what was imported last; a long one is all the pieces that were
    imported together.

    Args:
        episodes: Everything that was imported of it, in the order of the ledger.
    """
    runs: dict[str, list[Episode]] = {}
    before = ""
    for number, episode in enumerate(episodes):
        heading = _heading(episode)
        if number and heading == before and _line(episode) > _line(episodes[number - 1]):
            runs[heading].append(episode)
        else:
            runs[heading] = [episode]
        before = heading
    ordered = sorted(runs.items(), key=lambda run: _line(run[1][0]))
    return _named(ordered)


def sections_read(contents: Sequence[tuple[Episode, int]]) -> list[DocumentSection]:
    """
    Return the sections of a document, as it was read last.

    Args:
        contents: Its pieces in their order, each with the line where it begins by now.
    """
    placed = [
        replace(episode, metadata={**episode.metadata, "line": line}) for episode, line in contents
    ]
    return _named([(heading, list(run)) for heading, run in groupby(placed, key=_heading)])


def _named(runs: Iterable[tuple[str, Sequence[Episode]]]) -> list[DocumentSection]:
    """Return sections, each under a name of its own."""
    taken: dict[str, int] = {}
    sections = []
    for heading, pieces in runs:
        slug = _slug(heading.rpartition(_HEADING_SEPARATOR)[2])
        taken[slug] = taken.get(slug, 0) + 1
        name = slug if taken[slug] == 1 else f"{slug}-{taken[slug]}"
        sections.append(DocumentSection(slug=name, heading=heading, pieces=tuple(pieces)))
    return sections


def _slug(text: str) -> str:
    return re.sub(r"[^\w]+", "-", text.casefold()).strip("-_")[:_NAME_CHARS] or _UNTITLED


def _heading(episode: Episode) -> str:
    heading = episode.metadata.get("heading")
    return heading if isinstance(heading, str) else ""


def _line(episode: Episode) -> int:
    line = episode.metadata.get("line")
    return line if isinstance(line, int) else 0
