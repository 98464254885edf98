"""Reading what was not looked through yet."""

from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

from tilth.core.ids import SessionId
from tilth.core.scope import Scope, Visibility


@dataclass(frozen=True, slots=True, kw_only=True)
class Waiting:
    """A session with something that waits: after the place `after`, up to the place `last`."""

    session_id: SessionId
    scope: Scope
    after: int
    last: int
    last_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class Unread:
    """A stretch of a session that waits for a language model: behind `after`, up to `through`."""

    session_id: SessionId
    scope: Scope
    after: int
    through: int


class DistillationReader(Protocol):
    """How far distillation went, as one snapshot shows it."""

    def waiting(self, within: Visibility, *, limit: int) -> list[Waiting]:
        """Return sessions in which something waits, the one that was active last at the end."""
        ...

    def through(self, session_id: SessionId, within: Visibility) -> int:
        """Return the place up to which a session was looked through; 0 if it never was."""
        ...

    def unread(self, within: Visibility, *, limit: int) -> list[Unread]:
        """Return what waits for a language model, of the session that was active last first."""
        ...

    def unread_after(self, session_id: SessionId, within: Visibility) -> int | None:
        """
        Return the place behind which a session waits for a language model; None if it does not.

        That changes whenever a model has read of it.
        """
        ...

    def outdated(self, within: Visibility, *, version: int) -> int:
        """Return how many sessions were looked through by an older list of extractors."""
        ...
