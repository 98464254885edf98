"""What came of putting a fact to the test."""

from tilth.core.codec import Inline
from tilth.core.event import Event, Headline, event
from tilth.core.ids import FactId, OutcomeId
from tilth.knowledge.outcomes.outcome import OutcomeDraft


@event(
    "outcome_observed",
    makes=OutcomeId,
    subject="draft.fact_id",
    goes_with=("draft.fact_id",),
    rests_on="draft.evidence",
)
class OutcomeObserved(Event):
    """Somebody put a fact to the test, and it held."""

    draft: Inline[OutcomeDraft]

    def headline(self) -> Headline:
        """Return what kind of test it was."""
        return Headline("outcome", self.draft.kind)


@event(
    "outcome_revoked",
    kw_only=True,
    subject="fact_id",
    goes_with=("outcome_id", "fact_id"),
    drops="reason",
)
class OutcomeRevoked(Event):
    """An outcome counts no more."""

    outcome_id: OutcomeId
    fact_id: FactId
    reason: str = ""

    def headline(self) -> Headline:
        """Return why."""
        return Headline("outcome revoked", self.reason)
