"""What a brain does with conversations."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Unpack

from tilth.core.actor import Actor, ActorKind
from tilth.core.ids import ConversationId, EntityId, EpisodeId
from tilth.core.scope import GLOBAL, parse_scope
from tilth.episodes.episode import Saying, parse_draft
from tilth.llm.answers import ToneDraft
from tilth.people import conversations
from tilth.people import idle as resting
from tilth.people import reply_context as continuity
from tilth.people.conversation import (
    Conversation,
    ConversationDraft,
    ConversationFilter,
    Summary,
    parse_status,
)
from tilth.people.conversations import ROLES, Archived, Begun
from tilth.people.idle import Rest
from tilth.people.reply_context import ConversationContext, Wanted
from tilth.runtime.parts import Parts, by_transport, within

RESTER = Actor("conversations", ActorKind.JOB)


class Conversations:
    """The conversations of a brain."""

    def __init__(self, parts: Parts) -> None:
        self._parts = parts
        # Of which a model said that they go on; see `tilth.people.idle.put_to_rest`.
        self._going_on: dict[ConversationId, int] = {}

    def create(
        self,
        entity_id: str,
        transport: str,
        *,
        address: str = "",
        topic: str = "",
        scope: str = GLOBAL,
    ) -> Begun:
        """See `tilth.people.conversations.begin_conversation`."""
        draft = ConversationDraft(
            entity_id=EntityId.parse(entity_id),
            transport=transport,
            address=address,
            topic=topic,
            scope=parse_scope(scope),
        )
        return conversations.begin_conversation(self._parts.store, draft, self._parts.recorder)

    def add(self, conversation_id: str, text: str, /, **saying: Unpack[Saying]) -> EpisodeId:
        """See `tilth.people.conversations.add_message`."""
        parts, draft = self._parts, parse_draft(text, saying)
        if "role" not in saying:
            draft = replace(draft, role=ROLES[draft.travels])
        meant = ConversationId.parse(conversation_id)
        return conversations.add_message(parts.store, parts.first, meant, draft, parts.recorder)

    def resume(self, conversation_id: str) -> Conversation:
        """See `tilth.people.conversations.resume_conversation`."""
        parts, meant = self._parts, ConversationId.parse(conversation_id)
        return conversations.resume_conversation(parts.store, meant, parts.recorder)

    def archive(self, conversation_id: str) -> Archived:
        """See `tilth.people.conversations.archive_conversation`."""
        meant = ConversationId.parse(conversation_id)
        return conversations.archive_conversation(self._parts.thinker, meant)

    def close(self, conversation_id: str) -> Conversation:
        """See `tilth.people.conversations.close_conversation`."""
        parts, meant = self._parts, ConversationId.parse(conversation_id)
        return conversations.close_conversation(parts.store, meant, parts.recorder)

    def summarise(self, conversation_id: str, *, is_forced: bool = False) -> Summary | None:
        """See `tilth.people.conversations.summarise_conversation`."""
        meant, thinker = ConversationId.parse(conversation_id), self._parts.thinker
        return conversations.summarise_conversation(thinker, meant, is_forced=is_forced)

    def summaries(self, conversation_id: str, *, scope: str | None = None) -> Sequence[Summary]:
        """See `tilth.people.conversations.list_summaries`."""
        meant = ConversationId.parse(conversation_id)
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
        """See `tilth.people.conversations.list_conversations`."""
        which = ConversationFilter(
            within=within(self._parts, scope),
            entity_id=None if entity_id is None else EntityId.parse(entity_id),
            transport=by_transport(self._parts, transport),
            status=None if status is None else parse_status(status),
        )
        store = self._parts.store
        return conversations.list_conversations(store, which, limit=limit, offset=offset)

    def get(self, conversation_id: str, *, scope: str | None = None) -> Conversation:
        """See `tilth.people.conversations.read_conversation`."""
        meant = ConversationId.parse(conversation_id)
        return conversations.read_conversation(self._parts.store, meant, within(self._parts, scope))

    def tone(self, conversation_id: str, *, scope: str | None = None) -> ToneDraft:
        """See `tilth.people.conversations.read_tone`."""
        meant, seen = ConversationId.parse(conversation_id), within(self._parts, scope)
        return conversations.read_tone(self._parts.thinker, meant, seen)

    def stats(self, *, scope: str | None = None) -> Mapping[str, Mapping[str, int]]:
        """See `tilth.people.conversations.conversation_stats`."""
        return conversations.conversation_stats(self._parts.store, within(self._parts, scope))

    def idle(
        self, conversation_id: str | None = None, *, scope: str | None = None
    ) -> Sequence[Rest]:
        """See `tilth.people.idle.judge_rest`."""
        meant = None if conversation_id is None else ConversationId.parse(conversation_id)
        return resting.judge_rest(self._parts.thinker, within(self._parts, scope), meant)

    def rest(self) -> Sequence[Archived]:
        """See `tilth.people.idle.put_to_rest`."""
        thinker = replace(self._parts.thinker, recorder=replace(self._parts.recorder, by=RESTER))
        return resting.put_to_rest(thinker, within(self._parts, None), self._going_on)

    def context(
        self, conversation_id: str, wanted: Wanted | None = None, *, scope: str | None = None
    ) -> ConversationContext:
        """See `tilth.people.reply_context.conversation_context`."""
        meant = ConversationId.parse(conversation_id)
        parts, seen = self._parts, within(self._parts, scope)
        told = continuity.conversation_context(parts.store, meant, seen, wanted or Wanted())
        return parts.excluded.shown(told)
