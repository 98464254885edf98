"""An idle worker reads where the ledger ends, and still does what only time brings."""

from datetime import timedelta

import pytest

from tests.garden.plots import DAY, cycle, planted, plot
from tests.pages.test_pages import told
from tests.reads import counted
from tilth.runtime.stages import StageRun
from tilth.runtime.worker.due_stages import AGAIN, DueStage, garden_stage, pages_stage

MINUTE = timedelta(minutes=1)
# The end of the ledger, and what opening a snapshot asks.
HANDFUL = 5


def rows_of(stage):
    with counted() as reads:
        assert stage.run() == StageRun()
    return reads.rows


@pytest.fixture
def known(human):
    for number in range(60):
        told(human, f"pve{number % 9} has part {number}.", about=[f"pve{number % 9}", "rack"])
    return human


def test_pages_are_looked_at_once_while_nothing_is_recorded(known, place):
    stage = pages_stage(known)
    while stage.run().made:
        pass
    assert rows_of(stage) <= HANDFUL

    place.clock.at += 3 * MINUTE
    assert rows_of(stage) <= HANDFUL
    told(known, "A word.", system="s1")
    assert rows_of(stage) > HANDFUL
    assert rows_of(stage) <= HANDFUL


def test_while_a_session_goes_on_pages_are_looked_at_once_a_minute(known, place):
    stage = pages_stage(known)
    while stage.run().made:
        pass
    read = []
    for _ in range(24):
        known.remember("Another word.")
        place.clock.at += MINUTE / 12
        read.append(rows_of(stage) > HANDFUL)

    assert sum(read) == 2


def test_a_page_that_was_stale_for_a_while_is_compiled_though_nothing_is_recorded(human, place):
    told(human, "It runs.", system="s1")
    human.pages.compile("system-state", system="s1")
    told(human, "It runs well.", system="s1")
    stage = pages_stage(human)
    assert [stage.run().made, stage.run().made] == [0, 0]
    place.clock.at += MINUTE
    assert rows_of(stage) <= HANDFUL
    place.clock.at += MINUTE
    assert stage.run().made == 1


def test_a_page_whose_fact_ends_is_compiled_though_nothing_is_recorded(human, place):
    told(human, "It runs.", system="s1")
    until = place.clock.at + 20 * MINUTE
    told(human, "It is being moved.", system="s1", valid_to=until)
    human.pages.compile("system-state", system="s1")
    stage = pages_stage(human)
    assert stage.run().made == 0
    place.clock.at = until + MINUTE
    assert rows_of(stage) <= HANDFUL
    place.clock.at += MINUTE
    assert stage.run().made == 1


def test_what_begins_to_hold_one_day_earns_its_page_within_an_hour(human, place):
    begins = place.clock.at + 10 * MINUTE
    told(human, "Never deploy on Fridays.", scope="project:shop", valid_from=begins)
    stage = pages_stage(human)
    assert stage.run().made == 0
    place.clock.at += AGAIN
    assert stage.run().made == 1


def test_a_look_that_failed_is_no_look(store, place):
    looks = iter([OSError("full"), (StageRun(1, 1), None), OSError("never asked")])

    def look():
        one = next(looks)
        if isinstance(one, OSError):
            raise one
        return one

    run = DueStage(store, place.clock, look)
    with pytest.raises(OSError, match="full"):
        run()
    assert [run(), run()] == [StageRun(1, 1), StageRun()]


@pytest.fixture
def garden(store, place, tmp_path):
    brain = plot(store, place.clock, tmp_path)
    planted(brain)
    return brain


def test_a_garden_is_looked_at_once_until_something_is_recorded_or_a_cycle_is_due(garden, place):
    stage = garden_stage(garden)
    assert stage.run() == StageRun()
    assert rows_of(stage) <= HANDFUL

    garden.topics.add("backups")
    assert stage.run().made
    stage.run()
    begun_at = garden.garden.status().cycle.begun_at
    place.clock.at += DAY - MINUTE
    stage.run()
    assert rows_of(stage) <= HANDFUL
    place.clock.at += MINUTE
    stage.run()
    assert garden.garden.status().cycle.begun_at >= begun_at + DAY


def test_a_cycle_that_another_runs_is_waited_for_without_anything_recorded(garden):
    garden.topics.add("backups")
    stage = garden_stage(garden)
    with garden.parts.gardener.folder.alone():
        assert stage.run() == StageRun()
    assert stage.run().made
    assert cycle(garden).cycle is None
