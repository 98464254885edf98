"""The tables of imports and of what documents state, and reading them."""

from collections.abc import Sequence
from typing import Protocol, TypeVar

from tilth.core.event import Recorded
from tilth.core.scope import Owner
from tilth.core.table import Table
from tilth.episodes.events import ImportFinished
from tilth.ledger.projection import Rows, projects, storable
from tilth.ledger.records import id_made_by
from tilth.ledger.snapshot import Snapshot
from tilth.ledger.sql_list import one_of
from tilth.privacy.redaction import scrub_name

IMPORTS = Table(
    "imports",
    no=4,
    since=1,
    is_record=True,
    columns="""
    seq    $integer PRIMARY KEY,
    owner  TEXT NOT NULL,
    uri    TEXT NOT NULL,
    sha256 TEXT NOT NULL,
    UNIQUE (owner, uri)
""",
)
TOLD = Table(
    "told",
    no=61,
    since=3,
    keyed=5,
    is_record=True,
    columns="""
    -- A fact or an edge, and the session of a document that states it now.
    known_no   $integer NOT NULL,
    owner      TEXT NOT NULL,
    session_id TEXT NOT NULL,
    PRIMARY KEY (known_no, owner, session_id)
""",
    indexes="""
CREATE INDEX told_by ON told (owner, session_id);
""",
)

_FINISHED = """
INSERT INTO imports (seq, owner, uri, sha256) VALUES (?, ?, ?, ?)
ON CONFLICT (owner, uri) DO UPDATE SET seq = excluded.seq, sha256 = excluded.sha256
"""
_IMPORTED = "SELECT sha256 FROM imports WHERE owner = ? AND uri = ?"
_DOCUMENTS = """
SELECT s.uri, s.session_id FROM sessions s JOIN realms r ON r.realm_no = s.realm_no
WHERE r.owner = ? AND s.host IN ({hosts}) AND s.uri <> '' ORDER BY s.session_no
"""
# The documents whose files existed when they were read last, by URI.
_READ_LAST = """
SELECT i.uri, g.session_id FROM readings g JOIN imports i ON i.seq = g.reading_no
WHERE g.owner = ? AND g.is_gone = 0 ORDER BY i.uri
"""
_TELLS_ANEW = "DELETE FROM told WHERE owner = ? AND session_id = ?"
_TELLS = "INSERT INTO told (known_no, owner, session_id) VALUES (?, ?, ?)"
_TOLD_BY = """
SELECT l.kind, l.event_id,
       EXISTS (SELECT 1 FROM told o WHERE o.known_no = t.known_no AND o.owner = t.owner
               AND o.session_id <> t.session_id)
FROM told t JOIN ledger l ON l.seq = t.known_no
WHERE t.owner = ? AND t.session_id = ? ORDER BY t.known_no
"""
_DIGESTS = "SELECT sha256, uri FROM imports WHERE owner = ? ORDER BY seq"


@projects(ImportFinished)
def finished(rows: Rows, recorded: Recorded, event: ImportFinished) -> None:
    """Project the hash of a source as it was imported last."""
    rows.run(_FINISHED, (recorded.seq, recorded.owner, storable(event.uri), event.sha256))


@projects(ImportFinished)
def told(rows: Rows, recorded: Recorded, event: ImportFinished) -> None:
    """Project the facts and edges that a document states now."""
    if event.document:
        rows.run(_TELLS_ANEW, (recorded.owner, event.document))
    for known in event.told:
        rows.run(_TELLS, (rows.place_of(known), recorded.owner, event.document))


def told_by(view: Snapshot, owner: Owner, document: str) -> dict[str, bool]:
    """Return the facts and edges that a document states, and whether another does, too."""
    found = view.conn.rows(_TOLD_BY, (owner, document))
    return {id_made_by(kind, event_id): bool(others) for kind, event_id, others in found}


def imported(view: Snapshot, owner: Owner, uri: str) -> str | None:
    """Return the SHA-256 of the source *uri* as it was imported last; None if it never was."""
    found = view.conn.rows(_IMPORTED, (owner, storable(scrub_name(uri))))
    return str(found[0][0]) if found else None


class Located(Protocol):
    """Anything with a URI."""

    @property
    def uri(self) -> str:
        """The URI."""
        ...


L = TypeVar("L", bound=Located)


def unimported(view: Snapshot, owner: Owner, sources: Sequence[L]) -> Sequence[L]:
    """Return those of *sources* that were never imported."""
    return [one for one in sources if imported(view, owner, one.uri) is None]


def documents_imported(view: Snapshot, owner: Owner, hosts: Sequence[str]) -> dict[str, str]:
    """Return the sessions of documents by URI."""
    rows = view.conn.rows(_DOCUMENTS.format(hosts=one_of(hosts)), (owner,))
    return {str(uri): str(session_id) for uri, session_id in rows}


def documents_read(view: Snapshot, owner: Owner) -> dict[str, str]:
    """Return the sessions of documents whose files existed when read last, by URI."""
    rows = view.conn.rows(_READ_LAST, (owner,))
    return {str(uri): str(session_id) for uri, session_id in rows}


def uris_by_digest(view: Snapshot, owner: Owner) -> dict[str, list[str]]:
    """Return the URIs of imported sources by the SHA-256 of their content."""
    found: dict[str, list[str]] = {}
    for sha256, uri in view.conn.rows(_DIGESTS, (owner,)):
        found.setdefault(str(sha256), []).append(str(uri))
    return found
