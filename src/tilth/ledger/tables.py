"""The tables of the ledger's own: realms, and what stands where something was erased."""

from tilth.core.event import Recorded
from tilth.core.table import Table
from tilth.ledger.events import Erased
from tilth.ledger.projection import Rows, projects

# An owner and a scope make a realm. Reads name realms by number, so that the
# predicate that keeps them apart is one comparison of integers everywhere.
REALMS = Table(
    "realms",
    no=1,
    since=1,
    columns="""
    realm_no      $integer PRIMARY KEY,
    owner         TEXT NOT NULL,
    scope         TEXT NOT NULL,
    episode_count $integer NOT NULL,
    term_count    $integer NOT NULL,
    UNIQUE (owner, scope)
""",
)
# What stands where something was erased: by which event, and where it was seen.
TOMBSTONES = Table(
    "tombstones",
    no=29,
    since=2,
    columns="""
    erased_no  $integer PRIMARY KEY,
    erasure_no $integer NOT NULL CHECK (erasure_no > erased_no),
    scope      TEXT NOT NULL
""",
)

# An event is erased once; in a store that came back, maybe by an erasure that was applied again.
_TOMBSTONE = """
INSERT INTO tombstones (erased_no, erasure_no, scope) VALUES (?, ?, ?)
ON CONFLICT (erased_no) DO NOTHING
"""


@projects(Erased)
def erased(rows: Rows, recorded: Recorded, event: Erased) -> None:
    """Show where something was erased."""
    for one in event.gone:
        rows.run(_TOMBSTONE, (rows.place_of(one.event_id), recorded.seq, one.scope or ""))
