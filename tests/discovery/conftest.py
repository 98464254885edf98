"""What tests of the web share."""

import pytest

from tests.discovery.internet import an_internet
from tilth.discovery.web.fetch import Fetcher


@pytest.fixture
def internet():
    with an_internet() as running:
        yield running


@pytest.fixture
def fetcher(internet):
    return Fetcher(network=internet.network)
