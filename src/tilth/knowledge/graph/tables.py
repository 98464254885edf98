"""The table of edges, and projecting events into it."""

from tilth.core.event import Recorded
from tilth.core.scope import Visibility
from tilth.core.table import Table
from tilth.knowledge.graph.events import EdgeRecorded, EdgeRetired
from tilth.knowledge.vocabulary.registries import EdgeKind, NodeKind, node_kind
from tilth.ledger.projection import Rows, projects
from tilth.ledger.snapshot import Snapshot
from tilth.ledger.sql_list import one_of

EDGES = Table(
    "edges",
    no=14,
    since=2,
    columns=f"""
    edge_no     $integer PRIMARY KEY,
    realm_no    $integer NOT NULL,
    source      $integer NOT NULL,
    source_kind TEXT NOT NULL CHECK (source_kind IN ({one_of(NodeKind)})),
    kind        TEXT NOT NULL CHECK (kind IN ({one_of(EdgeKind)})),
    target      $integer NOT NULL CHECK (target <> source),
    target_kind TEXT NOT NULL CHECK (target_kind IN ({one_of(NodeKind)})),
    until       $integer,
    UNIQUE (source, kind, target, edge_no)
""",
    indexes="""
CREATE UNIQUE INDEX one_edge_of_a_kind ON edges (realm_no, source, kind, target)
    WHERE until IS NULL;
CREATE INDEX edges_to ON edges (target, kind);
""",
)

_EDGE = """
INSERT INTO edges (edge_no, realm_no, source, source_kind, kind, target, target_kind)
VALUES (?, ?, ?, ?, ?, ?, ?)
"""
_SAME_EDGE = """
SELECT edge_no FROM edges
WHERE source = ? AND kind = ? AND target = ? AND realm_no = ? AND until IS NULL
"""
_PARTED = "UPDATE edges SET until = ? WHERE edge_no = ? AND until IS NULL"


@projects(EdgeRecorded)
def recorded_edge(rows: Rows, recorded: Recorded, event: EdgeRecorded) -> None:
    """Join two nodes."""
    draft, kind = event.draft, event.draft.kind.value
    realm = rows.realm_of(recorded, draft.scope)
    source, target = rows.place_of(draft.source), rows.place_of(draft.target)
    # The same edge twice is one (KB-013).
    if not rows.run(_SAME_EDGE, (source, kind, target, realm)):
        ends = (source, node_kind(draft.source), kind, target, node_kind(draft.target))
        rows.run(_EDGE, (recorded.seq, realm, *ends))


@projects(EdgeRetired)
def retired(rows: Rows, recorded: Recorded, event: EdgeRetired) -> None:
    """Part two nodes."""
    rows.run(_PARTED, (recorded.seq, rows.place_of(event.edge_id)))


def edge_count(view: Snapshot, within: Visibility) -> int:
    """Return the number of visible edges."""
    sql = "SELECT count(*) FROM edges WHERE until IS NULL AND realm_no IN {integers}"
    return int(view.select(sql, within)[0][0])
