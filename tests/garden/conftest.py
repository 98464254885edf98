"""What tests of the garden share."""

import pytest

from tests.discovery.conftest import fetcher, internet  # noqa: F401 - fixtures
from tests.garden.plots import planted, plot


@pytest.fixture
def garden(store, place, tmp_path):
    """A garden with documents, as a human uses it; `place.clock` says what time it is."""
    brain = plot(store, place.clock, tmp_path)
    planted(brain)
    return brain


@pytest.fixture
def folder(garden):
    return garden.parts.gardener.folder.root
