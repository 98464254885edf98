"""The tables of proposals and decisions, and reading them."""

from collections.abc import Sequence
from datetime import datetime

from tilth.core.actor import ActorKind
from tilth.core.dataclass import dataclass
from tilth.core.event import Recorded
from tilth.core.ids import FactId, ProposalId
from tilth.core.instant import from_micros, to_micros
from tilth.core.scope import Owner, Scope, Visibility
from tilth.core.table import Table, Widening
from tilth.knowledge.proposals.events import (
    ChangeUndone,
    ProposalDecided,
    ProposalOpened,
    ProposalSnoozed,
)
from tilth.knowledge.proposals.proposal import Proposal, ProposalKind, ProposalState
from tilth.ledger.engine import Row
from tilth.ledger.projection import Rows, projects
from tilth.ledger.records import RECORD, RECORD_WIDTH, find_place, read_as, read_record
from tilth.ledger.snapshot import SnapshotReader
from tilth.ledger.sql_list import Clause, among, one_of
from tilth.ledger.tables import not_there

# The kinds of schema 2; later schemas added to them.
_FIRST_KINDS = list(ProposalKind)[:10]

PROPOSALS = Table(
    "proposals",
    no=15,
    since=2,
    columns=f"""
    proposal_no   $integer PRIMARY KEY,
    realm_no      $integer NOT NULL,
    kind          TEXT NOT NULL CHECK (kind IN ({one_of(ProposalKind)})),
    state         TEXT NOT NULL CHECK (state IN ({one_of(ProposalState)})),
    key           TEXT NOT NULL,
    snoozed_until $integer,
    decided_no    $integer,
    CHECK ((state = 'decided') = (decided_no IS NOT NULL))
""",
    indexes="""
CREATE INDEX proposals_waiting ON proposals (realm_no, state);
CREATE INDEX proposals_by_key ON proposals (key);
""",
    widened={3: Widening("kind", one_of(_FIRST_KINDS), one_of(ProposalKind))},
)
PROPOSAL_FACTS = Table(
    "proposal_facts",
    no=16,
    since=2,
    keyed=5,
    columns="""
    proposal_no $integer NOT NULL,
    position    $integer NOT NULL,
    fact_no     $integer NOT NULL,
    is_retired  $integer NOT NULL CHECK (is_retired IN (0, 1)),
    PRIMARY KEY (proposal_no, position)
""",
    indexes="""
CREATE INDEX proposals_about ON proposal_facts (fact_no);
""",
)

_NEW_PROPOSAL = """
INSERT INTO proposals (proposal_no, realm_no, kind, state, key) VALUES (?, ?, ?, 'open', ?)
"""
_PROPOSAL_FACT = """
INSERT INTO proposal_facts (proposal_no, position, fact_no, is_retired) VALUES (?, ?, ?, ?)
"""
_DECIDED = "UPDATE proposals SET state = 'decided', decided_no = ? WHERE proposal_no = ?"
_REOPENED = "UPDATE proposals SET state = 'open', decided_no = NULL WHERE decided_no = ?"
_SNOOZED = "UPDATE proposals SET snoozed_until = ? WHERE proposal_no = ?"

_DECISION = RECORD.replace("l.", "d.")
_PROPOSAL = f"""
SELECT {RECORD}, p.state, p.snoozed_until, {_DECISION} FROM proposals p
JOIN ledger l ON l.seq = p.proposal_no LEFT JOIN ledger d ON d.seq = p.decided_no
WHERE l.payload IS NOT NULL AND p.realm_no IN {{integers}} AND
"""  # noqa: S608 - names of ours
_ABOUT = "p.proposal_no IN (SELECT proposal_no FROM proposal_facts WHERE fact_no = ?)"
_TOUCHING = f"p.state = 'open' AND {_ABOUT} ORDER BY p.proposal_no"
# Where one of two sides has ended, there is nothing left to decide (OB-059); a candidate has not
# begun, and has not ended until a human rejects it. Nor is there where a promotion was decided by
# another question, or where what was proposed is gone or is so already, what was to end has ended,
# or the outcome is revoked because of which it was asked. What would be retired by now, the readers
# of a proposal find themselves.
_WAITING = """p.state = 'open' AND coalesce(p.snoozed_until, 0) <= ?
AND NOT (p.kind IN ('contradiction', 'duplicate') AND EXISTS (
    SELECT 1 FROM proposal_facts c JOIN lives v ON v.fact_no = c.fact_no AND v.until IS NULL
    WHERE c.proposal_no = p.proposal_no AND v.lifecycle <> 'current'
    AND NOT (v.lifecycle = 'draft' AND v.review <> 'rejected')
)) AND NOT (p.kind = 'promotion' AND EXISTS (
    SELECT 1 FROM proposal_facts c JOIN lives v ON v.fact_no = c.fact_no AND v.until IS NULL
    WHERE c.proposal_no = p.proposal_no AND c.is_retired = 0
    AND v.since > p.proposal_no AND v.review IN ('confirmed', 'rejected')
)) AND NOT (p.kind IN ('supersession', 'promotion', 'correction') AND EXISTS (
    SELECT 1 FROM proposal_facts c
    LEFT JOIN lives v ON v.fact_no = c.fact_no AND v.until IS NULL
    WHERE c.proposal_no = p.proposal_no AND c.is_retired = 0
    AND (v.fact_no IS NULL OR v.lifecycle IN ('superseded', 'archived', 'erased'))
)) AND NOT (p.kind IN ('supersession', 'promotion') AND EXISTS (
    SELECT 1 FROM proposal_facts c JOIN facts f ON f.fact_no = c.fact_no
    JOIN lives v ON v.fact_no = c.fact_no AND v.until IS NULL
    -- Crosswise: SQLite would begin with all that was ever so in the realm.
    CROSS JOIN facts g CROSS JOIN lives h
    WHERE c.proposal_no = p.proposal_no AND c.is_retired = 0 AND g.statement = f.statement
    AND h.fact_no = g.fact_no AND h.realm_no = v.realm_no AND h.until IS NULL
    AND h.fact_no <> c.fact_no
    AND h.lifecycle = 'current' AND (h.slot = v.slot OR h.valid_to IS NULL)
)) AND NOT (p.kind = 'removal' AND EXISTS (
    SELECT 1 FROM proposal_facts c
    LEFT JOIN lives v ON v.fact_no = c.fact_no AND v.until IS NULL
    WHERE c.proposal_no = p.proposal_no AND c.is_retired = 1
    AND (v.fact_no IS NULL OR v.lifecycle <> 'current')
)) AND NOT EXISTS (
    SELECT 1 FROM outcomes o WHERE o.proposal_no = p.proposal_no AND o.revoked_no IS NOT NULL
)"""


@projects(ProposalOpened)
def opened(rows: Rows, recorded: Recorded, event: ProposalOpened) -> None:
    """Project a new proposal."""
    draft = event.draft
    realm = rows.realm_of(recorded, draft.scope)
    rows.run(_NEW_PROPOSAL, (recorded.seq, realm, draft.kind.value, draft.key))
    named = [(one, 0) for one in draft.facts] + [(one, 1) for one in draft.retires]
    for position, (fact_id, is_retired) in enumerate(named):
        row = (recorded.seq, position, rows.place_of(fact_id), is_retired)
        rows.run(_PROPOSAL_FACT, row)


@projects(ProposalDecided)
def decided(rows: Rows, recorded: Recorded, event: ProposalDecided) -> None:
    """Project a decision."""
    rows.run(_DECIDED, (recorded.seq, rows.place_of(event.proposal_id)))


@projects(ChangeUndone)
def undone(rows: Rows, _: Recorded, event: ChangeUndone) -> None:
    """Reopen a proposal whose decision was undone."""
    rows.run(_REOPENED, (rows.place_of(event.event_id),))


@projects(ProposalSnoozed)
def snoozed(rows: Rows, _: Recorded, event: ProposalSnoozed) -> None:
    """Project that a proposal was postponed."""
    rows.run(_SNOOZED, (to_micros(event.until), rows.place_of(event.proposal_id)))


@dataclass(frozen=True, slots=True, kw_only=True)
class ProposalFilter:
    """
    A filter of proposals; all given fields must hold.

    `waiting_at` keeps those that need a decision at that moment: open and not postponed and, for
    contradictions, with both sides in force.
    """

    within: Visibility
    states: frozenset[ProposalState] | None = None
    kinds: frozenset[ProposalKind] | None = None
    by: frozenset[ActorKind] | None = None
    about: FactId | None = None
    waiting_at: datetime | None = None


class Proposals(SnapshotReader):
    """The queue of one snapshot."""

    def get(self, proposal_id: ProposalId, within: Visibility) -> Proposal:
        """
        Return one proposal.

        Raises:
            NotFoundError: there is none with this ID that may be seen.
        """
        place = find_place(self._conn, proposal_id)
        found = self._proposals("p.proposal_no = ?", (place,), within)
        if not found:
            raise not_there(self._conn, "proposal", proposal_id, within)
        return found[0]

    def select(self, which: ProposalFilter, *, limit: int, offset: int = 0) -> list[Proposal]:
        """Return proposals, oldest first."""
        condition, params = self._where(which)
        sql = f"{condition} ORDER BY p.proposal_no LIMIT ? OFFSET ?"
        return self._proposals(sql, (*params, limit, offset), which.within)

    def count(self, which: ProposalFilter) -> int:
        """Return how many proposals `select` would return without a limit."""
        condition, params = self._where(which)
        sql = f"""SELECT count(*) FROM proposals p JOIN ledger l ON l.seq = p.proposal_no
            WHERE p.realm_no IN {self._integers} AND {condition}"""  # noqa: S608 - values are bound
        return int(self._rows(sql, which.within, *params)[0][0])

    def asked(self, key: str, owner: Owner, scope: Scope) -> Proposal | None:
        """Return the last proposal with this key, open or decided; None if there is none."""
        within = Visibility(owner, frozenset({scope}))
        found = self._proposals("p.key = ? ORDER BY p.proposal_no DESC LIMIT 1", (key,), within)
        return found[0] if found else None

    def touching(self, fact_id: FactId, within: Visibility) -> list[Proposal]:
        """Return the open proposals that are about a fact or would retire it."""
        return self._proposals(_TOUCHING, (find_place(self._conn, fact_id),), within)

    def _proposals(
        self, condition: str, params: Sequence[object], within: Visibility
    ) -> list[Proposal]:
        return [_proposal(row) for row in self._rows(_PROPOSAL + condition, within, *params)]

    def _where(self, which: ProposalFilter) -> Clause:
        clauses: list[Clause] = [
            among(column, values)
            for column, values in (
                ("p.state", which.states), ("p.kind", which.kinds), ("l.actor_kind", which.by),
            )
            if values is not None
        ]  # fmt: skip
        if which.about is not None:
            clauses.append((_ABOUT, (find_place(self._conn, which.about),)))
        if which.waiting_at is not None:
            clauses.append((_WAITING, (to_micros(which.waiting_at),)))
        condition = " AND ".join(sql for sql, _ in clauses) or "1 = 1"
        return condition, tuple(param for _, params in clauses for param in params)


def _proposal(row: Row) -> Proposal:
    recorded, event = read_as(ProposalOpened, row)
    state, snoozed_until, *decision = row[RECORD_WIDTH:]
    decided = read_record(tuple(decision)) if decision[-1] is not None else None
    ruling = (
        decided.event.ruling if decided and isinstance(decided.event, ProposalDecided) else None
    )
    return Proposal(
        id=ProposalId.of(recorded.event_id),
        seq=recorded.seq,
        owner=recorded.owner,
        by=recorded.by,
        recorded_at=recorded.recorded_at,
        draft=event.draft,
        state=ProposalState(state),
        snoozed_until=None if snoozed_until is None else from_micros(snoozed_until),
        ruling=ruling,
        decided_by=decided.by if decided else None,
        decided_at=decided.recorded_at if decided else None,
        decision_id=decided.event_id if decided else None,
    )
