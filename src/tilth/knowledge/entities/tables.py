"""The tables of entities and names: projecting events into them, and reading them."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from itertools import groupby
from operator import itemgetter

from tilth.core.dataclass import dataclass
from tilth.core.event import Recorded
from tilth.core.ids import EntityId
from tilth.core.instant import to_micros
from tilth.core.scope import Scope, Visibility
from tilth.core.table import Table, Widening
from tilth.core.text.names import index_key
from tilth.core.text.pattern import pattern
from tilth.knowledge.entities.entity import Bearer, Entity
from tilth.knowledge.entities.events import (
    AliasAdded,
    AliasRemoved,
    EntitiesMerged,
    EntityRecorded,
    EntitySplit,
    EntityTyped,
    IdentityLinked,
    IdentityUnlinked,
    IdentityVerified,
)
from tilth.knowledge.entities.identity import LinkConfidence
from tilth.knowledge.entities.name_keys import bearers, key_numbers
from tilth.knowledge.vocabulary.registries import EntityType
from tilth.ledger.engine import Row
from tilth.ledger.projection import Rows, projects
from tilth.ledger.realms import realm_numbers
from tilth.ledger.records import (
    RECORD,
    RECORD_WIDTH,
    find_place,
    find_places,
    place_of,
    read_as,
    read_record,
)
from tilth.ledger.snapshot import SnapshotReader
from tilth.ledger.sql_list import among, one_of
from tilth.ledger.tables import not_there

# The types of schemas 2 and 3; later schemas added to them.
_FIRST_TYPES = list(EntityType)[:11]
ENTITIES = Table(
    "entities",
    no=10,
    since=2,
    columns=f"""
    entity_no   $integer PRIMARY KEY,
    realm_no    $integer NOT NULL,
    type        TEXT NOT NULL CHECK (type IN ({one_of(EntityType)})),
    merged_into $integer CHECK (merged_into <> entity_no),
    -- The place of the event that merged it.
    merged_by   $integer,
    CHECK ((merged_into IS NULL) = (merged_by IS NULL))
""",
    indexes="""
CREATE INDEX entities_in_realm ON entities (realm_no);
CREATE INDEX entities_merged_into ON entities (merged_into) WHERE merged_into IS NOT NULL;
""",
    widened={4: Widening("type", one_of(_FIRST_TYPES), one_of(EntityType))},
)
NAMES = Table(
    "names",
    no=11,
    since=2,
    keyed=5,
    columns="""
    entity_no $integer NOT NULL,
    -- 0 is the name that it is shown by.
    position  $integer NOT NULL,
    key       TEXT NOT NULL,
    name      TEXT NOT NULL,
    PRIMARY KEY (entity_no, position),
    UNIQUE (entity_no, key)
""",
    indexes="""
CREATE INDEX entities_by_name ON names (key);
""",
)
# The blocking keys of every name (`knowledge.entities.blocking`), as numbers.
NAME_KEYS = Table(
    "name_keys",
    no=12,
    since=2,
    keyed=5,
    columns="""
    key_no    $integer NOT NULL,
    entity_no $integer NOT NULL,
    realm_no  $integer NOT NULL,
    PRIMARY KEY (key_no, realm_no, entity_no)
""",
)
# Pairs that were merged and split; only a human merges them again.
SPLITS = Table(
    "splits",
    no=13,
    since=2,
    keyed=5,
    columns="""
    entity_no $integer NOT NULL,
    other_no  $integer NOT NULL,
    PRIMARY KEY (entity_no, other_no)
""",
)
IDENTITIES = Table(
    "identities",
    no=22,
    since=2,
    columns=f"""
    identity_no $integer PRIMARY KEY,
    entity_no   $integer NOT NULL,
    owner       TEXT NOT NULL,
    transport   TEXT NOT NULL,
    address     TEXT NOT NULL,
    confidence  TEXT NOT NULL CHECK (confidence IN ({one_of(LinkConfidence)})),
    verified_at $integer,
    -- What it is looked for by: the address, and what its bearer is called there.
    goes_by     TEXT NOT NULL,
    CHECK ((confidence = 'confirmed') = (verified_at IS NOT NULL)),
    -- An address is one entity's alone (EM-021).
    UNIQUE (owner, transport, address)
""",
    indexes="""
CREATE INDEX identities_of_an_entity ON identities (entity_no);
CREATE INDEX identities_by_address ON identities (address);
""",
)

_NEW_ENTITY = "INSERT INTO entities (entity_no, realm_no, type) VALUES (?, ?, ?)"
_NAME = """
INSERT INTO names (entity_no, position, key, name)
VALUES (?, (SELECT coalesce(max(position) + 1, 0) FROM names WHERE entity_no = ?), ?, ?)
ON CONFLICT (entity_no, key) DO NOTHING
"""
_NAME_KEYS = """
INSERT INTO name_keys (key_no, entity_no, realm_no) VALUES {rows}
ON CONFLICT (key_no, realm_no, entity_no) DO NOTHING
"""
_REALM = "SELECT realm_no FROM entities WHERE entity_no = ?"
# The special characters of LIKE.
_LIKE_SIGN = pattern(r"[!%_]")
# The first name, by which an entity is shown, stays.
_NO_NAME = "DELETE FROM names WHERE entity_no = ? AND key = ? AND position > 0"
_NAMES_OF = "SELECT name FROM names WHERE entity_no = ?"
_NO_NAME_KEY = """
DELETE FROM name_keys WHERE key_no = ? AND entity_no = ?
AND realm_no = (SELECT realm_no FROM entities WHERE entities.entity_no = name_keys.entity_no)
"""
_TYPE = "UPDATE entities SET type = ? WHERE entity_no = ?"
_PART = """
INSERT INTO splits (entity_no, other_no)
SELECT entity_no, merged_into FROM entities WHERE entity_no = ? AND merged_into IS NOT NULL
ON CONFLICT (entity_no, other_no) DO NOTHING
"""
_REDIRECT = "UPDATE entities SET merged_into = ?, merged_by = ? WHERE entity_no = ?"
_LINK = """
INSERT INTO identities (
    identity_no, entity_no, owner, transport, address, confidence, goes_by, verified_at
) VALUES (?, ?, ?, ?, ?, ?, ?, ?)
"""
_VERIFY = """
UPDATE identities SET confidence = 'confirmed', verified_at = ?
WHERE owner = ? AND transport = ? AND address = ?
"""
_UNLINK = "DELETE FROM identities WHERE owner = ? AND transport = ? AND address = ?"

_ENTITY = f"""
SELECT {RECORD}, r.scope, n.type, w.event_id FROM entities n
JOIN realms r ON r.realm_no = n.realm_no JOIN ledger l ON l.seq = n.entity_no
LEFT JOIN ledger w ON w.seq = n.merged_into
WHERE l.payload IS NOT NULL AND n.realm_no IN {{integers}} AND
"""  # noqa: S608 - names of ours
_NAMES = """
SELECT entity_no, name FROM names WHERE entity_no IN {integers} ORDER BY entity_no, position
"""
# The places of some entities and of everything merged into them.
_SAME = """
WITH RECURSIVE same (root, entity_no) AS (
    SELECT wanted.value, wanted.value FROM {integers} AS wanted
    UNION SELECT same.root, m.entity_no FROM entities m JOIN same ON m.merged_into = same.entity_no
)
"""
_MERGED = _SAME + "SELECT root, entity_no FROM same WHERE entity_no <> root"  # noqa: S608 - names of ours
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


@projects(EntityRecorded)
def recorded_entity(rows: Rows, recorded: Recorded, event: EntityRecorded) -> None:
    """Project a new entity with its names."""
    draft = event.draft
    realm = rows.realm_of(recorded, draft.scope)
    rows.run(_NEW_ENTITY, (recorded.seq, realm, draft.type.value))
    for name in (draft.name, *draft.aliases):
        _add_name(rows, recorded.seq, name)


@projects(AliasAdded)
def added_alias(rows: Rows, _: Recorded, event: AliasAdded) -> None:
    """Project a new name."""
    _add_name(rows, rows.place_of(event.entity_id), event.alias)


@projects(AliasRemoved)
def removed_alias(rows: Rows, _: Recorded, event: AliasRemoved) -> None:
    """Remove a name, with those of its keys that no other name of the entity has."""
    entity_no = rows.place_of(event.entity_id)
    rows.run(_NO_NAME, (entity_no, index_key(event.alias)))
    kept = {key for (name,) in rows.run(_NAMES_OF, (entity_no,)) for key in key_numbers(name)}
    for key_no in sorted(set(key_numbers(event.alias)) - kept):
        rows.run(_NO_NAME_KEY, (key_no, entity_no))


@projects(EntityTyped)
def typed(rows: Rows, _: Recorded, event: EntityTyped) -> None:
    """Project a type."""
    rows.run(_TYPE, (event.type.value, rows.place_of(event.entity_id)))


@projects(EntitiesMerged)
def merged(rows: Rows, recorded: Recorded, event: EntitiesMerged) -> None:
    """Project a merge as a redirect."""
    winner, loser = rows.place_of(event.winner), rows.place_of(event.loser)
    rows.run(_REDIRECT, (winner, recorded.seq, loser))


@projects(EntitySplit)
def split(rows: Rows, _: Recorded, event: EntitySplit) -> None:
    """Remove a redirect, and remember the pair."""
    loser = rows.place_of(event.loser)
    rows.run(_PART, (loser,))
    rows.run(_REDIRECT, (None, None, loser))


def _add_name(rows: Rows, entity_no: int, name: str) -> None:
    rows.run(_NAME, (entity_no, entity_no, index_key(name), name))
    realm_no, keys = rows.run(_REALM, (entity_no,))[0][0], key_numbers(name)
    # One statement, since a name has some 26 keys.
    sql = _NAME_KEYS.format(rows=", ".join(["(?, ?, ?)"] * len(keys)))
    rows.run(sql, [part for key_no in keys for part in (key_no, entity_no, realm_no)])


@projects(IdentityLinked)
def linked(rows: Rows, recorded: Recorded, event: IdentityLinked) -> None:
    """Project an address."""
    draft, at = event.draft, to_micros(recorded.recorded_at)
    confirmed_at = at if draft.confidence is LinkConfidence.CONFIRMED else None
    address = (recorded.owner, draft.address.transport, draft.address.address)
    row = (recorded.seq, rows.place_of(event.entity_id), *address, draft.confidence.value)
    goes_by = f"{folded(draft.address.address)}\n{folded(draft.display_name)}"
    rows.run(_LINK, (*row, goes_by, confirmed_at))


@projects(IdentityVerified)
def verified(rows: Rows, recorded: Recorded, event: IdentityVerified) -> None:
    """Project that a human confirmed an address."""
    at, address = to_micros(recorded.recorded_at), event.address
    rows.run(_VERIFY, (at, recorded.owner, address.transport, address.address))


@projects(IdentityUnlinked)
def unlinked(rows: Rows, recorded: Recorded, event: IdentityUnlinked) -> None:
    """Remove an address."""
    address = event.address
    rows.run(_UNLINK, (recorded.owner, address.transport, address.address))


def folded(words: str) -> str:
    """Return *words* in the form in which identities are searched, without case and spaces."""
    return " ".join(words.replace("\0", "\ufffd").split()).casefold()


@dataclass(frozen=True, slots=True, kw_only=True)
class EntityFilter:
    """A filter of entities: by type, or by a transport on which they have an address."""

    within: Visibility
    type: EntityType | None = None
    transport: str | None = None


class Entities(SnapshotReader):
    """The entities of one snapshot."""

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
        Return the entity, or the one that it was finally merged into.

        Raises:
            NotFoundError: none with this ID is visible.
        """
        entity = self.get(entity_id, within)
        passed = {entity.id}
        while entity.merged_into is not None and entity.merged_into not in passed:
            entity = self.get(entity.merged_into, within)
            passed.add(entity.id)
        return entity

    def named(self, name: str, within: Visibility) -> list[Entity]:
        """Return the entities with exactly this name or alias, folded; oldest first."""
        return self._entities(
            "n.entity_no IN (SELECT entity_no FROM names WHERE key = ?) ORDER BY n.entity_no",
            (index_key(name),),
            within,
        )

    def of_urn(self, name: str, within: Visibility) -> list[Entity]:
        """Return the entities with a URN that ends with *name*, of any kind; oldest first."""
        ending = _LIKE_SIGN.sub(r"!\g<0>", index_key(name))
        found = self._entities(
            "n.entity_no IN (SELECT entity_no FROM names WHERE key LIKE ? ESCAPE '!')"
            " ORDER BY n.entity_no",
            (f"urn:%:{ending}",),
            within,
        )
        roots = (self.canonical(one.id, within) for one in found)
        return list({one.id: one for one in roots}.values())

    def names_among(self, names: Iterable[str]) -> set[str]:
        """Return the keys of those of *names* that any entity has, visible or not."""
        found, keys = among("key", map(index_key, names))
        rows = self._conn.rows(f"SELECT DISTINCT key FROM names WHERE {found}", keys)  # noqa: S608
        return {str(key) for (key,) in rows}

    def select(self, which: EntityFilter, *, limit: int, after: int = 0) -> list[Entity]:
        """Return entities in ledger order, after the place *after*."""
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
        """Return all entities with the key of *name*, and the most similar ones."""
        realms = realm_numbers(self._conn, within.owner, within.scopes)
        found = bearers(self._conn, self._integers, name, realms)
        return self._bearers(sorted(set(self.roots(found).values())), realms)

    def all_of(self, ids: Sequence[EntityId], within: Visibility) -> list[Entity]:
        """Return visible entities in ledger order; merges are not followed."""
        return self.at([*find_places(self._conn, ids).values()], within)

    def bearer(self, entity_id: EntityId, within: Visibility) -> Bearer:
        """
        Return the present entity, with all its visible names.

        Raises:
            NotFoundError: none with this ID is visible.
        """
        entity = self.canonical(entity_id, within)
        return self._bearers([entity.seq], realm_numbers(self._conn, within.owner, within.scopes))[
            0
        ]

    def merged(self, entity_id: EntityId, within: Visibility) -> list[Entity]:
        """Return the entities merged into this one, directly or not, in ledger order."""
        return self.at(self.below(place_of(self._conn, entity_id)), within)

    def merges(self, entity_id: EntityId, within: Visibility) -> list[Recorded]:
        """Return the events of these merges, in ledger order."""
        below = self.below(place_of(self._conn, entity_id))
        return [read_record(row) for row in self._rows(_MERGE, below, within)]

    def was_split(self, one: EntityId, other: EntityId) -> bool:
        """Say whether a merge of the two was ever taken back."""
        pair = (place_of(self._conn, one), place_of(self._conn, other))
        sql = f"{_SPLIT} OR (entity_no = ? AND other_no = ?)"
        return bool(self._conn.rows(sql, (*pair, *reversed(pair))))

    def roots(self, seqs: Sequence[int]) -> Mapping[int, int]:
        """Return the place of the entity that each of *seqs* was finally merged into."""
        found = self._rows(_ROOTS, seqs)
        return {int(entity_no): int(root) for entity_no, root in found}

    def at(self, seqs: Sequence[int], within: Visibility) -> list[Entity]:
        """Return the visible entities at these places, in ledger order."""
        return self._entities("n.entity_no IN {integers} ORDER BY n.entity_no", (seqs,), within)

    def count(self, within: Visibility) -> int:
        """Return how many entities may be seen."""
        sql = "SELECT count(*) FROM entities WHERE realm_no IN {integers}"
        return int(self._rows(sql, within)[0][0])

    def ids_at(self, seqs: Sequence[int]) -> Mapping[int, EntityId]:
        """Return the identifiers of the entities at these places."""
        sql = "SELECT seq, event_id FROM ledger WHERE seq IN {integers}"
        rows = self._rows(sql, seqs)
        return {int(no): EntityId.stored(one) for no, one in rows}

    def with_merged(self, entity_id: EntityId, within: Visibility) -> list[int]:
        """Return the places of an entity and of all merged into it."""
        place = self.get(entity_id, within).seq
        return [place, *self.below(place)]

    def below(self, place: int) -> list[int]:
        """Return the places of all that was merged into the entity at *place*."""
        return sorted(self.merged_into([place]).get(place, ()))

    def merged_into(self, places: Iterable[int]) -> Mapping[int, Sequence[int]]:
        """Return for each place the places of all that was merged into its entity."""
        found: defaultdict[int, list[int]] = defaultdict(list)
        for root, no in self._rows(_MERGED, [*places]):
            found[int(root)].append(int(no))
        return found

    def _bearers(self, roots: Sequence[int], realms: Sequence[int]) -> list[Bearer]:
        rows = self._rows(_BEARER, roots, realms, realms)
        return [_bearer(list(group)) for _, group in groupby(rows, key=itemgetter(0))]

    def _entities(
        self, condition: str, params: Sequence[object], within: Visibility
    ) -> list[Entity]:
        rows = self._rows(_ENTITY + condition, within, *params)
        names = self._names([row[0] for row in rows])
        return [_entity(row, names[row[0]]) for row in rows]

    def _names(self, seqs: Sequence[int]) -> Mapping[int, list[str]]:
        names = defaultdict(list)
        for entity_no, name in self._rows(_NAMES, seqs):
            names[entity_no].append(name)
        return names


def _entity(row: Row, names: Sequence[str]) -> Entity:
    recorded, event = read_as(EntityRecorded, row)
    scope, type_, winner = row[RECORD_WIDTH:]
    draft = event.draft
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
        merged_into=None if winner is None else EntityId.stored(winner),
    )


def _bearer(rows: Sequence[Row]) -> Bearer:
    _, event_id, type_, _ = rows[0]
    return Bearer(
        id=EntityId.stored(event_id),
        type=EntityType(type_),
        names=tuple(dict.fromkeys(name for *_, name in rows)),
    )
