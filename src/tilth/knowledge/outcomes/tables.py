"""The table of outcomes, and reading it."""

from tilth.core.errors import NotFoundError
from tilth.core.event import Recorded
from tilth.core.ids import FactId, OutcomeId, ProposalId
from tilth.core.scope import Visibility
from tilth.core.table import Table
from tilth.knowledge.outcomes.events import OutcomeObserved, OutcomeRevoked
from tilth.knowledge.outcomes.outcome import Outcome
from tilth.knowledge.proposals.events import ProposalOpened
from tilth.ledger.engine import Row
from tilth.ledger.projection import Rows, projects
from tilth.ledger.records import RECORD, RECORD_WIDTH, find_place, read_as
from tilth.ledger.snapshot import SnapshotReader

# Outcomes of facts, with the promotion proposed because of each.
OUTCOMES = Table(
    "outcomes",
    no=26,
    since=2,
    columns="""
    outcome_no  $integer PRIMARY KEY,
    fact_no     $integer NOT NULL,
    proposal_no $integer,
    revoked_no  $integer CHECK (revoked_no > outcome_no)
""",
    indexes="""
CREATE INDEX outcomes_of_a_fact ON outcomes (fact_no);
CREATE INDEX outcomes_proposed ON outcomes (proposal_no) WHERE proposal_no IS NOT NULL;
""",
)

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


@projects(OutcomeObserved)
def observed(rows: Rows, recorded: Recorded, event: OutcomeObserved) -> None:
    """Project an outcome."""
    rows.run(_NEW, (recorded.seq, rows.place_of(event.draft.fact_id), None, None))


@projects(OutcomeRevoked)
def revoked(rows: Rows, recorded: Recorded, event: OutcomeRevoked) -> None:
    """Project that an outcome was revoked."""
    rows.run(_REVOKE, (recorded.seq, rows.place_of(event.outcome_id)))


@projects(ProposalOpened)
def proposed(rows: Rows, recorded: Recorded, event: ProposalOpened) -> None:
    """Project the promotion proposed because of an outcome."""
    if outcome := event.draft.detail.get("outcome"):
        rows.run(_PROPOSED, (recorded.seq, rows.place_of(str(outcome))))


class Outcomes(SnapshotReader):
    """The outcomes of one snapshot."""

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
        """Return the outcomes of a fact, oldest first, revoked ones included."""
        return self._outcomes("o.fact_no = ?", find_place(self._conn, fact_id), within)

    def _outcomes(self, condition: str, place: int | None, within: Visibility) -> list[Outcome]:
        sql = f"{_OUTCOME} {condition} ORDER BY o.outcome_no"
        rows = self._rows(sql, within, place)
        return [_outcome(row) for row in rows]


def _outcome(row: Row) -> Outcome:
    recorded, event = read_as(OutcomeObserved, row)
    revoked_no, proposal = row[RECORD_WIDTH:]
    return Outcome(
        id=OutcomeId.of(recorded.event_id),
        seq=recorded.seq,
        owner=recorded.owner,
        by=recorded.by,
        recorded_at=recorded.recorded_at,
        draft=event.draft,
        is_revoked=revoked_no is not None,
        proposal_id=None if proposal is None else ProposalId.stored(proposal),
    )
