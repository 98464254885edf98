"""What an agent may ask of a human, and that it may no more."""

from datetime import timedelta

import pytest

from tests.brains import a_brain
from tests.fakes import START
from tests.interfaces.mcp.clients import BOTH_PROTOCOLS, text_of
from tilth.core.actor import Actor, ActorKind
from tilth.core.lifecycle import Lifecycle, Review

DNS = {"system": "pi-hole", "component": "ip"}
CONFIRMING = ("confirm", "approve", "decide", "reject", "retract", "merge", "erase", "undo")


@pytest.fixture
def human(brain):
    return a_brain(brain._parts.store, brain._parts.clock, by=Actor("ada", ActorKind.HUMAN))


@pytest.fixture
def fact(human):
    return human.facts.add("DNS answers on .100.", **DNS).fact


@BOTH_PROTOCOLS
def test_an_agent_proposes_other_words_and_nothing_changes(ask, human, fact):
    told = ask("propose", action="supersede", id=fact.id, text="DNS answers on .110.", reason="!")

    assert "tilth review show" in text_of(told)
    (waits,) = human.review.list().proposals
    assert told.structured_content == {"id": waits.id}
    assert waits.by.kind is ActorKind.AGENT
    assert [one.fact.said.text for one in human.state().facts] == ["DNS answers on .100."]


def test_what_an_agent_asks_again_waits_once(ask, human, fact):
    told = [
        ask("propose", action="supersede", id=fact.id, text="DNS answers on .110.", reason=why)
        for why in ("it moved", "it moved, I am sure")
    ]
    other = ask("propose", action="supersede", id=fact.id, text="DNS answers on .120.", reason="!")

    first, second = (one.structured_content["id"] for one in told)
    assert first == second
    waits = [one.id for one in human.review.list().proposals]
    assert waits == [first, other.structured_content["id"]]
    human.review.reject(first, digest=human.review.show(first).digest)
    assert ask("propose", action="supersede", id=fact.id, text="DNS answers on .110.").is_error


def test_what_waits_does_not_read_in_changes_like_what_holds(ask, human, fact):
    ask("propose", action="supersede", id=fact.id, text="DNS answers on .110.", reason="!")

    told = text_of(ask("changes"))

    assert f"{fact.id} · fact current · " in told
    (waits,) = human.review.list().proposals
    assert f"{waits.draft.facts[0]} · fact draft · " in told
    assert f"{waits.id} · proposed · " in told


def test_that_it_is_so_now_is_another_claim_than_that_it_was_for_a_day(make_place_on):
    place = make_place_on("sqlite")
    stranger = a_brain(place.open(), place.clock, by=Actor("x", ActorKind.ANONYMOUS))
    then = {"valid_from": START - timedelta(days=9), "valid_to": START - timedelta(days=8)}
    was = stranger.facts.add("Acme likes tea.", about=["Acme"], **then)
    is_ = stranger.facts.add("Acme likes tea.", about=["Acme"])
    again = stranger.facts.add("Acme likes tea.", about=["Acme"])

    assert was.fact.id != is_.fact.id == again.fact.id
    assert is_.fact.life.valid_to is None
    stranger.close()


def test_the_object_of_a_triple_is_proposed_by_its_name(ask, human):
    fact = human.facts.add(subject="Acme", predicate="phase", object="pilot").fact
    ask("propose", action="supersede", id=fact.id, text="rollout", reason="they said so")

    (waits,) = human.review.list().proposals
    assert human.facts.get(waits.draft.facts[0]).said.triple.object == "rollout"


def test_a_refused_proposal_says_what_an_agent_can_do(ask, fact):
    unknown = fact.id[:-1] + ("0" if fact.id[-1] != "0" else "1")

    assert ask.refused("propose", action="retire", id=unknown, reason="!")[2] == "see: recall"
    assert ask.refused("propose", action="retire", id=fact.id, reason="!")[2] == "reason TEXT"
    assert "text TEXT" in ask.refused("propose", action="supersede", id=fact.id, text="")[2]


@pytest.mark.parametrize("action", ["retire", "doubt"])
def test_an_agent_asks_for_an_end_or_a_second_look(ask, human, fact, action):
    ask("propose", action=action, id=fact.id, reason="it was switched off last week")

    assert human.review.list().waiting == 1
    assert human.facts.get(fact.id).life == fact.life


@BOTH_PROTOCOLS
def test_what_cannot_be_proposed_is_refused_with_words(ask, fact):
    assert ask("propose", action="promote", id=fact.id).is_error
    assert "at least 20" in text_of(ask("propose", action="retire", id=fact.id, reason="no"))
    assert ask("propose", action="supersede", id=fact.id).is_error
    assert ask("propose", action="retire", id="fct_" + "0" * 26, reason="x" * 20).is_error
    assert ask("propose", action="seize", id=fact.id).is_error


@pytest.mark.row("I20")
@pytest.mark.parametrize("name", CONFIRMING)
def test_there_is_no_tool_that_decides(ask, fact, name):
    assert name not in [tool.name for tool in ask.tools()]


@pytest.mark.row("I20", "I21")
def test_nothing_that_an_agent_calls_confirms_or_replaces(ask, human, fact):
    asked = ask("propose", action="supersede", id=fact.id, text="DNS is off.", reason="!")
    for tool in ask.tools():
        for told in ({"id": asked.structured_content["id"]}, {"text": "DNS is off."}):
            ask(tool.name, **told)

    assert human.facts.get(fact.id).life == fact.life
    drafts = human.facts.list(lifecycles=["draft"])
    assert {one.life.review for one in drafts} == {Review.UNREVIEWED}
    assert human.facts.list(lifecycles=[Lifecycle.SUPERSEDED]) == []
