"""What an agent reads at the command line has no excluded term in it (KB-113)."""

import pytest

from tilth.core.actor import Actor, ActorKind
from tilth.interfaces.cli import invocation

QUIET = {"TILTH_EXCLUDED_TERMS": "zephyr"}


def zephyr_everywhere(tilth):
    """Make every part of a store say Zephyr."""

    def id_of(*words, noun):
        return tilth(*words, "--json").answer[noun]["id"]

    tilth("remember", "Zephyr moved to thor on Monday.", "--session", "s1", "--at", "2026-01-01")
    tilth("entity", "add", "Ada", "--type", "person")
    tilth("entity", "profile", "Ada", "--key", "project", "--value", "works on Zephyr")
    for port in (1, 2):
        tilth("fact", "add", f"Zephyr listens on port {port}", "--about", "Zephyr")
    tilth("fact", "add", "--subject", "Zephyr", "--predicate", "uses", "--object", "Postgres")
    tilth("review", "scan")
    tilth("gap", "add", "export Zephyr as PDF", "--kind", "missing_feature")
    created = ("conversation", "create", "Ada", "irc", "--topic", "about Zephyr")
    talk = id_of(*created, noun="conversation")
    tilth("conversation", "add", talk, "We decided that Zephyr is moved by Friday.")
    tilth("conversation", "archive", talk)
    return talk


@pytest.fixture
def known(ready, beginnings):
    """A store in every part of which something says Zephyr."""
    return beginnings.go_on(ready, zephyr_everywhere)


READS = (
    "recall moved",
    "state",
    "brief",
    "about Zephyr",
    "about Zephry",
    "changes",
    "fact list",
    "fact check Zephyr",
    "entity list",
    "entity search zephyr",
    "entity profile Ada",
    "entity context Ada",
    "conversation context {talk}",
    "conversation summaries {talk}",
    "conversation list",
    "kg query Zephyr",
    "kg explore Zephyr",
    "review list",
    "session show s1",
    "gap list",
)


@pytest.mark.row("KB-113")
@pytest.mark.parametrize("form", [(), ("--json",)])
@pytest.mark.parametrize("words", READS)
def test_an_agent_at_the_command_line_is_not_told_of_it(ready, known, words, form):
    run = ready(*words.format(talk=known).split(), *form, environ=QUIET)

    told = f"{run.out}{run.err}".casefold()
    assert run.code in {0, 3}
    assert "zephyr" not in told
    assert form or run.out or run.err


@pytest.mark.row("KB-113")
@pytest.mark.usefixtures("known")
def test_a_person_reads_what_was_said(ready, monkeypatch):
    monkeypatch.setattr(invocation, "caller", lambda *_, **__: Actor("ada", ActorKind.HUMAN))

    assert "Zephyr uses Postgres" in ready("fact", "list", environ=QUIET).out
    assert "zephyr" in ready("settings", environ=QUIET).out


@pytest.mark.row("KB-113")
def test_settings_that_cannot_be_read_are_still_told_of(ready):
    run = ready("fact", "list", environ={"TILTH_EXCLUDED_TERMS": "..."})

    assert (run.code, "cannot be left out" in run.err) == (2, True)
    assert ready("doctor", environ={"TILTH_EXCLUDED_TERMS": "..."}).out
