"""Things and their names, and the edges between nodes."""

from collections.abc import Mapping
from dataclasses import dataclass

from tilth.core.ids import EdgeId, EntityId, SessionId
from tilth.core.scope import GLOBAL
from tilth.knowledge.entities.entity import EntityDraft
from tilth.knowledge.graph.edge import EdgeDraft
from tilth.knowledge.vocabulary.registries import EdgeKind, EntityType
from tilth.ledger.codec import Codec, Payload, without_defaults


@dataclass(frozen=True, slots=True)
class EntityRecorded:
    """A thing was met for the first time."""

    draft: EntityDraft


@dataclass(frozen=True, slots=True, kw_only=True)
class AliasAdded:
    """An entity goes by one more name."""

    entity_id: EntityId
    alias: str


@dataclass(frozen=True, slots=True, kw_only=True)
class AliasRemoved:
    """An entity does not go by this name after all."""

    entity_id: EntityId
    alias: str


@dataclass(frozen=True, slots=True, kw_only=True)
class EntityTyped:
    """Somebody said what kind of thing an entity is."""

    entity_id: EntityId
    type: EntityType


@dataclass(frozen=True, slots=True, kw_only=True)
class EntitiesMerged:
    """
    One entity became another name of a second.

    It is a redirect: nothing moves, so a split restores exactly. `edges` are those that
    are seen at `winner` from now on, named for whoever reads the history.
    """

    winner: EntityId
    loser: EntityId
    edges: tuple[EdgeId, ...] = ()
    reason: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class EntitySplit:
    """A merge was taken back; `loser` is itself again."""

    loser: EntityId
    reason: str = ""


@dataclass(frozen=True, slots=True)
class EdgeRecorded:
    """Two nodes were joined."""

    draft: EdgeDraft


@dataclass(frozen=True, slots=True, kw_only=True)
class EdgeRetired:
    """Two nodes were parted."""

    edge_id: EdgeId
    reason: str = ""


_DEFAULTS: Mapping[str, object] = {"scope": GLOBAL, "aliases": [], "metadata": {}, "edges": []}


def _write_entity(event: EntityRecorded) -> Payload:
    draft = event.draft
    payload = {
        "name": draft.name,
        "type": draft.type,
        "aliases": list(draft.aliases),
        "scope": draft.scope,
        "metadata": dict(draft.metadata),
    }
    return without_defaults(payload, _DEFAULTS)


def _read_entity(payload: Payload, _: SessionId | None) -> EntityRecorded:
    draft = EntityDraft(
        name=payload["name"],
        type=EntityType(payload["type"]),
        aliases=tuple(payload.get("aliases", ())),
        scope=payload.get("scope", GLOBAL),
        metadata=payload.get("metadata", {}),
    )
    return EntityRecorded(draft)


def _write_alias(event: AliasAdded) -> Payload:
    return {"entity_id": event.entity_id, "alias": event.alias}


def _read_alias(payload: Payload, _: SessionId | None) -> AliasAdded:
    return AliasAdded(entity_id=EntityId(payload["entity_id"]), alias=payload["alias"])


def _write_alias_removed(event: AliasRemoved) -> Payload:
    return {"entity_id": event.entity_id, "alias": event.alias}


def _read_alias_removed(payload: Payload, _: SessionId | None) -> AliasRemoved:
    return AliasRemoved(entity_id=EntityId(payload["entity_id"]), alias=payload["alias"])


def _write_typed(event: EntityTyped) -> Payload:
    return {"entity_id": event.entity_id, "type": event.type}


def _read_typed(payload: Payload, _: SessionId | None) -> EntityTyped:
    return EntityTyped(entity_id=EntityId(payload["entity_id"]), type=EntityType(payload["type"]))


def _write_merged(event: EntitiesMerged) -> Payload:
    payload = {
        "winner": event.winner,
        "loser": event.loser,
        "edges": list(event.edges),
        "reason": event.reason,
    }
    return without_defaults(payload, _DEFAULTS)


def _read_merged(payload: Payload, _: SessionId | None) -> EntitiesMerged:
    return EntitiesMerged(
        winner=EntityId(payload["winner"]),
        loser=EntityId(payload["loser"]),
        edges=tuple(EdgeId(one) for one in payload.get("edges", ())),
        reason=payload.get("reason", ""),
    )


def _write_split(event: EntitySplit) -> Payload:
    return without_defaults({"loser": event.loser, "reason": event.reason}, {})


def _read_split(payload: Payload, _: SessionId | None) -> EntitySplit:
    return EntitySplit(loser=EntityId(payload["loser"]), reason=payload.get("reason", ""))


def _write_edge(event: EdgeRecorded) -> Payload:
    draft = event.draft
    payload = {
        "source": draft.source,
        "kind": draft.kind,
        "target": draft.target,
        "scope": draft.scope,
    }
    return without_defaults(payload, _DEFAULTS)


def _read_edge(payload: Payload, _: SessionId | None) -> EdgeRecorded:
    draft = EdgeDraft(
        source=payload["source"],
        kind=EdgeKind(payload["kind"]),
        target=payload["target"],
        scope=payload.get("scope", GLOBAL),
    )
    return EdgeRecorded(draft)


def _write_edge_retired(event: EdgeRetired) -> Payload:
    return without_defaults({"edge_id": event.edge_id, "reason": event.reason}, {})


def _read_edge_retired(payload: Payload, _: SessionId | None) -> EdgeRetired:
    return EdgeRetired(edge_id=EdgeId(payload["edge_id"]), reason=payload.get("reason", ""))


CODECS = (
    Codec("entity_recorded", EntityRecorded, _write_entity, _read_entity),
    Codec("alias_added", AliasAdded, _write_alias, _read_alias),
    Codec("alias_removed", AliasRemoved, _write_alias_removed, _read_alias_removed),
    Codec("entity_typed", EntityTyped, _write_typed, _read_typed),
    Codec("entities_merged", EntitiesMerged, _write_merged, _read_merged),
    Codec("entity_split", EntitySplit, _write_split, _read_split),
    Codec("edge_recorded", EdgeRecorded, _write_edge, _read_edge),
    Codec("edge_retired", EdgeRetired, _write_edge_retired, _read_edge_retired),
)
