import pytest

from tilth.core.actor import Actor, ActorKind
from tilth.interfaces.cli.caller import AGENTS, caller


def test_a_person_at_a_terminal_is_a_human():
    assert caller({"TERM": "xterm"}, is_tty=True) == Actor("human", ActorKind.HUMAN)


def test_a_program_without_a_terminal_is_no_human():
    assert caller({}, is_tty=False).kind is ActorKind.AGENT


@pytest.mark.parametrize("variable", AGENTS)
def test_an_agent_is_no_human_even_at_a_terminal(variable):
    assert caller({variable: "1"}, is_tty=True).kind is ActorKind.AGENT


def test_an_agent_acts_under_its_name():
    assert caller({"CLAUDECODE": "1"}, is_tty=True).name == "claude-code"


def test_an_empty_variable_names_no_agent():
    assert caller({"CLAUDECODE": ""}, is_tty=True).kind is ActorKind.HUMAN
