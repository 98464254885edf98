"""Who is at the command line."""

import os
import subprocess
import sys

import pytest

from tilth.core.actor import Actor, ActorKind
from tilth.interfaces.cli import caller as who
from tilth.interfaces.cli.caller import AGENTS


def caller(environ, **about):
    """Ask for whoever comes from nobody."""
    return who.caller(environ, above=lambda *_: "", **about)


def test_a_person_at_a_terminal_is_a_human():
    assert caller({"TERM": "xterm"}, is_tty=True) == Actor("human", ActorKind.HUMAN)


def test_a_program_without_a_terminal_is_no_human():
    assert caller({}, is_tty=False).kind is ActorKind.AGENT


@pytest.mark.parametrize("variable", AGENTS)
def test_an_agent_is_no_human_even_at_a_terminal(variable):
    assert caller({variable: "1"}, is_tty=True).kind is ActorKind.AGENT


@pytest.mark.parametrize("variable", ["COPILOT_AGENT_SESSION_ID", "COPILOT_CLI_BINARY_VERSION"])
def test_the_agents_of_github_are_known_by_any_name_of_theirs(variable):
    assert caller({variable: "1"}, is_tty=True).name == "copilot"
    assert caller({"COPILOT_GITHUB_TOKEN": "x"}, is_tty=True).kind is ActorKind.HUMAN


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux shows whence a process comes")
def test_an_agent_that_takes_its_name_out_is_known_by_where_it_comes_from():
    code = """
import os
from tilth.interfaces.cli.caller import caller
print(caller(os.environ, is_tty=True).name)
"""
    # As an agent does in a command of its own: env -u CLAUDECODE script -qc 'tilth ...'
    command = ["env", "-u", "CLAUDECODE", "setsid", "-w", sys.executable, "-c", code]
    shell = [sys.executable, "-c", f"import subprocess; subprocess.run({command!r})"]
    environ = {"PATH": os.environ["PATH"], "CLAUDECODE": "1"}

    done = subprocess.run(shell, env=environ, capture_output=True, text=True, check=True)

    assert done.stdout.strip() == "claude-code"


def test_an_agent_acts_under_its_name():
    assert caller({"CLAUDECODE": "1"}, is_tty=True).name == "claude-code"


def test_an_empty_variable_names_no_agent():
    assert caller({"CLAUDECODE": ""}, is_tty=True).kind is ActorKind.HUMAN
