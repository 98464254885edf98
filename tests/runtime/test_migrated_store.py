"""A worker that is killed and begins again knows the things of a migrated store, each once."""

import subprocess
import sys
import time
from contextlib import closing, contextmanager

import pytest

from tests.brains import a_brain
from tests.ledger.test_filled_schemas import AGED
from tests.practice.sessions import Session
from tests.program import Program
from tilth.core.scope import Scope, key_of
from tilth.learning import distil as distilling

PROJECTS = [Scope(f"project:acme/shop{number}") for number in range(12)]
# The last schema before what sessions name was kept.
SCHEMA = 3
RECORDED = "SELECT count(*) FROM ledger WHERE kind = '{}_recorded'"


def live(brain):
    """Have two sessions of each project run a program, and read them as that version did."""
    for number, project in enumerate(PROJECTS):
        for day in range(2):
            Session(brain, f"{number}-{day}", scope=project, day=day).ran("kubectl get pods")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(distilling, "record_sightings", lambda *_: [])
        brain.distil(is_asked=True)
    assert brain.entities.list() == []


@contextmanager
def worker(place):
    """Start a worker as a process of its own, that ends once nothing waits."""
    home = place.state.parent
    where = str(getattr(place, "path", None) or place.url)
    environ = Program(home).environ(TILTH_HOME=str(home), TILTH_EMBEDDER="none")
    command = [sys.executable, "-m", "tilth", "--store", where, "worker", "--once", "--quiet"]
    running = subprocess.Popen(command, env=environ, stderr=subprocess.PIPE, text=True)
    try:
        yield running
    finally:
        running.kill()
        running.communicate()


def count(place, noun):
    ((found,),) = place.run(RECORDED.format(noun))
    return found


@pytest.mark.row("I42")
def test_a_worker_that_was_killed_knows_the_things_of_an_old_store_once(place):
    with closing(place.open()) as store:
        live(a_brain(store, place.clock))
    AGED[type(place).__name__](place, SCHEMA)

    with worker(place) as first:
        while not count(place, "entity"):
            assert first.poll() is None, first.communicate()
            time.sleep(0.005)
    assert count(place, "entity") < 2 * len(PROJECTS)
    with worker(place) as second:
        _, told = second.communicate(timeout=100)
        assert second.returncode == 0, told

    assert (count(place, "entity"), count(place, "edge")) == (2 * len(PROJECTS), len(PROJECTS))
    with closing(place.open()) as store:
        brain = a_brain(store, place.clock)
        for project in PROJECTS:
            known = {one.name: str(one.type) for one in brain.entities.list(scope=project)}
            assert known == {key_of(project): "project", "kubectl": "tool"}
        assert list(store.verify()) == []
