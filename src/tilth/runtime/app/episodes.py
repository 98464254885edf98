"""What a brain does with episodes."""

from collections.abc import Sequence

from tilth.core.ids import EpisodeId, parse_session_id
from tilth.episodes import sessions
from tilth.episodes.episode import Episode
from tilth.episodes.filters import EpisodeFilter
from tilth.knowledge.changes import provenance
from tilth.knowledge.changes.provenance import Resting
from tilth.runtime.parts import Parts, within


class Episodes:
    """The episodes of a brain."""

    def __init__(self, parts: Parts) -> None:
        self._parts = parts

    def list(
        self,
        *,
        session_id: str | None = None,
        limit: int = 100,
        after: int = 0,
        newest: bool = False,
        scope: str | None = None,
    ) -> Sequence[Episode]:
        """See `tilth.episodes.sessions.list_episodes`."""
        which = EpisodeFilter(
            within=within(self._parts, scope),
            session_id=None if session_id is None else parse_session_id(session_id),
        )
        return sessions.list_episodes(
            self._parts.store, which, limit=limit, after=after, newest=newest
        )

    def get(self, episode_id: str, *, is_masked: bool = False, scope: str | None = None) -> Episode:
        """See `tilth.episodes.sessions.get_episode`."""
        seen = within(self._parts, scope)
        return sessions.get_episode(
            self._parts.store, EpisodeId(episode_id), seen, is_masked=is_masked
        )

    def facts(
        self, episode_id: str, *, limit: int = 100, scope: str | None = None
    ) -> Sequence[Resting]:
        """Say what rests on an episode; see `tilth.knowledge.changes.provenance.facts_on`."""
        seen = within(self._parts, scope)
        return provenance.facts_on(self._parts.store, EpisodeId(episode_id), seen, limit=limit)
