"""How an agent of each host is asked for a note, by what is plugged in."""

import pytest

from tests.program import Inside
from tilth.agents.hosts.registry import HOSTS
from tilth.interfaces.hooks.note_request import by_command, note_request


@pytest.fixture
def tilth(tmp_path, monkeypatch):
    monkeypatch.setenv("HOME", str(tmp_path))
    for name in ("CLAUDE_CONFIG_DIR", "CODEX_HOME", "COPILOT_HOME", "XDG_CONFIG_HOME"):
        monkeypatch.delenv(name, raising=False)
    return Inside(tmp_path)


@pytest.mark.parametrize("host", sorted(set(HOSTS) - {"codex"}))
def test_without_the_tools_an_agent_is_told_the_command(tilth, host):
    assert "tilth remember --scope . --kind note" in note_request(host)


def test_codex_keeps_commands_from_the_store_so_nothing_is_asked_without_the_tools(tilth):
    assert note_request("codex") == ""


@pytest.mark.parametrize("host", HOSTS)
def test_with_the_tools_an_agent_is_told_the_tool(tilth, host):
    assert tilth("init", host, "--mcp", "--yes").code == 0

    told = note_request(host)

    assert "the tool remember of tilth" in told
    assert "--scope" not in told


def test_a_path_is_told_as_a_shell_takes_it():
    assert "'/opt/my tools/tilth' remember" in by_command("/opt/my tools/tilth")
