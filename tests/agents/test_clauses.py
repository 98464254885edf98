"""Clauses of the specification on what agent programs are captured by."""

from concurrent.futures import ThreadPoolExecutor

import pytest

from tests.agents.test_ingest import hooks  # noqa: F401 - a fixture
from tests.brains import a_brain


@pytest.mark.row("KB-126")
def test_a_session_in_a_temporary_folder_makes_no_project(hooks, store, place):  # noqa: F811
    folders = ("/tmp/try", "/private/tmp/x", "/var/folders/ab/T", "/home/ada/.cache/y")
    for number, folder in enumerate(folders):
        hooks.prompt(f"The kettle {number} is on.", cwd=folder, session_id=f"s{number}")
    hooks.prompt("The kettle is on.", cwd="/home/ada/work/kettle", session_id="s9")
    hooks.ingest()

    brain = a_brain(store, place.clock)
    assert len(hooks.texts()) == 5
    assert [str(one.scope) for one in brain.projects.list()] == ["project:work/kettle"]
    assert {
        str(one.scope) for one in brain.recall("kettle", scope="project:work/other").hits
    } == set()


@pytest.mark.row("MP-11")
def test_hooks_at_one_time_lose_and_double_nothing(hooks):  # noqa: F811
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda n: hooks.prompt(f"Prompt {n}.", seconds=n), range(64)))
    hooks.ingest()
    hooks.ingest()

    assert sorted(hooks.texts()) == sorted(f"Prompt {n}." for n in range(64))
