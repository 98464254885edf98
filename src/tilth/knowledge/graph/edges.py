"""Read edges, with the SQL of both engines. An edge is visible only with both of its ends."""

from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import TypeAlias

from tilth.core.errors import NotFoundError
from tilth.core.ids import EdgeId, EntityId
from tilth.core.instant import from_micros
from tilth.core.lifecycle import Lifecycle, Review
from tilth.core.scope import Owner, Scope, Visibility
from tilth.knowledge.entities.tables import Entities
from tilth.knowledge.graph.edge import Edge, NodeId
from tilth.knowledge.vocabulary.registries import EdgeKind, NodeKind
from tilth.ledger.engine import Row
from tilth.ledger.records import actor_of, find_place, find_places, id_made_by
from tilth.ledger.snapshot import Snapshot, SnapshotReader

# Lifecycles of facts that edges lead to; drafts, archived and rejected facts are hidden.
_SHOWN = (Lifecycle.CURRENT, Lifecycle.SUPERSEDED, Lifecycle.HISTORICAL)
_SEEN = f"""(
    (e.{{end}}_kind = '{NodeKind.ENTITY}' AND EXISTS (
        SELECT 1 FROM entities n WHERE n.entity_no = e.{{end}} AND n.realm_no IN {{{{integers}}}}))
    OR (e.{{end}}_kind = '{NodeKind.FACT}' AND EXISTS (
        SELECT 1 FROM lives v WHERE v.fact_no = e.{{end}} AND v.until IS NULL
        AND v.review <> '{Review.REJECTED}' AND v.realm_no IN {{{{integers}}}}
        AND v.lifecycle IN ({", ".join(f"'{one}'" for one in _SHOWN)}))))
"""  # noqa: S608 - names of ours
_TO_SEEN, _FROM_SEEN = _SEEN.format(end="target"), _SEEN.format(end="source")
_EDGE = """
SELECT e.edge_no, l.event_id, l.recorded_at, l.owner, l.actor, l.actor_kind, e.kind, r.scope,
       e.source, a.kind, a.event_id, e.target, b.kind, b.event_id
FROM edges e JOIN ledger l ON l.seq = e.edge_no JOIN realms r ON r.realm_no = e.realm_no
JOIN ledger a ON a.seq = e.source JOIN ledger b ON b.seq = e.target
WHERE {known} AND e.realm_no IN {integers} AND
"""
_ONES = f"{_EDGE} e.edge_no IN {{integers}} AND {_FROM_SEEN} AND {_TO_SEEN} ORDER BY e.edge_no"
_PAGE = (
    f"{_EDGE} e.edge_no > ? AND {_FROM_SEEN} AND {_TO_SEEN} {{kinds}} ORDER BY e.edge_no LIMIT ?"
)
# In index order, so that a hub is not read to its end.
_LEAVING = (
    f"{_EDGE} e.source = ? AND {_TO_SEEN} {{kinds}} ORDER BY e.kind, e.target, e.edge_no LIMIT ?"
)
_REACHING = f"{_EDGE} e.target = ? AND {_FROM_SEEN} {{kinds}} ORDER BY e.kind, e.edge_no LIMIT ?"
_ENDS = "FROM edges e WHERE {known} AND realm_no IN {integers}"
# An entity that was merged away counts as its winner.
_HUBS = f"""
SELECT coalesce(n.merged_into, n.entity_no), count(*), count(*) OVER () FROM (
    SELECT source AS node {_ENDS} AND source_kind = '{NodeKind.ENTITY}'
    UNION ALL SELECT target {_ENDS} AND target_kind = '{NodeKind.ENTITY}') d
JOIN entities n ON n.entity_no = d.node WHERE n.realm_no IN {{integers}}
GROUP BY coalesce(n.merged_into, n.entity_no) ORDER BY 2 DESC, 1 LIMIT ?
"""  # noqa: S608 - names of ours
_OF_THEM = """(SELECT entity_no FROM entities
    WHERE entity_no IN {integers} OR merged_into IN {integers})"""
_AMONG = f"{_EDGE} e.source IN {_OF_THEM} AND e.target IN {_OF_THEM} ORDER BY e.edge_no LIMIT ?"
# Nodes, and the entities merged into them.
_THESE = """(SELECT seq FROM ledger WHERE seq IN {integers}
    UNION SELECT entity_no FROM entities WHERE merged_into IN {integers})"""
# The ends of edges, without author and time, which are in the ledger.
_JOINS = f"""
SELECT r.scope, e.source_kind, e.source, e.target_kind, e.target
FROM edges e JOIN realms r ON r.realm_no = e.realm_no
WHERE {{known}} AND e.realm_no IN {{integers}} AND (e.source IN {_THESE} OR e.target IN {_THESE})
AND {_FROM_SEEN} AND {_TO_SEEN} ORDER BY e.edge_no DESC LIMIT ?
"""  # noqa: S608 - names of ours
_End: TypeAlias = tuple[NodeKind, int]


class Edges(SnapshotReader):
    """The edges of one snapshot, as they are or as they were known at a place in the ledger."""

    def __init__(self, view: Snapshot, known_seq: int | None = None) -> None:
        super().__init__(view)
        self._entities = Entities(view)
        self._known = "e.until IS NULL"
        if known_seq is not None:
            seq = int(known_seq)
            self._known = f"e.edge_no <= {seq} AND (e.until IS NULL OR e.until > {seq})"

    def _filled(self, sql: str, kinds: frozenset[EdgeKind] | None = None) -> str:
        return sql.format(integers=self._integers, known=self._known, kinds=_among(kinds))

    def get(self, edge_id: EdgeId, within: Visibility) -> Edge:
        """
        Return one edge, as it was recorded.

        Raises:
            NotFoundError: none with this ID is visible, or it was retired.
        """
        found = self.all_of([edge_id], within)
        if not found:
            raise NotFoundError(f"no edge {edge_id!r}")
        return found[0]

    def all_of(self, ids: Sequence[EdgeId], within: Visibility) -> list[Edge]:
        """Return visible edges in ledger order, as they were recorded."""
        places = [*find_places(self._conn, ids).values()]
        rows = self._rows(self._filled(_ONES), within, places, *[within] * 4)
        return [_edge(row) for row in rows]

    def select(
        self,
        within: Visibility,
        *,
        kinds: frozenset[EdgeKind] | None = None,
        limit: int,
        after: int = 0,
    ) -> list[Edge]:
        """Return edges in ledger order, after the place *after*."""
        sql = self._filled(_PAGE, kinds)
        rows = self._rows(sql, within, after, *[within] * 4, *_words(kinds), limit)
        return self._today(rows)

    def around(
        self,
        node: NodeId,
        within: Visibility,
        *,
        kinds: frozenset[EdgeKind] | None = None,
        reaching: frozenset[EdgeKind] | None = None,
        limit: int,
    ) -> list[Edge]:
        """
        Return the edges from and to a node, or what was merged into it.

        They are of *kinds*, and those to it of *reaching*, if given. Each leads to a visible node.
        There may be twice *limit* of them.
        """
        ways = {_LEAVING: kinds, _REACHING: kinds if reaching is None else reaching}
        place = find_place(self._conn, node)
        if place is None:
            return []
        rows = []
        for one in (place, *self._entities.below(place)):
            for sql, only in ways.items():
                filled = self._filled(sql, only)
                rows += self._rows(filled, within, one, within, within, *_words(only), limit)
        return self._today(rows)

    def hubs(self, within: Visibility, *, limit: int) -> tuple[Mapping[EntityId, int], int]:
        """
        Return the entities with the most edges, most first, with their numbers of edges.

        The second value is how many entities have any edge.
        """
        rows = self._rows(self._filled(_HUBS), within, within, within, limit)
        ids = self._entities.ids_at([int(node) for node, *_ in rows])
        hubs = {ids[int(node)]: int(count) for node, count, _ in rows}
        return hubs, int(rows[0][2]) if rows else 0

    def joins(
        self, places: Iterable[int], within: Visibility, *, limit: int
    ) -> set[tuple[Scope, _End, _End]]:
        """
        Return what the newest edges at nodes of *places*, or what merged there, connect.

        Each item holds the scope, and the kinds and places of the present ends.
        """
        rows = self._rows(self._filled(_JOINS), within, *[[*places]] * 4, *[within] * 4, limit)
        roots = self._entities.roots(sorted({int(row[at]) for row in rows for at in (2, 4)}))
        found = {
            (
                Scope(scope),
                (NodeKind(from_kind), roots.get(source, source)),
                (NodeKind(to_kind), roots.get(target, target)),
            )
            for scope, from_kind, source, to_kind, target in rows
        }
        return {one for one in found if one[1] != one[2]}

    def among(self, nodes: Iterable[NodeId], within: Visibility, *, limit: int) -> list[Edge]:
        """Return the edges between *nodes*."""
        found = (find_place(self._conn, one) for one in nodes)
        places = [one for one in found if one is not None]
        return self._today(self._rows(self._filled(_AMONG), within, *[places] * 4, limit))

    def _today(self, rows: Iterable[Row]) -> list[Edge]:
        """Return edges between present entities, each once, without loops."""
        kept = {row[0]: row for row in rows}
        ends = {int(row[at]) for row in kept.values() for at in (8, 11)}
        roots = self._entities.roots(sorted(ends))
        moved = {end: root for end, root in roots.items() if end != root}
        ids = self._entities.ids_at(sorted(set(moved.values())))
        today = {end: ids[root] for end, root in moved.items()}
        found: dict[tuple[NodeId, EdgeKind, NodeId, Scope], Edge] = {}
        for row in sorted(kept.values()):
            edge = _edge(row, today)
            if edge.source != edge.target:
                found.setdefault((edge.source, edge.kind, edge.target, edge.scope), edge)
        return list(found.values())


def _words(kinds: frozenset[EdgeKind] | None) -> Sequence[str]:
    return sorted(kind.value for kind in kinds or ())


def _among(kinds: frozenset[EdgeKind] | None) -> str:
    return "" if kinds is None else f"AND e.kind IN ({', '.join('?' * len(kinds)) or 'NULL'})"


_KINDS: Mapping[str, EdgeKind] = {one.value: one for one in EdgeKind}


def _edge(row: Row, today: Mapping[int, EntityId] = MappingProxyType({})) -> Edge:
    """Return an edge with its recorded ends, or with what *today* says they became."""
    seq, event_id, recorded_at, owner, actor, actor_kind, kind, scope = row[:8]
    source_no, source_kind, source, target_no, target_kind, target = row[8:]
    return Edge(
        id=EdgeId.stored(event_id),
        seq=seq,
        owner=Owner(owner),
        by=actor_of(actor, actor_kind),
        recorded_at=from_micros(recorded_at),
        source=today.get(source_no) or _node(source_kind, source),
        kind=_KINDS[kind],
        target=today.get(target_no) or _node(target_kind, target),
        scope=Scope(scope),
    )


def _node(kind: str, event_id: bytes) -> NodeId:
    return EntityId(id_made_by(kind, event_id))
