"""What is said and done, and the sessions it is said in."""

from collections.abc import Mapping
from dataclasses import dataclass

from tilth.core.ids import SessionId
from tilth.core.instant import from_micros, to_micros
from tilth.core.scope import GLOBAL, Scope
from tilth.episodes.episode import Direction, EpisodeDraft, EpisodeKind, Role
from tilth.episodes.session import SessionInfo
from tilth.ledger.codec import Codec, Payload, without_defaults


@dataclass(frozen=True, slots=True)
class EpisodeRecorded:
    """Something was said or done."""

    draft: EpisodeDraft


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionDescribed:
    """Something was said about a session as a whole."""

    session_id: SessionId
    info: SessionInfo
    scope: Scope = GLOBAL


_DEFAULTS: Mapping[str, object] = {
    "kind": EpisodeKind.MESSAGE,
    "role": Role.USER,
    "scope": GLOBAL,
    "transport": "cli",
    "metadata": {},
    "tags": [],
}


def _write_episode(event: EpisodeRecorded) -> Payload:
    draft = event.draft
    payload = {
        "text": draft.text,
        "kind": draft.kind,
        "role": draft.role,
        "speaker": draft.speaker,
        "at": None if draft.occurred_at is None else to_micros(draft.occurred_at),
        "scope": draft.scope,
        "transport": draft.transport,
        "address": draft.address,
        "direction": draft.direction,
        "entity_id": draft.entity_id,
        "conversation_id": draft.conversation_id,
        "metadata": dict(draft.metadata),
    }
    return without_defaults(payload, _DEFAULTS)


def _read_episode(payload: Payload, session_id: SessionId | None) -> EpisodeRecorded:
    at = payload.get("at")
    direction = payload.get("direction")
    draft = EpisodeDraft(
        text=payload["text"],
        kind=EpisodeKind(payload.get("kind", EpisodeKind.MESSAGE)),
        role=Role(payload.get("role", Role.USER)),
        speaker=payload.get("speaker", ""),
        session_id=session_id,
        occurred_at=None if at is None else from_micros(at),
        scope=payload.get("scope", GLOBAL),
        transport=payload.get("transport", "cli"),
        address=payload.get("address", ""),
        direction=None if direction is None else Direction(direction),
        entity_id=payload.get("entity_id"),
        conversation_id=payload.get("conversation_id"),
        metadata=payload.get("metadata", {}),
    )
    return EpisodeRecorded(draft)


def _write_session(event: SessionDescribed) -> Payload:
    info = event.info
    payload = {
        "scope": event.scope,
        "title": info.title,
        "host": info.host,
        "folder": info.folder,
        "uri": info.uri,
        "tags": list(info.tags),
    }
    return without_defaults(payload, _DEFAULTS)


def _read_session(payload: Payload, session_id: SessionId | None) -> SessionDescribed:
    if session_id is None:
        raise ValueError("no session in the header")
    info = SessionInfo(
        title=payload.get("title", ""),
        host=payload.get("host", ""),
        folder=payload.get("folder", ""),
        uri=payload.get("uri", ""),
        tags=tuple(payload.get("tags", ())),
    )
    return SessionDescribed(session_id=session_id, info=info, scope=payload.get("scope", GLOBAL))


CODECS = (
    Codec("episode_recorded", EpisodeRecorded, _write_episode, _read_episode),
    Codec("session_described", SessionDescribed, _write_session, _read_session),
)
