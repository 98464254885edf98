"""Outcomes: their table, and reading them."""

from tilth.core.errors import CorruptionError, NotFoundError
from tilth.core.event import Recorded
from tilth.core.ids import (
    OUTCOME_PREFIX,
    PROPOSAL_PREFIX,
    FactId,
    OutcomeId,
    ProposalId,
    encode_ulid,
)
from tilth.core.scope import Visibility
from tilth.knowledge.outcomes.events import OutcomeObserved, OutcomeRevoked
from tilth.knowledge.outcomes.outcome import Outcome
from tilth.ledger.engine import Connection, Row
from tilth.ledger.places import find_place, place_of
from tilth.ledger.realms import realms_seen
from tilth.ledger.records import RECORD, RECORD_WIDTH, read_record
from tilth.ledger.snapshot import Snapshot

_NEW = "INSERT INTO outcomes (outcome_no, fact_no, proposal_no, revoked_no) VALUES (?, ?, ?, ?)"
_REVOKE = "UPDATE outcomes SET revoked_no = ? WHERE outcome_no = ? AND revoked_no IS NULL"
_PROPOSED = "UPDATE outcomes SET proposal_no = ? WHERE outcome_no = ?"
_OUTCOME = f"""
SELECT {RECORD}, o.revoked_no, p.event_id FROM outcomes o
JOIN ledger l ON l.seq = o.outcome_no
JOIN lives v ON v.fact_no = o.fact_no AND v.until IS NULL
LEFT JOIN ledger p ON p.seq = o.proposal_no
WHERE l.payload IS NOT NULL AND v.realm_no IN {{integers}} AND
"""  # noqa: S608 - names of ours


def project_outcome(
    conn: Connection, recorded: Recorded, event: OutcomeObserved | OutcomeRevoked
) -> None:
    """Show what came of a test, or that it counts no more."""
    match event:
        case OutcomeObserved(draft=draft):
            conn.rows(_NEW, (recorded.seq, place_of(conn, draft.fact_id), None, None))
        case OutcomeRevoked(outcome_id=outcome_id):
            conn.rows(_REVOKE, (recorded.seq, place_of(conn, outcome_id)))


def project_proposed(conn: Connection, proposal_no: int, outcome_id: str) -> None:
    """Show which promotion was proposed because of an outcome."""
    conn.rows(_PROPOSED, (proposal_no, place_of(conn, outcome_id)))


class Outcomes:
    """Outcomes, as one snapshot shows them."""

    def __init__(self, view: Snapshot) -> None:
        self._conn = view.conn
        self._integers = view.integers

    def get(self, outcome_id: OutcomeId, within: Visibility) -> Outcome:
        """
        Return one outcome.

        Raises:
            NotFoundError: there is none with this ID, of a fact that may be seen.
        """
        found = self._outcomes("o.outcome_no = ?", find_place(self._conn, outcome_id), within)
        if not found:
            raise NotFoundError(f"no outcome {outcome_id!r}", hint="see: tilth fact outcomes FACT")
        return found[0]

    def of(self, fact_id: FactId, within: Visibility) -> list[Outcome]:
        """Return the outcomes of a fact, the oldest first; revoked ones too."""
        return self._outcomes("o.fact_no = ?", find_place(self._conn, fact_id), within)

    def _outcomes(self, condition: str, place: int | None, within: Visibility) -> list[Outcome]:
        sql = f"{_OUTCOME.format(integers=self._integers)} {condition} ORDER BY o.outcome_no"
        rows = self._conn.rows(sql, (realms_seen(self._conn, within), place))
        return [_outcome(row) for row in rows]


def _outcome(row: Row) -> Outcome:
    recorded = read_record(row[:RECORD_WIDTH])
    revoked_no, proposal = row[RECORD_WIDTH:]
    if not isinstance(recorded.event, OutcomeObserved):
        raise CorruptionError(f"place {recorded.seq} of the ledger holds no outcome")
    return Outcome(
        id=OutcomeId(OUTCOME_PREFIX + recorded.event_id),
        seq=recorded.seq,
        owner=recorded.owner,
        by=recorded.by,
        recorded_at=recorded.recorded_at,
        draft=recorded.event.draft,
        is_revoked=revoked_no is not None,
        proposal_id=None
        if proposal is None
        else ProposalId(PROPOSAL_PREFIX + encode_ulid(bytes(proposal))),
    )
