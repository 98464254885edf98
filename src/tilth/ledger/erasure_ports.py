"""What was erased: tombstones, and the erasures that a store has been through."""

from collections.abc import Iterable, Sequence
from typing import Protocol

from tilth.core.ids import EventId, SessionId
from tilth.core.scope import Owner, Visibility
from tilth.erasure.model import Erasure, Tombstone
from tilth.ledger.events import Recorded


class TombstoneReader(Protocol):
    """What stands where something was erased."""

    def find(self, id_: str, within: Visibility) -> Tombstone | None:
        """Return the tombstone of what was called *id_*; None if there is none to be seen."""
        ...

    def took_description(self, session_id: SessionId, owner: Owner) -> bool:
        """Say whether what was said about a session as a whole was erased."""
        ...

    def erasures(self) -> list[Erasure]:
        """Return every erasure of the store, whoever owns what went, the oldest first."""
        ...

    def present(self, event_ids: Iterable[EventId]) -> list[Recorded]:
        """Return those of these events whose payload is still there."""
        ...


class ErasureLog(Protocol):
    """
    Erasures by reference, outside the database: IDs, when and by whom, and no word.

    A store that was lost, or replaced by an older copy, is erased again from here.
    """

    def known(self) -> Sequence[Erasure]:
        """Return every erasure, the oldest first."""
        ...

    def note(self, erasure: Erasure) -> None:
        """Keep one, durably; one that is known is kept once."""
        ...

    def unpurged(self) -> Sequence[EventId]:
        """Return the erasures after which the database's files were not cleaned yet."""
        ...

    def note_purge(self, event_ids: Iterable[EventId]) -> None:
        """Say that the files were cleaned after these."""
        ...
