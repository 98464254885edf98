"""Two processes on one slot, on both engines."""

from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial

import pytest

from prove.slots import race
from tilth.runtime.system import SystemClock, SystemIds

TRIES = 60


@contextmanager
def opened(place) -> Iterator:
    store = place.open(clock=SystemClock(), ids=SystemIds())
    try:
        yield store
    finally:
        store.close()


@pytest.mark.row("I13", "OB-014")
def test_two_processes_never_leave_two_current_facts_in_a_slot(place):
    looks, problems = race(partial(opened, place), TRIES)

    assert problems == []
    assert looks > 0
    with opened(place) as store:
        assert list(store.verify()) == []
