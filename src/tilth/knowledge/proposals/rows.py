"""What waits for a human: its tables, and how events show in them."""

from tilth.core.event import Recorded
from tilth.core.instant import to_micros
from tilth.core.table import Table
from tilth.knowledge.proposals.events import (
    ChangeUndone,
    ProposalDecided,
    ProposalOpened,
    ProposalSnoozed,
)
from tilth.knowledge.proposals.proposal import ProposalKind, ProposalState
from tilth.ledger.projection import Rows, projects
from tilth.ledger.sql_list import one_of

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
)
PROPOSAL_FACTS = Table(
    "proposal_facts",
    no=16,
    since=2,
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

_PROPOSAL = """
INSERT INTO proposals (proposal_no, realm_no, kind, state, key) VALUES (?, ?, ?, 'open', ?)
"""
_PROPOSAL_FACT = """
INSERT INTO proposal_facts (proposal_no, position, fact_no, is_retired) VALUES (?, ?, ?, ?)
"""
_DECIDED = "UPDATE proposals SET state = 'decided', decided_no = ? WHERE proposal_no = ?"
_REOPENED = "UPDATE proposals SET state = 'open', decided_no = NULL WHERE decided_no = ?"
_SNOOZED = "UPDATE proposals SET snoozed_until = ? WHERE proposal_no = ?"


@projects(ProposalOpened)
def opened(rows: Rows, recorded: Recorded, event: ProposalOpened) -> None:
    """Show what waits for a human."""
    draft = event.draft
    realm = rows.realm_of(recorded, draft.scope)
    rows.run(_PROPOSAL, (recorded.seq, realm, draft.kind.value, draft.key))
    named = [(one, 0) for one in draft.facts] + [(one, 1) for one in draft.retires]
    for position, (fact_id, is_retired) in enumerate(named):
        row = (recorded.seq, position, rows.place_of(fact_id), is_retired)
        rows.run(_PROPOSAL_FACT, row)


@projects(ProposalDecided)
def decided(rows: Rows, recorded: Recorded, event: ProposalDecided) -> None:
    """Show that a human decided."""
    rows.run(_DECIDED, (recorded.seq, rows.place_of(event.proposal_id)))


@projects(ChangeUndone)
def undone(rows: Rows, _: Recorded, event: ChangeUndone) -> None:
    """Open a decision again that was undone."""
    rows.run(_REOPENED, (rows.place_of(event.event_id),))


@projects(ProposalSnoozed)
def snoozed(rows: Rows, _: Recorded, event: ProposalSnoozed) -> None:
    """Show that a human will look at it later."""
    rows.run(_SNOOZED, (to_micros(event.until), rows.place_of(event.proposal_id)))
