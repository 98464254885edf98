"""Entities, their names and their addresses: the tables, and how events show in them."""

from tilth.core.event import Recorded
from tilth.core.instant import to_micros
from tilth.core.table import Table
from tilth.core.text.keys import index_key
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
from tilth.knowledge.entities.name_keys import key_numbers
from tilth.knowledge.vocabulary.registries import EntityType
from tilth.ledger.projection import Rows, projects
from tilth.ledger.sql_list import one_of

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
)
NAMES = Table(
    "names",
    no=11,
    since=2,
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
# Under which keys a name is found by likeness (`knowledge.entities.blocking`), as numbers.
NAME_KEYS = Table(
    "name_keys",
    no=12,
    since=2,
    columns="""
    key_no    $integer NOT NULL,
    entity_no $integer NOT NULL,
    realm_no  $integer NOT NULL,
    PRIMARY KEY (key_no, realm_no, entity_no)
""",
)
# What was merged once, and is not the same: only a human merges it again.
SPLITS = Table(
    "splits",
    no=13,
    since=2,
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

_ENTITY = "INSERT INTO entities (entity_no, realm_no, type) VALUES (?, ?, ?)"
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
# The name that it is shown by stays.
_NO_NAME = "DELETE FROM names WHERE entity_no = ? AND key = ? AND position > 0"
_NAMES = "SELECT name FROM names WHERE entity_no = ?"
_NO_NAME_KEY = """
DELETE FROM name_keys WHERE key_no = ? AND entity_no = ?
AND realm_no = (SELECT realm_no FROM entities WHERE entities.entity_no = name_keys.entity_no)
"""
_TYPE = "UPDATE entities SET type = ? WHERE entity_no = ?"
_SPLIT = """
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


@projects(EntityRecorded)
def recorded_entity(rows: Rows, recorded: Recorded, event: EntityRecorded) -> None:
    """Show a new entity and its names."""
    draft = event.draft
    realm = rows.realm_of(recorded, draft.scope)
    rows.run(_ENTITY, (recorded.seq, realm, draft.type.value))
    for name in (draft.name, *draft.aliases):
        _add_name(rows, recorded.seq, name)


@projects(AliasAdded)
def added_alias(rows: Rows, _: Recorded, event: AliasAdded) -> None:
    """Show one more name."""
    _add_name(rows, rows.place_of(event.entity_id), event.alias)


@projects(AliasRemoved)
def removed_alias(rows: Rows, _: Recorded, event: AliasRemoved) -> None:
    """Take a name away, with the keys that no other name of the entity has."""
    entity_no = rows.place_of(event.entity_id)
    rows.run(_NO_NAME, (entity_no, index_key(event.alias)))
    kept = {key for (name,) in rows.run(_NAMES, (entity_no,)) for key in key_numbers(name)}
    for key_no in sorted(set(key_numbers(event.alias)) - kept):
        rows.run(_NO_NAME_KEY, (key_no, entity_no))


@projects(EntityTyped)
def typed(rows: Rows, _: Recorded, event: EntityTyped) -> None:
    """Show what kind of thing an entity is."""
    rows.run(_TYPE, (event.type.value, rows.place_of(event.entity_id)))


@projects(EntitiesMerged)
def merged(rows: Rows, recorded: Recorded, event: EntitiesMerged) -> None:
    """Redirect one entity to another."""
    winner, loser = rows.place_of(event.winner), rows.place_of(event.loser)
    rows.run(_REDIRECT, (winner, recorded.seq, loser))


@projects(EntitySplit)
def split(rows: Rows, _: Recorded, event: EntitySplit) -> None:
    """Take a redirect back, and remember that there was one."""
    loser = rows.place_of(event.loser)
    rows.run(_SPLIT, (loser,))
    rows.run(_REDIRECT, (None, None, loser))


def _add_name(rows: Rows, entity_no: int, name: str) -> None:
    rows.run(_NAME, (entity_no, entity_no, index_key(name), name))
    realm_no, keys = rows.run(_REALM, (entity_no,))[0][0], key_numbers(name)
    # One statement, since there are some 26 of them.
    sql = _NAME_KEYS.format(rows=", ".join(["(?, ?, ?)"] * len(keys)))
    rows.run(sql, [part for key_no in keys for part in (key_no, entity_no, realm_no)])


@projects(IdentityLinked)
def linked(rows: Rows, recorded: Recorded, event: IdentityLinked) -> None:
    """Show who is reached at an address."""
    draft, at = event.draft, to_micros(recorded.recorded_at)
    confirmed_at = at if draft.confidence is LinkConfidence.CONFIRMED else None
    address = (recorded.owner, draft.address.transport, draft.address.address)
    row = (recorded.seq, rows.place_of(event.entity_id), *address, draft.confidence.value)
    goes_by = f"{folded(draft.address.address)}\n{folded(draft.display_name)}"
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


def folded(words: str) -> str:
    """Return *words* as identities are looked for by them, whatever their case and spaces."""
    return " ".join(words.replace("\0", "\ufffd").split()).casefold()
