"""Identities, profiles and where episodes came from: their tables, and reading them."""

import json
import re
from collections.abc import Iterable, Mapping, Sequence

from tilth.core.errors import CorruptionError
from tilth.core.event import Recorded, decode
from tilth.core.ids import EntityId
from tilth.core.instant import from_micros, to_micros
from tilth.core.keys import index_key
from tilth.core.scope import Owner, Visibility
from tilth.core.table import Filling, Table
from tilth.episodes.episode import Episode, EpisodeDraft
from tilth.episodes.events import EpisodeRecorded
from tilth.episodes.filters import visible
from tilth.episodes.tables import Episodes
from tilth.knowledge.entities.identity import Address, Identity, LinkConfidence, Tally, address_key
from tilth.knowledge.entities.tables import Entities
from tilth.ledger.engine import Row
from tilth.ledger.projection import Rows, projects, storable
from tilth.ledger.realms import realms_seen
from tilth.ledger.records import RECORD, RECORD_WIDTH, read_record
from tilth.ledger.snapshot import Snapshot
from tilth.ledger.sql_list import one_of
from tilth.people.events import IdentityLinked, IdentityUnlinked, IdentityVerified, TraitTold
from tilth.people.profile import Trait

Origin = tuple[int, str, str, str, str]

_NEW_ORIGIN = """
INSERT INTO origins (episode_no, transport, address, entity_id, conversation_id)
VALUES (?, ?, ?, ?, ?)
"""
# What a store of the first schema holds: episodes that say where they came from, and more.
_OLD_EPISODES = """
SELECT seq, payload FROM ledger WHERE kind = 'episode_recorded' AND payload IS NOT NULL
AND (payload LIKE '%"address":%' OR payload LIKE '%"entity_id":%'
     OR payload LIKE '%"conversation_id":%') ORDER BY seq
"""


def _origin_of(seq: int, draft: EpisodeDraft) -> Origin | None:
    """Return where an episode came from, if it says so."""
    address = address_key(draft.transport, draft.address)
    told = (address, draft.entity_id or "", draft.conversation_id or "")
    if not any(told):
        return None
    return (seq, *map(storable, (draft.transport, *told)))  # type: ignore[return-value] # five of them


def _old_origins(lines: Iterable[Sequence[object]]) -> list[Origin]:
    """Return where the episodes of a store of the first schema came from."""
    found = []
    for seq, payload in lines:
        event = decode("episode_recorded", str(payload), None)
        if isinstance(event, EpisodeRecorded) and (one := _origin_of(int(str(seq)), event.draft)):
            found.append(one)
    return found


# Where episodes came from, with whom and in which conversation, where they say so.
ORIGINS = Table(
    "origins",
    no=21,
    since=2,
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
# What LIKE would take for more than itself.
_WILD = re.compile("[%_!]")
_PAST = "UPDATE traits SET until = ? WHERE entity_no = ? AND key = ? AND until IS NULL"
_TRAIT = "INSERT INTO traits (trait_no, entity_no, key) VALUES (?, ?, ?)"
_IDENTITY = f"""
SELECT {RECORD}, i.confidence, i.verified_at FROM identities i
JOIN ledger l ON l.seq = i.identity_no WHERE l.payload IS NOT NULL AND
"""  # noqa: S608 - names of ours
_SEEN = """i.entity_no IN (SELECT entity_no FROM entities WHERE realm_no IN {integers}) AND """
# What was told to be with an entity, and what came from an address of its own.
_WITH = """
SELECT o.episode_no FROM origins o
WHERE o.entity_id IN ({marks}) AND o.entity_id <> '' {by_transport}
UNION
SELECT o.episode_no FROM identities i
JOIN origins o ON o.transport = i.transport AND o.address = i.address AND o.entity_id = ''
WHERE i.owner = ? AND i.entity_no IN {integers} {by_transport}
"""
_TRAITS = f"""
SELECT {RECORD}, t.key FROM traits t JOIN ledger l ON l.seq = t.trait_no
JOIN entities n ON n.entity_no = t.entity_no
WHERE l.payload IS NOT NULL AND t.entity_no IN {{integers}} AND n.realm_no IN {{integers}}
"""  # noqa: S608 - names of ours


@projects(EpisodeRecorded)
def came_from(rows: Rows, recorded: Recorded, event: EpisodeRecorded) -> None:
    """Show where an episode came from."""
    if origin := _origin_of(recorded.seq, event.draft):
        rows.run(_NEW_ORIGIN, origin)


@projects(IdentityLinked)
def linked(rows: Rows, recorded: Recorded, event: IdentityLinked) -> None:
    """Show who is reached at an address."""
    draft, at = event.draft, to_micros(recorded.recorded_at)
    confirmed_at = at if draft.confidence is LinkConfidence.CONFIRMED else None
    address = (recorded.owner, draft.address.transport, draft.address.address)
    row = (recorded.seq, rows.place_of(event.entity_id), *address, draft.confidence.value)
    goes_by = f"{_folded(draft.address.address)}\n{_folded(draft.display_name)}"
    rows.run(_LINK, (*row, goes_by, confirmed_at))


@projects(IdentityVerified)
def verified(rows: Rows, recorded: Recorded, event: IdentityVerified) -> None:
    """Show that a human confirmed whose an address is."""
    at, address = to_micros(recorded.recorded_at), event.address
    rows.run(_VERIFY, (at, recorded.owner, address.transport, address.address))


@projects(IdentityUnlinked)
def unlinked(rows: Rows, recorded: Recorded, event: IdentityUnlinked) -> None:
    """Show that an address is nobody's."""
    address = event.address
    rows.run(_UNLINK, (recorded.owner, address.transport, address.address))


@projects(TraitTold)
def told(rows: Rows, recorded: Recorded, event: TraitTold) -> None:
    """Show how somebody is."""
    entity_no, key = rows.place_of(event.draft.entity_id), index_key(event.draft.key)
    rows.run(_PAST, (recorded.seq, entity_no, key))
    rows.run(_TRAIT, (recorded.seq, entity_no, key))


class People:
    """Identities, profiles and interactions; what was merged into an entity counts as it."""

    def __init__(self, view: Snapshot) -> None:
        self._conn = view.conn
        self._integers = view.integers
        self._entities = Entities(view)
        self._episodes = Episodes(view)

    def holder(self, owner: Owner, address: Address) -> Identity | None:
        """Return whose an address is, wherever that entity may be seen; None if nobody's."""
        sql = f"{_IDENTITY} i.owner = ? AND i.transport = ? AND i.address = ?"
        rows = self._conn.rows(sql, (owner, address.transport, address.address))
        return _identity(rows[0]) if rows else None

    def identity(self, address: Address, within: Visibility) -> Identity | None:
        """Return whose an address is among what may be seen."""
        found = self._identities(
            "i.owner = ? AND i.transport = ? AND i.address = ?",
            (within.owner, address.transport, address.address),
            within,
        )
        return found[0] if found else None

    def identities(self, entity_id: EntityId, within: Visibility) -> list[Identity]:
        """Return the addresses of an entity, the one that was linked first at the beginning."""
        condition = f"i.entity_no IN {self._integers} ORDER BY i.identity_no"
        return self._identities(condition, (self._same(entity_id, within),), within)

    def sharing(self, key: str, within: Visibility) -> list[Identity]:
        """Return the identities with an address of this key, on any transport."""
        condition = "i.owner = ? AND i.address = ? ORDER BY i.identity_no"
        return self._identities(condition, (within.owner, key), within)

    def like(self, words: str, within: Visibility, *, limit: int) -> list[Identity]:
        """
        Return the identities with *words* in the address, or in what the bearer is called there.

        Case and spaces do not count, and no sign stands for another.
        """
        condition = "i.owner = ? AND i.goes_by LIKE ? ESCAPE '!' ORDER BY i.identity_no LIMIT ?"
        literal = _WILD.sub(r"!\g<0>", _folded(words))
        return self._identities(condition, (within.owner, f"%{literal}%", limit), within)

    def interactions(
        self, entity_id: EntityId, within: Visibility, *, transport: str | None = None, limit: int
    ) -> list[Episode]:
        """Return the last episodes with an entity, the newest at the end."""
        found, params = self._with(entity_id, within, transport)
        seen = visible(self._conn, within, self._integers)
        sql = f"""SELECT e.seq FROM episodes e WHERE e.seq IN ({found}) AND {seen.sql}
            ORDER BY e.occurred_at DESC, e.seq DESC LIMIT ?"""  # noqa: S608 - bound
        seqs = [int(seq) for (seq,) in self._conn.rows(sql, (*params, *seen.params, limit))]
        return sorted(self._episodes.at(seqs, within), key=lambda one: (one.occurred_at, one.seq))

    def tally(
        self, entity_id: EntityId, within: Visibility, *, transport: str | None = None
    ) -> Tally:
        """Return how many episodes there were with an entity."""
        found, params = self._with(entity_id, within, transport)
        seen = visible(self._conn, within, self._integers)
        sql = f"""SELECT count(*), min(e.occurred_at), max(e.occurred_at) FROM episodes e
            JOIN ledger l ON l.seq = e.seq AND l.payload IS NOT NULL
            WHERE e.seq IN ({found}) AND {seen.sql}"""  # noqa: S608 - bound
        return tally_of(self._conn.rows(sql, (*params, *seen.params))[0])

    def counts(self, within: Visibility) -> Mapping[str, Mapping[str, int]]:
        """Return how many there are: entities by type, identities by transport and confidence."""
        seen = realms_seen(self._conn, within)
        entities = f"""SELECT type, count(*) FROM entities
            WHERE merged_into IS NULL AND realm_no IN {self._integers} GROUP BY type"""  # noqa: S608
        links = """SELECT i.{column}, count(*) FROM identities i
            JOIN entities n ON n.entity_no = i.entity_no
            WHERE n.realm_no IN {integers} GROUP BY i.{column}"""
        by_transport, by_confidence = (
            links.format(column=column, integers=self._integers)
            for column in ("transport", "confidence")
        )
        traits = f"""SELECT CASE WHEN t.until IS NULL THEN 'current' ELSE 'past' END, count(*)
            FROM traits t JOIN entities n ON n.entity_no = t.entity_no
            WHERE n.realm_no IN {self._integers} GROUP BY 1"""  # noqa: S608 - bound
        return {
            "entities": self._counted(entities, seen),
            "identities": self._counted(by_transport, seen),
            "confidence": self._counted(by_confidence, seen),
            "traits": self._counted(traits, seen),
        }

    def profile(self, entity_id: EntityId, within: Visibility) -> list[Trait]:
        """Return what holds of an entity now, by key."""
        told = [one for one in self.history(entity_id, within) if one.is_current]
        return sorted(told, key=lambda one: one.key)

    def history(
        self, entity_id: EntityId, within: Visibility, *, key: str | None = None
    ) -> list[Trait]:
        """Return all that was ever told of an entity, or under one key, the oldest first."""
        sql = _TRAITS.format(integers=self._integers)
        realms = realms_seen(self._conn, within)
        params: list[object] = [self._same(entity_id, within), realms]
        if key is not None:
            sql += " AND t.key = ?"
            params.append(index_key(key))
        rows = self._conn.rows(f"{sql} ORDER BY t.trait_no", params)
        # Of entities that are one, each has a last word: the latest of them holds.
        latest = {row[RECORD_WIDTH]: row[0] for row in rows}
        return [_trait(row, is_current=latest[row[RECORD_WIDTH]] == row[0]) for row in rows]

    def _counted(self, sql: str, seen: str) -> Mapping[str, int]:
        return {str(word): int(count) for word, count in sorted(self._conn.rows(sql, (seen,)))}

    def _identities(
        self, condition: str, params: Sequence[object], within: Visibility
    ) -> list[Identity]:
        seen = realms_seen(self._conn, within)
        sql = _IDENTITY + _SEEN.format(integers=self._integers) + condition
        return [_identity(row) for row in self._conn.rows(sql, (seen, *params))]

    def _places(self, entity_id: EntityId, within: Visibility) -> list[int]:
        place = self._entities.get(entity_id, within).seq
        return [place, *self._entities.below(place)]

    def _same(self, entity_id: EntityId, within: Visibility) -> str:
        return json.dumps(self._places(entity_id, within))

    def _with(
        self, entity_id: EntityId, within: Visibility, transport: str | None
    ) -> tuple[str, list[object]]:
        """Return what selects the places of the episodes with an entity, and its parameters."""
        places = self._places(entity_id, within)
        ids = list(self._entities.ids_at(places).values())
        only = [] if transport is None else [transport]
        sql = _WITH.format(
            marks=", ".join("?" * len(ids)),
            integers=self._integers,
            by_transport="" if transport is None else "AND o.transport = ?",
        )
        return sql, [*ids, *only, within.owner, json.dumps(places), *only]


def tally_of(row: Row) -> Tally:
    """Return how many there are, and when the first and the last was, as a query counted them."""
    count, first, last = row
    return Tally(int(count), from_micros(first), from_micros(last)) if count else Tally(0)


def _folded(words: str) -> str:
    return " ".join(words.replace("\0", "\ufffd").split()).casefold()


def _identity(row: Row) -> Identity:
    recorded = read_record(row[:RECORD_WIDTH])
    confidence, verified_at = row[RECORD_WIDTH:]
    if not isinstance(recorded.event, IdentityLinked):
        raise CorruptionError(f"place {recorded.seq} of the ledger links no address")
    draft = recorded.event.draft
    return Identity(
        entity_id=recorded.event.entity_id,
        address=draft.address,
        display_name=draft.display_name,
        confidence=LinkConfidence(confidence),
        by=recorded.by,
        linked_at=recorded.recorded_at,
        verified_at=None if verified_at is None else from_micros(verified_at),
    )


def _trait(row: Row, *, is_current: bool) -> Trait:
    recorded = read_record(row[:RECORD_WIDTH])
    if not isinstance(recorded.event, TraitTold):
        raise CorruptionError(f"place {recorded.seq} of the ledger tells no trait")
    draft = recorded.event.draft
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
