"""A session is one piece of evidence, however it comes, and whoever looks at it at once."""

import json
import re
import subprocess
import sys

import pytest

from tests.playbooks.deployments import DEPLOY
from tests.runtime.test_worker_command import eventually

QUIET = {"TILTH_EMBEDDER": "none", "TILTH_PAGE_SWEEP": "0"}
RUN = (("make test", "14 passed in 3.1s"), ("make build", "Built shop:1.4."), (DEPLOY, "Deployed."))
STAGES = "experience draft outcomes retire promote lift archive coherence"


def line(session, place, kind, content, **more):
    return json.dumps(
        {
            "type": kind,
            "sessionId": session,
            "uuid": f"{session}-{place}",
            "cwd": "/work/shop",
            "timestamp": f"2026-01-02T10:{place:02}:00Z",
            "message": {"role": kind, "content": content},
        }
        | more
    )


def transcript(session):
    """Return the lines of a session that deploys, as Claude Code writes them."""
    lines = [line(session, 0, "user", f"Please deploy the shop to production in {session}.")]
    for number, (command, output) in enumerate(RUN, start=1):
        use = {"type": "tool_use", "id": f"toolu_01{session:_>12}{number:04}", "name": "Bash"}
        result = {"type": "tool_result", "tool_use_id": use["id"], "content": output}
        lines += [
            line(session, 2 * number, "assistant", [use | {"input": {"command": command}}]),
            line(session, 2 * number + 1, "user", [result]),
        ]
    return lines


def forked(told):
    """Return a line of `s1` as a fork of today has it."""
    first = json.loads(told)
    origin = {"sessionId": "s1", "messageUuid": first["uuid"]}
    return json.dumps(
        first | {"sessionId": "s10", "uuid": f"new-{first['uuid']}"} | {"forkedFrom": origin}
    )


@pytest.fixture
def imported(tilth, home):
    """Import a transcript under a name of its own."""

    def take(name, lines):
        path = home / f"{name}.jsonl"
        path.write_text("\n".join(lines))
        assert tilth("import", path, "--no-background").code == 0

    assert tilth("init").code == 0
    return take


def seeds(tilth):
    assert tilth("reflect", environ=QUIET).code == 0
    found = tilth("playbook", "list", "--json").answer["playbooks"]
    return [one["evidence"]["seeds"] for one in found]


@pytest.mark.row("I24")
def test_a_session_that_is_copied_forked_or_imported_again_is_one_success(tilth, imported):
    told = transcript("s1")
    old_fork = [one.replace('"sessionId": "s1"', '"sessionId": "s9"') for one in told]
    imported("s1", told)
    imported("s1", told)
    imported("copy", told)
    imported("s9", [*old_fork, line("s9", 20, "user", "And what is next?")])
    imported("s10", [*map(forked, told), line("s10", 21, "user", "And what else is there?")])
    assert seeds(tilth) == []
    assert "8 episodes" in tilth("session", "list").out
    assert re.search(r" 1 episode\b", tilth("session", "list").out)

    imported("s2", transcript("s2"))

    assert seeds(tilth) == [2]


@pytest.mark.row("KB-034")
def test_the_command_tells_its_stages_in_their_order(tilth, imported):
    for number in range(3):
        imported(f"s{number}", transcript(f"s{number}"))

    told = [one.split() for one in tilth("reflect", environ=QUIET).out.splitlines()]

    assert [words[0] for words in told] == STAGES.split()
    assert ["draft", "1", "found,", "1", "new"] in told
    assert "nothing is new" in tilth("reflect", environ=QUIET).err


@pytest.mark.row("KB-100")
def test_of_two_schedulers_one_works_and_of_runs_at_once_one_drafts(tilth, imported):
    for number in range(3):
        imported(f"s{number}", transcript(f"s{number}"))
    program, told = [sys.executable, "-m", "tilth"], {"env": tilth.environ(**QUIET), "text": True}
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    lock = tilth.store.with_name(f"{tilth.store.name}.worker")

    with subprocess.Popen([*program, "worker"], **told, **pipes) as first:
        eventually(lambda: lock.exists() and lock.read_text())
        second = subprocess.run(
            [*program, "worker", "--json"], **told, capture_output=True, timeout=60, check=False
        )
        runs = [subprocess.Popen([*program, "reflect", "--json"], **told, **pipes) for _ in "123"]
        stages = [json.loads(run.communicate(timeout=120)[0])["stages"] for run in runs]
        assert first.poll() is None
        first.terminate()
        first.communicate(timeout=60)

    assert json.loads(second.stdout)["is_alone"] is False
    assert not [one for run in stages for one in run if one["error"]]
    assert seeds(tilth) == [3]
    assert len(tilth("skill", "list", "--json").answer["skills"]) == 1
    assert tilth("verify").code == 0
