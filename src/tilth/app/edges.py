"""What a brain does with edges."""

from collections.abc import Sequence

from tilth.app.parts import Parts, within
from tilth.domain.edge import Edge, parse_edge_kind, parse_edge_kinds
from tilth.domain.ids import parse_edge_id
from tilth.domain.scope import GLOBAL, parse_scope
from tilth.usecases import edges
from tilth.usecases.edges import Joined


class Edges:
    """The edges of a brain. A node is given by its ID, an entity by a name too."""

    def __init__(self, parts: Parts) -> None:
        self._parts = parts

    def add(self, source: str, kind: str, target: str, *, scope: str = GLOBAL) -> Joined:
        """See `tilth.usecases.edges.add_edge`."""
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
        """See `tilth.usecases.edges.list_edges`."""
        return edges.list_edges(
            self._parts.store,
            within(self._parts, scope),
            node=node,
            kinds=parse_edge_kinds(kinds),
            limit=limit,
            after=after,
        )

    def retire(self, edge_id: str, *, reason: str = "") -> Edge:
        """See `tilth.usecases.edges.retire_edge`."""
        parts = self._parts
        return edges.retire_edge(parts.store, parse_edge_id(edge_id), parts.recorder, reason=reason)
