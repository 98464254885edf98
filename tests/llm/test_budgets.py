"""What every store promises of budgets: what was set aside is spent until somebody settles it."""

from datetime import timedelta

import pytest

from tests.conftest import AGENT
from tests.fakes import START
from tilth.core.errors import CorruptionError
from tilth.core.scope import DEFAULT_OWNER, GLOBAL, Owner, Scope
from tilth.llm.budget import Limits, Reservation, ReservationId
from tilth.llm.events import BudgetReserved, BudgetSettled
from tilth.llm.spending import Spending
from tilth.llm.tables import Budgets
from tilth.llm.task import Task

HELD = Spending(1, 1_000, 50)
SHED = Scope("project:shed")


def reserve(store, *, scope=GLOBAL, run="r1", owner=DEFAULT_OWNER, task=Task.TONE):
    reservation = Reservation(task=task, model="small", run=run, held=HELD, scope=scope)
    with store.begin() as tx:
        appended = tx.append(BudgetReserved(reservation), by=AGENT, owner=owner)
    return ReservationId.of(appended.recorded.event_id)


def settle(store, reservation_id, spent, owner=DEFAULT_OWNER):
    with store.begin() as tx:
        tx.append(BudgetSettled(reservation_id, spent), by=AGENT, owner=owner)


def spent(store, owner=DEFAULT_OWNER, **which):
    with store.read() as view:
        return Budgets(view).spent(owner, **which)


def test_nothing_is_spent_where_nothing_was_asked(store):
    assert spent(store) == Spending()


def test_what_was_set_aside_is_spent_until_it_is_settled(store):
    first = reserve(store)
    reserve(store)

    assert spent(store) == Spending(2, 2_000, 100)
    settle(store, first, Spending(1, 10, 1))
    assert spent(store) == Spending(2, 1_010, 51)


def test_spending_is_counted_by_scope_by_run_and_since_an_instant(store, place):
    reserve(store, scope=SHED, run="r1")
    place.clock.at = START + timedelta(days=2)
    reserve(store, run="r2")

    assert spent(store, scope=SHED).calls == 1
    assert spent(store, run="r2").calls == 1
    assert spent(store, since=START + timedelta(days=1)).calls == 1
    assert spent(store, since=START + timedelta(days=1), scope=SHED).calls == 0


def test_no_owner_pays_for_another(store):
    reserve(store, owner=Owner("anna"))

    assert spent(store) == Spending()
    assert spent(store, Owner("anna")) == HELD


def test_a_reservation_is_settled_once(store):
    reserved = reserve(store)
    settle(store, reserved, Spending(1, 10, 1))

    with pytest.raises(CorruptionError, match="not open"):
        settle(store, reserved, Spending(1, 1, 0))
    assert spent(store) == Spending(1, 10, 1)


def test_what_was_spent_comes_back_from_the_ledger(store):
    settle(store, reserve(store, scope=SHED), Spending(1, 10, 1))
    reserve(store, task=Task.GAP)
    before = store.digest()

    assert list(store.verify()) == []
    store.rebuild()
    assert store.digest() == before
    assert spent(store) == Spending(2, 1_010, 51)


def test_spending_is_told_by_task_and_model(store):
    settle(store, reserve(store), Spending(1, 10, 1))
    reserve(store)
    reserve(store, task=Task.GAP)

    with store.read() as view:
        told = Budgets(view).by_model(DEFAULT_OWNER, since=START)
    assert [(one.task, one.spent, one.open_count) for one in told] == [
        (Task.GAP, HELD, 1),
        (Task.TONE, Spending(2, 1_010, 51), 1),
    ]


def test_a_limit_names_the_first_measure_that_is_exceeded():
    limits = Limits(calls=2, tokens=2_000, millionths=None)

    assert limits.exceeded_by(Spending(1, 1_000), HELD) == ""
    assert limits.exceeded_by(Spending(2, 0), HELD) == "calls"
    assert limits.exceeded_by(Spending(1, 1_001), HELD) == "tokens"
