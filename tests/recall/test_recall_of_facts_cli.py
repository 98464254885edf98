"""`tilth recall`, `tilth fact why` and `tilth episode facts` on facts."""

import pytest

from tilth.core.actor import Actor, ActorKind
from tilth.interfaces.cli import invocation

DNS = ("--system", "pi-hole", "--component", "ip")
WHERE = "Where does DNS answer?"


@pytest.fixture
def moved(ready, monkeypatch):
    """The program, in which a person said where a service is, and that it moved."""
    human = Actor("human", ActorKind.HUMAN)
    monkeypatch.setattr(invocation, "caller", lambda *_, **__: human)
    told = [
        ready("fact", "add", f"DNS answers on {address}.", *DNS, "--json").answer["fact"]
        for address in (".100.30", ".110.30")
    ]
    return ready, *told


def hits(run):
    return [(hit["tier"], hit["id"]) for hit in run.answer["hits"]]


@pytest.mark.row("X-01")
def test_the_terminal_shows_what_holds_first(moved):
    tilth, old, new = moved

    assert hits(tilth("recall", WHERE, "--json")) == [("fact", new["id"]), ("fact", old["id"])]
    page = tilth("recall", WHERE).out
    assert page.index(".110.30") < page.index(".100.30")
    assert f"superseded, confirmed, by {new['id']}" in page
    assert f"rests on {new['evidence'][0]['episode_id']}" in page


def test_each_hit_names_the_project_that_it_comes_from(ready):
    """A question is asked of all projects, and an answer of another one misleads."""
    till = ready("remember", "The till counts in cents.", "--scope", "project:mira/till", "--json")
    ready("fact", "add", "The till is at .7.", "--about", "till", "--scope", "project:mira/shop")
    ready("remember", "The till is red.")

    page = ready("recall", "What of the till?").out

    assert f"{till.answer['episode_id']}  project:mira/till\n" in page
    assert page.count("project:mira/shop") == 1
    assert page.count("project:") == 2


def test_recall_at_the_terminal_looks_from_another_moment(moved):
    tilth, old, new = moved
    then = old["life"]["valid_from"]

    assert hits(tilth("recall", WHERE, "--as-of", then, "--json")) == [("fact", old["id"])]
    assert hits(tilth("recall", WHERE, "--known-at", then, "--json")) == [("fact", old["id"])]
    assert hits(tilth("recall", WHERE, "--tier", "fact", "--json"))[0] == ("fact", new["id"])
    assert {tier for tier, _ in hits(tilth("recall", WHERE, "--tier", "episode", "--json"))} == {
        "episode"
    }


@pytest.mark.row("XR-08")
def test_provenance_is_shown_both_ways(moved):
    tilth, old, new = moved

    why = tilth("fact", "why", new["id"], "--json").answer
    noted = why["supports"][0]["episode"]["id"]
    assert [fact["id"] for fact in why["history"]] == [old["id"], new["id"]]
    (resting,) = tilth("episode", "facts", noted, "--json").answer["facts"]
    assert resting["fact"]["id"] == new["id"]
    assert [fact["id"] for fact in resting["superseded"]] == [old["id"]]
    page = tilth("fact", "why", new["id"]).out
    assert noted in page
    assert old["id"] in page
    assert f"superseded {old['id']}" in tilth("episode", "facts", noted).out


def test_an_episode_on_which_nothing_rests_is_said_so(ready):
    noted = ready("remember", "It rains.", "--json").answer["episode_id"]

    run = ready("episode", "facts", noted)

    assert (run.code, run.out) == (0, "")
    assert "no fact rests on that episode" in run.err
