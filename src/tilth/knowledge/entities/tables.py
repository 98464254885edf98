"""Entities and their names, read with the SQL of both engines."""

import json
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from operator import itemgetter

from tilth.core.errors import CorruptionError
from tilth.core.event import Recorded
from tilth.core.ids import EntityId, encode_ulid
from tilth.core.scope import Scope, Visibility
from tilth.core.text.keys import index_key
from tilth.knowledge.entities.entity import Bearer, Entity
from tilth.knowledge.entities.events import EntityRecorded
from tilth.knowledge.entities.name_keys import bearers
from tilth.knowledge.vocabulary.registries import EntityType
from tilth.ledger.engine import Row
from tilth.ledger.realms import realm_numbers, realms_seen
from tilth.ledger.records import RECORD, RECORD_WIDTH, find_place, place_of, read_record
from tilth.ledger.snapshot import Snapshot
from tilth.ledger.tables import not_there

_ENTITY = f"""
SELECT {RECORD}, r.scope, n.type, w.event_id FROM entities n
JOIN realms r ON r.realm_no = n.realm_no JOIN ledger l ON l.seq = n.entity_no
LEFT JOIN ledger w ON w.seq = n.merged_into
WHERE l.payload IS NOT NULL AND n.realm_no IN {{integers}} AND
"""  # noqa: S608 - names of ours
_NAMES = """
SELECT entity_no, name FROM names WHERE entity_no IN {integers} ORDER BY entity_no, position
"""
# Everything that some entities are found under: themselves, and what was merged into them.
_SAME = """
WITH RECURSIVE same (root, entity_no) AS (
    SELECT wanted.value, wanted.value FROM {integers} AS wanted
    UNION SELECT same.root, m.entity_no FROM entities m JOIN same ON m.merged_into = same.entity_no
)
"""
_MERGED = _SAME + "SELECT entity_no FROM same WHERE entity_no <> root"  # noqa: S608 - names of ours
_BEARER = (
    _SAME
    + """
SELECT same.root, l.event_id, root.type, s.name FROM same
JOIN entities root ON root.entity_no = same.root JOIN ledger l ON l.seq = same.root
JOIN entities n ON n.entity_no = same.entity_no JOIN names s ON s.entity_no = same.entity_no
WHERE n.realm_no IN {integers} AND root.realm_no IN {integers}
ORDER BY same.root, same.entity_no <> same.root, same.entity_no, s.position
"""
)
_ROOTS = """
WITH RECURSIVE up (entity_no, root) AS (
    SELECT wanted.value, wanted.value FROM {integers} AS wanted
    UNION SELECT up.entity_no, n.merged_into FROM up JOIN entities n ON n.entity_no = up.root
    WHERE n.merged_into IS NOT NULL
) SELECT up.entity_no, up.root FROM up JOIN entities n ON n.entity_no = up.root
WHERE n.merged_into IS NULL
"""
_MERGE = f"""
SELECT {RECORD} FROM entities n JOIN ledger l ON l.seq = n.merged_by
WHERE n.entity_no IN {{integers}} AND n.realm_no IN {{integers}}
AND l.payload IS NOT NULL ORDER BY l.seq
"""  # noqa: S608 - names of ours
_REACHED = "n.entity_no IN (SELECT entity_no FROM identities WHERE owner = ? AND transport = ?)"
_SPLIT = "SELECT 1 FROM splits WHERE (entity_no = ? AND other_no = ?)"


@dataclass(frozen=True, slots=True, kw_only=True)
class EntityFilter:
    """Which entities a read may return: of a type, or reached by a transport."""

    within: Visibility
    type: EntityType | None = None
    transport: str | None = None


class Entities:
    """The entities of one snapshot."""

    def __init__(self, view: Snapshot) -> None:
        self._conn = view.conn
        self._integers = view.integers

    def get(self, entity_id: EntityId, within: Visibility) -> Entity:
        """
        Return one entity, whatever it was merged into.

        Raises:
            NotFoundError: there is none with this ID that may be seen.
        """
        place = find_place(self._conn, entity_id)
        found = [] if place is None else self.at([place], within)
        if not found:
            raise not_there(self._conn, "entity", entity_id, within)
        return found[0]

    def canonical(self, entity_id: EntityId, within: Visibility) -> Entity:
        """
        Return what an entity is today: itself, or what it was merged into in the end.

        Raises:
            NotFoundError: there is none with this ID that may be seen.
        """
        entity = self.get(entity_id, within)
        passed = {entity.id}
        while entity.merged_into is not None and entity.merged_into not in passed:
            entity = self.get(entity.merged_into, within)
            passed.add(entity.id)
        return entity

    def named(self, name: str, within: Visibility) -> list[Entity]:
        """Return the entities that go by exactly this name or alias, folded; oldest first."""
        return self._entities(
            "n.entity_no IN (SELECT entity_no FROM names WHERE key = ?) ORDER BY n.entity_no",
            (index_key(name),),
            within,
        )

    def select(self, which: EntityFilter, *, limit: int, after: int = 0) -> list[Entity]:
        """Return entities in ledger order, from behind the place *after* on."""
        clauses, params = ["n.entity_no > ?"], list[object]([after])
        if which.type is not None:
            clauses.append("n.type = ?")
            params.append(which.type.value)
        if which.transport is not None:
            clauses.append(_REACHED)
            params += [which.within.owner, which.transport]
        condition = f"{' AND '.join(clauses)} ORDER BY n.entity_no LIMIT ?"
        return self._entities(condition, (*params, limit), which.within)

    def near(self, name: str, within: Visibility) -> list[Bearer]:
        """Return all that share the key of *name*, and what is likeliest to be meant by it."""
        realms = realm_numbers(self._conn, within.owner, within.scopes)
        found = bearers(self._conn, self._integers, name, realms)
        return self._bearers(sorted(set(self.roots(found).values())), realms)

    def all_of(self, ids: Sequence[EntityId], within: Visibility) -> list[Entity]:
        """Return entities in ledger order, without what is hidden; merges are not followed."""
        places = (find_place(self._conn, one) for one in ids)
        return self.at([place for place in places if place is not None], within)

    def bearer(self, entity_id: EntityId, within: Visibility) -> Bearer:
        """
        Return what an entity is today, with every name of it that may be seen.

        Raises:
            NotFoundError: there is none with this ID that may be seen.
        """
        entity = self.canonical(entity_id, within)
        return self._bearers([entity.seq], realm_numbers(self._conn, within.owner, within.scopes))[
            0
        ]

    def merged(self, entity_id: EntityId, within: Visibility) -> list[Entity]:
        """Return what was merged into an entity, step by step, in ledger order."""
        return self.at(self.below(place_of(self._conn, entity_id)), within)

    def merges(self, entity_id: EntityId, within: Visibility) -> list[Recorded]:
        """Return the events that merged all this into it, in ledger order."""
        below = json.dumps(self.below(place_of(self._conn, entity_id)))
        sql = _MERGE.format(integers=self._integers)
        return [
            read_record(row)
            for row in self._conn.rows(sql, (below, realms_seen(self._conn, within)))
        ]

    def was_split(self, one: EntityId, other: EntityId) -> bool:
        """Say whether a merge of the two was taken back once."""
        pair = (place_of(self._conn, one), place_of(self._conn, other))
        sql = f"{_SPLIT} OR (entity_no = ? AND other_no = ?)"
        return bool(self._conn.rows(sql, (*pair, *reversed(pair))))

    def roots(self, seqs: Sequence[int]) -> Mapping[int, int]:
        """Return under which place each of *seqs* is found today."""
        sql = _ROOTS.format(integers=self._integers)
        found = self._conn.rows(sql, (json.dumps(list(seqs)),))
        return {int(entity_no): int(root) for entity_no, root in found}

    def at(self, seqs: Sequence[int], within: Visibility) -> list[Entity]:
        """Return the entities recorded at these places in ledger order, without what is hidden."""
        condition = f"n.entity_no IN {self._integers} ORDER BY n.entity_no"
        return self._entities(condition, (json.dumps(list(seqs)),), within)

    def count(self, within: Visibility) -> int:
        """Return how many entities may be seen."""
        sql = f"SELECT count(*) FROM entities WHERE realm_no IN {self._integers}"  # noqa: S608
        return int(self._conn.rows(sql, (realms_seen(self._conn, within),))[0][0])

    def ids_at(self, seqs: Sequence[int]) -> Mapping[int, EntityId]:
        """Return the identifiers of the entities at these places."""
        sql = f"SELECT seq, event_id FROM ledger WHERE seq IN {self._integers}"  # noqa: S608 - bound
        rows = self._conn.rows(sql, (json.dumps(list(seqs)),))
        return {int(no): EntityId.of(encode_ulid(bytes(one))) for no, one in rows}

    def with_merged(self, entity_id: EntityId, within: Visibility) -> list[int]:
        """Return the places of an entity, and of all that was merged into it."""
        place = self.get(entity_id, within).seq
        return [place, *self.below(place)]

    def below(self, place: int) -> list[int]:
        """Return the places of everything that was merged into the entity at *place*."""
        rows = self._conn.rows(_MERGED.format(integers=self._integers), (json.dumps([place]),))
        return sorted(int(no) for (no,) in rows)

    def _bearers(self, roots: Sequence[int], realms: Sequence[int]) -> list[Bearer]:
        sql, seen = _BEARER.format(integers=self._integers), json.dumps(list(realms))
        rows = self._conn.rows(sql, (json.dumps(list(roots)), seen, seen))
        return [_bearer(list(group)) for _, group in groupby(rows, key=itemgetter(0))]

    def _entities(
        self, condition: str, params: Sequence[object], within: Visibility
    ) -> list[Entity]:
        sql = _ENTITY.format(integers=self._integers) + condition
        rows = self._conn.rows(sql, (realms_seen(self._conn, within), *params))
        names = self._names([row[0] for row in rows])
        return [_entity(row, names[row[0]]) for row in rows]

    def _names(self, seqs: Sequence[int]) -> Mapping[int, list[str]]:
        names = defaultdict(list)
        sql = _NAMES.format(integers=self._integers)
        for entity_no, name in self._conn.rows(sql, (json.dumps(list(seqs)),)):
            names[entity_no].append(name)
        return names


def _entity(row: Row, names: Sequence[str]) -> Entity:
    recorded = read_record(row[:RECORD_WIDTH])
    scope, type_, winner = row[RECORD_WIDTH:]
    if not isinstance(recorded.event, EntityRecorded):
        raise CorruptionError(f"place {recorded.seq} of the ledger holds no entity")
    draft = recorded.event.draft
    return Entity(
        id=EntityId.of(recorded.event_id),
        seq=recorded.seq,
        owner=recorded.owner,
        by=recorded.by,
        recorded_at=recorded.recorded_at,
        name=draft.name,
        type=EntityType(type_),
        aliases=tuple(names[1:]),
        scope=Scope(scope),
        metadata=draft.metadata,
        merged_into=None if winner is None else EntityId.of(encode_ulid(bytes(winner))),
    )


def _bearer(rows: Sequence[Row]) -> Bearer:
    _, event_id, type_, _ = rows[0]
    return Bearer(
        id=EntityId.of(encode_ulid(bytes(event_id))),
        type=EntityType(type_),
        names=tuple(dict.fromkeys(name for *_, name in rows)),
    )
