"""A server of a brain whose every part obeys, and clients of it inside this process."""

import pytest

from tests.brains import a_brain
from tests.fakes import CountingIds
from tests.interfaces.mcp.clients import lasting
from tilth.agents.injections import Injections
from tilth.interfaces.mcp.server import build_server
from tilth.interfaces.mcp.service import Project, Service


@pytest.fixture
def brain(make_place_on):
    place = make_place_on("sqlite")
    made = a_brain(place.open(), place.clock)
    yield made
    made.close()


@pytest.fixture
def service(brain, tmp_path):
    return Service(Project(brain), Injections(tmp_path / "injected.log", CountingIds()))


@pytest.fixture
def ask(request, service):
    with lasting(build_server(service), getattr(request, "param", "auto")) as asked:
        yield asked
