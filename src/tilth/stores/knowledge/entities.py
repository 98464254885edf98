"""Entities, their names and edges, read with the SQL of both engines."""

import json
from collections import defaultdict
from collections.abc import Mapping, Sequence

from tilth.domain.edge import Edge, NodeId
from tilth.domain.entity import Entity
from tilth.domain.events import EntityRecorded
from tilth.domain.ids import (
    EDGE_PREFIX,
    ENTITY_PREFIX,
    EdgeId,
    EntityId,
    encode_ulid,
)
from tilth.domain.instant import from_micros
from tilth.domain.keys import index_key
from tilth.domain.registries import EdgeKind
from tilth.domain.scope import Owner, Scope, Visibility
from tilth.errors import CorruptionError, NotFoundError
from tilth.stores.engine import Connection, Row
from tilth.stores.knowledge.places import find_place, named
from tilth.stores.realms import realm_numbers
from tilth.stores.records import RECORD, RECORD_WIDTH, read_record

_ENTITY = f"""
SELECT {RECORD}, r.scope, w.event_id FROM entities n
JOIN realms r ON r.realm_no = n.realm_no JOIN ledger l ON l.seq = n.entity_no
LEFT JOIN ledger w ON w.seq = n.merged_into
WHERE l.payload IS NOT NULL AND n.realm_no IN {{integers}} AND
"""  # noqa: S608 - names of ours
_NAMES = """
SELECT entity_no, name FROM names WHERE entity_no IN {integers} ORDER BY entity_no, position
"""
_EDGE = """
SELECT e.edge_no, l.event_id, l.recorded_at, l.owner, e.kind, r.scope,
       a.kind, a.event_id, b.kind, b.event_id
FROM edges e JOIN ledger l ON l.seq = e.edge_no JOIN realms r ON r.realm_no = e.realm_no
JOIN ledger a ON a.seq = e.source JOIN ledger b ON b.seq = e.target
WHERE e.until IS NULL AND e.realm_no IN {integers} AND
"""


class Entities:
    """The entities and edges of one snapshot."""

    def __init__(self, conn: Connection, integers: str) -> None:
        self._conn = conn
        self._integers = integers

    def get(self, entity_id: EntityId, within: Visibility) -> Entity:
        """See `tilth.ports.EntityReader.get`."""
        place = find_place(self._conn, entity_id)
        found = [] if place is None else self.at([place], within)
        if not found:
            raise NotFoundError(f"no entity {entity_id!r}")
        return found[0]

    def canonical(self, entity_id: EntityId, within: Visibility) -> Entity:
        """See `tilth.ports.EntityReader.canonical`."""
        entity = self.get(entity_id, within)
        passed = {entity.id}
        while entity.merged_into is not None and entity.merged_into not in passed:
            entity = self.get(entity.merged_into, within)
            passed.add(entity.id)
        return entity

    def named(self, name: str, within: Visibility) -> list[Entity]:
        """See `tilth.ports.EntityReader.named`."""
        return self._entities(
            "n.entity_no IN (SELECT entity_no FROM names WHERE key = ?) ORDER BY n.entity_no",
            (index_key(name),),
            within,
        )

    def select(self, within: Visibility, *, limit: int, offset: int = 0) -> list[Entity]:
        """See `tilth.ports.EntityReader.select`."""
        return self._entities(
            "1 = 1 ORDER BY n.entity_no LIMIT ? OFFSET ?", (limit, offset), within
        )

    def at(self, seqs: Sequence[int], within: Visibility) -> list[Entity]:
        """See `tilth.ports.EntityReader.at`."""
        condition = f"n.entity_no IN {self._integers} ORDER BY n.entity_no"
        return self._entities(condition, (json.dumps(list(seqs)),), within)

    def count(self, within: Visibility) -> int:
        """See `tilth.ports.EntityReader.count`."""
        sql = f"SELECT count(*) FROM entities WHERE realm_no IN {self._integers}"  # noqa: S608
        return int(self._conn.rows(sql, (self._seen(within),))[0][0])

    def edge(self, edge_id: EdgeId, within: Visibility) -> Edge:
        """See `tilth.ports.EntityReader.edge`."""
        place = find_place(self._conn, edge_id)
        found = [] if place is None else self._edges("e.edge_no = ?", (place,), within)
        if not found:
            raise NotFoundError(f"no edge {edge_id!r}")
        return found[0]

    def edges(
        self, node: NodeId, within: Visibility, *, kinds: frozenset[EdgeKind] | None = None
    ) -> list[Edge]:
        """See `tilth.ports.EntityReader.edges`."""
        place = find_place(self._conn, node)
        found = self._edges("? IN (e.source, e.target) ORDER BY e.edge_no", (place,), within)
        return [edge for edge in found if kinds is None or edge.kind in kinds]

    def _edges(self, condition: str, params: Sequence[object], within: Visibility) -> list[Edge]:
        sql = _EDGE.format(integers=self._integers) + condition
        return [_edge(row) for row in self._conn.rows(sql, (self._seen(within), *params))]

    def _entities(
        self, condition: str, params: Sequence[object], within: Visibility
    ) -> list[Entity]:
        sql = _ENTITY.format(integers=self._integers) + condition
        rows = self._conn.rows(sql, (self._seen(within), *params))
        names = self._names([row[0] for row in rows])
        return [_entity(row, names[row[0]]) for row in rows]

    def _names(self, seqs: Sequence[int]) -> Mapping[int, list[str]]:
        names = defaultdict(list)
        sql = _NAMES.format(integers=self._integers)
        for entity_no, name in self._conn.rows(sql, (json.dumps(list(seqs)),)):
            names[entity_no].append(name)
        return names

    def _seen(self, within: Visibility) -> str:
        return json.dumps(realm_numbers(self._conn, within.owner, within.scopes))


def _entity(row: Row, names: Sequence[str]) -> Entity:
    recorded = read_record(row[:RECORD_WIDTH])
    scope, winner = row[RECORD_WIDTH:]
    if not isinstance(recorded.event, EntityRecorded):
        raise CorruptionError(f"place {recorded.seq} of the ledger holds no entity")
    draft = recorded.event.draft
    return Entity(
        id=EntityId(ENTITY_PREFIX + recorded.event_id),
        seq=recorded.seq,
        owner=recorded.owner,
        recorded_at=recorded.recorded_at,
        name=draft.name,
        type=draft.type,
        aliases=tuple(names[1:]),
        scope=Scope(scope),
        metadata=draft.metadata,
        merged_into=None
        if winner is None
        else EntityId(ENTITY_PREFIX + encode_ulid(bytes(winner))),
    )


def _edge(row: Row) -> Edge:
    seq, event_id, recorded_at, owner, kind, scope, *ends = row
    source_kind, source, target_kind, target = ends
    return Edge(
        id=EdgeId(EDGE_PREFIX + encode_ulid(bytes(event_id))),
        seq=seq,
        owner=Owner(owner),
        recorded_at=from_micros(recorded_at),
        source=_node(source_kind, source),
        kind=EdgeKind(kind),
        target=_node(target_kind, target),
        scope=Scope(scope),
    )


def _node(kind: str, event_id: bytes) -> NodeId:
    return EntityId(named(kind, event_id))
