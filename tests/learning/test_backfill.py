"""What was recorded before anybody learned from it is caught up with, whenever a worker dies."""

import signal
import subprocess
import sys

import pytest

from tests.playbooks.deployments import deployment
from tests.runtime.test_worker_command import eventually
from tilth import connect
from tilth.core.actor import HOOKS

QUIET = {"TILTH_EMBEDDER": "none", "TILTH_PAGE_SWEEP": "0"}
SESSIONS = 20


def head(program):
    with connect(program.store) as brain, brain.parts.store.read() as view:
        return view.head().seq


def known(program):
    """Return what was learned, and how often: facts, playbooks, and sessions looked through."""
    with connect(program.store) as brain:
        facts = [one.said.text for one in brain.facts.list(limit=1000)]
        books = [(one.draft.title, one.evidence.seeds) for one in brain.playbooks.list()]
        assert list(brain.parts.store.verify()) == []
        return sorted(facts), sorted(books)


@pytest.mark.row("KB-064")
def test_a_killed_backfill_goes_on_doubles_nothing_and_rests_when_it_is_done(
    program, tilth, monkeypatch
):
    # This process opens the store as the worker's user does.
    monkeypatch.setenv("TILTH_HOME", str(program.home / "tilth"))
    assert tilth("init").code == 0
    with connect(program.store, actor=HOOKS) as brain:
        for number in range(SESSIONS):
            deployment(brain, f"s{number}", day=number % 5)
            told = f"/remember Machine number {number} stands in room {number + 100}."
            brain.remember(told, role="user", session_id=f"claude-code:s{number}")
    recorded = head(program)
    command = [sys.executable, "-m", "tilth", "worker", "--once"]
    for _ in range(3):
        before = head(program)
        with subprocess.Popen(
            command, env=program.environ(**QUIET), stderr=subprocess.DEVNULL
        ) as worker:
            eventually(lambda before=before, one=worker: head(program) > before or one.poll() == 0)
            worker.send_signal(signal.SIGKILL)
    assert head(program) > recorded

    for _ in range(2):
        assert tilth("worker", "--once", environ=QUIET).code == 0
    assert tilth("reflect", environ=QUIET).code == 0
    facts, books = known(program)
    rooms = [one for one in facts if one.startswith("Machine number")]
    assert len(rooms) == len(set(rooms)) == SESSIONS
    assert books == [("Deploy with `./scripts/deploy.sh production`", SESSIONS)]

    # A kill may leave a last piece for the next run; after that there is nothing to write.
    written = []
    for _ in range(3):
        end = head(program)
        assert tilth("worker", "--once", environ=QUIET).code == 0
        assert tilth("reflect", environ=QUIET).code == 0
        written.append(head(program) - end)
    assert written[-2:] == [0, 0], written
    assert known(program) == (facts, books)
