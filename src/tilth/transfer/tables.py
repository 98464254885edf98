"""What was imported: its table, and reading it."""

from tilth.core.event import Recorded
from tilth.core.scope import Owner
from tilth.core.table import Table
from tilth.episodes.events import ImportFinished
from tilth.ledger.projection import Rows, projects, storable
from tilth.ledger.snapshot import Snapshot

IMPORTS = Table(
    "imports",
    no=4,
    since=1,
    columns="""
    seq    $integer PRIMARY KEY,
    owner  TEXT NOT NULL,
    uri    TEXT NOT NULL,
    sha256 TEXT NOT NULL,
    UNIQUE (owner, uri)
""",
)

_FINISHED = """
INSERT INTO imports (seq, owner, uri, sha256) VALUES (?, ?, ?, ?)
ON CONFLICT (owner, uri) DO UPDATE SET seq = excluded.seq, sha256 = excluded.sha256
"""
_IMPORTED = "SELECT sha256 FROM imports WHERE owner = ? AND uri = ?"


@projects(ImportFinished)
def finished(rows: Rows, recorded: Recorded, event: ImportFinished) -> None:
    """Show as what a source was imported last."""
    rows.run(_FINISHED, (recorded.seq, recorded.owner, storable(event.uri), event.sha256))


def imported(view: Snapshot, owner: Owner, uri: str) -> str | None:
    """Return the SHA-256 of the source *uri* as it was imported last; None if it never was."""
    found = view.conn.rows(_IMPORTED, (owner, storable(uri)))
    return str(found[0][0]) if found else None
