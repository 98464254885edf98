"""
Walk the graph: find what is around a node, and what depends on it.

A walk is bounded in hops, in edges of a node and in total nodes. Invisible nodes are neither
crossed nor counted, so an answer does not depend on them.
"""

from collections.abc import Iterator, Mapping
from dataclasses import field
from datetime import datetime

from tilth.core.dataclass import dataclass
from tilth.core.errors import InvalidInputError
from tilth.core.ids import EntityId, FactId
from tilth.core.scope import Scope, Visibility
from tilth.knowledge.entities.entity import Entity
from tilth.knowledge.entities.tables import Entities
from tilth.knowledge.facts.fact import Fact
from tilth.knowledge.facts.filters import Moment, known
from tilth.knowledge.facts.tables import Facts
from tilth.knowledge.graph.edge import Edge, NodeId
from tilth.knowledge.graph.edges import Edges
from tilth.knowledge.graph.record_edge import node_in
from tilth.knowledge.vocabulary.registries import EdgeKind, NodeKind
from tilth.ledger.snapshot import Snapshot
from tilth.ledger.store import Store

DEPTH_MAX = 2
IMPACT_DEPTH_MAX = 5
FAN_OUT_MAX = 100
# One more than is shown, to notice that there are more.
_READ_MAX = FAN_OUT_MAX + 1
NODES_MAX = 500

# Edges along which trouble spreads: against the direction of dependencies, along that of causes.
_LEANING = frozenset({EdgeKind.RUNS_ON, EdgeKind.USES, EdgeKind.DEPENDS_ON, EdgeKind.DERIVED_FROM})
_CARRYING = frozenset({EdgeKind.USED_BY, EdgeKind.PART_OF})


@dataclass(frozen=True, slots=True, kw_only=True)
class Node:
    """A node of a walk; `name` is an entity's name or a fact's text."""

    id: NodeId
    kind: NodeKind
    name: str
    type: str
    scope: Scope
    distance: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Neighbourhood:
    """
    The result of a walk, nearest first.

    `depth` is how far it went, at most as far as asked for; `is_truncated` says that some node has
    more around it than is shown.
    """

    nodes: tuple[Node, ...]
    edges: tuple[Edge, ...]
    depth: int
    is_truncated: bool


@dataclass(slots=True)
class _Walk:
    """A walk in progress: the distance of each node, and the crossed edges."""

    distances: dict[NodeId, int]
    edges: dict[str, Edge] = field(default_factory=dict)
    is_truncated: bool = False


def neighbourhood_in(
    reader: Snapshot,
    start: NodeId,
    within: Visibility,
    *,
    depth: int = 1,
    kinds: frozenset[EdgeKind] | None = None,
    known_at: datetime | None = None,
) -> Neighbourhood:
    """Return what is around a node, now or as it was known at *known_at*."""
    hops, edges = _hops(depth, DEPTH_MAX), edges_at(reader, known_at)
    walk = _Walk({start: 0})
    for distance in range(hops):
        for node in _nodes_at(walk, distance):
            for edge in _capped(walk, edges.around(node, within, kinds=kinds, limit=_READ_MAX)):
                _cross(walk, edge, edge.target if edge.source == node else edge.source, distance)
    return _result(reader, walk, within, hops)


def edges_at(view: Snapshot, known_at: datetime | None) -> Edges:
    """Return the edges as they were known at *known_at*; None is now."""
    return Edges(view, None if known_at is None else known(view.conn, Moment(None, known_at)).seq)


def impact(store: Store, word: str, within: Visibility, *, depth: int = 3) -> Neighbourhood:
    """
    Return what depends on a node, directly or through others.

    Raises:
        NotFoundError: no such node is visible.
        InvalidInputError: *depth* is less than 1.
    """
    hops = _hops(depth, IMPACT_DEPTH_MAX)
    with store.read() as view:
        walk, edges = _Walk({node_in(view, word, within): 0}), Edges(view)
        for distance in range(hops):
            for node in _nodes_at(walk, distance):
                # Edges to what the node itself depends on must not use up the cap.
                found = edges.around(
                    node, within, kinds=_CARRYING, reaching=_LEANING, limit=_READ_MAX
                )
                for edge in _capped(walk, found):
                    _cross(walk, edge, _affected(edge), distance)
        return _result(view, walk, within, hops)


def _affected(edge: Edge) -> NodeId:
    """Return the end that is in trouble if the other is."""
    return edge.source if edge.kind in _LEANING else edge.target


def _hops(depth: int, most: int) -> int:
    if depth < 1:
        raise InvalidInputError(f"a walk has at least one hop, not {depth}")
    return min(depth, most)


def _nodes_at(walk: _Walk, distance: int) -> list[NodeId]:
    return [node for node, far in walk.distances.items() if far == distance]


def _capped(walk: _Walk, found: list[Edge]) -> list[Edge]:
    walk.is_truncated |= len(found) > FAN_OUT_MAX
    return found[:FAN_OUT_MAX]


def _cross(walk: _Walk, edge: Edge, reached: NodeId, distance: int) -> None:
    if reached not in walk.distances:
        if len(walk.distances) >= NODES_MAX:
            walk.is_truncated = True
            return
        walk.distances[reached] = distance + 1
    walk.edges[edge.id] = edge


def _result(reader: Snapshot, walk: _Walk, within: Visibility, hops: int) -> Neighbourhood:
    faces = _nodes(reader, walk.distances, within)
    return Neighbourhood(
        nodes=tuple(faces),
        edges=tuple(sorted(walk.edges.values(), key=lambda edge: edge.seq)),
        depth=hops,
        is_truncated=walk.is_truncated,
    )


def _nodes(reader: Snapshot, distances: Mapping[NodeId, int], within: Visibility) -> Iterator[Node]:
    ids = [EntityId(node) for node in distances if not node.startswith(FactId.prefix)]
    entities = {entity.id: entity for entity in Entities(reader).all_of(ids, within)}
    for node, distance in distances.items():
        if node.startswith(FactId.prefix):
            yield _face_of_fact(Facts(reader).get(FactId.parse(node), within), distance)
        else:
            yield _face_of_entity(entities[EntityId(node)], distance)


def _face_of_fact(fact: Fact, distance: int) -> Node:
    return Node(
        id=fact.id,
        kind=NodeKind.FACT,
        name=fact.said.text,
        type="",
        scope=fact.life.scope,
        distance=distance,
    )


def _face_of_entity(entity: Entity, distance: int) -> Node:
    return Node(
        id=entity.id,
        kind=NodeKind.ENTITY,
        name=entity.name,
        type=entity.type,
        scope=entity.scope,
        distance=distance,
    )
