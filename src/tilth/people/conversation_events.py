"""Threads with an entity, and what they come to."""

from collections.abc import Mapping
from dataclasses import dataclass

from tilth.core.ids import ConversationId, EntityId, EpisodeId, SessionId, SummaryId
from tilth.core.scope import GLOBAL
from tilth.ledger.codec import Codec, Payload, without_defaults
from tilth.llm.answers import Pace, Sentiment, ToneDraft
from tilth.people.conversation import ConversationDraft, ConversationStatus, DigestDraft


@dataclass(frozen=True, slots=True)
class ConversationBegun:
    """A conversation began."""

    draft: ConversationDraft


@dataclass(frozen=True, slots=True, kw_only=True)
class ConversationMoved:
    """A conversation was resumed, came to rest, or was closed."""

    conversation_id: ConversationId
    status: ConversationStatus


@dataclass(frozen=True, slots=True)
class SummaryWritten:
    """Messages of a conversation were summarised; the summary before is superseded."""

    draft: DigestDraft


_BEGUN: Mapping[str, object] = {"scope": GLOBAL}
_SUMMARY: Mapping[str, object] = {"pending": []}


def _write_begun(event: ConversationBegun) -> Payload:
    draft = event.draft
    payload = {
        "entity_id": draft.entity_id,
        "transport": draft.transport,
        "address": draft.address,
        "topic": draft.topic,
        "scope": draft.scope,
    }
    return without_defaults(payload, _BEGUN)


def _read_begun(payload: Payload, _: SessionId | None) -> ConversationBegun:
    draft = ConversationDraft(
        entity_id=EntityId(payload["entity_id"]),
        transport=payload["transport"],
        address=payload.get("address", ""),
        topic=payload.get("topic", ""),
        scope=payload.get("scope", GLOBAL),
    )
    return ConversationBegun(draft)


def _write_moved(event: ConversationMoved) -> Payload:
    return {"conversation_id": event.conversation_id, "status": event.status}


def _read_moved(payload: Payload, _: SessionId | None) -> ConversationMoved:
    return ConversationMoved(
        conversation_id=ConversationId(payload["conversation_id"]),
        status=ConversationStatus(payload["status"]),
    )


def _write_summary(event: SummaryWritten) -> Payload:
    draft, tone = event.draft, event.draft.tone
    payload = {
        "conversation_id": draft.conversation_id,
        "first": draft.first,
        "last": draft.last,
        "count": draft.count,
        "text": draft.text,
        "tone": {
            "formality": tone.formality,
            "technical_level": tone.technical_level,
            "sentiment": tone.sentiment,
            "pace": tone.pace,
        },
        "pending": list(draft.pending),
        "supersedes": draft.supersedes,
        "model": draft.model,
    }
    return without_defaults(payload, _SUMMARY)


def _read_summary(payload: Payload, _: SessionId | None) -> SummaryWritten:
    tone, supersedes = payload["tone"], payload.get("supersedes")
    draft = DigestDraft(
        conversation_id=ConversationId(payload["conversation_id"]),
        first=EpisodeId(payload["first"]),
        last=EpisodeId(payload["last"]),
        count=payload["count"],
        text=payload.get("text", ""),
        tone=ToneDraft(
            formality=tone["formality"],
            technical_level=tone["technical_level"],
            sentiment=Sentiment(tone["sentiment"]),
            pace=Pace(tone["pace"]),
        ),
        pending=tuple(payload.get("pending", ())),
        supersedes=None if supersedes is None else SummaryId(supersedes),
        model=payload.get("model", ""),
    )
    return SummaryWritten(draft)


CODECS = (
    Codec("conversation_begun", ConversationBegun, _write_begun, _read_begun),
    Codec("conversation_moved", ConversationMoved, _write_moved, _read_moved),
    Codec("summary_written", SummaryWritten, _write_summary, _read_summary),
)
