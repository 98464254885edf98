"""What a human's answer to a promotion does: an outcome that speaks for it must still stand."""

from tilth.core.errors import ConflictError
from tilth.core.ids import OutcomeId
from tilth.core.lifecycle import Lifecycle
from tilth.core.scope import Visibility
from tilth.episodes.remember import WriteContext
from tilth.knowledge.facts.decisions import rule_on_facts, shown_in
from tilth.knowledge.outcomes.tables import Outcomes
from tilth.knowledge.proposals.decisions import rules_on
from tilth.knowledge.proposals.proposal import Action, Answer, Proposal, ProposalKind, Ruling
from tilth.ledger.store import Transaction


@rules_on(ProposalKind.PROMOTION)
def rule_on_promotion(
    tx: Transaction, proposal: Proposal, answer: Answer, recorder: WriteContext, /
) -> Ruling:
    """
    Return what an answer means for a fact that proved itself, or that an import brought.

    Raises:
        InvalidInputError: the answer does not name what would be retired, or does not fit.
        ConflictError: what it is about has changed, or the outcome that spoke for it is revoked.
    """
    if answer.action is Action.CONFIRM:
        _check_verified(tx, proposal)
    if answer.action is Action.REJECT and not answer.facts:
        facts = shown_in(tx, proposal.id, Visibility(recorder.owner)).facts
        if all(fact.life.lifecycle is Lifecycle.CURRENT for fact in facts):
            # Who does not promote what is current says nothing against it.
            return Ruling(action=Action.REJECT)
    return rule_on_facts(tx, proposal, answer, recorder)


def _check_verified(tx: Transaction, proposal: Proposal) -> None:
    named = proposal.draft.detail.get("outcome")
    if named is None:
        return
    outcome = Outcomes(tx).get(OutcomeId(str(named)), Visibility(proposal.owner))
    if outcome.is_revoked:
        raise ConflictError(f"{outcome.id} is revoked, so nothing speaks for this")
