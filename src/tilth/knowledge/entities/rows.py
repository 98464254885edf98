"""How events about entities and edges show in the tables."""

from tilth.core.event import Recorded
from tilth.core.keys import index_key
from tilth.knowledge.entities.events import (
    AliasAdded,
    AliasRemoved,
    EntitiesMerged,
    EntityRecorded,
    EntitySplit,
    EntityTyped,
)
from tilth.knowledge.entities.name_keys import key_numbers
from tilth.knowledge.graph.events import EdgeRecorded, EdgeRetired
from tilth.knowledge.vocabulary.registries import node_kind
from tilth.ledger.engine import Connection
from tilth.ledger.places import place_of
from tilth.ledger.realms import realm_of

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
_EDGE = """
INSERT INTO edges (edge_no, realm_no, source, source_kind, kind, target, target_kind)
VALUES (?, ?, ?, ?, ?, ?, ?)
"""
_SAME_EDGE = """
SELECT edge_no FROM edges
WHERE source = ? AND kind = ? AND target = ? AND realm_no = ? AND until IS NULL
"""
_PARTED = "UPDATE edges SET until = ? WHERE edge_no = ? AND until IS NULL"


def project_entity(conn: Connection, recorded: Recorded, event: EntityRecorded) -> None:
    """Show a new entity and its names."""
    draft = event.draft
    realm = realm_of(conn, recorded.seq, recorded.owner, draft.scope)
    conn.rows(_ENTITY, (recorded.seq, realm, draft.type.value))
    for name in (draft.name, *draft.aliases):
        _add_name(conn, recorded.seq, name)


def project_alias(conn: Connection, event: AliasAdded) -> None:
    """Show one more name."""
    _add_name(conn, place_of(conn, event.entity_id), event.alias)


def project_alias_removal(conn: Connection, event: AliasRemoved) -> None:
    """Take a name away, with the keys that no other name of the entity has."""
    entity_no = place_of(conn, event.entity_id)
    conn.rows(_NO_NAME, (entity_no, index_key(event.alias)))
    kept = {key for (name,) in conn.rows(_NAMES, (entity_no,)) for key in key_numbers(name)}
    for key_no in sorted(set(key_numbers(event.alias)) - kept):
        conn.rows(_NO_NAME_KEY, (key_no, entity_no))


def project_type(conn: Connection, event: EntityTyped) -> None:
    """Show what kind of thing an entity is."""
    conn.rows(_TYPE, (event.type.value, place_of(conn, event.entity_id)))


def project_merge(conn: Connection, recorded: Recorded, event: EntitiesMerged) -> None:
    """Redirect one entity to another."""
    winner, loser = place_of(conn, event.winner), place_of(conn, event.loser)
    conn.rows(_REDIRECT, (winner, recorded.seq, loser))


def project_split(conn: Connection, event: EntitySplit) -> None:
    """Take a redirect back, and remember that there was one."""
    loser = place_of(conn, event.loser)
    conn.rows(_SPLIT, (loser,))
    conn.rows(_REDIRECT, (None, None, loser))


def project_edge(conn: Connection, recorded: Recorded, event: EdgeRecorded) -> None:
    """Join two nodes."""
    draft, kind = event.draft, event.draft.kind.value
    realm = realm_of(conn, recorded.seq, recorded.owner, draft.scope)
    source, target = place_of(conn, draft.source), place_of(conn, draft.target)
    # The same edge twice is one (KB-013).
    if not conn.rows(_SAME_EDGE, (source, kind, target, realm)):
        ends = (source, node_kind(draft.source), kind, target, node_kind(draft.target))
        conn.rows(_EDGE, (recorded.seq, realm, *ends))


def project_parting(conn: Connection, recorded: Recorded, event: EdgeRetired) -> None:
    """Part two nodes."""
    conn.rows(_PARTED, (recorded.seq, place_of(conn, event.edge_id)))


def _add_name(conn: Connection, entity_no: int, name: str) -> None:
    conn.rows(_NAME, (entity_no, entity_no, index_key(name), name))
    realm_no, keys = conn.rows(_REALM, (entity_no,))[0][0], key_numbers(name)
    # One statement, since there are some 26 of them.
    sql = _NAME_KEYS.format(rows=", ".join(["(?, ?, ?)"] * len(keys)))
    conn.rows(sql, [part for key_no in keys for part in (key_no, entity_no, realm_no)])
