"""The tables of receipts, votes and projects at rest, and reading them."""

import json

from tilth.context.context import ContextReceipt
from tilth.context.events import ContextGiven, FeedbackGiven, ProjectMoved
from tilth.context.model import Project, ProjectState
from tilth.core.errors import CorruptionError, NotFoundError
from tilth.core.event import Recorded
from tilth.core.ids import ReceiptId, SessionId
from tilth.core.instant import to_micros
from tilth.core.scope import Scope, Visibility
from tilth.core.table import Table
from tilth.ledger.engine import Row
from tilth.ledger.projection import Rows, projects
from tilth.ledger.realms import visible_realms
from tilth.ledger.records import RECORD, find_place, read_record
from tilth.ledger.snapshot import SnapshotReader
from tilth.ledger.sql_list import one_of
from tilth.recall.feedback import Verdict

RECEIPTS = Table(
    "receipts",
    no=18,
    since=2,
    columns="""
    receipt_no $integer PRIMARY KEY,
    realm_no   $integer NOT NULL,
    session_id TEXT
""",
    indexes="""
CREATE INDEX receipts_of_a_session ON receipts (session_id) WHERE session_id IS NOT NULL;
""",
)
VOTES = Table(
    "votes",
    no=19,
    since=2,
    columns=f"""
    vote_no   $integer PRIMARY KEY,
    target_no $integer NOT NULL,
    -- The actor and the session, as one text.
    voter     TEXT NOT NULL,
    verdict   TEXT NOT NULL CHECK (verdict IN ({one_of(Verdict)})),
    voted_at  $integer NOT NULL,
    UNIQUE (target_no, voter)
""",
)

# Projects whose state a person changed; all others are active.
PROJECTS = Table(
    "projects",
    no=55,
    since=3,
    columns=f"""
    realm_no $integer PRIMARY KEY,
    state    TEXT NOT NULL CHECK (state IN ({one_of(ProjectState)}))
""",
)

_NEW_RECEIPT = "INSERT INTO receipts (receipt_no, realm_no, session_id) VALUES (?, ?, ?)"
# One vote for each actor, session and target: a later one replaces the earlier.
_VOTE = """
INSERT INTO votes (vote_no, target_no, voter, verdict, voted_at) VALUES (?, ?, ?, ?, ?)
ON CONFLICT (target_no, voter) DO UPDATE SET
    vote_no = excluded.vote_no, verdict = excluded.verdict, voted_at = excluded.voted_at
"""
_MOVE_PROJECT = """
INSERT INTO projects (realm_no, state) VALUES (?, ?)
ON CONFLICT (realm_no) DO UPDATE SET state = excluded.state
"""
_PROJECT = f"""
SELECT r.scope, coalesce(p.state, '{ProjectState.ACTIVE}'), r.episode_count
FROM realms r {{join}} projects p ON p.realm_no = r.realm_no
WHERE r.realm_no IN {{integers}} AND substr(r.scope, 1, 8) = 'project:' ORDER BY r.scope
"""  # noqa: S608 - names of ours
_RECEIPT = f"""
SELECT {RECORD} FROM receipts r JOIN ledger l ON l.seq = r.receipt_no
WHERE l.payload IS NOT NULL AND r.realm_no IN {{integers}} AND
"""  # noqa: S608 - names of ours


@projects(ContextGiven)
def given(rows: Rows, recorded: Recorded, event: ContextGiven) -> None:
    """Project a receipt."""
    realm = rows.realm_of(recorded, event.context.scope)
    rows.run(_NEW_RECEIPT, (recorded.seq, realm, event.context.session_id))


@projects(FeedbackGiven)
def voted(rows: Rows, recorded: Recorded, event: FeedbackGiven) -> None:
    """Project a vote."""
    voter = json.dumps([recorded.by.kind, recorded.by.name, event.feedback.session_id or ""])
    target, at = rows.place_of(event.feedback.target), to_micros(recorded.recorded_at)
    rows.run(_VOTE, (recorded.seq, target, voter, event.feedback.verdict.value, at))


@projects(ProjectMoved)
def moved(rows: Rows, recorded: Recorded, event: ProjectMoved) -> None:
    """Project a project's new state."""
    rows.run(_MOVE_PROJECT, (rows.realm_of(recorded, event.scope), event.state.value))


class Projects(SnapshotReader):
    """The projects of one snapshot."""

    def select(self, within: Visibility) -> list[Project]:
        """Return every project, by name."""
        return self._read("LEFT JOIN", within)

    def moved(self, within: Visibility) -> list[Project]:
        """Return the projects whose state a person changed, by name."""
        return self._read("JOIN", within)

    def worked_on(self, within: Visibility) -> Visibility:
        """Return *within* without projects at rest, of which nothing is shown unasked (KB-127)."""
        if within.scopes is None:
            return within
        at_rest = {one.scope for one in self.moved(within) if one.is_at_rest}
        return Visibility(within.owner, within.scopes - at_rest)

    def _read(self, join: str, within: Visibility) -> list[Project]:
        sql = _PROJECT.format(join=join, integers=self._integers)
        return [
            Project(scope=Scope(scope), state=ProjectState(state), episode_count=int(count))
            for scope, state, count in self._conn.rows(sql, (visible_realms(self._conn, within),))
        ]


class Contexts(SnapshotReader):
    """The receipts and votes of one snapshot."""

    def receipt(self, receipt_id: ReceiptId, within: Visibility) -> ContextReceipt:
        """
        Return one receipt.

        Raises:
            NotFoundError: no such receipt exists or is visible.
        """
        found = self._receipts("r.receipt_no = ?", (find_place(self._conn, receipt_id),), within)
        if not found or not receipt_id.startswith(ReceiptId.prefix):
            raise NotFoundError(f"no receipt {receipt_id!r}")
        return found[0]

    def receipts(
        self,
        within: Visibility,
        *,
        session_id: SessionId | None = None,
        limit: int,
        offset: int = 0,
    ) -> list[ContextReceipt]:
        """Return receipts, newest first, of one session or of all."""
        order = "ORDER BY r.receipt_no DESC LIMIT ? OFFSET ?"
        if session_id is None:
            return self._receipts(f"TRUE {order}", (limit, offset), within)
        return self._receipts(f"r.session_id = ? {order}", (session_id, limit, offset), within)

    def _receipts(
        self, condition: str, params: tuple[object, ...], within: Visibility
    ) -> list[ContextReceipt]:
        realms = visible_realms(self._conn, within)
        sql = _RECEIPT.format(integers=self._integers) + condition
        return [_receipt(row) for row in self._conn.rows(sql, (realms, *params))]


def _receipt(row: Row) -> ContextReceipt:
    recorded = read_record(row)
    if not isinstance(recorded.event, ContextGiven):
        raise CorruptionError(f"place {recorded.seq} of the ledger holds no receipt")
    receipt_id = ReceiptId.of(recorded.event_id)
    return ContextReceipt(id=receipt_id, at=recorded.recorded_at, context=recorded.event.context)
