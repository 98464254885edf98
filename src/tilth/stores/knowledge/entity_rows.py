"""How events about entities and edges show in the tables."""

from tilth.domain.events import (
    AliasAdded,
    EdgeRecorded,
    EdgeRetired,
    EntitiesMerged,
    EntityRecorded,
    EntitySplit,
    Recorded,
)
from tilth.domain.keys import index_key
from tilth.stores.engine import Connection
from tilth.stores.knowledge.places import place_of
from tilth.stores.realms import realm_of

_ENTITY = "INSERT INTO entities (entity_no, realm_no, type) VALUES (?, ?, ?)"
_NAME = """
INSERT INTO names (entity_no, position, key, name)
VALUES (?, (SELECT count(*) FROM names WHERE entity_no = ?), ?, ?)
ON CONFLICT (entity_no, key) DO NOTHING
"""
_REDIRECT = "UPDATE entities SET merged_into = ? WHERE entity_no = ?"
_EDGE = "INSERT INTO edges (edge_no, realm_no, source, kind, target) VALUES (?, ?, ?, ?, ?)"
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


def project_merge(conn: Connection, event: EntitiesMerged) -> None:
    """Redirect one entity to another."""
    conn.rows(_REDIRECT, (place_of(conn, event.winner), place_of(conn, event.loser)))


def project_split(conn: Connection, event: EntitySplit) -> None:
    """Take a redirect back."""
    conn.rows(_REDIRECT, (None, place_of(conn, event.loser)))


def project_edge(conn: Connection, recorded: Recorded, event: EdgeRecorded) -> None:
    """Join two nodes."""
    draft = event.draft
    realm = realm_of(conn, recorded.seq, recorded.owner, draft.scope)
    source, target = place_of(conn, draft.source), place_of(conn, draft.target)
    # The same edge twice is one (KB-013).
    if not conn.rows(_SAME_EDGE, (source, draft.kind.value, target, realm)):
        conn.rows(_EDGE, (recorded.seq, realm, source, draft.kind.value, target))


def project_parting(conn: Connection, recorded: Recorded, event: EdgeRetired) -> None:
    """Part two nodes."""
    conn.rows(_PARTED, (recorded.seq, place_of(conn, event.edge_id)))


def _add_name(conn: Connection, entity_no: int, name: str) -> None:
    conn.rows(_NAME, (entity_no, entity_no, index_key(name), name))
