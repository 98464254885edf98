"""Planning a statement, and applying the plan, on both engines."""

from dataclasses import replace
from datetime import timedelta

import numpy as np
import pytest

from tests.brains import a_brain
from tilth.core.actor import Actor, ActorKind
from tilth.core.errors import ConflictError, InvalidInputError
from tilth.core.lifecycle import Lifecycle
from tilth.knowledge.changes.plan import LIKENESS_CLOSE
from tilth.runtime.brain import Brain

ROUTER = {"about": ["router"], "area": "Network"}
OLD = "the router stands in the attic beside the chimney"
NEW = "the router stands in the cellar beside the chimney"


@pytest.fixture
def make(store, place):
    return lambda kind="agent", name="ada", **more: a_brain(
        store, place.clock, by=Actor(name, ActorKind(kind)), **more
    )


@pytest.fixture
def agent(make):
    return make()


def count(store):
    with store.read() as view:
        return view.head().seq


@pytest.mark.row("OB-062")
def test_a_plan_names_what_is_like_it_and_changes_nothing(agent, store):
    old = agent.facts.add(OLD, **ROUTER).fact
    before = count(store)
    plan = agent.facts.plan(NEW, **ROUTER)

    assert [one.fact.id for one in plan.likely] == [old.id]
    assert plan.likely[0].likeness >= 0.5
    assert (plan.verdict, plan.would_supersede) == ("recorded", None)
    assert count(store) == before
    assert list(store.verify()) == []


@pytest.mark.row("OB-062")
def test_a_plan_says_what_would_be_superseded(agent):
    old = agent.facts.add(subject="Acme", predicate="phase", object="pilot").fact

    plan = agent.facts.plan(subject="Acme", predicate="phase", object="rollout")

    assert (plan.verdict, plan.would_supersede) == ("superseded", old.id)


@pytest.mark.row("OB-062")
def test_whoever_applies_updates_one_or_declines_all(agent):
    old = agent.facts.add(OLD, **ROUTER).fact
    token = agent.facts.plan(NEW, **ROUTER).token
    with pytest.raises(InvalidInputError, match="the plan named"):
        agent.facts.apply(NEW, token=token, **ROUTER)
    with pytest.raises(InvalidInputError, match="not what the plan named"):
        agent.facts.apply(NEW, token=token, updates="fct_" + "0" * 26, **ROUTER)
    with pytest.raises(InvalidInputError, match="nearly the same"):
        agent.facts.apply(NEW, token=token, declines=[old.id], **ROUTER)

    stated = agent.facts.apply(
        NEW, token=token, declines=[old.id], reason="a second router", **ROUTER
    )

    assert stated.verdict == "recorded"
    assert stated.fact.metadata["declined"] == {"facts": [old.id], "reason": "a second router"}
    assert agent.facts.get(old.id).life.lifecycle is Lifecycle.CURRENT


@pytest.mark.row("OB-062")
def test_an_update_is_decided_as_ever(agent, make):
    old = agent.facts.add(OLD, **ROUTER).fact
    token = agent.facts.plan(NEW, **ROUTER).token
    asked = agent.facts.apply(NEW, token=token, updates=old.id, **ROUTER)
    assert asked.verdict == "proposed"

    human = make("human")
    token = human.facts.plan(NEW + " pipe", **ROUTER).token
    done = human.facts.apply(NEW + " pipe", token=token, updates=old.id, **ROUTER)
    assert (done.verdict, done.retired) == ("superseded", old.id)


@pytest.mark.row("OB-062")
def test_a_token_is_for_one_statement_by_one_writer_and_for_a_while(agent, make, place):
    plan = agent.facts.plan(NEW, **ROUTER)
    tampered = plan.token[:-2] + ("A" if plan.token[-2] != "A" else "B") + plan.token[-1]

    for refused in (
        lambda: agent.facts.apply(OLD, token=plan.token, **ROUTER),
        lambda: agent.facts.apply(NEW, token=plan.token, **(ROUTER | {"scope": "project:x"})),
        lambda: agent.facts.apply(NEW, token=tampered, **ROUTER),
        lambda: agent.facts.apply(NEW, token=plan.token + "x", **ROUTER),
        lambda: agent.facts.apply(NEW, token=plan.token[4:], **ROUTER),
        lambda: agent.facts.apply(NEW, token="pln_", **ROUTER),
        lambda: agent.facts.apply(NEW, token="Æ", **ROUTER),
        lambda: make(name="eve").facts.apply(NEW, token=plan.token, **ROUTER),
        lambda: make(owner="bob").facts.apply(NEW, token=plan.token, **ROUTER),
    ):
        with pytest.raises(ConflictError, match="not the token"):
            refused()
    place.clock.at += timedelta(seconds=600)
    with pytest.raises(ConflictError, match="time of this plan is over"):
        agent.facts.apply(NEW, token=plan.token, **ROUTER)


@pytest.mark.row("OB-062")
@pytest.mark.parametrize(
    "other",
    [
        {"component": ""},
        {"component": "chimney"},
        {"system": "attic"},
        {"area": "Storage"},
        {"environment": "office"},
        {"tags": ["durable"]},
    ],
)
@pytest.mark.on_sqlite(but=2)
def test_a_token_is_for_the_place_that_was_planned(agent, other):
    place = {"system": "cellar", "component": "router", "area": "Network", "environment": "home"}
    old = agent.facts.add(OLD, **place).fact
    plan = agent.facts.plan(NEW, **place)
    assert plan.verdict == "proposed"

    with pytest.raises(ConflictError, match="not the token"):
        agent.facts.apply(NEW, token=plan.token, updates=old.id, **(place | other))
    same = place | {"system": "CELLAR", "component": "component:Router"}
    assert agent.facts.apply(NEW, token=plan.token, updates=old.id, **same).verdict == "proposed"


@pytest.mark.row("OB-062")
def test_what_became_likely_meanwhile_is_planned_again(agent):
    token = agent.facts.plan(NEW, **ROUTER).token
    agent.facts.add(OLD, **ROUTER)

    with pytest.raises(ConflictError, match="has changed"):
        agent.facts.apply(NEW, token=token, **ROUTER)


@pytest.mark.row("OB-062")
def test_white_space_is_no_difference(agent):
    token = agent.facts.plan(NEW, **ROUTER).token
    agent.facts.apply(NEW.replace(" ", "\n "), token=token, **ROUTER)

    assert agent.state().count == 1


class LikeBy:
    """Embeds so that what says "old" and what says "new" are as like as was asked."""

    dimensions = 2
    space = "like-by"

    def __init__(self, cosine):
        self.cosine = cosine

    def embed(self, texts):
        far = (self.cosine, (1 - self.cosine**2) ** 0.5)
        return np.array([(1.0, 0.0) if "old" in text else far for text in texts], np.float32)


@pytest.mark.row("OB-062")
def test_a_plan_names_from_a_half_and_asks_why_from_three_quarters(make):
    near, why = set(), set()
    for number, cosine in enumerate(range(30, 100, 5)):
        agent = Brain(replace(make()._parts, first=LikeBy(cosine / 100)))
        about = {"about": ["router"], "scope": f"project:p{number}"}
        agent.facts.add("The old words.", **about)
        plan = agent.facts.plan("The new words.", **about)
        told = {"token": plan.token, "declines": [one.fact.id for one in plan.likely]}
        for one in plan.likely:
            near.add(one.likeness)
            if one.likeness >= LIKENESS_CLOSE:
                why.add(one.likeness)
                with pytest.raises(InvalidInputError, match="says nearly the same"):
                    agent.facts.apply("The new words.", **about, **told)
                told["reason"] = "it is about another day"
        assert agent.facts.apply("The new words.", **about, **told).verdict == "recorded"

    # Both edges are met from near above, and the second from below.
    assert 0.5 <= min(near) < 0.6
    assert min(why) < 0.8
    assert near - why
