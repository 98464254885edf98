"""Outcomes as lines for a person."""

from collections.abc import Iterator

from tilth.core.view import Bold, Dim, Line, Note
from tilth.knowledge.facts.views import fact_lines, waiting
from tilth.knowledge.outcomes.outcomes import Tested


def tested(answer: Tested) -> Iterator[Line]:
    """Yield a fact with its maturity, and each outcome."""
    yield from fact_lines([answer.fact], {answer.fact.id: answer.maturity})
    for one in answer.outcomes:
        state = "revoked" if one.is_revoked else "stands"
        evidence = " ".join(one.draft.evidence)
        yield (
            Bold(f"  {one.draft.kind}"),
            Dim(f"  {one.id}  {state}  by {one.by.name}, shown by {evidence}"),
        )
    if not answer.outcomes:
        yield Note("it was not put to the test yet; record that it was: tilth fact outcome")
    yield from waiting(answer.proposal_id)
