"""What a brain does with edges."""

from collections.abc import Sequence

from tilth.core.ids import parse_edge_id
from tilth.core.scope import GLOBAL, parse_scope
from tilth.knowledge.graph import record_edge as edges
from tilth.knowledge.graph.edge import Edge, parse_edge_kind, parse_edge_kinds
from tilth.knowledge.graph.record_edge import Joined
from tilth.runtime.parts import Parts, within


class Edges:
    """The edges of a brain. A node is given by its ID, an entity by a name too."""

    def __init__(self, parts: Parts) -> None:
        self._parts = parts

    def add(self, source: str, kind: str, target: str, *, scope: str = GLOBAL) -> Joined:
        """See `tilth.knowledge.graph.record_edge.add_edge`."""
        parts = self._parts
        return edges.add_edge(
            parts.store,
            (source, target),
            parse_edge_kind(kind),
            parts.recorder,
            scope=parse_scope(scope),
        )

    def list(
        self,
        node: str | None = None,
        *,
        kinds: Sequence[str] | None = None,
        limit: int = 100,
        after: int = 0,
        scope: str | None = None,
    ) -> Sequence[Edge]:
        """See `tilth.knowledge.graph.record_edge.list_edges`."""
        return edges.list_edges(
            self._parts.store,
            within(self._parts, scope),
            node=node,
            kinds=parse_edge_kinds(kinds),
            limit=limit,
            after=after,
        )

    def retire(self, edge_id: str, *, reason: str = "") -> Edge:
        """See `tilth.knowledge.graph.record_edge.retire_edge`."""
        parts = self._parts
        return edges.retire_edge(parts.store, parse_edge_id(edge_id), parts.recorder, reason=reason)
