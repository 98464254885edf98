"""The tables of profiles and of the origins of episodes, and reading them."""

from collections.abc import Collection, Iterable, Mapping, Sequence

from tilth.core.event import Recorded, decode
from tilth.core.ids import EntityId
from tilth.core.instant import from_micros
from tilth.core.scope import Visibility
from tilth.core.table import Filling, Table
from tilth.core.text.names import index_key
from tilth.episodes.episode import Episode, EpisodeDraft
from tilth.episodes.events import EpisodeRecorded
from tilth.episodes.tables import Episodes
from tilth.knowledge.about.traits import has_traits
from tilth.knowledge.entities.events import IdentityUnlinked
from tilth.knowledge.entities.identity import Tally, address_key
from tilth.knowledge.entities.tables import Entities
from tilth.ledger.engine import Row
from tilth.ledger.projection import Rows, projects, storable
from tilth.ledger.records import RECORD, RECORD_WIDTH, read_as
from tilth.ledger.snapshot import Snapshot, SnapshotReader
from tilth.people.events import TraitTold
from tilth.people.profile import Trait

Origin = tuple[int, str, str, str, str]

_NEW_ORIGIN = """
INSERT INTO origins (episode_no, transport, address, entity_id, conversation_id)
VALUES (?, ?, ?, ?, ?)
"""
# In a store of the first schema: the episodes that may have an origin.
_OLD_EPISODES = """
SELECT seq, payload FROM ledger WHERE kind = 'episode_recorded' AND payload IS NOT NULL
AND (payload LIKE '%"address":%' OR payload LIKE '%"entity_id":%'
     OR payload LIKE '%"conversation_id":%') ORDER BY seq
"""


def _origin_of(seq: int, draft: EpisodeDraft) -> Origin | None:
    """Return the origin of an episode; None if it has none."""
    address = address_key(draft.transport, draft.address)
    told = (address, draft.entity_id or "", draft.conversation_id or "")
    if not any(told):
        return None
    return (seq, *map(storable, (draft.transport, *told)))  # type: ignore[return-value] # five of them


def _old_origins(lines: Iterable[Sequence[object]]) -> list[Origin]:
    """Return the origins of the episodes of a store of the first schema."""
    found = []
    for seq, payload in lines:
        event = decode("episode_recorded", str(payload), None)
        if isinstance(event, EpisodeRecorded) and (one := _origin_of(int(str(seq)), event.draft)):
            found.append(one)
    return found


# The transport, address, participant and conversation of each episode that has any.
ORIGINS = Table(
    "origins",
    no=21,
    since=2,
    is_record=True,
    columns="""
    episode_no      $integer PRIMARY KEY,
    transport       TEXT NOT NULL,
    -- As it is compared, and as they were told; empty where nobody said.
    address         TEXT NOT NULL,
    entity_id       TEXT NOT NULL,
    conversation_id TEXT NOT NULL
""",
    indexes="""
CREATE INDEX origins_by_address ON origins (address, transport);
CREATE INDEX origins_by_entity ON origins (entity_id) WHERE entity_id <> '';
CREATE INDEX origins_by_conversation ON origins (conversation_id, episode_no)
    WHERE conversation_id <> '';
""",
    filling=Filling(_OLD_EPISODES, _old_origins, _NEW_ORIGIN),
)
TRAITS = Table(
    "traits",
    no=25,
    since=2,
    columns="""
    trait_no  $integer PRIMARY KEY,
    entity_no $integer NOT NULL,
    key       TEXT NOT NULL,
    -- The place of the event that told otherwise.
    until     $integer CHECK (until > trait_no)
""",
    indexes="""
CREATE UNIQUE INDEX one_current_trait_for_a_key ON traits (entity_no, key) WHERE until IS NULL;
CREATE INDEX traits_of_an_entity ON traits (entity_no);
""",
)

_PAST = "UPDATE traits SET until = ? WHERE entity_no = ? AND key = ? AND until IS NULL"
_TRAIT = "INSERT INTO traits (trait_no, entity_no, key) VALUES (?, ?, ?)"
# What came by an address and was told to be with nobody.
_HELD = """
UPDATE origins SET entity_id = ? WHERE transport = ? AND address = ? AND entity_id = ''
AND episode_no IN (
    SELECT e.seq FROM episodes e JOIN realms r ON r.realm_no = e.realm_no WHERE r.owner = ?
)
"""
# What was told to be with an entity, and what came from an address of its own.
_WITH = """
SELECT o.episode_no FROM origins o
WHERE o.entity_id IN ({marks}) AND o.entity_id <> '' {by_transport}
UNION
SELECT o.episode_no FROM identities i
JOIN origins o ON o.transport = i.transport AND o.address = i.address AND o.entity_id = ''
WHERE i.owner = ? AND i.entity_no IN {integers} {by_transport}
"""
_OF_ENTITIES = """
FROM traits t JOIN ledger l ON l.seq = t.trait_no JOIN entities n ON n.entity_no = t.entity_no
WHERE l.payload IS NOT NULL AND t.entity_no IN {integers} AND n.realm_no IN {integers}
"""
_TRAITS = f"SELECT {RECORD}, t.key {_OF_ENTITIES}"


@projects(EpisodeRecorded)
def came_from(rows: Rows, recorded: Recorded, event: EpisodeRecorded) -> None:
    """Project the origin of an episode."""
    if origin := _origin_of(recorded.seq, event.draft):
        rows.run(_NEW_ORIGIN, origin)


@projects(TraitTold)
def told(rows: Rows, recorded: Recorded, event: TraitTold) -> None:
    """Project a trait."""
    entity_no, key = rows.place_of(event.draft.entity_id), index_key(event.draft.key)
    rows.run(_PAST, (recorded.seq, entity_no, key))
    rows.run(_TRAIT, (recorded.seq, entity_no, key))


@projects(IdentityUnlinked)
def changed_hands(rows: Rows, recorded: Recorded, event: IdentityUnlinked) -> None:
    """Project an address that changed hands: earlier episodes stay with the former owner."""
    if event.keeps:
        way = (event.address.transport, event.address.address)
        rows.run(_HELD, (event.entity_id, *way, recorded.owner))


class People(SnapshotReader):
    """The profiles and interactions of one snapshot; entities that were merged count as one."""

    def __init__(self, view: Snapshot) -> None:
        super().__init__(view)
        self._entities = Entities(view)
        self._episodes = Episodes(view)

    def interactions(
        self, entity_id: EntityId, within: Visibility, *, transport: str | None = None, limit: int
    ) -> list[Episode]:
        """Return the last episodes with an entity, the newest at the end."""
        found, params = self._with(entity_id, within, transport)
        sql = f"""SELECT e.seq FROM episodes e
            WHERE e.seq IN ({found}) AND e.realm_no IN {self._integers}
            ORDER BY e.occurred_at DESC, e.seq DESC LIMIT ?"""  # noqa: S608 - bound
        seqs = [int(seq) for (seq,) in self._rows(sql, *params, within, limit)]
        return sorted(self._episodes.at(seqs, within), key=lambda one: (one.occurred_at, one.seq))

    def tally(
        self, entity_id: EntityId, within: Visibility, *, transport: str | None = None
    ) -> Tally:
        """Return how many episodes there were with an entity."""
        found, params = self._with(entity_id, within, transport)
        sql = f"""SELECT count(*), min(e.occurred_at), max(e.occurred_at) FROM episodes e
            JOIN ledger l ON l.seq = e.seq AND l.payload IS NOT NULL
            WHERE e.seq IN ({found}) AND e.realm_no IN {self._integers}"""  # noqa: S608 - bound
        return tally_of(self._rows(sql, *params, within)[0])

    def counts(self, within: Visibility) -> Mapping[str, Mapping[str, int]]:
        """Return how many there are: entities by type, identities by transport and confidence."""
        entities = """SELECT type, count(*) FROM entities
            WHERE merged_into IS NULL AND realm_no IN {integers} GROUP BY type"""
        links = """SELECT i.{column}, count(*) FROM identities i
            JOIN entities n ON n.entity_no = i.entity_no
            WHERE n.realm_no IN {integers} GROUP BY i.{column}"""
        by_transport, by_confidence = (
            links.format(column=column, integers=self._integers)
            for column in ("transport", "confidence")
        )
        traits = """SELECT CASE WHEN t.until IS NULL THEN 'current' ELSE 'past' END, count(*)
            FROM traits t JOIN entities n ON n.entity_no = t.entity_no
            WHERE n.realm_no IN {integers} GROUP BY 1"""
        return {
            "entities": self._counted(entities, within),
            "identities": self._counted(by_transport, within),
            "confidence": self._counted(by_confidence, within),
            "traits": self._counted(traits, within),
        }

    def profile(self, entity_id: EntityId, within: Visibility) -> list[Trait]:
        """Return the current traits of an entity, by key."""
        told = [one for one in self.history(entity_id, within) if one.is_current]
        return sorted(told, key=lambda one: one.key)

    def history(
        self, entity_id: EntityId, within: Visibility, *, key: str | None = None
    ) -> list[Trait]:
        """Return every version of every trait of an entity, or of one key, the oldest first."""
        of_key, keys = ("", ()) if key is None else ("AND t.key = ?", (index_key(key),))
        places = self._entities.with_merged(entity_id, within)
        rows = self._rows(f"{_TRAITS} {of_key} ORDER BY t.trait_no", places, within, *keys)
        # Each of the merged entities has a last version: the latest of these is current.
        latest = {row[RECORD_WIDTH]: row[0] for row in rows}
        return [_trait(row, is_current=latest[row[RECORD_WIDTH]] == row[0]) for row in rows]

    def told_at(self, entity_id: EntityId, seqs: Sequence[int], within: Visibility) -> list[Trait]:
        """Return the traits of an entity that were recorded at these places, and read no others."""
        places = self._entities.with_merged(entity_id, within)
        only = "AND t.trait_no IN {integers} ORDER BY t.trait_no"
        rows = self._rows(f"{_TRAITS} {only}", places, within, seqs)
        keys = {row[RECORD_WIDTH] for row in rows}
        latest = self._latest(places, keys, within) if keys else {}
        return [_trait(row, is_current=latest[row[RECORD_WIDTH]] == row[0]) for row in rows]

    def _latest(
        self, places: Sequence[int], keys: Collection[str], within: Visibility
    ) -> Mapping[str, int]:
        """Return the place of the current version of each key, over merged entities."""
        marks = ", ".join("?" * len(keys))
        sql = f"""SELECT t.key, max(t.trait_no) {_OF_ENTITIES}
            AND t.until IS NULL AND t.key IN ({marks}) GROUP BY t.key"""
        return dict(self._rows(sql, places, within, *keys))

    def _counted(self, sql: str, within: Visibility) -> Mapping[str, int]:
        return {str(word): int(count) for word, count in sorted(self._rows(sql, within))}

    def _with(
        self, entity_id: EntityId, within: Visibility, transport: str | None
    ) -> tuple[str, list[object]]:
        """Return a query for the places of the episodes with an entity, and its parameters."""
        places = self._entities.with_merged(entity_id, within)
        ids = list(self._entities.ids_at(places).values())
        only = [] if transport is None else [transport]
        sql = _WITH.format(
            marks=", ".join("?" * len(ids)),
            integers=self._integers,
            by_transport="" if transport is None else "AND o.transport = ?",
        )
        return sql, [*ids, *only, within.owner, places, *only]


def tally_of(row: Row) -> Tally:
    """Return the tally in a row of count, first and last instant in microseconds."""
    count, first, last = row
    return Tally(int(count), from_micros(first), from_micros(last)) if count else Tally(0)


def _trait(row: Row, *, is_current: bool) -> Trait:
    recorded, event = read_as(TraitTold, row)
    draft = event.draft
    return Trait(
        entity_id=draft.entity_id,
        seq=recorded.seq,
        by=recorded.by,
        recorded_at=recorded.recorded_at,
        key=draft.key,
        value=draft.value,
        confidence=draft.confidence,
        evidence=draft.evidence,
        is_current=is_current,
    )


@has_traits
def traits_of(view: Snapshot, entity_id: EntityId, within: Visibility) -> Mapping[str, str]:
    """Return the current lines of the profile of an entity."""
    return {one.key: one.value for one in People(view).profile(entity_id, within)}
