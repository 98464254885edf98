"""The verbs on outcomes."""

from collections.abc import Sequence
from typing import Annotated

from tilth.core.ids import EpisodeId, OutcomeId
from tilth.core.verb import ANYONE, Arg, verb
from tilth.episodes.context import Context, Narrowed
from tilth.knowledge.facts.verbs import FactArg, Reason
from tilth.knowledge.outcomes import outcomes, views
from tilth.knowledge.outcomes.outcome import OutcomeDraft, OutcomeKind, parse_outcome_kind
from tilth.knowledge.outcomes.outcomes import Tested, tested_in


@verb(
    "fact outcome",
    python="facts.outcome",
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
    Record that a fact held when it was put to the test.

    Episodes must show it that neither the author of the fact nor the caller wrote: the
    result of a tool, a person, another agent. It makes an observation a fact, and a
    human is asked to confirm it.

    Returns:
        The fact with its maturity and outcomes, and the proposal that waits.

    Raises:
        NotFoundError: there is no such fact or episode.
        InvalidInputError: no independent episode shows it.
    """
    draft = OutcomeDraft(
        fact_id=fact_id, kind=kind, evidence=tuple(dict.fromkeys(evidence)), note=note
    )
    return outcomes.observe_outcome(brain.store, draft, brain.recorder)


@verb(
    "fact outcomes",
    python="facts.outcomes",
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
    python="facts.revoke",
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
    Revoke an outcome, and take back what followed from it.

    Returns:
        The fact with its maturity and outcomes.

    Raises:
        NotFoundError: there is no such outcome.
        ForbiddenError: neither a human nor its author asks.
    """
    return outcomes.revoke_outcome(brain.store, outcome_id, brain.recorder, reason=reason)
