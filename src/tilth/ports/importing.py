"""Reading the sources of others."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Protocol, TypeAlias

from tilth.domain.episode import EpisodeDraft
from tilth.domain.ids import SessionId
from tilth.domain.scope import Scope
from tilth.domain.session import SessionInfo


@dataclass(frozen=True, slots=True)
class Skipped:
    """A part of a source that was not read, and why; or *count* parts for one reason."""

    where: str
    reason: str
    count: int = 1


@dataclass(frozen=True, slots=True)
class Told:
    """A fact as another store told it, in the words of `tilth.domain.fact.Telling` and `text`."""

    where: str
    telling: Mapping[str, object]


@dataclass(frozen=True, slots=True)
class Described:
    """A session met in a source, before its episodes."""

    session_id: SessionId
    info: SessionInfo
    scope: Scope


Item: TypeAlias = EpisodeDraft | Described | Skipped


@dataclass(frozen=True, slots=True)
class Source:
    """Something that can be imported: its format, address, size in bytes, and first bytes' hash."""

    uri: str
    format: str
    size: int


class Importer(Protocol):
    """Reads the sources of others."""

    def find(self, path: str) -> list[Source]:
        """
        Return what can be imported at *path*, a file or a folder.

        Raises:
            NotFoundError: nothing is there.
        """
        ...

    def read(self, source: Source) -> Iterator[tuple[Item, int]]:
        """
        Yield what *source* holds, each with the bytes read so far.

        A broken part yields `Skipped` and does not end the rest. Memory stays
        bounded whatever the size.

        Raises:
            UnavailableError: the source is gone, or cannot be read any further.
        """
        ...

    def fingerprint(self, source: Source) -> str:
        """
        Return the SHA-256 of the source's bytes.

        Raises:
            UnavailableError: the source is gone.
        """
        ...
