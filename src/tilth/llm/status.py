"""The state of language models: their tasks, their obstacles, and today's spending."""

from collections.abc import Mapping, Sequence
from datetime import datetime

from tilth.core.dataclass import dataclass
from tilth.core.scope import Owner
from tilth.ledger.snapshot import Snapshot
from tilth.llm.budget import Budget, ModelSpending, SessionSpending
from tilth.llm.client import LEFT_ALONE, ModelPool, ModelSlot, Reason
from tilth.llm.spending import Spending
from tilth.llm.tables import Budgets
from tilth.llm.task import Task

SESSIONS_SHOWN = 10


@dataclass(frozen=True, slots=True, kw_only=True)
class SpentToday:
    """The spending of a day of UTC, as a whole and by what it was for, beside the budget."""

    spent: Spending
    by_model: Sequence[ModelSpending]
    by_session: Sequence[SessionSpending]
    budget: Budget


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelsNow:
    """The models that were chosen, and what was spent today, of what may be."""

    models: Sequence["ModelStatus"]
    today: SpentToday


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelStatus:
    """
    A model that was chosen, its tasks, and what keeps it from being asked, if anything does.

    `price` is what a million tokens cost, in and out, such as ``3/15``; empty if nobody said.
    `silent_at` is when it was asked last, if it gave no answer then; None if it did, or nobody
    asked it yet.
    """

    name: str
    tasks: Sequence[Task]
    price: str
    problems: Sequence[str]
    silent_at: datetime | None = None


def model_statuses(
    model_pool: ModelPool, silent: Mapping[str, datetime] | None = None
) -> list[ModelStatus]:
    """Return each model that does a task, in the order of the tasks, with its last silence."""
    slots = {slot.name: slot for slot in model_pool.workers.values()}
    return [
        ModelStatus(
            name=name,
            tasks=[task for task, one in model_pool.workers.items() if one.name == name],
            price="" if slot.price is None else slot.price.text,
            problems=_problems(slot, model_pool.budget),
            silent_at=(silent or {}).get(name),
        )
        for name, slot in slots.items()
    ]


def silences(view: Snapshot, owner: Owner, now: datetime) -> dict[str, datetime]:
    """Return when each model was asked last whose last call came to nothing."""
    return Budgets(view).silences(owner, asked_before=now - LEFT_ALONE)


def _problems(slot: ModelSlot, budget: Budget) -> list[str]:
    found = [slot.problem] if slot.problem else []
    if slot.price is None:
        found.append(Reason.NO_PRICE.words)
    if budget.is_off:
        such = "calls=200, tokens=500000"
        found.append(f"the setting spend_day allows no {budget.lacking}; set it to such as {such}")
    return found
