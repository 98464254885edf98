"""A rollback that is killed in between did nothing, and of two at once one is done."""

import os
import signal
from contextlib import closing
from dataclasses import replace
from unittest import mock

import pytest

from tests.brains import a_brain
from tests.processes import fresh_processes
from tilth.core.actor import Actor, ActorKind
from tilth.core.errors import ConflictError
from tilth.ledger.replay import prepared_replay
from tilth.ledger.snapshot import Snapshot
from tilth.runtime.brain import Brain
from tilth.runtime.system import SystemClock, SystemIds
from tilth.snapshots import verbs
from tilth.snapshots.folder import SnapshotFolder

# Where it is killed: as it replays, before the tables take that over, the event written and nothing
# committed yet, all committed and vectors not made.
PLACES = {
    "replaying": (prepared_replay, "show", False),
    "taking over": (prepared_replay.PreparedReplay, "take_over", False),
    "before the commit": (Snapshot, "knowledge_digest", False),
    "after the commit": (verbs, "embed_backlog", True),
}
FRESH = fresh_processes()


def opened(place, folder):
    """Return a person's brain in this process, with the store of its own opened."""
    store = place.open(clock=SystemClock(), ids=SystemIds())
    parts = a_brain(store, SystemClock(), by=Actor("ada", ActorKind.HUMAN)).parts
    return closing(store), Brain(replace(parts, snapshots=SnapshotFolder(folder)))


def known(brain):
    with brain.parts.store.read() as view:
        return view.knowledge_digest()


@pytest.fixture
def day(place, tmp_path):
    """A snapshot, after which two more things were stated."""
    closing_, human = opened(place, tmp_path / "snapshots")
    with closing_:
        human.facts.add("The kettle is green.", about=["kettle"])
        day = human.snapshots.take().day
        human.facts.add("The kettle whistles.", about=["kettle"])
        human.entities.add("pump", type="host")
    return day


def dies_at(at, place, folder, day):
    owner, name, _ = PLACES[at]

    def die(*_, **__):
        os.kill(os.getpid(), signal.SIGKILL)

    _, human = opened(place, folder)
    confirm = human.snapshots.restore(day).confirm
    with mock.patch.object(owner, name, die):
        human.snapshots.restore(day, confirm=confirm)


@pytest.mark.row("GA-025", "GA-021")
@pytest.mark.parametrize("at", PLACES)
def test_a_rollback_that_is_killed_is_whole_or_did_nothing(place, tmp_path, day, at):
    folder = tmp_path / "snapshots"
    killed = FRESH.Process(target=dies_at, args=(at, place, folder, day))
    killed.start()
    killed.join()

    assert killed.exitcode == -signal.SIGKILL
    closing_, human = opened(place, folder)
    with closing_:
        then = human.snapshots.get(day).digest
        is_done = PLACES[at][2]
        assert (known(human) == then) is is_done
        assert bool(human.snapshots.aside()) is is_done
        if not is_done:
            assert len(human.facts.list()) == 2
            human.snapshots.restore(day, confirm=human.snapshots.restore(day).confirm)
        assert known(human) == then
        assert list(human.parts.store.verify()) == []
        assert human.recall("what colour is the kettle").hits
        (aside,) = human.snapshots.aside()
        human.snapshots.reapply(aside.by.made)
        assert len(human.facts.list()) == 2
        assert {hit.text for hit in human.recall("does the kettle whistle").hits} >= {
            "The kettle whistles."
        }


def goes_back(place, folder, day, gate, told):
    closing_, human = opened(place, folder)
    with closing_:
        confirm = human.snapshots.restore(day).confirm
        gate.wait()
        try:
            told.put(human.snapshots.restore(day, confirm=confirm).is_equal)
        except ConflictError as error:
            told.put(str(error))


@pytest.mark.row("GA-025")
def test_of_two_processes_at_one_rollback_one_does_it_and_the_other_is_told(place, tmp_path, day):
    folder, gate, told = tmp_path / "snapshots", FRESH.Barrier(2), FRESH.Queue()
    both = [
        FRESH.Process(target=goes_back, args=(place, folder, day, gate, told)) for _ in range(2)
    ]
    for one in both:
        one.start()
    answers = {told.get(timeout=100) for _ in both}
    for one in both:
        one.join()

    assert [one.exitcode for one in both] == [0, 0]
    assert answers == {True, "what would change is not what was shown"}
    closing_, human = opened(place, folder)
    with closing_:
        assert known(human) == human.snapshots.get(day).digest
        assert len(human.snapshots.aside()) == 1
        assert list(human.parts.store.verify()) == []
