"""Reading what was not looked through yet."""

from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

from tilth.domain.ids import SessionId
from tilth.domain.scope import Scope, Visibility


@dataclass(frozen=True, slots=True, kw_only=True)
class Waiting:
    """A session with something that waits: after the place `after`, up to the place `last`."""

    session_id: SessionId
    scope: Scope
    after: int
    last: int
    last_at: datetime


class DistillationReader(Protocol):
    """How far distillation went, as one snapshot shows it."""

    def waiting(self, within: Visibility, *, limit: int) -> list[Waiting]:
        """Return sessions in which something waits, the one that was active last at the end."""
        ...

    def through(self, session_id: SessionId, within: Visibility) -> int:
        """Return the place up to which a session was looked through; 0 if it never was."""
        ...
