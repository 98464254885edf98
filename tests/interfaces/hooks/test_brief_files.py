"""The briefs that stand in while no worker answers."""

from pathlib import Path

import pytest

import tilth_hook
from tilth.agents.state_folder import StateFolder
from tilth.core.errors import InvalidInputError
from tilth.episodes.session import SessionInfo
from tilth.interfaces.hooks.brief_files import FOLDERS_MAX, BriefFiles
from tilth.runtime.places import is_of_hooks
from tilth.runtime.stages import StageRun

KETTLE = "/home/ada/work/kettle"


@pytest.fixture
def place(make_place_on):
    """One engine is enough here: what is asked of the store is held by its contract."""
    return make_place_on("sqlite")


@pytest.fixture
def briefs(brain, place, tmp_path):
    return BriefFiles(brain, StateFolder(tmp_path / "state"), place.clock)


def say(brain, text, folder=KETTLE):
    scope = f"project:work/{Path(folder).name}"
    session = f"codex:{Path(folder).name}"
    brain.remember(text, session_id=session, scope=scope)
    brain.sessions.describe(session, SessionInfo(folder=folder, host="codex"), scope=scope)
    brain.distil()


def read(briefs, folder=KETTLE):
    path = Path(tilth_hook.brief_path(str(briefs.state.worker_address.parent), folder))
    return path.read_text() if path.exists() else ""


def a_minute_later(briefs):
    briefs.looked_at = float("-inf")


def test_each_folder_gets_the_brief_of_its_project(briefs, brain):
    say(brain, "Decided: the kettle boils at 90 degrees.")
    say(brain, "Decided: the toaster is red.", folder="/home/ada/work/toaster")

    assert briefs.run() == StageRun(2, 2)

    assert "90 degrees" in read(briefs)
    assert "toaster" not in read(briefs)
    assert "toaster is red" in read(briefs, "/home/ada/work/toaster")


def test_they_are_written_again_only_if_something_was_recorded_since(briefs, brain):
    say(brain, "Decided: the kettle boils at 90 degrees.")
    briefs.run()
    a_minute_later(briefs)

    assert briefs.is_current()
    assert briefs.run() == StageRun()

    say(brain, "Decided: the kettle boils at 95 degrees.")
    assert not briefs.is_current()
    assert briefs.run() == StageRun(), "once a minute at the most"
    a_minute_later(briefs)
    assert briefs.run() == StageRun(1, 1)
    assert "95 degrees" in read(briefs)


def test_at_most_twenty_folders_get_one(briefs, brain):
    for number in range(FOLDERS_MAX + 3):
        say(brain, f"Decided: shelf {number} holds the jar.", folder=f"/home/ada/work/p{number}")

    assert briefs.run() == StageRun(FOLDERS_MAX, FOLDERS_MAX)


def test_without_sessions_there_is_nothing_to_write(briefs):
    assert briefs.run() == StageRun()


def test_only_the_store_and_owner_of_the_settings_file_are_those_of_hooks(tmp_path):
    environ = {"TILTH_HOME": str(tmp_path)}
    own = str(tmp_path / "tilth.db")

    assert is_of_hooks(environ, own, None)
    assert is_of_hooks(environ, own, "local")
    assert not is_of_hooks(environ, str(tmp_path / "other.db"), None)
    assert not is_of_hooks(environ, own, "work")
    assert not is_of_hooks(environ | {"TILTH_OWNER": "work"}, own, None)

    (tmp_path / "config.toml").write_text('owner = "work"\n')
    assert is_of_hooks(environ, own, None)
    assert not is_of_hooks(environ, own, "local")


def test_a_worker_of_tilths_own_agent_may_be_started_with_its_mark():
    assert is_of_hooks({"TILTH_HOME": "/nowhere", "TILTH_INTERNAL": "1"}, "/else", None) is False
    with pytest.raises(InvalidInputError):
        is_of_hooks({"TILTH_HOME": "/nowhere", "TILTH_UNKNOWN": "1"}, "/else", None)


def test_a_store_that_is_open_is_not_said_to_be_current(tmp_path):
    store, state = tmp_path / "tilth.db", StateFolder(tmp_path / "state")
    store.write_bytes(b"a store")
    state.say_current(str(store))
    assert tilth_hook._is_unchanged(str(tmp_path / "state"))

    store.write_bytes(b"a store, changed")
    assert not tilth_hook._is_unchanged(str(tmp_path / "state"))

    Path(f"{store}-wal").touch()
    state.say_current(str(store))
    assert not tilth_hook._is_unchanged(str(tmp_path / "state"))
    assert not tilth_hook._is_unchanged(str(tmp_path / "nowhere"))
