"""`--scope .`: the project of the folder in which a command runs."""

import pytest

from tilth.interfaces.cli import run


@pytest.fixture
def shop(monkeypatch):
    """A project, in whose folder commands run."""
    monkeypatch.setattr(run, "folder", lambda: "/work/shop")
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
