"""The model of imports: sources, what importers read from them, and the importer's interface."""

from collections.abc import Iterator, Mapping
from typing import NamedTuple, Protocol, TypeAlias

from tilth.core.dataclass import dataclass
from tilth.core.ids import SessionId
from tilth.core.scope import Scope
from tilth.episodes.episode import EpisodeDraft
from tilth.episodes.session import SessionInfo
from tilth.knowledge.entities.entity import EntityDraft

# The beginning of the key of an episode from a Tilth export; its ID there follows.
EXPORTED_KEY = "tilth:"


@dataclass(frozen=True, slots=True)
class Skipped:
    """A part of a source that was not read, and why; or `count` parts for one reason."""

    where: str
    reason: str
    count: int = 1


@dataclass(frozen=True, slots=True)
class Mended(Skipped):
    """A part that was read otherwise than it says, and why; a bad time becomes the one before."""


class Spot(NamedTuple):
    """A span of characters in an episode, under the episode's ID in the store that exported it."""

    episode_id: str
    begin: int
    end: int


@dataclass(frozen=True, slots=True)
class Told:
    """
    A fact of another store: `text`, and fields of `knowledge.facts.fact.FactFields`.

    From a Tilth export, `id` is its ID there and `spots` are its evidence. A fact of a document has
    `quote` as its evidence, words in the session of the document.
    """

    where: str
    telling: Mapping[str, object]
    id: str = ""
    spots: tuple[Spot, ...] = ()
    session_id: SessionId | None = None
    quote: str = ""


@dataclass(frozen=True, slots=True)
class ToldEntity:
    """An entity of a Tilth export; without an ID, the entity of a document."""

    where: str
    draft: EntityDraft
    id: str


@dataclass(frozen=True, slots=True)
class ToldEdge:
    """An edge between two named entities, from the Tilth store with the ID `home`."""

    where: str
    ends: tuple[str, str]
    kind: str
    scope: Scope
    home: str


Row: TypeAlias = Told | ToldEntity | ToldEdge | Skipped


@dataclass(frozen=True, slots=True)
class Described:
    """The description of a session, before its episodes in a source."""

    session_id: SessionId
    info: SessionInfo
    scope: Scope


Item: TypeAlias = EpisodeDraft | Described | Skipped


@dataclass(frozen=True, slots=True)
class Source:
    """
    A source that can be imported: its URI, its format, its size in bytes.

    `key` is the URI under which a document was imported first; empty if that is the same. If it
    `is_gone`, it is a document whose file no longer exists.
    """

    uri: str
    format: str
    size: int
    key: str = ""
    is_gone: bool = False


class Importer(Protocol):
    """Finds and reads sources."""

    def find(self, path: str) -> list[Source]:
        """
        Return what can be imported at *path*, a file or a folder.

        Raises:
            NotFoundError: nothing is there.
        """
        ...

    def read(self, source: Source) -> Iterator[tuple[Item, int]]:
        """
        Yield the items of *source*, each with the bytes read so far.

        A broken part yields `Skipped`, and the rest is read. Memory is bounded, whatever the size.

        Raises:
            UnavailableError: the source is gone, or cannot be read any further.
        """
        ...

    def rows(self, source: Source) -> Iterator[Row]:
        """Yield the entity of a document, its facts and its links; nothing for other formats."""
        ...

    def fingerprint(self, source: Source) -> str:
        """
        Return the SHA-256 of the source's bytes.

        Raises:
            UnavailableError: the source is gone.
        """
        ...
