"""What language models spent today, of what they may, and what keeps them from working."""

from collections.abc import Sequence
from dataclasses import dataclass

from tilth.core.clock import Clock
from tilth.core.scope import Owner
from tilth.ledger.store import Store
from tilth.llm.budget import Budget, ModelSpending, SessionSpending, Spending, midnight
from tilth.llm.client import Staff
from tilth.llm.tables import Budgets

SESSIONS_SHOWN = 10


@dataclass(frozen=True, slots=True, kw_only=True)
class SpentToday:
    """The spending of a day of UTC, as a whole and by what it was for, beside the budget."""

    spent: Spending
    by_model: Sequence[ModelSpending]
    by_session: Sequence[SessionSpending]
    budget: Budget


def spent_today(store: Store, clock: Clock, owner: Owner, budget: Budget) -> SpentToday:
    """Return what *owner* spent since midnight in UTC; what nobody settled counts."""
    day = midnight(clock.now())
    with store.read() as view:
        return SpentToday(
            spent=Budgets(view).spent(owner, since=day),
            by_model=Budgets(view).by_model(owner, since=day),
            by_session=Budgets(view).by_session(owner, since=day, limit=SESSIONS_SHOWN),
            budget=budget,
        )


def problems(staff: Staff) -> list[str]:
    """Say what keeps the language models that were chosen from working."""
    workers = {worker.name: worker for worker in staff.workers.values()}
    found = [f"{name}: {worker.problem}" for name, worker in workers.items() if worker.problem]
    found += [
        f"{name}: nobody said what it costs, in the setting model_prices"
        for name, worker in workers.items()
        if worker.price is None
    ]
    if workers and staff.budget.is_off:
        found.append("the setting spend_day allows no call")
    return found
