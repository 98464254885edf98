"""The events of addresses, profiles and conversations."""

from tilth.core.codec import Inline
from tilth.core.event import Event, Headline, event
from tilth.core.ids import ConversationId
from tilth.core.view import number_of
from tilth.people.conversation import ConversationDraft, ConversationStatus, DigestDraft, SummaryId
from tilth.people.profile import TraitDraft


@event(
    "trait_told",
    makes="traits",
    subject="draft.entity_id",
    goes_with=("draft.entity_id",),
    rests_on="draft.evidence",
    says=("draft.value",),
    is_telling=True,
)
class TraitTold(Event):
    """A trait of an entity was recorded; the one under its key before is past."""

    draft: Inline[TraitDraft]

    def headline(self) -> Headline:
        """Return the trait."""
        return Headline("profile", f"{self.draft.key}: {self.draft.value}")


@event(
    "conversation_begun",
    makes=ConversationId,
    goes_with=("draft.entity_id",),
    is_telling=True,
    stays=True,
)
class ConversationBegun(Event):
    """A conversation began."""

    draft: Inline[ConversationDraft]

    def headline(self) -> Headline:
        """Return the topic, the participant, the transport and the address."""
        draft = self.draft
        who = f"with {draft.entity_id} by {draft.transport} {draft.address}".rstrip()
        return Headline("conversation", f"{draft.topic}, {who}" if draft.topic else who)


@event(
    "conversation_moved",
    kw_only=True,
    subject="conversation_id",
    goes_with=("conversation_id",),
    stays=True,
)
class ConversationMoved(Event):
    """A conversation was resumed, archived or closed."""

    conversation_id: ConversationId
    status: ConversationStatus

    def headline(self) -> Headline:
        """Return the new status."""
        return Headline("conversation", self.status)


@event(
    "summary_written",
    makes=SummaryId,
    subject="draft.conversation_id",
    goes_with=("draft.conversation_id", "draft.supersedes"),
    stays=True,
)
class SummaryWritten(Event):
    """Messages of a conversation were summarised; the summary before is superseded."""

    draft: Inline[DigestDraft]

    def headline(self) -> Headline:
        """Return how many messages it covers."""
        return Headline("summary", f"of {number_of(self.draft.count, 'message')}")
