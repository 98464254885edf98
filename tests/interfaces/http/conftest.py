"""A served brain; its store holds what a person, an agent and an import said."""

import pytest

from tests.brains import a_brain
from tests.interfaces.http.served import serving


@pytest.fixture
def served(tmp_path, make_place_on):
    place = make_place_on("sqlite")
    brain = a_brain(place.open(), place.clock)
    with serving(brain, tmp_path) as one:
        yield one
    brain.close()
