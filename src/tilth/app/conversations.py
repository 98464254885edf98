"""What a brain does with conversations."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Unpack

from tilth.app.parts import Parts, within
from tilth.domain.conversation import Conversation, ConversationDraft, Summary, parse_status
from tilth.domain.episode import Saying, parse_draft
from tilth.domain.ids import EpisodeId, parse_conversation_id, parse_entity_id
from tilth.domain.scope import GLOBAL, parse_scope
from tilth.ports import ConversationFilter
from tilth.usecases import continuity, conversations
from tilth.usecases.continuity import ConversationContext, Wanted
from tilth.usecases.conversations import ROLES, Archived, Begun, Rest


class Conversations:
    """The conversations of a brain."""

    def __init__(self, parts: Parts) -> None:
        self._parts = parts

    def create(
        self,
        entity_id: str,
        transport: str,
        *,
        address: str = "",
        topic: str = "",
        scope: str = GLOBAL,
    ) -> Begun:
        """See `tilth.usecases.conversations.begin_conversation`."""
        draft = ConversationDraft(
            entity_id=parse_entity_id(entity_id),
            transport=transport,
            address=address,
            topic=topic,
            scope=parse_scope(scope),
        )
        return conversations.begin_conversation(self._parts.store, draft, self._parts.recorder)

    def add(self, conversation_id: str, text: str, /, **saying: Unpack[Saying]) -> EpisodeId:
        """See `tilth.usecases.conversations.add_message`."""
        parts, draft = self._parts, parse_draft(text, saying)
        if "role" not in saying:
            draft = replace(draft, role=ROLES[draft.travels])
        meant = parse_conversation_id(conversation_id)
        return conversations.add_message(parts.store, parts.first, meant, draft, parts.recorder)

    def resume(self, conversation_id: str) -> Conversation:
        """See `tilth.usecases.conversations.resume_conversation`."""
        parts, meant = self._parts, parse_conversation_id(conversation_id)
        return conversations.resume_conversation(parts.store, meant, parts.recorder)

    def archive(self, conversation_id: str) -> Archived:
        """See `tilth.usecases.conversations.archive_conversation`."""
        parts, meant = self._parts, parse_conversation_id(conversation_id)
        return conversations.archive_conversation(parts.store, meant, parts.recorder)

    def close(self, conversation_id: str) -> Conversation:
        """See `tilth.usecases.conversations.close_conversation`."""
        parts, meant = self._parts, parse_conversation_id(conversation_id)
        return conversations.close_conversation(parts.store, meant, parts.recorder)

    def summarise(self, conversation_id: str, *, is_forced: bool = False) -> Summary | None:
        """See `tilth.usecases.conversations.summarise_conversation`."""
        parts, meant = self._parts, parse_conversation_id(conversation_id)
        return conversations.summarise_conversation(
            parts.store, meant, parts.recorder, is_forced=is_forced
        )

    def summaries(self, conversation_id: str, *, scope: str | None = None) -> Sequence[Summary]:
        """See `tilth.usecases.conversations.list_summaries`."""
        meant = parse_conversation_id(conversation_id)
        return conversations.list_summaries(self._parts.store, meant, within(self._parts, scope))

    def list(
        self,
        *,
        entity_id: str | None = None,
        transport: str | None = None,
        status: str | None = None,
        limit: int = 50,
        offset: int = 0,
        scope: str | None = None,
    ) -> Sequence[Conversation]:
        """See `tilth.usecases.conversations.list_conversations`."""
        which = ConversationFilter(
            within=within(self._parts, scope),
            entity_id=None if entity_id is None else parse_entity_id(entity_id),
            transport=transport,
            status=None if status is None else parse_status(status),
        )
        store = self._parts.store
        return conversations.list_conversations(store, which, limit=limit, offset=offset)

    def idle(
        self, conversation_id: str | None = None, *, scope: str | None = None
    ) -> Sequence[Rest]:
        """See `tilth.usecases.conversations.judge_rest`."""
        parts = self._parts
        meant = None if conversation_id is None else parse_conversation_id(conversation_id)
        return conversations.judge_rest(parts.store, parts.clock, within(parts, scope), meant)

    def context(
        self, conversation_id: str, wanted: Wanted | None = None, *, scope: str | None = None
    ) -> ConversationContext:
        """See `tilth.usecases.continuity.conversation_context`."""
        meant = parse_conversation_id(conversation_id)
        seen = within(self._parts, scope)
        return continuity.conversation_context(self._parts.store, meant, seen, wanted or Wanted())
