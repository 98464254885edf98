"""A brain for which the calling program vouches: an adapter must not pass that on."""

import pytest

from tests.brains import a_brain
from tilth.core.actor import Human


@pytest.fixture
def place(make_place_on):
    return make_place_on("sqlite")


@pytest.fixture
def brain(place):
    made = a_brain(place.open(), place.clock, by=Human("ana"))
    yield made
    made.close()
