"""Carry out a human's answer to the question whose an address is."""

from tilth.episodes.remember import WriteContext
from tilth.knowledge.entities.events import IdentityUnlinked
from tilth.knowledge.entities.identities import Identities
from tilth.knowledge.entities.identity import Address, IdentityDraft, LinkConfidence
from tilth.knowledge.proposals.decisions import acts_on
from tilth.knowledge.proposals.proposal import Action, Proposal, ProposalKind, Ruling
from tilth.ledger.store import Transaction
from tilth.people.identities import link_in
from tilth.privacy.redaction import scrub


def unlink_asked(
    tx: Transaction, proposal: Proposal, recorder: WriteContext, *, reason: str
) -> None:
    """Unlink an address that the decision, which is now taken back, had linked."""
    known = Identities(tx).holder(recorder.owner, _asked_about(proposal))
    decided_at = proposal.decided_at
    # A link from before the decision was another act, to be taken back by itself.
    if known is not None and decided_at is not None and known.linked_at >= decided_at:
        event = IdentityUnlinked(
            entity_id=known.entity_id, address=known.address, reason=scrub(reason).text
        )
        tx.append(event, by=recorder.by, owner=recorder.owner)


@acts_on(ProposalKind.IDENTITY_LINK, when=frozenset({Action.CONFIRM}), undo=unlink_asked)
def link_asked(tx: Transaction, proposal: Proposal, ruling: Ruling, recorder: WriteContext) -> None:
    """
    Link the address in question, as confirmed by a human.

    Raises:
        ConflictError: it is now somebody else's.
    """
    del ruling
    told = IdentityDraft(address=_asked_about(proposal), confidence=LinkConfidence.CONFIRMED)
    link_in(tx, proposal.draft.entities[0], told, recorder)


def _asked_about(proposal: Proposal) -> Address:
    detail = proposal.draft.detail
    return Address(str(detail["transport"]), str(detail["address"]))
