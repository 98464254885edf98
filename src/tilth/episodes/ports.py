"""Reading what was said and done."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple, Protocol

from tilth.core.ids import EntityId, EpisodeId, SessionId
from tilth.core.scope import Visibility
from tilth.episodes.episode import Episode, EpisodeKind, Role
from tilth.episodes.session import Session, SessionInfo
from tilth.ledger.events import Recorded


@dataclass(frozen=True, slots=True, kw_only=True)
class EpisodeFilter:
    """
    Which episodes a read may return. Every bound is half-open: from ≤ x < before.

    `about` keeps what was said with an entity, and what facts about it rest on; it
    follows merges. `area` keeps what facts of an area rest on.
    """

    within: Visibility
    occurred_from: datetime | None = None
    occurred_before: datetime | None = None
    recorded_before: datetime | None = None
    kinds: frozenset[EpisodeKind] | None = None
    session_id: SessionId | None = None
    about: EntityId | None = None
    area: str | None = None


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

    def documents(self, within: Visibility, *, limit: int, offset: int = 0) -> list[Session]:
        """Return the sessions that hold a document, the one that was recorded last first."""
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
        """Return what changed after a place or from an instant on; see `tilth.episodes.changes`."""
        ...
