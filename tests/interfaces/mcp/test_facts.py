"""What agents are told of facts: beside episodes, with labels and with what they rest on."""

import pytest

from tests.brains import a_brain
from tests.interfaces.mcp.clients import text_of
from tests.playbooks.deployments import deployment, troubled
from tilth.core.actor import Actor, ActorKind

WHERE = "Where does Pi-Hole answer?"
PLACE = {"system": "Pi-Hole", "component": "ip"}


@pytest.fixture
def moved(brain):
    """Two facts in one slot, and a moment between them."""
    human = a_brain(brain._parts.store, brain._parts.clock, by=Actor("ada", ActorKind.HUMAN))
    old = human.facts.add("Pi-Hole answers on .100.30.", **PLACE).fact
    return old, human.facts.add("Pi-Hole answers on .110.30.", **PLACE).fact


@pytest.mark.row("X-01")
def test_an_agent_is_told_what_holds_first(ask, moved):
    old, new = moved

    items = ask.data("recall", query=WHERE)["items"]

    assert [item["id"] for item in items] == [new.id, old.id]
    assert [item["tier"] for item in items] == ["fact", "fact"]
    by = f"superseded by {new.id}, confirmed"
    assert [item["status"] for item in items] == ["current, confirmed", by]
    assert items[0]["evidence"] == [new.evidence[0].episode_id]
    assert f"[1] {new.id}" in text_of(ask("recall", query=WHERE))


def test_an_agent_may_ask_as_of_a_time_and_as_it_was_known(ask, moved):
    old, _ = moved
    asked = {"query": WHERE, "known_at": old.recorded_at.isoformat()}

    (item,) = ask.data("recall", **asked)["items"]
    assert (item["id"], item["status"]) == (old.id, "current, confirmed")
    then = old.life.valid_from.isoformat()
    items = ask.data("recall", query=WHERE, as_of=then)["items"]
    assert [item["id"] for item in items] == [old.id]


def test_a_fact_that_a_proposal_would_replace_is_called_contested(ask, brain, moved):
    brain.facts.add("Pi-Hole answers nowhere.", **PLACE)

    assert ask.data("recall", query=WHERE)["items"][0]["status"] == "current, confirmed, contested"


@pytest.mark.row("XR-08")
def test_a_fact_is_fetched_with_the_words_that_it_rests_on(ask, brain):
    said = brain.remember("So be it: the ledger lives in PostgreSQL.")
    fact = brain.facts.add(
        "Ledger: PostgreSQL.", about=["ledger"], evidence=[(said, "the ledger lives in PostgreSQL")]
    ).fact

    told = ask.data("fetch", ids=[fact.id, said, "fct_unknown"])

    assert [item["id"] for item in told["items"]] == [said, fact.id]
    assert told["items"][1]["kind"] == "fact"
    assert told["items"][1]["text"] == (
        f"Ledger: PostgreSQL.\n\nrests on {said}: the ledger lives in PostgreSQL"
    )
    assert told["missing"] == ["fct_unknown"]


def test_a_playbook_that_a_brief_names_is_fetched_once_a_human_confirmed_it(ask, brain):
    for day in range(2):
        deployment(brain, f"s{day}", day=day, scope="global")
    troubled(brain, "s2", day=2, scope="global")
    brain.reflect()
    (book,) = brain.playbooks.list()
    assert ask.refused("fetch", ids=[book.id])[0] == "not_found"
    human = a_brain(brain._parts.store, brain._parts.clock, by=Actor("ada", ActorKind.HUMAN))
    human.playbooks.confirm(book.id, digest=book.digest)

    (item,) = ask.data("fetch", ids=[book.id])["items"]

    assert (item["kind"], item["lifecycle"], item["scope"]) == ("playbook", "confirmed", "global")
    assert all(step in item["text"] for step in book.draft.steps)
    assert "registry token" in item["text"]
    assert item["left_chars"] == 0

    revised = human.playbooks.revise(book.id, title="Deploy the shop to production").playbook
    assert ask.data("fetch", ids=[book.id])["items"] == [item]
    assert ask.refused("fetch", ids=[revised.id])[0] == "not_found"
    human.playbooks.confirm(revised.id, digest=revised.digest)
    (newer,) = ask.data("fetch", ids=[book.id])["items"]
    assert newer["id"] == revised.id
    human.playbooks.retire(revised.id)
    assert ask.refused("fetch", ids=[book.id])[0] == "not_found"


@pytest.mark.row("KB-039")
def test_an_agent_is_told_what_is_only_a_candidate_and_what_is_known(ask, brain, moved):
    _, new = moved
    said = brain.facts.add("Pi-Hole answers on .120.30 since März.", about=["Pi-Hole"]).fact

    statuses = {item["id"]: item["status"] for item in ask.data("recall", query=WHERE)["items"]}

    assert statuses[said.id] == "current, unreviewed, candidate"
    assert statuses[new.id] == "current, confirmed"
