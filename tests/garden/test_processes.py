"""Cycles as processes: killed at each step and run again, and two that are started at once."""

import os
import signal
from collections import Counter
from contextlib import closing

import pytest

from tests.garden.plots import cycle, planted, plot
from tests.processes import fresh_processes
from tilth.garden.cycle import run as running
from tilth.garden.cycle import tend as tending
from tilth.garden.model import CANDIDATES_MAX, SPENT_MAX, Step, Unit
from tilth.garden.tables import Cycles
from tilth.runtime.system import SystemClock, SystemIds

FRESH = fresh_processes()
TOPICS = ("backups", "release", "monitoring")


def opened(place, folder):
    """Return a garden in this process, with the store of its own opened."""
    store = place.open(clock=SystemClock(), ids=SystemIds())
    return closing(store), plot(store, SystemClock(), folder)


def dies_at(step, place, folder):
    """Run a cycle that is killed when a step has done its work and has not said so yet."""
    _, brain = opened(place, folder)
    real = running._STEPS[step]

    def die(*told):
        real(*told)
        os.kill(os.getpid(), signal.SIGKILL)

    running._STEPS = {**running._STEPS, step: die}
    cycle(brain, is_forced=True)


def dies_between_searches(place, folder):
    """Run a cycle that is killed after two searches, before it pays for the third."""
    _, brain = opened(place, folder)
    real, count = tending.pay, [0]

    def pay(*told):
        count[0] += 1
        if count[0] == 3:
            os.kill(os.getpid(), signal.SIGKILL)
        return real(*told)

    tending.pay = pay
    cycle(brain, is_forced=True)


def runs(place, folder, gate, told, *, is_forced=False):
    """Run a cycle as soon as all are there; say how it ended."""
    closing_, brain = opened(place, folder)
    with closing_:
        gate.wait()
        told.put(cycle(brain, is_forced=is_forced).exit_code)


def lived(brain):
    """Return the last cycle, what it paid for, and how many candidates it has."""
    with brain.parts.store.read() as view:
        last = Cycles(view).last(brain.parts.recorder.owner)[0]
        paid = [(one.unit, one.nth, one.what) for one in Cycles(view).spent(last.id)]
        return last, paid, Cycles(view).candidate_count(last.id)


def known(brain):
    with brain.parts.store.read() as view:
        return view.knowledge_digest()


def check_budget(paid, candidates):
    counts = Counter(unit for unit, _, _ in paid)
    assert all(counts[unit] <= most for unit, most in SPENT_MAX.items())
    assert len({(unit, nth) for unit, nth, _ in paid}) == len(paid)
    assert candidates <= CANDIDATES_MAX


@pytest.fixture
def sown(place, tmp_path):
    closing_, brain = opened(place, tmp_path)
    with closing_:
        planted(brain)
        for name in TOPICS:
            brain.topics.add(name)
    return tmp_path


@pytest.mark.row("GA-026", "I30", "C-19")
def test_a_process_that_is_killed_at_any_step_is_gone_on_with_by_the_next(place, sown):
    """Nothing doubled, nothing paid for anew, and the day's snapshot restores to its hash."""
    for step in Step:
        killed = FRESH.Process(target=dies_at, args=(step, place, sown))
        killed.start()
        killed.join()
        assert killed.exitcode == -signal.SIGKILL
        closing_, brain = opened(place, sown)
        with closing_:
            cut, before, found_before = lived(brain)
            assert cut.next_step is step

            report = cycle(brain)

            ended, after, found = lived(brain)
            assert (report.cycle.id, ended.next_step) == (cut.id, None)
            assert after[: len(before)] == before
            if step is not Step.TEND and Step.TEND in cut.ended:
                assert (after, found) == (before, found_before)
            check_budget(after, found)
            texts = [one.fact.said.text for one in brain.garden.candidates(is_all=True)]
            assert texts or step in tuple(Step)[: tuple(Step).index(Step.TEND)]
            assert len(texts) == len(set(texts))
            log = (sown / "garden/logs/activity.md").read_text()
            assert log.count(f"cycle {cut.id}") == 1
            assert log.count(f"{cut.id} ended") == 1
            (taken, *_) = brain.snapshots.list()
            plan = brain.snapshots.restore(taken.day)
            if plan.aside or plan.back:
                brain.snapshots.restore(taken.day, confirm=plan.confirm)
            assert known(brain) == taken.digest
            assert list(brain.parts.store.verify()) == []


@pytest.mark.row("GA-026", "GA-016", "I30")
def test_what_a_killed_process_asked_is_not_asked_again(place, sown):
    killed = FRESH.Process(target=dies_between_searches, args=(place, sown))
    killed.start()
    killed.join()
    assert killed.exitcode == -signal.SIGKILL
    closing_, brain = opened(place, sown)
    with closing_:
        assert len(lived(brain)[1]) == 2

        cycle(brain)

        _, paid, found = lived(brain)
        asked = [what for unit, _, what in paid if unit is Unit.SEARCH]
        assert len(set(asked)) == len(asked) == SPENT_MAX[Unit.SEARCH]
        check_budget(paid, found)


@pytest.mark.row("GA-026", "I30", "DU-061")
@pytest.mark.parametrize("is_shared", [True, False], ids=["one folder", "two folders"])
def test_of_two_processes_at_one_cycle_it_is_run_once(place, sown, is_shared):
    gate, told = FRESH.Barrier(2), FRESH.Queue()
    folders = (sown, sown if is_shared else sown / "elsewhere")
    both = [FRESH.Process(target=runs, args=(place, one, gate, told)) for one in folders]
    for one in both:
        one.start()
    codes = [told.get(timeout=100) for _ in both]
    for one in both:
        one.join()

    assert [one.exitcode for one in both] == [0, 0]
    assert set(codes) <= {0, 1, running.EXIT_BUSY}
    closing_, brain = opened(place, sown)
    with closing_:
        with brain.parts.store.read() as view:
            (ran,) = Cycles(view).last(brain.parts.recorder.owner, limit=10)
        assert list(ran.ended) == list(Step)
        _, paid, found = lived(brain)
        check_budget(paid, found)
        texts = [one.fact.said.text for one in brain.garden.candidates(is_all=True)]
        assert texts
        assert len(texts) == len(set(texts))
