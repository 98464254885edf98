"""What is said and done, the sessions it is said in, and what was brought in."""

from tilth.core.codec import FromHeader, Inline
from tilth.core.event import Event, Headline, event
from tilth.core.ids import EpisodeId, SessionId
from tilth.core.scope import GLOBAL, Scope
from tilth.episodes.episode import EpisodeDraft
from tilth.episodes.session import SessionInfo


@event(
    "episode_recorded",
    makes=EpisodeId,
    goes_with=("draft.entity_id", "draft.conversation_id"),
    is_telling=True,
    stays=True,
)
class EpisodeRecorded(Event):
    """Something was said or done."""

    draft: Inline[EpisodeDraft]

    def headline(self) -> Headline:
        """Return what was said."""
        return Headline(self.draft.kind, self.draft.text)


@event("session_described", kw_only=True, makes="sessions", goes_with=(), stays=True)
class SessionDescribed(Event):
    """Something was said about a session as a whole."""

    session_id: FromHeader[SessionId]
    info: Inline[SessionInfo]
    scope: Scope = GLOBAL

    def headline(self) -> Headline:
        """Return the title of the session, or where it ran."""
        return Headline("session", self.info.title or self.info.folder, self.session_id)


@event("import_finished", kw_only=True, goes_with=(), stays=True)
class ImportFinished(Event):
    """A source was read to its end."""

    uri: str
    format: str
    sha256: str
    new_count: int
    known_count: int
    skipped_count: int
