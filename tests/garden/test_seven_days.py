"""Seven days of a garden, in small. `python -m prove.garden` does it with more kills."""

import threading

import pytest

from prove import garden as proving
from tests.garden.plots import DAY, cycle, planted, plot
from tilth.garden.model import CANDIDATES_MAX, SPENT_MAX, Step, Unit
from tilth.garden.tables import Cycles
from tilth.runtime import connect
from tilth.runtime.system import SystemClock


@pytest.mark.slow
@pytest.mark.row("X-06", "GA-021", "GA-025", "GA-026")
@pytest.mark.parametrize(("answer", "days"), [("files", 7), ("verbs", 4)])
def test_days_with_kills_and_a_human_on_the_third_break_no_promise(answer, days):
    trial = proving.Trial(answer=answer, days=days, kills=1)

    report, failures = proving.run(trial)

    assert failures == []
    assert connect.SystemClock is SystemClock, "those who come after would live in its time"
    assert report["restored"] == report["snapshots"] == days
    assert report["candidates"] == report["quotes_found"] >= proving.CANDIDATES_LEAST
    assert min(report["rejected"], report["recalled"]) > 0
    assert report["kills"] > 0


def together(*brains):
    """Run a cycle of each at once, and return what came of them."""
    gate, reports = threading.Barrier(len(brains)), []

    def one(brain):
        gate.wait(30)
        reports.append(cycle(brain))

    threads = [threading.Thread(target=one, args=(brain,)) for brain in brains]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(120)
    assert len(reports) == len(brains)
    return reports


@pytest.mark.row("GA-026", "DU-061")
@pytest.mark.parametrize("is_shared", [True, False], ids=["one folder", "two folders"])
def test_two_that_run_a_cycle_at_once_do_it_once(place, tmp_path, is_shared):
    first, second = place.open(), place.open()
    brains = [
        plot(first, place.clock, tmp_path),
        plot(second, place.clock, tmp_path if is_shared else tmp_path / "elsewhere"),
    ]
    planted(brains[0])
    for name in ("backups", "release", "monitoring"):
        brains[0].topics.add(name)

    for _ in range(3):
        reports = together(*brains)
        place.clock.at += DAY
        assert {one.exit_code for one in reports} <= {0, 1, 3}
        assert sum(one.cycle is not None for one in reports) == 1

    with first.read() as view:
        cycles = Cycles(view).last(brains[0].parts.recorder.owner, limit=10)
        spent = [Cycles(view).spent(one.id) for one in cycles]
        counts = [Cycles(view).candidate_count(one.id) for one in cycles]
    assert len(cycles) == 3
    assert all(list(one.ended) == list(Step) for one in cycles)
    for paid in spent:
        assert all(sum(one.unit is unit for one in paid) <= SPENT_MAX[unit] for unit in Unit)
    assert max(counts) <= CANDIDATES_MAX
    texts = [one.fact.said.text for one in brains[0].garden.candidates(is_all=True)]
    assert texts
    assert len(texts) == len(set(texts))
    for store in (first, second):
        store.close()
