"""Decide promotions: an outcome behind one must not be revoked."""

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
    Return the ruling of an answer on a fact that was tested, or imported.

    Raises:
        InvalidInputError: the answer does not name what it retires, or does not fit.
        ConflictError: a fact has changed, or the outcome is revoked.
    """
    if answer.action is Action.CONFIRM:
        _check_verified(tx, proposal)
    if answer.action is Action.REJECT and not answer.facts:
        facts = shown_in(tx, proposal.id, Visibility(recorder.owner)).facts
        if all(fact.life.lifecycle is Lifecycle.CURRENT for fact in facts):
            # Not promoting a current fact says nothing against it.
            return Ruling(action=Action.REJECT)
    return rule_on_facts(tx, proposal, answer, recorder)


def _check_verified(tx: Transaction, proposal: Proposal) -> None:
    named = proposal.draft.detail.get("outcome")
    if named is None:
        return
    outcome = Outcomes(tx).get(OutcomeId(str(named)), Visibility(proposal.owner))
    if outcome.is_revoked:
        raise ConflictError(f"{outcome.id} is revoked, so nothing speaks for this")
