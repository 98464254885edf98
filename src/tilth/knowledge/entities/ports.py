"""Entities, their names, and the edges between nodes, as a snapshot shows them."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from tilth.core.ids import EdgeId, EntityId
from tilth.core.scope import Visibility
from tilth.knowledge.entities.entity import Entity
from tilth.knowledge.graph.edge import Edge, NodeId
from tilth.knowledge.vocabulary.registries import EdgeKind, EntityType
from tilth.ledger.events import Recorded


@dataclass(frozen=True, slots=True)
class Bearer:
    """An entity as its names show it: its own first, then those of what was merged into it."""

    id: EntityId
    type: EntityType
    names: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class EntityFilter:
    """Which entities a read may return: of a type, or reached by a transport."""

    within: Visibility
    type: EntityType | None = None
    transport: str | None = None


class EntityReader(Protocol):
    """Entities and their names."""

    def get(self, entity_id: EntityId, within: Visibility) -> Entity:
        """
        Return one entity, whatever it was merged into.

        Raises:
            NotFoundError: there is none with this ID that may be seen.
        """
        ...

    def canonical(self, entity_id: EntityId, within: Visibility) -> Entity:
        """
        Return what an entity is today: itself, or what it was merged into in the end.

        Raises:
            NotFoundError: there is none with this ID that may be seen.
        """
        ...

    def all_of(self, ids: Sequence[EntityId], within: Visibility) -> list[Entity]:
        """Return entities in ledger order, without what is hidden; merges are not followed."""
        ...

    def bearer(self, entity_id: EntityId, within: Visibility) -> Bearer:
        """
        Return what an entity is today, with every name of it that may be seen.

        Raises:
            NotFoundError: there is none with this ID that may be seen.
        """
        ...

    def named(self, name: str, within: Visibility) -> list[Entity]:
        """Return the entities that go by exactly this name or alias, folded; oldest first."""
        ...

    def near(self, name: str, within: Visibility) -> list[Bearer]:
        """Return all that share the key of *name*, and what is likeliest to be meant by it."""
        ...

    def select(self, which: EntityFilter, *, limit: int, after: int = 0) -> list[Entity]:
        """Return entities in ledger order, from behind the place *after* on."""
        ...

    def at(self, seqs: Sequence[int], within: Visibility) -> list[Entity]:
        """Return the entities recorded at these places in ledger order, without what is hidden."""
        ...

    def count(self, within: Visibility) -> int:
        """Return how many entities may be seen."""
        ...

    def merged(self, entity_id: EntityId, within: Visibility) -> list[Entity]:
        """Return what was merged into an entity, step by step, in ledger order."""
        ...

    def merges(self, entity_id: EntityId, within: Visibility) -> list[Recorded]:
        """Return the events that merged all this into it, in ledger order."""
        ...

    def was_split(self, one: EntityId, other: EntityId) -> bool:
        """Say whether a merge of the two was taken back once."""
        ...


class EdgeReader(Protocol):
    """Edges that were not retired, with what their ends are today."""

    def get(self, edge_id: EdgeId, within: Visibility) -> Edge:
        """
        Return one edge, as it was recorded.

        Raises:
            NotFoundError: there is none with this ID that may be seen, or it was retired.
        """
        ...

    def select(
        self,
        within: Visibility,
        *,
        kinds: frozenset[EdgeKind] | None = None,
        limit: int,
        after: int = 0,
    ) -> list[Edge]:
        """Return edges in ledger order, from behind the place *after* on."""
        ...

    def around(
        self,
        node: NodeId,
        within: Visibility,
        *,
        kinds: frozenset[EdgeKind] | None = None,
        limit: int,
    ) -> list[Edge]:
        """
        Return the edges that leave or reach a node, or what was merged into it.

        Each leads to a node that may be seen. There may be twice *limit* of them.
        """
        ...
