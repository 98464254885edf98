"""
Everything that can happen, as a closed union, and its form in the ledger.

A payload holds what the header does not: no owner, actor, session or time of
recording. Values that equal their default are left out, so a field can be
added later without touching what is already written. A kind whose meaning
changes gets a new name and is read as what it meant when it was written.
"""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, NamedTuple, TypeAlias, assert_never

from tilth.domain.episode import Direction, EpisodeDraft, EpisodeKind, Role
from tilth.domain.ids import EventId, SessionId
from tilth.domain.instant import from_micros, to_micros
from tilth.domain.json import canonical
from tilth.domain.ledger import Header
from tilth.domain.scope import GLOBAL, Owner, Scope
from tilth.domain.session import SessionInfo
from tilth.errors import CorruptionError, InvalidInputError


@dataclass(frozen=True, slots=True)
class StoreCreated:
    """A store came to be; always the first event."""

    store_id: str


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


@dataclass(frozen=True, slots=True, kw_only=True)
class ImportFinished:
    """A source was read to its end."""

    uri: str
    format: str
    sha256: str
    new_count: int
    known_count: int
    skipped_count: int


Event: TypeAlias = StoreCreated | EpisodeRecorded | SessionDescribed | ImportFinished


@dataclass(frozen=True, slots=True, kw_only=True)
class Recorded:
    """One event with its place in the ledger."""

    seq: int
    event_id: EventId
    recorded_at: datetime
    owner: Owner
    session_id: SessionId | None
    event: Event


class Row(NamedTuple):
    """One line of the ledger as stored. An erased event has neither payload nor salt."""

    header: Header
    payload: str | None
    salt: bytes | None
    commitment: bytes
    chain: bytes


def kind_of(event: Event) -> str:
    """Return the name under which the ledger keeps *event*."""
    return next(kind for kind, (cls, _) in _READERS.items() if isinstance(event, cls))


def session_of(event: Event) -> SessionId | None:
    """Return the session that *event* belongs to, which the header carries."""
    match event:
        case EpisodeRecorded():
            return event.draft.session_id
        case SessionDescribed():
            return event.session_id
        case StoreCreated() | ImportFinished():
            return None
        case _:
            assert_never(event)


def encode(event: Event) -> str:
    """Return the canonical payload of *event*."""
    match event:
        case StoreCreated():
            return canonical({"store_id": event.store_id})
        case EpisodeRecorded():
            return canonical(_without_defaults(_draft_payload(event.draft)))
        case SessionDescribed():
            return canonical(_without_defaults(_session_payload(event)))
        case ImportFinished():
            return canonical({name: getattr(event, name) for name in _IMPORT_FIELDS})
        case _:
            assert_never(event)


def decode(kind: str, payload: str, session_id: SessionId | None) -> Event:
    """
    Read a payload back.

    Raises:
        CorruptionError: the kind is unknown, or the payload is not one of its kind.
    """
    try:
        _, read = _READERS[kind]
        return read(json.loads(payload), session_id)
    except (*_UNREADABLE, InvalidInputError) as error:
        raise CorruptionError(f"a {kind!r} event cannot be read: {error}") from error


# What reading a value raises that no writer of ours wrote.
_UNREADABLE = (
    KeyError,
    TypeError,
    ValueError,
    AttributeError,
    OverflowError,
    RecursionError,
)
_DEFAULTS: Mapping[str, object] = {
    "kind": EpisodeKind.MESSAGE,
    "role": Role.USER,
    "scope": GLOBAL,
    "transport": "cli",
    "metadata": {},
    "tags": [],
}
_IMPORT_FIELDS = ("uri", "format", "sha256", "new_count", "known_count", "skipped_count")


def _without_defaults(payload: dict[str, Any]) -> dict[str, Any]:
    return {
        name: value
        for name, value in payload.items()
        if value is not None and value != "" and value != _DEFAULTS.get(name)
    }


def _draft_payload(draft: EpisodeDraft) -> dict[str, Any]:
    return {
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


def _read_draft(payload: dict[str, Any], session_id: SessionId | None) -> Event:
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


def _session_payload(event: SessionDescribed) -> dict[str, Any]:
    info = event.info
    return {
        "scope": event.scope,
        "title": info.title,
        "host": info.host,
        "folder": info.folder,
        "uri": info.uri,
        "tags": list(info.tags),
    }


def _read_session(payload: dict[str, Any], session_id: SessionId | None) -> Event:
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


def _read_store(payload: dict[str, Any], _: SessionId | None) -> Event:
    return StoreCreated(payload["store_id"])


def _read_import(payload: dict[str, Any], _: SessionId | None) -> Event:
    return ImportFinished(**{name: payload[name] for name in _IMPORT_FIELDS})


_Reader: TypeAlias = Callable[[dict[str, Any], SessionId | None], Event]
_READERS: Mapping[str, tuple[type[Event], _Reader]] = {
    "store_created": (StoreCreated, _read_store),
    "episode_recorded": (EpisodeRecorded, _read_draft),
    "session_described": (SessionDescribed, _read_session),
    "import_finished": (ImportFinished, _read_import),
}
EVENT_KINDS = tuple(_READERS)
