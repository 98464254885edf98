"""What is said and done, the sessions it is said in, and what was brought in."""

from collections.abc import Set as AbstractSet
from typing import Annotated

from tilth.core.codec import FromHeader, Inline, Row
from tilth.core.dataclass import dataclass
from tilth.core.event import Event, Headline, event, is_named
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

    def remains(self, gone: AbstractSet[str]) -> "NotesEnded | None":
        """Return what an erase leaves: that notes in whose place it came are over."""
        left = tuple(one for one in self.draft.replaces if not is_named(gone, one))
        return NotesEnded(notes=left, scope=self.draft.scope) if left else None


@event("notes_ended", kw_only=True, goes_with=(), stays=True)
class NotesEnded(Event):
    """
    Notes are over; what came in their place was erased.

    No line of the ledger is of this kind: it is what a replay reads in the place of an erased note.
    """

    notes: tuple[EpisodeId, ...]
    scope: Scope = GLOBAL


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
