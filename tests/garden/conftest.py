"""What tests of the garden share."""

from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from tests.discovery.conftest import fetcher, internet  # noqa: F401 - fixtures
from tests.garden.plots import cycle, planted, plot


def sown(store, clock):
    """Documents."""
    with TemporaryDirectory() as folder:
        planted(plot(store, clock, Path(folder)))


def tended(store, clock):
    """A topic about them, after a cycle; what it wrote is told by name."""
    with TemporaryDirectory() as folder:
        brain = plot(store, clock, Path(folder))
        planted(brain)
        brain.topics.add("backups")
        cycle(brain)
        files = [one for one in Path(folder).rglob("*") if one.is_file()]
        return {
            str(one.relative_to(folder)): (one.stat().st_mode, one.read_bytes()) for one in files
        }


@pytest.fixture
def place(request, make_place):
    """The store that a garden grows in, as far as the test asks for one."""
    asked = {"found": tended, "garden": sown}
    return make_place(next((asked[one] for one in asked if one in request.fixturenames), None))


@pytest.fixture
def garden(store, place, tmp_path):
    """A garden with documents, as a human uses it; `place.clock` says what time it is."""
    for name, (mode, data) in (place.told or {}).items():
        file = tmp_path / name
        file.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        file.write_bytes(data)
        file.chmod(mode)
    return plot(store, place.clock, tmp_path)


@pytest.fixture
def found(garden):
    """The candidates that a cycle found."""
    return [one.fact.id for one in garden.garden.candidates()]


@pytest.fixture
def folder(garden):
    return garden.parts.gardener.folder.root
