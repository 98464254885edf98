"""The verbs on outcomes."""

import logging
from collections.abc import Sequence
from dataclasses import replace
from typing import Annotated

from tilth.core.actor import require_human, require_known
from tilth.core.errors import ConflictError
from tilth.core.ids import EpisodeId, OutcomeId
from tilth.core.lifecycle import Lifecycle, Review
from tilth.core.scope import Visibility
from tilth.core.verb import ANYONE, Arg, verb
from tilth.episodes.context import Context, Narrowed
from tilth.knowledge.facts.decisions import take_back
from tilth.knowledge.facts.tables import Facts
from tilth.knowledge.facts.verbs import FactArg, Reason
from tilth.knowledge.outcomes import views
from tilth.knowledge.outcomes.events import OutcomeObserved, OutcomeRevoked
from tilth.knowledge.outcomes.outcome import Outcome, OutcomeDraft, OutcomeKind, parse_outcome_kind
from tilth.knowledge.outcomes.outcomes import (
    Tested,
    check_independent,
    propose_promotion,
    tested_in,
)
from tilth.knowledge.outcomes.tables import Outcomes
from tilth.knowledge.proposals.proposal import ProposalState
from tilth.knowledge.proposals.tables import Proposals
from tilth.privacy.redaction import scrub

logger = logging.getLogger(__name__)

_TESTABLE = frozenset({Lifecycle.CURRENT, Lifecycle.HISTORICAL})


@verb(
    "fact outcome",
    roles=ANYONE,
    view=views.tested,
    examples=("tilth fact outcome fct_01KAR test_passed --evidence epi_01KAR",),
)
def add(
    brain: Context,
    fact_id: FactArg,
    kind: Annotated[
        OutcomeKind, Arg("what came of it", metavar="OUTCOME", parse=parse_outcome_kind)
    ],
    *,
    evidence: Annotated[
        Sequence[EpisodeId],
        Arg("an episode that shows it; may be repeated", metavar="ID", id=EpisodeId.prefix),
    ] = (),
    note: Annotated[str, Arg("what was done", metavar="TEXT")] = "",
) -> Tested:
    """
    Record that a fact was tested and held.

    The evidence is episodes that neither the author of the fact nor the caller wrote: those of a
    tool, a person, or another agent. The outcome turns an observation into a fact, and a human is
    asked to confirm it.

    Returns:
        The fact with its maturity and outcomes, and the waiting proposal.

    Raises:
        NotFoundError: there is no such fact or episode.
        InvalidInputError: no independent episode shows it.
    """
    draft = OutcomeDraft(
        fact_id=fact_id, kind=kind, evidence=tuple(dict.fromkeys(evidence)), note=note
    )
    require_known(brain.recorder.by, "say what came of a fact")
    within = Visibility(brain.recorder.owner)
    with brain.store.begin() as tx:
        fact = Facts(tx).get(draft.fact_id, within)
        if fact.life.lifecycle not in _TESTABLE or fact.life.review is Review.REJECTED:
            raise ConflictError(f"{fact.id} is {fact.life.lifecycle}, so there is nothing to test")
        check_independent(tx, fact, draft, brain.recorder)
        clean = replace(draft, note=scrub(draft.note).text)
        if not any(_is_same(one, clean) for one in Outcomes(tx).of(fact.id, within)):
            recorder = brain.recorder
            event = tx.append(OutcomeObserved(clean), by=recorder.by, owner=recorder.owner)
            outcome_id = OutcomeId.of(event.recorded.event_id)
            propose_promotion(tx, fact, Outcomes(tx).get(outcome_id, within), recorder)
        tested = tested_in(tx, fact.id, within)
    logger.info("outcome observed: fact=%s kind=%s", fact.id, draft.kind)
    return tested


def _is_same(known: Outcome, draft: OutcomeDraft) -> bool:
    is_equal = known.draft.kind is draft.kind and set(known.draft.evidence) == set(draft.evidence)
    return is_equal and not known.is_revoked


@verb(
    "fact outcomes",
    roles=ANYONE,
    view=views.tested,
    examples=("tilth fact outcomes fct_01KAR",),
)
def list_(brain: Context, fact_id: FactArg, *, scope: Narrowed = None) -> Tested:
    """
    List the outcomes of a fact.

    Returns:
        The fact with its maturity and outcomes.

    Raises:
        NotFoundError: there is no such fact, or it cannot be seen from the scope.
    """
    with brain.store.read() as view:
        return tested_in(view, fact_id, brain.within(scope))


@verb(
    "fact revoke",
    roles=ANYONE,
    view=views.tested,
    examples=("tilth fact revoke out_01KAR --reason 'another version'",),
)
def revoke(
    brain: Context,
    outcome_id: Annotated[
        OutcomeId,
        Arg(
            "the outcome's ID, as listed", metavar="ID", id=OutcomeId.prefix, parse=OutcomeId.parse
        ),
    ],
    *,
    reason: Reason = "",
) -> Tested:
    """
    Revoke an outcome, and undo what followed from it.

    Returns:
        The fact with its maturity and outcomes.

    Raises:
        NotFoundError: there is no such outcome.
        ForbiddenError: the caller is neither a human nor its author.
    """
    within = Visibility(brain.recorder.owner)
    with brain.store.begin() as tx:
        outcome = Outcomes(tx).get(outcome_id, within)
        if outcome.is_revoked:
            raise ConflictError(f"{outcome_id} is revoked already")
        if outcome.by != brain.recorder.by:
            require_human(brain.recorder.by, "revoke what somebody else reported")
        fact_id, clean = outcome.draft.fact_id, scrub(reason).text
        event = OutcomeRevoked(outcome_id=outcome_id, fact_id=fact_id, reason=clean)
        tx.append(event, by=brain.recorder.by, owner=brain.recorder.owner)
        if outcome.proposal_id is not None:
            proposal = Proposals(tx).get(outcome.proposal_id, within)
            if proposal.state is ProposalState.DECIDED:
                require_human(brain.recorder.by, "take back what a human decided")
                take_back(tx, proposal, brain.recorder, reason=reason)
        fact = Facts(tx).get(fact_id, within)
        for other in Outcomes(tx).of(fact.id, within):
            if not other.is_revoked:
                propose_promotion(tx, fact, other, brain.recorder)
        tested = tested_in(tx, fact.id, within)
    logger.info("outcome revoked: outcome=%s", outcome_id)
    return tested
