"""
Every seam of the system, on one page.

Use cases see the world through these protocols and through nothing else.
A new backend is a new class that satisfies one of them and passes its
contract tests under `tests/contract/`.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple, Protocol, TypeAlias

import numpy as np
from numpy.typing import NDArray

from tilth.domain.actor import Actor
from tilth.domain.episode import Episode, EpisodeDraft, EpisodeKind, Role
from tilth.domain.events import Event, Recorded
from tilth.domain.ids import EpisodeId, SessionId
from tilth.domain.integrity import Finding
from tilth.domain.ledger import Head
from tilth.domain.scope import Owner, Scope, Visibility
from tilth.domain.session import Session, SessionInfo

Vector: TypeAlias = NDArray[np.float32]


class Clock(Protocol):
    """Tells the time, always in UTC."""

    def now(self) -> datetime:
        """Return the present instant."""
        ...


class Ids(Protocol):
    """Makes what must be unique or unguessable."""

    def ulid(self, at: datetime) -> bytes:
        """Return 16 bytes: the milliseconds of *at*, then 80 random bits."""
        ...

    def salt(self) -> bytes:
        """Return 16 random bytes."""
        ...


@dataclass(frozen=True, slots=True)
class Appended:
    """Where an event stands in the ledger; `is_new` is false for a repeated key."""

    recorded: Recorded
    is_new: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class EpisodeFilter:
    """Which episodes a read may return. Every bound is half-open: from ≤ x < before."""

    within: Visibility
    occurred_from: datetime | None = None
    occurred_before: datetime | None = None
    recorded_before: datetime | None = None
    kinds: frozenset[EpisodeKind] | None = None
    session_id: SessionId | None = None


@dataclass(frozen=True, slots=True)
class Scored:
    """An episode's place in the ledger, and how well it fits by one measure; higher is better."""

    seq: int
    score: float


@dataclass(frozen=True, slots=True)
class CorpusStats:
    """How many episodes there are, their mean length in terms, and in how many a term occurs."""

    episode_count: int
    mean_terms: float
    frequencies: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class SpaceStats:
    """One embedding space as the store knows it: how many vectors, and their mean."""

    space: str
    vector_count: int
    mean: Vector


class Place(NamedTuple):
    """Where an episode stands: position 1 is its session's first; session 0 is none; µs of 1970."""

    seq: int
    session_no: int
    position: int
    occurred_at: int
    kind: EpisodeKind
    role: Role


class Passage(NamedTuple):
    """What an episode says, as ranking reads it."""

    seq: int
    speaker: str
    text: str


class EpisodeReader(Protocol):
    """The episodes and sessions as one snapshot shows them."""

    def get(self, episode_id: EpisodeId, within: Visibility) -> Episode:
        """
        Return one episode.

        Raises:
            NotFoundError: there is none with this ID that may be seen.
        """
        ...

    def at(self, seqs: Sequence[int], within: Visibility) -> list[Episode]:
        """Return the episodes at these places in ledger order, without what may not be seen."""
        ...

    def places(self, seqs: Sequence[int], which: EpisodeFilter, *, reach: int = 0) -> list[Place]:
        """Return where *seqs* stand, and up to *reach* neighbours each way in their sessions."""
        ...

    def passages(self, seqs: Sequence[int], which: EpisodeFilter) -> list[Passage]:
        """Return what the episodes at *seqs* say, in ledger order."""
        ...

    def select(
        self, which: EpisodeFilter, *, limit: int, after: int = 0, newest_first: bool = False
    ) -> list[Episode]:
        """Return episodes in ledger order, from the first place after *after* on."""
        ...

    def session(self, session_id: SessionId, within: Visibility) -> Session:
        """
        Return one session.

        Raises:
            NotFoundError: there is none with this ID that may be seen.
        """
        ...

    def sessions(self, within: Visibility, *, limit: int, offset: int = 0) -> list[Session]:
        """Return sessions, the one that was active last first."""
        ...

    def session_ids(self, session_nos: Sequence[int], within: Visibility) -> Sequence[SessionId]:
        """Return the IDs of the sessions with these numbers, in this order."""
        ...

    def sessions_of(self, session_nos: Sequence[int]) -> Mapping[int, SessionInfo]:
        """Return what is said about the sessions with these numbers."""
        ...

    def count(self, within: Visibility) -> int:
        """Return how many episodes may be seen."""
        ...

    def changes(self, within: Visibility, *, since: int | datetime, limit: int) -> list[Recorded]:
        """Return episodes and descriptions of sessions after a place, or from an instant on."""
        ...


class SearchReader(Protocol):
    """The derived indexes as one snapshot shows them. They are never behind the ledger."""

    def lexical(self, terms: Sequence[str], which: EpisodeFilter, *, limit: int) -> list[Scored]:
        """Return the episodes that hold any of *terms*, best first. Terms are never syntax."""
        ...

    def corpus(self, terms: Sequence[str], within: Visibility) -> CorpusStats:
        """Return what ranking needs to know of the episodes as a whole."""
        ...

    def nearest(
        self, space: str, vector: Vector, which: EpisodeFilter, *, limit: int
    ) -> list[Scored]:
        """Return the episodes whose centred vectors have the largest cosine with *vector*'s."""
        ...

    def cosines(self, space: str, vector: Vector, seqs: Sequence[int]) -> Vector:
        """Return *vector*'s centred cosines with those at *seqs*, unfiltered; NaN: none there."""
        ...

    def vectors(self, space: str, seqs: Sequence[int]) -> Mapping[int, Vector]:
        """Return the stored vectors of *space* at *seqs*, as they were put; some may be missing."""
        ...

    def spaces(self) -> list[SpaceStats]:
        """Return the embedding spaces that the store holds."""
        ...

    def unembedded(self, space: str, *, limit: int, after: int = 0) -> list[Episode]:
        """Return episodes without a vector in *space*, of every owner, in ledger order."""
        ...


class Reader(Protocol):
    """One consistent snapshot. Nothing in it changes while it is open."""

    @property
    def episodes(self) -> EpisodeReader:
        """The episodes and sessions."""
        ...

    @property
    def search(self) -> SearchReader:
        """The indexes."""
        ...

    def head(self) -> Head:
        """Return the end of the chain."""
        ...

    def chain_at(self, seq: int) -> bytes | None:
        """Return the chain's value at a place; None where the ledger ends before it."""
        ...

    def events(self, *, after: int = 0, limit: int = 1000) -> list[Recorded]:
        """Return events in ledger order; erased ones are left out."""
        ...

    def by_key(self, owner: Owner, keys: Sequence[str]) -> Mapping[str, int]:
        """Return the places of the events that were appended under these idempotency keys."""
        ...

    def imported(self, owner: Owner, uri: str) -> str | None:
        """Return the SHA-256 of the source *uri* as it was imported last; None if it never was."""
        ...


class Transaction(Reader, Protocol):
    """A snapshot that can be added to. All of it happens, or none."""

    def append(
        self, event: Event, *, by: Actor, owner: Owner, idempotency_key: str | None = None
    ) -> Appended:
        """
        Add *event* to the ledger, and to every projection of it.

        A key that was used before returns what it was used for.

        Raises:
            IdempotencyConflictError: the key was used before, for something else.
        """
        ...

    def put_vectors(self, space: str, vectors: Iterable[tuple[int, Vector]]) -> None:
        """Keep one unit vector of *space* for each place; a vector that is there stays."""
        ...

    def drop_space(self, space: str) -> None:
        """Forget every vector of *space*."""
        ...


class Store(Protocol):
    """Holds everything. What was acknowledged is durable, and the next read finds it."""

    @property
    def store_id(self) -> str:
        """The store's own ID, made once."""
        ...

    def begin(self) -> AbstractContextManager[Transaction]:
        """
        Open a transaction; leaving it commits durably, an exception rolls it back.

        Raises:
            UnavailableError: the store does not answer, or is busy for too long.
        """
        ...

    def read(self) -> AbstractContextManager[Reader]:
        """Open a snapshot."""
        ...

    def verify(self) -> Iterator[Finding]:
        """Check chain, heads, projections and indexes; yield what is wrong, or nothing."""
        ...

    def rebuild(self) -> int:
        """Make all projections and text indexes again, drop all vectors, and count the events."""
        ...

    def backup(self, target: str) -> None:
        """
        Copy one snapshot of the store to the file *target*, whole or not at all.

        Raises:
            ConflictError: *target* is there already.
            UnsupportedError: this engine has its own tools for that.
        """
        ...

    def digest(self) -> str:
        """Return one digest over all projections; equal histories give equal digests anywhere."""
        ...

    def close(self) -> None:
        """Release what the store holds. Calling it twice does no harm."""
        ...


class Embedder(Protocol):
    """Turns texts into unit vectors of one space."""

    @property
    def space(self) -> str:
        """The space's name; vectors of different spaces are never compared."""
        ...

    @property
    def dimensions(self) -> int:
        """The length of a vector."""
        ...

    def embed(self, texts: Sequence[str]) -> Vector:
        """
        Return one unit vector a text, of shape (texts, dimensions); zeros for an empty text.

        Raises:
            UnavailableError: the model does not answer.
        """
        ...


class WordVectors(Protocol):
    """Knows the meaning of single words."""

    def word_vectors(self, words: Sequence[str]) -> Vector:
        """Return one unit vector a word, of shape (words, dimensions); zeros where unknown."""
        ...


@dataclass(frozen=True, slots=True)
class Skipped:
    """A part of a source that was not read, and why; or *count* parts for one reason."""

    where: str
    reason: str
    count: int = 1


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
        """
        ...

    def fingerprint(self, source: Source) -> str:
        """Return the SHA-256 of the source's bytes."""
        ...
