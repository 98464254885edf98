"""What a brain does with entities."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import cast

from tilth.core.actor import Actor, ActorKind
from tilth.core.ids import EntityId
from tilth.core.json import JsonObject
from tilth.core.scope import GLOBAL, parse_scope
from tilth.knowledge.entities import entities
from tilth.knowledge.entities.entities import Added, Card, Resolved
from tilth.knowledge.entities.entity import Entity, EntityDraft, parse_entity_type
from tilth.knowledge.entities.naming import Suggestion
from tilth.knowledge.entities.tables import EntityFilter
from tilth.knowledge.graph import graph
from tilth.knowledge.graph.edge import parse_edge_kinds
from tilth.knowledge.graph.graph import Graph
from tilth.knowledge.merging import merge as merging
from tilth.knowledge.merging import tidy as tidying
from tilth.knowledge.merging.merge import Merged, Split
from tilth.knowledge.merging.tidy import Tidied
from tilth.llm.client import unfit
from tilth.llm.task import Task
from tilth.runtime.parts import Parts, by_transport, within

TIDIER = Actor("tidier", ActorKind.JOB)


class Entities:
    """The entities of a brain. Where a name is asked for, an ID does too."""

    def __init__(self, parts: Parts) -> None:
        self._parts = parts

    def add(
        self,
        name: str,
        *,
        type: str = "thing",  # noqa: A002 - as it is called everywhere
        aliases: Sequence[str] = (),
        scope: str = GLOBAL,
        metadata: Mapping[str, object] | None = None,
        is_namesake: bool = False,
    ) -> Added:
        """See `tilth.knowledge.entities.entities.add_entity`."""
        draft = EntityDraft(
            name=name,
            type=parse_entity_type(type),
            aliases=tuple(aliases),
            scope=parse_scope(scope),
            metadata=cast("JsonObject", dict(metadata or {})),
        )
        parts = self._parts
        return entities.add_entity(parts.store, draft, parts.recorder, is_namesake=is_namesake)

    def get(self, name: str, *, scope: str | None = None) -> Card:
        """See `tilth.knowledge.entities.entities.get_entity`."""
        return entities.get_entity(self._parts.store, name, within(self._parts, scope))

    def list(
        self,
        *,
        type: str | None = None,  # noqa: A002 - as it is called everywhere
        transport: str | None = None,
        limit: int = 100,
        after: int = 0,
        scope: str | None = None,
    ) -> Sequence[Entity]:
        """See `tilth.knowledge.entities.entities.list_entities`."""
        which = EntityFilter(
            within=within(self._parts, scope),
            type=None if type is None else parse_entity_type(type),
            transport=by_transport(self._parts, transport),
        )
        return entities.list_entities(self._parts.store, which, limit=limit, after=after)

    def resolve(
        self,
        name: str,
        *,
        type: str = "thing",  # noqa: A002 - as it is called everywhere
        scope: str | None = None,
    ) -> Resolved:
        """See `tilth.knowledge.entities.entities.resolve_name`."""
        seen = within(self._parts, scope)
        type_ = parse_entity_type(type)
        return entities.resolve_name(self._parts.store, name, seen, type_=type_)

    def search(
        self, text: str, *, limit: int = 20, scope: str | None = None
    ) -> Sequence[Suggestion]:
        """See `tilth.knowledge.entities.entities.search_entities`."""
        seen = within(self._parts, scope)
        return entities.search_entities(self._parts.store, text, seen, limit=limit)

    def suggest(
        self, name: str, *, limit: int = 5, scope: str | None = None
    ) -> Sequence[Suggestion]:
        """See `tilth.knowledge.entities.entities.suggest_for`."""
        seen = within(self._parts, scope)
        return entities.suggest_for(self._parts.store, name, seen, limit=limit)

    def alias(self, entity_id: str, alias: str) -> Card:
        """See `tilth.knowledge.entities.entities.add_alias`."""
        parts = self._parts
        return entities.add_alias(parts.store, EntityId.parse(entity_id), alias, parts.recorder)

    def unalias(self, entity_id: str, alias: str) -> Card:
        """See `tilth.knowledge.entities.entities.remove_alias`."""
        parts = self._parts
        entity = EntityId.parse(entity_id)
        return entities.remove_alias(parts.store, entity, alias, parts.recorder)

    def retype(self, entity_id: str, type_: str) -> Entity:
        """See `tilth.knowledge.entities.entities.retype_entity`."""
        parts = self._parts
        return entities.retype_entity(
            parts.store, EntityId.parse(entity_id), parse_entity_type(type_), parts.recorder
        )

    def merge(self, winner_id: str, loser_id: str, *, reason: str = "") -> Merged:
        """See `tilth.knowledge.merging.merge.merge_entities`."""
        parts = self._parts
        winner, loser = EntityId.parse(winner_id), EntityId.parse(loser_id)
        return merging.merge_entities(parts.store, winner, loser, parts.recorder, reason=reason)

    def split(self, loser_id: str, *, reason: str = "") -> Split:
        """See `tilth.knowledge.merging.merge.split_entity`."""
        parts = self._parts
        loser = EntityId.parse(loser_id)
        return merging.split_entity(parts.store, loser, parts.recorder, reason=reason)

    def tidy(self, *, after: int = 0, limit: int = 1000) -> Tidied:
        """See `tidy.tidy_entities`; whoever starts it, it is no human's doing."""
        parts = self._parts
        recorder = replace(parts.recorder, by=TIDIER)
        thinker = None if unfit(parts.staff, Task.ADJUDICATE) else parts.thinker
        return tidying.tidy_entities(
            parts.store, recorder, after=after, limit=limit, thinker=thinker
        )

    def around(
        self,
        name: str,
        *,
        depth: int = 1,
        kinds: Sequence[str] | None = None,
        scope: str | None = None,
    ) -> Graph:
        """See `tilth.knowledge.graph.graph.neighbourhood`."""
        seen = within(self._parts, scope)
        chosen = parse_edge_kinds(kinds)
        return graph.neighbourhood(self._parts.store, name, seen, depth=depth, kinds=chosen)

    def impact(self, name: str, *, depth: int = 3, scope: str | None = None) -> Graph:
        """See `tilth.knowledge.graph.graph.impact`."""
        return graph.impact(self._parts.store, name, within(self._parts, scope), depth=depth)
