"""Reading what language models spent."""

from collections.abc import Sequence
from datetime import datetime
from typing import Protocol

from tilth.domain.budget import ModelSpending, Spending
from tilth.domain.scope import Owner, Scope


class BudgetReader(Protocol):
    """The reservations as one snapshot shows them; what nobody settled counts as spent."""

    def spent(
        self,
        owner: Owner,
        *,
        since: datetime | None = None,
        scope: Scope | None = None,
        run: str | None = None,
    ) -> Spending:
        """Return what *owner* spent: since an instant, in one scope, by one run."""
        ...

    def by_model(self, owner: Owner, *, since: datetime) -> Sequence[ModelSpending]:
        """Return what *owner* spent since an instant, by task and model."""
        ...
