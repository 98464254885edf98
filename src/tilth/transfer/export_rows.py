"""
The rows of an export, field by field (docs/reference/export.md).

The names are a promise to whoever reads the file, so each is written out here.
"""

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime

from tilth.core.actor import Actor
from tilth.core.json import Json, JsonObject
from tilth.episodes.episode import Episode
from tilth.episodes.session import Session
from tilth.gaps.model import Gap, GapEvidence, Trace
from tilth.knowledge.entities.entity import Entity
from tilth.knowledge.entities.identity import Identity
from tilth.knowledge.facts.fact import Evidence, Fact
from tilth.knowledge.facts.life import Life, PastLife
from tilth.knowledge.graph.edge import Edge
from tilth.people.conversation import Conversation, Summary
from tilth.people.profile import Trait


def session_row(one: Session) -> JsonObject:
    """Return what is said of a session."""
    info = one.info
    return {
        "type": "session",
        "id": one.id,
        "scope": one.scope,
        "title": info.title,
        "host": info.host,
        "folder": info.folder,
        "uri": info.uri,
        "tags": list(info.tags),
        "started_at": _at(one.started_at),
        "last_at": _at(one.last_at),
        "episode_count": one.episode_count,
    }


def episode_row(one: Episode) -> JsonObject:
    """Return one thing that was said or done."""
    return {
        "type": "episode",
        "id": one.id,
        "text": one.text,
        "kind": one.kind,
        "role": one.role,
        "speaker": one.speaker,
        "session_id": one.session_id,
        "occurred_at": _at(one.occurred_at),
        "recorded_at": _at(one.recorded_at),
        "scope": one.scope,
        "transport": one.transport,
        "address": one.address,
        "direction": one.direction,
        "entity_id": one.entity_id,
        "conversation_id": one.conversation_id,
        "lifecycle": one.lifecycle,
        "metadata": one.metadata,
    }


def entity_row(one: Entity) -> JsonObject:
    """Return a thing, and what it goes by."""
    return {
        "type": "entity",
        "id": one.id,
        "name": one.name,
        "entity_type": one.type,
        "aliases": list(one.aliases),
        "scope": one.scope,
        "merged_into": one.merged_into,
        "metadata": one.metadata,
        **_recorded(one.by, one.recorded_at),
    }


def edge_row(one: Edge, names: Mapping[str, str]) -> JsonObject:
    """Return how one node relates to another; *names* are those of its ends that have one."""
    return {
        "type": "edge",
        "id": one.id,
        "source": one.source,
        "source_name": names.get(one.source),
        "kind": one.kind,
        "target": one.target,
        "target_name": names.get(one.target),
        "scope": one.scope,
        **_recorded(one.by, one.recorded_at),
    }


def fact_row(one: Fact, about: Sequence[str], lives: Iterable[PastLife]) -> JsonObject:
    """Return a fact as it is, with everything that it was; *about* names its entities."""
    said = one.said
    triple: Mapping[str, Json] = (
        {}
        if said.triple is None
        else {
            "subject": said.triple.subject,
            "predicate": said.triple.predicate,
            "object": said.triple.object,
        }
    )
    filed = said.taxonomy
    return {
        "type": "fact",
        "id": one.id,
        "text": said.text,
        **triple,
        "channel": said.channel,
        "area": filed.area,
        "environment": filed.environment,
        "system": filed.system,
        "component": filed.component,
        "tags": list(filed.tags),
        "about": list(about),
        "about_ids": list(one.about),
        "evidence": list(map(_span, one.evidence)),
        "confidence": one.confidence.value,
        "confidence_source": one.confidence.source,
        **_life(one.life),
        "supersedes": one.supersedes,
        "metadata": one.metadata,
        **_recorded(one.by, one.recorded_at),
        "lives": [_past(past) for past in lives],
    }


def identity_row(one: Identity) -> JsonObject:
    """Return whose an address is."""
    return {
        "type": "identity",
        "entity_id": one.entity_id,
        "transport": one.address.transport,
        "address": one.address.address,
        "display_name": one.display_name,
        "confidence": one.confidence,
        "verified_at": None if one.verified_at is None else _at(one.verified_at),
        **_recorded(one.by, one.linked_at),
    }


def trait_row(one: Trait) -> JsonObject:
    """Return one version of a trait."""
    return {
        "type": "trait",
        "entity_id": one.entity_id,
        "key": one.key,
        "value": one.value,
        "confidence": one.confidence,
        "evidence": list(one.evidence),
        "is_current": one.is_current,
        **_recorded(one.by, one.recorded_at),
    }


def conversation_row(one: Conversation) -> JsonObject:
    """Return a thread with an entity."""
    return {
        "type": "conversation",
        "id": one.id,
        "entity_id": one.draft.entity_id,
        "transport": one.draft.transport,
        "address": one.draft.address,
        "topic": one.draft.topic,
        "scope": one.draft.scope,
        "status": one.status,
        "message_count": one.tally.count,
        **_recorded(one.by, one.recorded_at),
    }


def gap_row(one: Gap, trail: Sequence[Trace]) -> JsonObject:
    """Return what somebody wanted and nobody could do; what shows it by reference."""
    return {
        "type": "gap",
        "id": one.id,
        "description": one.description,
        "kind": one.kind,
        "scope": one.scope,
        "status": one.status,
        "todo_ref": one.todo_ref,
        "frequency": one.frequency,
        "evidence": [_span(trace.evidence) for trace in trail],
        "follows": one.follows,
        "merged_into": one.merged_into,
        "model": one.model,
        **_recorded(one.by, one.recorded_at),
    }


def summary_row(one: Summary) -> JsonObject:
    """Return what messages of a conversation come to."""
    draft = one.draft
    return {
        "type": "summary",
        "id": one.id,
        "conversation_id": draft.conversation_id,
        "text": draft.text,
        "first": draft.first,
        "last": draft.last,
        "count": draft.count,
        "pending": list(draft.pending),
        "tone": {
            "formality": draft.tone.formality,
            "technical_level": draft.tone.technical_level,
            "sentiment": draft.tone.sentiment,
            "pace": draft.tone.pace,
        },
        "supersedes": draft.supersedes,
        "is_current": one.is_current,
        "model": draft.model,
        **_recorded(one.by, one.recorded_at),
    }


def _span(evidence: Evidence | GapEvidence) -> JsonObject:
    return {"episode_id": evidence.episode_id, "start": evidence.start, "end": evidence.end}


def _past(past: PastLife) -> JsonObject:
    return {
        **_life(past.life),
        "since": past.since,
        "until": past.until,
        "began_at": _at(past.began_at),
        "by_event": past.event_kind,
        "by": _actor(past.by),
    }


def _life(life: Life) -> Mapping[str, Json]:
    return {
        "scope": life.scope,
        "lifecycle": life.lifecycle,
        "review": life.review,
        "authority": life.authority,
        "valid_from": _at(life.valid_from),
        "valid_to": None if life.valid_to is None else _at(life.valid_to),
        "successor": life.successor,
    }


def _recorded(by: Actor, at: datetime) -> Mapping[str, Json]:
    return {"by": _actor(by), "recorded_at": _at(at)}


def _actor(by: Actor) -> JsonObject:
    return {"name": by.name, "kind": by.kind}


def _at(instant: datetime) -> str:
    return instant.isoformat()
