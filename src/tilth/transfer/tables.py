"""What was imported, read with the SQL of both engines."""

from tilth.core.scope import Owner
from tilth.ledger.projection import storable
from tilth.ledger.snapshot import Snapshot

_IMPORTED = "SELECT sha256 FROM imports WHERE owner = ? AND uri = ?"


def imported(view: Snapshot, owner: Owner, uri: str) -> str | None:
    """Return the SHA-256 of the source *uri* as it was imported last; None if it never was."""
    found = view.conn.rows(_IMPORTED, (owner, storable(uri)))
    return str(found[0][0]) if found else None
