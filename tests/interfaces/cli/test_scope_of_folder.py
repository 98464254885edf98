"""`--scope .`: the project of the folder in which a command runs."""

import pytest

from tilth.core.actor import Actor, ActorKind
from tilth.core.errors import InvalidInputError
from tilth.core.scope import parse_renamed
from tilth.interfaces.cli import invocation, run

_INVALID, _NOT_FOUND, _FORBIDDEN = 2, 3, 5


@pytest.fixture
def shop(monkeypatch):
    """A project, in whose folder commands run."""
    monkeypatch.setattr(run, "current_folder", lambda: "/work/shop")
    return "project:work/shop"


def test_a_note_of_this_folder_belongs_to_its_project(ready, shop):
    id_ = ready("remember", "--scope", ".", "--always", "The user wants table tests.").out.strip()

    (episode,) = ready("episode", "show", id_, "--json").answer["episodes"]
    assert episode["scope"] == shop
    assert "noted by an agent: “The user wants table tests.”" in ready("brief", "--scope", shop).out


def test_what_is_asked_of_this_folder_is_asked_of_its_project(ready, shop):
    ready("remember", "--scope", ".", "The kettle is on port 7.")
    ready("remember", "--scope", "project:work/web", "The kettle is on port 9.")

    hits = ready("recall", "on which port is the kettle", "--scope", ".", "--json").answer["hits"]
    assert [hit["scope"] for hit in hits] == [shop]


def test_in_the_users_home_it_is_what_is_filed_nowhere(ready):
    id_ = ready("remember", "--scope", ".", "The kettle is on port 7.").out.strip()

    (episode,) = ready("episode", "show", id_, "--json").answer["episodes"]
    assert episode["scope"] == "unfiled"


@pytest.fixture
def as_human(monkeypatch):
    """Let a person sit at the terminal."""
    monkeypatch.setattr(invocation, "caller", lambda *_, **__: Actor("ana", ActorKind.HUMAN))


@pytest.mark.usefixtures("as_human")
def test_the_memory_of_a_project_goes_along_when_its_folder_is_renamed(ready, shop, monkeypatch):
    ready("remember", "--scope", ".", "--always", "The user wants table tests.")
    ready("fact", "add", "The kettle is on port 7.", "--about", "kettle", "--scope", ".")
    monkeypatch.setattr(run, "current_folder", lambda: "/work/store")
    assert "table tests" not in ready("brief", "--scope", ".").out

    run_ = ready("project", "rename", shop, ".")

    assert (run_.code, run_.err) == (0, "")
    assert run_.out == f"what was recorded of {shop} is told in project:work/store, too\n"
    assert "table tests" in ready("brief", "--scope", ".").out
    assert "port 7" in ready("recall", "on which port is the kettle", "--scope", ".").out
    assert "port 7" in ready("state", "--scope", ".").out
    assert "table tests" not in ready("brief", "--scope", "project:work/other").out

    monkeypatch.setattr(run, "current_folder", lambda: "/work/warehouse")
    ready("remember", "--scope", "project:work/store", "--always", "The user wants short names.")
    assert ready("project", "rename", "project:work/store", ".").code == 0
    told = ready("brief", "--scope", ".").out
    assert ("table tests" in told, "short names" in told) == (True, True)


def test_a_project_is_renamed_by_a_person_and_to_another(ready, shop, monkeypatch):
    ready("remember", "--scope", ".", "The user wants table tests.")
    assert ready("project", "rename", shop, "project:work/store").code == _FORBIDDEN

    human = Actor("ana", ActorKind.HUMAN)
    monkeypatch.setattr(invocation, "caller", lambda *_, **__: human)
    assert ready("project", "rename", shop, ".").code == _INVALID
    assert ready("project", "rename", shop, "global").code == _INVALID
    unknown = ready("project", "rename", "project:work/shpo", ".")
    assert (unknown.code, "tilth project list" in unknown.err) == (_NOT_FOUND, True)


def test_names_that_lead_on_and_back_are_followed_once():
    a, b, c = "project:a", "project:b", "project:c"

    assert parse_renamed([f"{a}={b}", f"{b}={c}"]) == {b: {a}, c: {a, b}}
    assert parse_renamed([f"{a}={b}", f"{b}={a}"]) == {b: {a}, a: {b}}
    assert parse_renamed([f"{c}={a}", f"{a}={b}", f"{b}={a}"]) == {a: {c, b}, b: {c, a}}
    with pytest.raises(InvalidInputError, match="says of no project"):
        parse_renamed(["project:a=global"])
