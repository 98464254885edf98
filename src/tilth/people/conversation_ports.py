"""Conversations, their messages and their summaries, as a snapshot shows them."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol

from tilth.core.ids import ConversationId, EntityId
from tilth.core.scope import Owner, Visibility
from tilth.episodes.episode import Episode
from tilth.people.conversation import (
    Conversation,
    ConversationDraft,
    ConversationStatus,
    Summary,
    Thread,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class ConversationFilter:
    """Which conversations a read may return; of an entity also those of what was merged into it."""

    within: Visibility
    entity_id: EntityId | None = None
    transport: str | None = None
    status: ConversationStatus | None = None


class ConversationReader(Protocol):
    """Threads with entities."""

    def get(self, conversation_id: ConversationId, within: Visibility) -> Conversation:
        """
        Return one conversation.

        Raises:
            NotFoundError: there is none with this ID that may be seen.
        """
        ...

    def thread(self, conversation_id: ConversationId, within: Visibility) -> Thread:
        """
        Return one conversation without counting its messages, however many there are.

        Raises:
            NotFoundError: there is none with this ID that may be seen.
        """
        ...

    def open_like(self, draft: ConversationDraft, owner: Owner) -> Conversation | None:
        """Return the conversation that is not closed with the same entity, by the same way."""
        ...

    def select(
        self, which: ConversationFilter, *, limit: int, offset: int = 0
    ) -> list[Conversation]:
        """Return conversations, the one that began last first."""
        ...

    def messages(
        self,
        conversation_id: ConversationId,
        within: Visibility,
        *,
        after: int = 0,
        limit: int | None = None,
    ) -> list[Episode]:
        """Return the messages behind a place, in ledger order."""
        ...

    def recent(
        self, conversation_id: ConversationId, within: Visibility, *, limit: int
    ) -> list[Episode]:
        """Return the last messages, the newest at the end."""
        ...

    def summaries(self, conversation_id: ConversationId, within: Visibility) -> list[Summary]:
        """Return every summary, the oldest first; the last one is current."""
        ...

    def counts(self, within: Visibility) -> Mapping[str, Mapping[str, int]]:
        """Return how many there are: conversations by status and transport, messages, summaries."""
        ...
