"""What one project or owner says of its things at the command line, others do not learn."""

import pytest

from tilth.core.actor import Actor, ActorKind
from tilth.interfaces.cli import invocation

_NOT_FOUND = 3
CANARY = "canary-7f3a"


@pytest.fixture
def as_human(monkeypatch):
    """Let a person sit at the terminal."""
    human = Actor("human", ActorKind.HUMAN)
    monkeypatch.setattr(invocation, "caller", lambda *_, **__: human)


def added(tilth, *words):
    return tilth("entity", "add", "--json", *words).answer["entity"]["id"]


def everything(tilth, *words):
    """Return all that the commands about things say."""
    asked = (
        ("entity", "list"),
        ("entity", "show", "Postgres"),
        ("entity", "search", CANARY),
        ("entity", "resolve", CANARY),
        ("entity", "suggest", "Postgres"),
        ("entity", "around", "Postgres", "--depth", "2"),
        ("entity", "impact", "Postgres"),
        ("edge", "list"),
        ("about", "Postgres"),
        ("about", CANARY[:-1]),
    )
    runs = [tilth(*one, *words, *form) for one in asked for form in ((), ("--json",))]
    return "".join(run.out + run.err for run in runs)


@pytest.mark.row("KB-050")
def test_nothing_of_a_project_reaches_another_by_any_command(ready):
    added(ready, "Postgres", "--type", "tech")
    before = everything(ready, "--scope", "project:b")
    scope = ("--scope", "project:a")
    ready("entity", "add", "Postgres", "--type", "tech", "--alias", f"{CANARY}-name", *scope)
    for number in range(5):
        ready("edge", "add", f"{CANARY}-{number}", "uses", "Postgres", *scope)
        ready("fact", "add", f"Postgres is {CANARY} {number}.", "--about", "Postgres", *scope)

    assert everything(ready, "--scope", "project:b") == before
    assert CANARY in everything(ready, *scope)


@pytest.mark.row("C-25")
def test_what_is_another_owners_is_not_there(ready):
    entity = added(ready, CANARY, "--owner", "ada")
    ready("edge", "add", CANARY, "uses", "Postgres", "--owner", "ada")

    for words in (("entity", "show", entity), ("entity", "around", CANARY), ("about", CANARY)):
        assert ready(*words).code == _NOT_FOUND
    assert ready("entity", "list", "--json").answer == {"entities": []}


@pytest.mark.row("X-04")
@pytest.mark.usefixtures("as_human")
def test_three_projects_become_one_hub_and_a_wrong_merge_is_split_back(ready):
    hub = added(ready, "PostgreSQL (Dev)", "--type", "service")
    local = {
        scope: added(ready, name, "--scope", scope)
        for scope, name in (
            ("project:a", "Postgres"), ("project:b", "pg"), ("project:c", "192.168.3.88"),
        )
    }  # fmt: skip
    for entity in local.values():
        ready("entity", "merge", hub, entity)
    wrong = added(ready, "Grafana", "--type", "service")
    before = [ready("about", name).out for name in (hub, "Grafana", "pg")]

    ready("entity", "merge", hub, wrong)
    assert [ready("about", name).out for name in (hub, "Grafana", "pg")] != before
    ready("entity", "split", wrong)
    assert [ready("about", name).out for name in (hub, "Grafana", "pg")] == before
    seen = ready("entity", "show", hub, "--scope", "project:b", "--json").answer["names"]
    assert seen == ["PostgreSQL (Dev)", "pg"]
