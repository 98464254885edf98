"""The events of outcomes."""

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
    """A fact was tested and held."""

    draft: Inline[OutcomeDraft]

    def headline(self) -> Headline:
        """Return the headline: the kind of test."""
        return Headline("outcome", self.draft.kind)


@event(
    "outcome_revoked",
    kw_only=True,
    subject="fact_id",
    goes_with=("outcome_id", "fact_id"),
    drops="reason",
)
class OutcomeRevoked(Event):
    """An outcome was revoked."""

    outcome_id: OutcomeId
    fact_id: FactId
    reason: str = ""

    def headline(self) -> Headline:
        """Return the headline: the reason."""
        return Headline("outcome revoked", self.reason)
