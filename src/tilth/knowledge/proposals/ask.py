"""Ask a human: open a proposal, or answer one by an act."""

from dataclasses import replace

from tilth.core.ids import ProposalId
from tilth.core.scope import seen_from
from tilth.episodes.remember import WriteContext
from tilth.knowledge.proposals.events import ProposalDecided, ProposalOpened
from tilth.knowledge.proposals.proposal import Action, Proposal, ProposalDraft, Ruling, digest_of
from tilth.knowledge.proposals.tables import Proposals
from tilth.ledger.store import Transaction
from tilth.privacy.redaction import scrub, scrub_object


def open_proposal(tx: Transaction, draft: ProposalDraft, recorder: WriteContext) -> Proposal:
    """Open a proposal; a question with a key that was asked before is not asked again."""
    if draft.key and (known := Proposals(tx).asked(draft.key, recorder.owner, draft.scope)):
        return known
    return ask(tx, draft, recorder)


def ask(tx: Transaction, draft: ProposalDraft, recorder: WriteContext) -> Proposal:
    """Open a proposal, whatever was asked before."""
    clean = replace(draft, reason=scrub(draft.reason).text, detail=scrub_object(draft.detail))
    opened = tx.append(ProposalOpened(clean), by=recorder.by, owner=recorder.owner).recorded
    within = seen_from(recorder.owner, draft.scope)
    return Proposals(tx).get(ProposalId.of(opened.event_id), within)


def answer_by_act(tx: Transaction, asked: Proposal, action: Action, recorder: WriteContext) -> None:
    """Record that a human answered a question, not about facts, by doing what it asked for."""
    event = ProposalDecided(
        proposal_id=asked.id, digest=digest_of(asked), ruling=Ruling(action=action)
    )
    tx.append(event, by=recorder.by, owner=recorder.owner)
