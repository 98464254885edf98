"""The events of distillation."""

from typing import Annotated

from tilth.core.codec import Always, Key, Row
from tilth.core.event import Event, event
from tilth.core.ids import SessionId
from tilth.core.scope import Scope
from tilth.learning.model import Window


@event("sessions_distilled", goes_with=(), stays=True)
class SessionsDistilled(Event):
    """
    Windows of sessions were read, and what they state was recorded.

    `version` is that of the list of extractors.
    """

    windows: tuple[Annotated[Window, Row()], ...]
    version: Always[int] = 1


@event("session_read", kw_only=True, goes_with=(), stays=True)
class SessionRead(Event):
    """A language model read a session up to a place, and its findings were recorded."""

    session_id: Annotated[SessionId, Key("read")]
    scope: Scope
    through: int
    model: str


@event("distillation_reopened", goes_with=(), stays=True)
class DistillationReopened(Event):
    """A person asked for all sessions to be read again."""
