"""A model reads over what was learned: what it condemns is put away, and no more than that."""

import json
from datetime import timedelta

import pytest

from tests.brains import PRICED, a_brain, a_model_pool, with_model_pool
from tests.model_server import Says, says
from tilth.core.actor import Actor, ActorKind
from tilth.llm.providers.openai_chat import OpenAiChatModel
from tilth.llm.task import Task
from tilth.maintenance import views
from tilth.maintenance.clean import BATCH, GONE_MAX

DAY = timedelta(days=1, minutes=1)


@pytest.fixture
def store(whole_store):
    return whole_store


@pytest.fixture
def thinking(agent, server):
    """A brain with a model that reads over."""
    model = OpenAiChatModel(server.url, "small", "a-key")
    yield with_model_pool(agent, a_model_pool(model, (Task.CLEAN,), price=PRICED, seconds=0.5))
    model.close()


def told(agent, *texts):
    return [agent.facts.add(text, about=["shop"]).fact.id for text in texts]


def verdicts(*rows):
    return says(
        {
            "verdicts": [
                {"fact": fact, "verdict": word, "reason": "so it is", "survivor": survivor or fact}
                for fact, word, survivor in rows
            ]
        }
    )


def holding(brain):
    return {one.id for one in brain.facts.list(limit=1000)}


@pytest.mark.row("KB-121")
def test_what_is_stale_or_a_double_is_put_away_and_comes_back_for_good(
    thinking, place, server, store
):
    kept, double, stale = told(
        thinking, "The shop opens at nine.", "At nine the shop opens.", "The shop is shut today."
    )
    assert thinking.clean().judged_count == 0  # nothing is a day old
    place.clock.at += DAY
    server.script = [
        verdicts((kept, "keep", ""), (double, "duplicate", kept), (stale, "stale", ""))
    ]

    done = thinking.clean()

    assert set(done.facts) == {double, stale}
    assert holding(thinking) == {kept}
    assert "stale: so it is" in str(thinking.changes().items[-1].event)
    assert "At nine" in thinking.facts.get(double).said.text
    assert list(store.verify()) == []

    ada = a_brain(store, place.clock, by=Actor("ada", ActorKind.HUMAN))
    ada.facts.restore(double)
    place.clock.at += timedelta(days=6)
    assert thinking.clean().judged_count == 0  # judged within a week
    place.clock.at += DAY
    server.script = [verdicts((kept, "keep", ""))]
    assert thinking.clean().judged_count == 1  # what was brought back is not shown again
    assert double in holding(thinking)


@pytest.mark.row("KB-121")
@pytest.mark.parametrize("survivor", ["fct_" + "0" * 26, "goes too", "ended"])
def test_a_double_whose_survivor_is_not_there_stays(thinking, place, server, monkeypatch, survivor):
    one, other = told(thinking, "The shop opens at nine.", "At nine the shop opens.")
    place.clock.at += DAY
    rows = [(one, "duplicate", survivor if survivor.startswith("fct") else other)]
    rows += [(other, "duplicate", one)] if survivor == "goes too" else []
    if survivor == "ended":
        # Somebody ends it while the model thinks.
        ada = a_brain(thinking.parts.store, place.clock, by=Actor("ada", ActorKind.HUMAN))
        taken = server.taken
        monkeypatch.setattr(
            server, "taken", lambda: (ada.facts.retire(other, reason="over"), taken())[1]
        )
    server.script = [verdicts(*rows)] * 2

    done = thinking.clean()

    assert done.facts == ()
    assert one in holding(thinking)


@pytest.mark.row("KB-121")
def test_a_batch_is_thirty_of_which_a_model_is_not_believed_to_condemn_many(
    thinking, place, server
):
    known = told(thinking, *(f"The shop sells {number} kinds of tea." for number in range(40)))
    place.clock.at += DAY
    shown = known[:BATCH]
    server.script = [verdicts(*((one, "stale", "") for one in shown[: GONE_MAX + 1]))]

    done = thinking.clean()

    assert (done.judged_count, done.facts, done.ignored_count) == (BATCH, (), GONE_MAX + 1)
    asked = json.dumps(server.requests[-1])
    assert [one in asked for one in known] == [True] * BATCH + [False] * 10
    server.script = [verdicts(*((one, "stale", "") for one in known[BATCH:]))]
    assert set(thinking.clean().facts) == set(known[BATCH:])


@pytest.mark.row("KB-121")
def test_what_somebody_or_something_stands_behind_is_not_shown(thinking, human, place, server):
    human.facts.add("The shop is at the market.", about=["shop"])
    thinking.facts.add("The shop is green.", about=["shop"], tags=["durable"])
    thinking.facts.add("It answers at 192.0.2.7.", system="shop", component="router")
    thinking.facts.add("We chose the green one.", about=["shop"], channel="decision")
    place.clock.at += DAY

    assert thinking.clean().judged_count == 0
    assert server.requests == []


@pytest.mark.row("KB-121")
@pytest.mark.parametrize("answer", [Says(text="All of them are stale."), Says(status=400)])
def test_without_an_answer_nothing_is_put_away_and_nothing_counts_as_read(
    thinking, place, server, answer
):
    (one,) = told(thinking, "The shop opens at nine.")
    place.clock.at += DAY
    server.script = [answer]
    assert thinking.clean().facts == ()

    server.script = [verdicts((one, "stale", ""))]
    assert thinking.clean().facts == (one,)


@pytest.mark.row("KB-121")
def test_a_fact_that_a_model_names_twice_is_put_away_once_and_one_that_it_keeps_stays(
    thinking, place, server
):
    kept, double, stale = told(
        thinking, "The shop opens at nine.", "At nine the shop opens.", "The shop is shut today."
    )
    place.clock.at += DAY
    rows = [(double, "stale", ""), (double, "duplicate", kept), (double, "stale", "")]
    rows += [(stale, "stale", ""), (stale, "keep", "")]
    server.script = [verdicts(*rows)]

    done = thinking.clean()

    assert (done.facts, done.ignored_count) == ((double,), 0)
    assert sum("so it is" in str(one.event) for one in thinking.changes().items) == 1
    assert holding(thinking) == {kept, stale}


@pytest.mark.row("KB-121")
@pytest.mark.parametrize("days", [29, 31, 89, 91, 400])
def test_what_was_put_away_comes_back_however_long_ago_that_was(
    thinking, human, place, server, days
):
    """A grace of thirty days has no end here: nothing that is put away is ever deleted."""
    (one,) = told(thinking, "The shop is shut today.")
    place.clock.at += DAY
    server.script = [verdicts((one, "stale", ""))]
    thinking.clean()

    place.clock.at += timedelta(days=days)
    human.archive()

    assert human.facts.get(one).life.lifecycle == "archived"
    human.facts.restore(one)
    assert one in holding(human)


@pytest.mark.row("KB-121")
@pytest.mark.parametrize(("days", "goes"), [(89, False), (91, True)])
def test_what_nobody_states_again_or_uses_for_90_days_is_put_away_without_a_model(
    agent, human, place, days, goes
):
    (one,) = told(agent, "The shop is shut today.")

    place.clock.at += timedelta(days=days)
    human.remember("Something else.")  # Ages are counted in what is recorded.
    human.archive()

    assert (one not in holding(human)) is goes


@pytest.mark.row("KB-121")
def test_whoever_asks_is_told_why_nothing_was_read_and_which_verdicts_had_no_effect(
    thinking, place, server
):
    one, other = told(thinking, "The shop opens at nine.", "At nine the shop opens.")
    (nothing,) = map(str, views.cleaned(thinking.clean()))
    assert nothing.startswith("no fact is due: each is read over once it is a day old")

    place.clock.at += DAY
    server.script = [verdicts((one, "duplicate", other), (other, "stale", ""))]
    read, *_ = map(str, views.cleaned(thinking.clean()))
    assert read == "2 facts read over, 1 archived, 1 verdict ignored"


def test_without_a_model_nothing_happens(agent):
    assert agent.clean().refusal == "off"
