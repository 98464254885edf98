"""The interface of importers, and finding their sources."""

from collections.abc import Iterator, Mapping
from typing import NamedTuple, Protocol, TypeAlias

from tilth.core.dataclass import dataclass
from tilth.core.ids import SessionId
from tilth.core.scope import Scope
from tilth.episodes.episode import EpisodeDraft
from tilth.episodes.session import SessionInfo
from tilth.knowledge.entities.entity import EntityDraft

# With this begins the key of an episode that an export of ours brought; its ID there follows.
EXPORTED_KEY = "tilth:"


@dataclass(frozen=True, slots=True)
class Skipped:
    """A part of a source that was not read, and why; or *count* parts for one reason."""

    where: str
    reason: str
    count: int = 1


@dataclass(frozen=True, slots=True)
class Mended(Skipped):
    """A part that was read otherwise than it says, and why: what is no time has the one before."""


class Spot(NamedTuple):
    """A place in the text of an episode, under the ID that this has where it comes from."""

    episode_id: str
    begin: int
    end: int


@dataclass(frozen=True, slots=True)
class Told:
    """
    A fact as another store told it, in the words of `knowledge.facts.fact.FactFields` and `text`.

    `id` is the one that it has in a store of ours, `spots` what it rests on there. A document's
    rests on its words: `quote`, as they stand in the session of the document.
    """

    where: str
    telling: Mapping[str, object]
    id: str = ""
    spots: tuple[Spot, ...] = ()
    session_id: SessionId | None = None
    quote: str = ""


@dataclass(frozen=True, slots=True)
class ToldEntity:
    """An entity as another store of ours told it; without an ID, the thing that a document is."""

    where: str
    draft: EntityDraft
    id: str


@dataclass(frozen=True, slots=True)
class ToldEdge:
    """An edge between two names, as the store of ours with the ID *home* told it."""

    where: str
    ends: tuple[str, str]
    kind: str
    scope: Scope
    home: str


Row: TypeAlias = Told | ToldEntity | ToldEdge | Skipped


@dataclass(frozen=True, slots=True)
class Described:
    """A session met in a source, before its episodes."""

    session_id: SessionId
    info: SessionInfo
    scope: Scope


Item: TypeAlias = EpisodeDraft | Described | Skipped


@dataclass(frozen=True, slots=True)
class Source:
    """
    Something that can be imported: its format, its address, its size in bytes.

    `key` is the address that a document had when it was imported first; empty where that is the
    same. One that `is_gone` was a document, and its file is there no more.
    """

    uri: str
    format: str
    size: int
    key: str = ""
    is_gone: bool = False


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

    def rows(self, source: Source) -> Iterator[Row]:
        """Yield what a document is and links to, as rows; nothing of any other format."""
        ...

    def fingerprint(self, source: Source) -> str:
        """
        Return the SHA-256 of the source's bytes.

        Raises:
            UnavailableError: the source is gone.
        """
        ...
