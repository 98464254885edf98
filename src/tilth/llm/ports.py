"""Reading what language models spent."""

from collections.abc import Sequence
from datetime import datetime
from typing import Protocol

from tilth.core.ids import SessionId
from tilth.core.scope import Owner, Scope
from tilth.llm.budget import ModelSpending, SessionSpending, Spending


class BudgetReader(Protocol):
    """The reservations as one snapshot shows them; what nobody settled counts as spent."""

    def spent(
        self,
        owner: Owner,
        *,
        since: datetime | None = None,
        scope: Scope | None = None,
        run: str | None = None,
        session_id: SessionId | None = None,
    ) -> Spending:
        """Return what *owner* spent: since an instant, in one scope, by one run, on a session."""
        ...

    def by_model(self, owner: Owner, *, since: datetime) -> Sequence[ModelSpending]:
        """Return what *owner* spent since an instant, by task and model."""
        ...

    def by_session(self, owner: Owner, *, since: datetime, limit: int) -> Sequence[SessionSpending]:
        """Return what *owner* spent on sessions since an instant, the dearest first."""
        ...
