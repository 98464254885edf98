"""
The tools for people and conversations, which a server offers when it is asked to.

`tilth mcp --tools people`. Whose an address is only a human says: an agent is told who it may be,
and has no tool that links.
"""

from collections.abc import Sequence
from typing import Annotated, Literal, TypeAlias, cast

from mcp_types import CallToolResult
from pydantic import Field

# The one of `typing` says too little about itself before Python 3.12 for schemas to be made of it.
from typing_extensions import TypedDict

from tilth.core.errors import InvalidInputError
from tilth.episodes.episode import Episode, EpisodeFields
from tilth.interfaces.mcp.results import Shown, answer, label
from tilth.interfaces.mcp.service import Service, ToolFamily
from tilth.interfaces.mcp.tool_errors import ADDS, READS, CheckedTool, tool
from tilth.knowledge.entities.resolve_name import Suggestion
from tilth.people.profile import Trait
from tilth.people.reply_context import RECENT_MAX, Wanted
from tilth.privacy.sanitize import sanitized, shortened

Sureness: TypeAlias = Literal["high", "medium", "low"]
Way: TypeAlias = Literal["inbound", "outbound", "system"]
_NAME_CHARS, _TEXT_CHARS = 200, 2000
_TOKENS = 1000


class PersonItem(TypedDict):
    """Who may be meant, how likely that is (0 to 1), and why."""

    id: str
    name: str
    type: str
    score: float
    reason: str


class ResolveResult(Shown):
    """Who is reached there, if anybody is; else who may be. *confidence* is that of the link."""

    id: str
    name: str
    type: str
    confidence: str
    suggestions: list[PersonItem]


class TraitItem(TypedDict):
    """One version of a trait; a later one may have taken its place."""

    key: str
    value: str
    confidence: str
    evidence: list[str]
    at: str
    is_current: bool


class ProfileResult(Shown):
    """Traits, by key; with the past ones, the oldest first."""

    id: str
    name: str
    traits: list[TraitItem]


class MessageItem(TypedDict):
    """A message, or as much of it as a context holds."""

    id: str
    who: str
    at: str
    text: str


class SummaryItem(TypedDict):
    """What a conversation came to."""

    conversation_id: str
    transport: str
    text: str


class ContextResult(Shown):
    """What is to be known for the next reply."""

    conversation_id: str
    name: str
    transport: str
    topic: str
    traits: list[TraitItem]
    pending: list[str]
    summaries: list[SummaryItem]
    recent: list[MessageItem]


class LoggedResult(TypedDict):
    """The message, and the conversation it is in."""

    id: str
    conversation_id: str


class PeopleTools(ToolFamily):
    """The tools for people and conversations of one server."""

    def person_resolve(
        self,
        transport: Annotated[str, Field(description="matrix, email, slack and so on")],
        address: str,
        *,
        display_name: str = "",
        scope: str = "",
    ) -> Annotated[CallToolResult, ResolveResult]:
        """
        Who is reached at an address, or who may be.

        Only the user can link one.
        """
        known = self._brain.people.resolve(transport, address, scope=scope or None)
        if known is not None:
            entity, identity = known
            name, type_, sure = label(entity.name, _NAME_CHARS), entity.type, identity.confidence
            result = ResolveResult(
                id=entity.id, name=name, type=type_, confidence=sure, suggestions=[]
            )
            return answer(result, self._fenced([f"{name} ({sure}) · {entity.id}"], "resolve"))
        found = self._brain.people.suggest(
            transport, address, display_name=display_name, scope=scope or None
        )
        suggestions = [_person(one) for one in found]
        result = ResolveResult(id="", name="", type="", confidence="", suggestions=suggestions)
        lines = [f"{one['name']} · {one['reason']} · {one['id']}" for one in suggestions]
        head = "Nobody is linked there. It may be one of these; only the user can say:"
        blocks = ["\n".join([head, *lines])] if lines else ["Nobody is known there."]
        return answer(result, self._fenced(blocks, "resolve"))

    def person_profile(
        self, name: str, *, with_past: bool = False, scope: str = ""
    ) -> Annotated[CallToolResult, ProfileResult]:
        """What is known of how somebody is: preferences, tone, notes."""  # noqa: D401 - what agents read
        people, seen = self._brain.people, scope or None
        entity = self._brain.entities.get(name, scope=seen).entity
        read = people.history if with_past else people.profile
        traits = [_trait(one) for one in read(entity.id, scope=seen)]
        result = ProfileResult(id=entity.id, name=label(entity.name, _NAME_CHARS), traits=traits)
        lines = [f"{one['key']}: {one['value']} ({one['confidence']})" for one in traits]
        blocks = ["\n".join([f"{result['name']} · {entity.id}", *(lines or ["Nothing is known."])])]
        return answer(result, self._fenced(blocks, "profile"))

    def person_tell(
        self,
        name: str,
        key: str,
        value: str,
        *,
        confidence: Sureness = "medium",
        evidence: Annotated[Sequence[str], Field(description="ids of episodes that show it")] = (),
    ) -> Annotated[CallToolResult, ProfileResult]:
        """
        Note how somebody is: one value a key, the last one holds.

        What the user told stays.
        """
        told = self._brain.people.tell(name, key, value, confidence=confidence, evidence=evidence)
        shown = label(self._brain.entities.get(told.entity_id).entity.name, _NAME_CHARS)
        result = ProfileResult(id=told.entity_id, name=shown, traits=[_trait(told)])
        return answer(result, f"{told.entity_id}: noted.")

    def conversation_context(
        self,
        conversation_id: str,
        *,
        summary_tokens: Annotated[int, Field(ge=1, le=20_000)] = _TOKENS,
        recent: Annotated[int, Field(ge=1, le=RECENT_MAX)] = 10,
        transport: Annotated[str, Field(description="leave out what came another way")] = "",
        is_private: Annotated[bool, Field(description="mask mail, numbers, addresses")] = False,
        scope: str = "",
    ) -> Annotated[CallToolResult, ContextResult]:
        """Profile, summaries, open promises and last messages: what to know before you answer."""
        wanted = Wanted(
            summary_tokens=summary_tokens,
            recent=recent,
            transport=transport or None,
            is_private=is_private,
        )
        known = self._brain.conversations.context(conversation_id, wanted, scope=scope or None)
        draft = known.conversation.draft
        result = ContextResult(
            conversation_id=known.conversation.id,
            name=label(known.name, _NAME_CHARS),
            transport=draft.transport,
            topic=label(draft.topic, _NAME_CHARS),
            traits=[_trait(one) for one in known.profile],
            pending=[sanitized(one) for one in known.pending],
            summaries=[
                SummaryItem(
                    conversation_id=one.conversation_id,
                    transport=one.transport,
                    text=sanitized(one.text),
                )
                for one in known.summaries
            ],
            recent=[_message(one) for one in known.recent],
        )
        ids = [one.id for one in known.recent]
        return answer(result, self._fenced([sanitized(known.text)], "context", ids))

    def conversation_add(  # noqa: PLR0913 - what an agent may tell of a message, by name
        self,
        text: str,
        *,
        conversation_id: str = "",
        name: Annotated[str, Field(description="with whom, if no id is given")] = "",
        transport: str = "",
        address: str = "",
        direction: Way = "inbound",
        speaker: str = "",
        key: Annotated[str, Field(description="twice under one key is one message")] = "",
        scope: str = "",
    ) -> Annotated[CallToolResult, LoggedResult]:
        """Add a message to a conversation, by its id, or by name + transport + address."""
        conversations = self._brain.conversations
        if not conversation_id:
            if not (name and transport):
                raise InvalidInputError(
                    "which conversation is meant?", hint="give conversation_id, or name + transport"
                )
            place = self._service.write_scope(scope)
            begun = conversations.create(name, transport, address=address, scope=place)
            conversation_id = begun.conversation.id
        told = {"direction": direction, "speaker": speaker, "idempotency_key": key or None}
        episode_id = conversations.add(conversation_id, text, **cast("EpisodeFields", told))
        result = LoggedResult(id=episode_id, conversation_id=conversation_id)
        return answer(result, f"{episode_id} in {conversation_id}.")

    def _fenced(self, blocks: Sequence[str], via: str, ids: Sequence[str] = ()) -> str:
        return self._service.evidence(blocks, f"people_{via}", ids)


def people_tools(service: Service) -> list[CheckedTool]:
    """Return the tools for people and conversations."""
    tools = PeopleTools(service)
    # A message that is told twice without a key is two.
    logs = ADDS.model_copy(update={"idempotent_hint": False})
    return [
        tool(tools.person_resolve, READS, "Who is at an address"),
        tool(tools.person_profile, READS, "Profile of a person"),
        tool(tools.conversation_context, READS, "Context for a reply"),
        tool(tools.person_tell, ADDS, "Note a trait"),
        tool(tools.conversation_add, logs, "Log a message"),
    ]


def _person(one: Suggestion) -> PersonItem:
    entity = one.entity
    return PersonItem(
        id=entity.id,
        name=label(entity.name, _NAME_CHARS),
        type=entity.type,
        score=round(one.score, 3),
        reason=label(one.reason, _NAME_CHARS),
    )


def _trait(one: Trait) -> TraitItem:
    return TraitItem(
        key=label(one.key, _NAME_CHARS),
        value=shortened(sanitized(one.value), _TEXT_CHARS),
        confidence=one.confidence,
        evidence=list(one.evidence),
        at=one.recorded_at.isoformat(),
        is_current=one.is_current,
    )


def _message(one: Episode) -> MessageItem:
    return MessageItem(
        id=one.id,
        who=label(one.author or one.role, _NAME_CHARS),
        at=one.occurred_at.isoformat(),
        text=sanitized(one.text),
    )
