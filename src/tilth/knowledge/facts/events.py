"""What is stated, and how it ends."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from tilth.core.errors import CorruptionError
from tilth.core.ids import EntityId, EpisodeId, EventId, FactId, SessionId
from tilth.core.instant import from_micros, to_micros
from tilth.core.json import JsonObject
from tilth.core.lifecycle import Lifecycle
from tilth.core.scope import GLOBAL, Scope
from tilth.knowledge.facts.fact import CONFIDENCE_CAP, Evidence
from tilth.knowledge.facts.life import Authority
from tilth.knowledge.facts.statement import Statement, Taxonomy, Triple
from tilth.knowledge.vocabulary.registries import Channel, Registry
from tilth.ledger.codec import Codec, Payload, without_defaults


@dataclass(frozen=True, slots=True, kw_only=True)
class FactRecorded:
    """
    Something was stated.

    If it is current and supersedes a fact, that one ends where this begins. `slot`
    and `key` are those of the moment of writing: what is registered later changes neither.
    `unknown` are its words that nobody had registered.
    """

    said: Statement
    key: str
    about: tuple[EntityId, ...]
    evidence: tuple[Evidence, ...]
    slot: str = ""
    lifecycle: Lifecycle = Lifecycle.CURRENT
    scope: Scope = GLOBAL
    valid_from: datetime | None = None
    valid_to: datetime | None = None
    confidence: float = CONFIDENCE_CAP
    authority: Authority = Authority.EVIDENCE
    supersedes: FactId | None = None
    metadata: JsonObject = field(default_factory=dict)
    unknown: tuple[tuple[Registry, str], ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class FactReinforced:
    """The same was said again."""

    fact_id: FactId
    evidence: tuple[Evidence, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class FactRetired:
    """A fact ended without a successor; `valid_to` may lie in the past, None is now."""

    fact_id: FactId
    reason: str
    valid_to: datetime | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class FactArchived:
    """A fact was put away; `sweep` is the event that began the round, if it was by rule."""

    fact_id: FactId
    reason: str = ""
    sweep: EventId | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ChangeUndone:
    """What one event did to the lives of facts was taken back; the event itself stays."""

    event_id: EventId
    reason: str = ""


_DEFAULTS: Mapping[str, object] = {
    "lifecycle": Lifecycle.CURRENT,
    "scope": GLOBAL,
    "confidence": CONFIDENCE_CAP,
    "authority": Authority.EVIDENCE,
    "metadata": {},
    "tags": [],
    "triple": [],
    "unknown": [],
}


@dataclass(frozen=True, slots=True)
class WrittenTriple:
    """The triple in a payload, with its stated confidence; the rest of it is not read."""

    subject: str
    predicate: str
    object: str
    confidence: float


def written_triple(text: str) -> WrittenTriple | None:
    """
    Read no more of a fact's payload than its triple: walks read hundreds of them.

    Raises:
        CorruptionError: it cannot be read.
    """
    try:
        payload: Payload = json.loads(text)
        if not (parts := payload.get("triple")):
            return None
        subject, predicate, object_ = parts
        confidence = payload.get("confidence", CONFIDENCE_CAP)
    except (AttributeError, TypeError, ValueError) as error:
        raise CorruptionError(f"the triple of a fact cannot be read: {error}") from error
    return WrittenTriple(subject, predicate, object_, confidence)


def micros(instant: datetime | None) -> int | None:
    """Return *instant* as payloads hold it."""
    return None if instant is None else to_micros(instant)


def instant(payload: Payload, name: str) -> datetime | None:
    """Read the instant that *payload* holds under *name*."""
    value = payload.get(name)
    return None if value is None else from_micros(value)


def _write_said(said: Statement) -> Payload:
    triple, taxonomy = said.triple, said.taxonomy
    parts = () if triple is None else (triple.subject, triple.predicate, triple.object)
    return {
        "text": said.text,
        "triple": list(parts),
        "written_as": "" if triple is None else triple.written_as,
        "channel": said.channel,
        "area": taxonomy.area,
        "environment": taxonomy.environment,
        "system": taxonomy.system,
        "component": taxonomy.component,
        "tags": list(taxonomy.tags),
    }


def _read_said(payload: Payload) -> Statement:
    parts, channel = payload.get("triple", ()), payload.get("channel")
    return Statement(
        text=payload["text"],
        triple=_read_triple(parts, payload.get("written_as", "")) if parts else None,
        channel=None if channel is None else Channel(channel),
        taxonomy=Taxonomy(
            area=payload.get("area", ""),
            environment=payload.get("environment", ""),
            system=payload.get("system", ""),
            component=payload.get("component", ""),
            tags=tuple(payload.get("tags", ())),
        ),
    )


def _read_triple(parts: Sequence[str], written_as: str) -> Triple:
    subject, predicate, object_ = parts
    return Triple(subject, predicate, object_, written_as)


def _write_evidence(evidence: tuple[Evidence, ...]) -> list[list[Any]]:
    return [[one.episode_id, one.start, one.end] for one in evidence]


def _read_evidence(payload: Payload) -> tuple[Evidence, ...]:
    return tuple(
        Evidence(EpisodeId(episode_id), start, end)
        for episode_id, start, end in payload["evidence"]
    )


def _write_fact(event: FactRecorded) -> Payload:
    payload = _write_said(event.said) | {
        "key": event.key,
        "about": list(event.about),
        "evidence": _write_evidence(event.evidence),
        "slot": event.slot,
        "lifecycle": event.lifecycle,
        "scope": event.scope,
        "valid_from": micros(event.valid_from),
        "valid_to": micros(event.valid_to),
        "confidence": event.confidence,
        "authority": event.authority,
        "supersedes": event.supersedes,
        "metadata": dict(event.metadata),
        "unknown": [list(one) for one in event.unknown],
    }
    return without_defaults(payload, _DEFAULTS)


def _read_fact(payload: Payload, _: SessionId | None) -> FactRecorded:
    supersedes = payload.get("supersedes")
    return FactRecorded(
        said=_read_said(payload),
        key=payload["key"],
        about=tuple(EntityId(one) for one in payload["about"]),
        evidence=_read_evidence(payload),
        slot=payload.get("slot", ""),
        lifecycle=Lifecycle(payload.get("lifecycle", Lifecycle.CURRENT)),
        scope=payload.get("scope", GLOBAL),
        valid_from=instant(payload, "valid_from"),
        valid_to=instant(payload, "valid_to"),
        confidence=payload.get("confidence", CONFIDENCE_CAP),
        authority=Authority(payload.get("authority", Authority.EVIDENCE)),
        supersedes=None if supersedes is None else FactId(supersedes),
        metadata=payload.get("metadata", {}),
        unknown=tuple((Registry(registry), word) for registry, word in payload.get("unknown", ())),
    )


def _write_reinforced(event: FactReinforced) -> Payload:
    return {"fact_id": event.fact_id, "evidence": _write_evidence(event.evidence)}


def _read_reinforced(payload: Payload, _: SessionId | None) -> FactReinforced:
    return FactReinforced(fact_id=FactId(payload["fact_id"]), evidence=_read_evidence(payload))


def _write_retired(event: FactRetired) -> Payload:
    payload = {
        "fact_id": event.fact_id,
        "reason": event.reason,
        "valid_to": micros(event.valid_to),
    }
    return without_defaults(payload, {})


def _read_retired(payload: Payload, _: SessionId | None) -> FactRetired:
    return FactRetired(
        fact_id=FactId(payload["fact_id"]),
        reason=payload.get("reason", ""),
        valid_to=instant(payload, "valid_to"),
    )


def _write_archived(event: FactArchived) -> Payload:
    payload = {"fact_id": event.fact_id, "reason": event.reason, "sweep": event.sweep}
    return without_defaults(payload, {})


def _read_archived(payload: Payload, _: SessionId | None) -> FactArchived:
    sweep = payload.get("sweep")
    return FactArchived(
        fact_id=FactId(payload["fact_id"]),
        reason=payload.get("reason", ""),
        sweep=None if sweep is None else EventId(sweep),
    )


def _write_undone(event: ChangeUndone) -> Payload:
    return without_defaults({"event_id": event.event_id, "reason": event.reason}, {})


def _read_undone(payload: Payload, _: SessionId | None) -> ChangeUndone:
    return ChangeUndone(event_id=EventId(payload["event_id"]), reason=payload.get("reason", ""))


CODECS = (
    Codec("fact_recorded", FactRecorded, _write_fact, _read_fact),
    Codec("fact_reinforced", FactReinforced, _write_reinforced, _read_reinforced),
    Codec("fact_retired", FactRetired, _write_retired, _read_retired),
    Codec("fact_archived", FactArchived, _write_archived, _read_archived),
    Codec("change_undone", ChangeUndone, _write_undone, _read_undone),
)
