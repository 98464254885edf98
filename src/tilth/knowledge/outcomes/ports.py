"""Reading what came of putting facts to the test."""

from typing import Protocol

from tilth.core.ids import FactId, OutcomeId
from tilth.core.scope import Visibility
from tilth.knowledge.outcomes.outcome import Outcome


class OutcomeReader(Protocol):
    """Outcomes, as one snapshot shows them."""

    def get(self, outcome_id: OutcomeId, within: Visibility) -> Outcome:
        """
        Return one outcome.

        Raises:
            NotFoundError: there is none with this ID, of a fact that may be seen.
        """
        ...

    def of(self, fact_id: FactId, within: Visibility) -> list[Outcome]:
        """Return the outcomes of a fact, the oldest first; revoked ones too."""
        ...
