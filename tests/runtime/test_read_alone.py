"""A store that takes no log, on a full disk or in a folder of others, is read all the same."""

import os
import resource
import shutil
import subprocess
import sys
from contextlib import contextmanager

import pytest

from tests.brains import a_brain
from tests.fakes import FixedClock
from tilth.core.actor import Human
from tilth.core.errors import UnavailableError
from tilth.runtime import connect as bootstrap
from tilth.runtime.settings import Settings


@pytest.fixture
def bound():
    """Words before a command by which it may not write where its user may not."""
    if os.geteuid():
        return []
    if shutil.which("setpriv") is None:
        pytest.skip("root may write anywhere, and nothing here takes that away")
    return ["setpriv", "--bounding-set=-dac_override,-dac_read_search"]


@pytest.fixture
def locked(ready):
    """A store with a word in it, in a folder that nobody may write to."""
    assert ready("remember", "The kettle is blue.").code == 0
    folder = ready.store.parent
    folder.chmod(0o500)
    yield ready
    folder.chmod(0o700)


@pytest.mark.row("I1")
def test_in_a_folder_that_takes_nothing_one_reads_and_is_told_why_nothing_is_kept(locked, bound):
    before = sorted(locked.store.parent.iterdir())

    def run(*words):
        program = [*bound, sys.executable, "-m", "tilth", *words]
        how = {"env": locked.environ(), "cwd": locked.home, "text": True, "timeout": 100}
        return subprocess.run(program, capture_output=True, check=False, **how)

    found, refused = run("recall", "kettle"), run("remember", "The lid is red.")

    assert (found.returncode, "The kettle is blue." in found.stdout) == (0, True)
    assert "nothing is recorded: " in found.stderr
    assert "cannot be written by this user" in found.stderr
    assert (refused.returncode, "--store" in refused.stderr) == (7, True)
    assert run("brief").returncode == run("verify").returncode == 0
    assert sorted(locked.store.parent.iterdir()) == before


@pytest.fixture
def full(monkeypatch):
    """What lets a disk be full for a while: no file grows, and no room is told."""
    told = os.statvfs_result((4096, 4096, 1000, 0, 0, 1000, 1000, 1000, 0, 255))

    @contextmanager
    def fill():
        limits = resource.getrlimit(resource.RLIMIT_FSIZE)
        with monkeypatch.context() as patch:
            patch.setattr(os, "statvfs", lambda _: told)
            resource.setrlimit(resource.RLIMIT_FSIZE, (0, limits[1]))
            try:
                yield lambda: resource.setrlimit(resource.RLIMIT_FSIZE, limits)
            finally:
                resource.setrlimit(resource.RLIMIT_FSIZE, limits)

    return fill


def opened(path):
    store = bootstrap.open_store(str(path), settings=Settings())
    return a_brain(store, FixedClock(), by=Human("ana"))


def texts(brain):
    return [one.text for one in brain.episodes.list()]


@pytest.fixture
def path(tmp_path, monkeypatch):
    """A store with a word in it, which nobody has open."""
    monkeypatch.setenv("TILTH_HOME", str(tmp_path))
    path = tmp_path / "tilth.db"
    bootstrap.connect(str(path), create=True).close()
    with opened(path) as brain:
        brain.remember("The kettle is blue.")
    return path


@pytest.mark.row("I1")
def test_on_a_full_disk_one_reads_and_writes_again_once_there_is_room(path, full):
    with full():
        brain = opened(path)
        found = texts(brain)
        with pytest.raises(UnavailableError, match="no space is left") as refused:
            brain.remember("The lid is red.")

    assert found == ["The kettle is blue."]
    assert refused.value.hint == "free some and try again"
    with brain:
        brain.remember("The lid is green.")
        assert texts(brain) == ["The kettle is blue.", "The lid is green."]


def test_what_somebody_else_writes_meanwhile_is_read(path, full):
    with full() as make_room:
        brain = opened(path)
        before = texts(brain)
        make_room()
        with opened(path) as other:
            other.remember("The lid is red.")
            during = texts(brain)
        after = texts(brain)
    brain.close()

    assert before == ["The kettle is blue."]
    assert during == after == ["The kettle is blue.", "The lid is red."]
