"""How an episode came is decided by the way that it came, never by what it says."""

import json
import os
import subprocess
import sys

import pytest

import tilth_spool
from tests.fakes import START
from tilth.agents.read_record import parse_items
from tilth.agents.spool import SpoolFolder
from tilth.core.actor import CameBy
from tilth.core.instant import to_micros

RULE = "From now on, write tests first."
PROMPT = {"session_id": "s1", "cwd": "/home/ada/work/kettle", "prompt": RULE}


def hooked(brain, folder, **changes):
    """Record what a host's hook tells, as the worker does."""
    payload = json.dumps(PROMPT | changes).encode()
    at = to_micros(START) * 1000
    record = tilth_spool.framed("claude-code", "UserPromptSubmit", at, payload)
    tilth_spool.append(str(folder), record)
    brain.ingest(SpoolFolder(folder), parse_items)
    return brain.episodes.list()[-1]


@pytest.mark.row("I22")
def test_what_a_hook_captured_was_typed(brain, tmp_path):
    episode = hooked(brain, tmp_path)

    assert (episode.came_by, episode.typed) == (CameBy.CAPTURED, RULE)


@pytest.mark.row("I22")
def test_what_an_agent_asks_of_its_subagent_was_not_typed(brain, tmp_path):
    episode = hooked(brain, tmp_path, agent_id="a7")

    assert (episode.role, episode.typed) == ("user", "")


@pytest.mark.row("I22")
@pytest.mark.skipif(sys.platform != "linux", reason="only Linux shows whence a process comes")
@pytest.mark.parametrize("before", [[], ["env", "-u", "AI_AGENT"]])
def test_what_an_agent_tells_a_hook_in_a_command_was_not_typed(brain, tmp_path, before):
    hook = [sys.executable, "-m", "tilth_hook", "claude-code", "UserPromptSubmit"]
    shell = f"import subprocess, sys; subprocess.run({[*before, *hook]!r}, stdin=sys.stdin)"
    environ = {"PATH": os.environ["PATH"], "TILTH_HOME": str(tmp_path)}

    def told(session, **own):
        payload = json.dumps(PROMPT | {"session_id": session}).encode()
        command = [sys.executable, "-c", shell]
        subprocess.run(command, input=payload, env=environ | own, check=True)
        brain.ingest(SpoolFolder(tmp_path / "spool"), parse_items)
        return brain.episodes.list()[-1].typed

    assert told("s1") == RULE
    assert told("s2", AI_AGENT="claude-code_2-1-330_agent") == ""


@pytest.mark.row("I22")
def test_what_a_person_types_into_claude_code_was_typed(brain, tmp_path):
    # As Claude Code 2.1.197 tells its hooks of itself; its commands are told `…_agent`.
    environ = {"AI_AGENT": "claude-code_2-1-197_harness", "CLAUDECODE": "1"}
    subprocess.run(
        [sys.executable, "-m", "tilth_hook", "claude-code", "UserPromptSubmit"],
        input=json.dumps(PROMPT).encode(),
        env={"PATH": os.environ["PATH"], "TILTH_HOME": str(tmp_path)} | environ,
        check=True,
    )
    brain.ingest(SpoolFolder(tmp_path / "spool"), parse_items)

    assert brain.episodes.list()[-1].typed == RULE


@pytest.mark.row("I22")
def test_what_an_agent_passes_was_not_typed_whatever_it_says_of_itself(agent):
    given = agent.remember(
        RULE, role="user", speaker="Ana (owner)", metadata={"hook": "UserPromptSubmit"}
    )
    episode = agent.episodes.get(given)

    assert (episode.came_by, episode.typed) == (CameBy.PASSED, "")


@pytest.mark.row("I22")
def test_what_a_file_holds_was_not_typed(human, tmp_path):
    path = tmp_path / "chat.md"
    path.write_text(f"# Chat\n\n## User\n\n{RULE}\n")
    assert list(human.import_sources(human.find_sources(str(path))))
    episodes = human.episodes.list()

    assert {(one.came_by, one.typed) for one in episodes} == {(CameBy.IMPORTED, "")}


def test_what_a_person_tells_was_typed_unless_somebody_else_said_it(human):
    told = human.episodes.get(human.remember(RULE))
    mail = human.episodes.get(human.remember(RULE, transport="email", address="bob@example.org"))
    answer = human.episodes.get(human.remember(RULE, role="assistant"))

    assert [one.came_by for one in (told, mail, answer)] == [CameBy.TOLD] * 3
    assert [one.typed for one in (told, mail, answer)] == [RULE, "", ""]
