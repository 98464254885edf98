"""What became of playbooks."""

from collections.abc import Set as AbstractSet
from dataclasses import replace

from tilth.core.codec import Inline
from tilth.core.event import ERASED, Event, Headline, event
from tilth.core.ids import EventId, SessionId
from tilth.core.scope import Scope
from tilth.playbooks.model import PlaybookDraft, PlaybookId, PlaybookState, SessionEnd, Told

_SAYS = ("draft.words",)


def _without_words(draft: PlaybookDraft) -> PlaybookDraft:
    """Return that there was a playbook, without a word of it."""
    return replace(
        draft,
        title=ERASED,
        applies_when="",
        steps=(),
        pitfalls=(),
        uses=(),
        evidence=(),
        heard=(),
        why="",
        not_worded="",
    )


@event("playbook_drafted", makes=PlaybookId, goes_with=(), rests_on="draft.grounds", says=_SAYS)
class PlaybookDrafted(Event):
    """A playbook was drafted. It is a candidate."""

    draft: Inline[PlaybookDraft]

    def headline(self) -> Headline:
        """Return what it is about."""
        return Headline("playbook", self.draft.title)

    def remains(self, gone: AbstractSet[str]) -> "PlaybookDrafted":  # noqa: ARG002 - it stays, whatever goes
        """Return that there was one."""
        return PlaybookDrafted(_without_words(self.draft))


@event(
    "playbook_revised",
    kw_only=True,
    subject="playbook_id",
    goes_with=("playbook_id",),
    rests_on="draft.grounds",
    says=_SAYS,
)
class PlaybookRevised(Event):
    """A playbook says something else from now on, and is a candidate again if that is new."""

    playbook_id: PlaybookId
    draft: PlaybookDraft

    @property
    def named_scope(self) -> None:  # type: ignore[explicit-override] # as elsewhere
        """None: it is seen where its playbook is."""
        return None

    def headline(self) -> Headline:
        """Return what it is about."""
        return Headline("playbook revised", self.draft.title)

    def remains(self, gone: AbstractSet[str]) -> "PlaybookRevised":  # noqa: ARG002 - it stays, whatever goes
        """Return that it was revised."""
        return replace(self, draft=_without_words(self.draft))


@event(
    "playbook_moved",
    kw_only=True,
    subject="playbook_id",
    goes_with=("playbook_id",),
    drops="note",
    cause="because",
)
class PlaybookMoved(Event):
    """
    A playbook was confirmed, vetoed, retired, archived or brought back.

    `because` names what became of another version of it, where it went along in the same act.
    """

    playbook_id: PlaybookId
    state: PlaybookState
    note: str = ""
    because: EventId | None = None

    def headline(self) -> Headline:
        """Return what it is now."""
        return Headline("playbook", self.state)


@event("playbook_used", kw_only=True, subject="playbook_id", goes_with=("playbook_id",))
class PlaybookUsed(Event):
    """A session did what a playbook says. The last word on a session counts."""

    playbook_id: PlaybookId
    root: SessionId
    ended: SessionEnd
    told: Told = Told.OBSERVED

    def headline(self) -> Headline:
        """Return how it ended."""
        return Headline("playbook used", self.ended)


@event("draft_declined", kw_only=True, goes_with=())
class DraftDeclined(Event):
    """What would have been a playbook was declined by the model, or refused by the gate."""

    scope: Scope
    key: str
    signature: str
    why: str
