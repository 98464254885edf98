"""What is said and done, the sessions it is said in, and what was brought in."""

from typing import Annotated

from tilth.core.codec import FromHeader, Inline, Row
from tilth.core.dataclass import dataclass
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


@dataclass(frozen=True, slots=True)
class Content:
    """A piece of a document: its episode, and the line where it begins by now, from 1."""

    episode_id: EpisodeId
    line: int = 1


@event("import_finished", kw_only=True, goes_with=(), stays=True)
class ImportFinished(Event):
    """
    A source was read to its end.

    Attributes:
        document: The session of the document that it is; empty for any other source.
        contents: The pieces of which the document is made now, in their order.
        told: The facts and the edges that it states now.
        is_gone: Whether its file was there no more.
    """

    uri: str
    format: str
    sha256: str
    new_count: int
    known_count: int
    skipped_count: int
    document: str = ""
    contents: tuple[Annotated[Content, Row()], ...] = ()
    told: tuple[str, ...] = ()
    is_gone: bool = False
