"""What a brain does with sessions."""

from collections.abc import Sequence

from tilth.core.ids import parse_session_id
from tilth.core.scope import GLOBAL, parse_scope
from tilth.episodes import sessions
from tilth.episodes.session import Session, SessionInfo
from tilth.runtime.parts import Parts, within


class Sessions:
    """The sessions of a brain."""

    def __init__(self, parts: Parts) -> None:
        self._parts = parts

    def list(
        self, *, limit: int = 20, offset: int = 0, scope: str | None = None
    ) -> Sequence[Session]:
        """See `tilth.episodes.sessions.list_sessions`."""
        seen = within(self._parts, scope)
        return sessions.list_sessions(self._parts.store, seen, limit=limit, offset=offset)

    def get(self, session_id: str, *, scope: str | None = None) -> Session:
        """See `tilth.episodes.sessions.get_session`."""
        seen = within(self._parts, scope)
        return sessions.get_session(self._parts.store, parse_session_id(session_id), seen)

    def describe(self, session_id: str, info: SessionInfo, *, scope: str = GLOBAL) -> None:
        """See `tilth.episodes.sessions.describe`."""
        sessions.describe(
            self._parts.store,
            parse_session_id(session_id),
            info,
            scope=parse_scope(scope),
            recorder=self._parts.recorder,
        )
