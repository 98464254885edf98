"""How old what is known is: from when it held, or was confirmed, never from when it came in."""

import json
from datetime import timedelta

import pytest

from tests.brains import a_brain
from tests.program import acting
from tilth.core.actor import Actor, ActorKind, Human
from tilth.core.lifecycle import Freshness
from tilth.runtime.system import SystemClock

DAY = timedelta(days=1)
LONG_AGO = (SystemClock().now() - 500 * DAY).isoformat(timespec="seconds")
ROUTER = ("--system", "lab", "--component", "router")
ASKING = (
    ("state",),
    ("recall", "Where is the router?"),
    ("kg", "query", "router"),
    ("about", "router"),
    ("brief",),
)


def shown(tilth, *words):
    """Return the lines that say something of the router or its system."""
    return [line for line in tilth(*words).out.splitlines() if "fct_" in line or "fact " in line]


@pytest.mark.row("C-14", "KB-050")
@pytest.mark.parametrize("who", ["agent", "human"])
def test_what_is_backdated_is_nowhere_fresh(ready, who):
    with acting(who):
        ready("fact", "add", "The router is at 192.0.2.1.", *ROUTER, "--valid-from", LONG_AGO)
        ready("kg", "add", "entity", "router", "uses", "OpenWrt", "--valid-from", LONG_AGO)

        for words in ASKING:
            lines = shown(ready, *words)
            if words == ("brief",) and who == "agent":
                # What an agent alone says is a candidate, and in no brief.
                assert lines == []
                continue
            assert lines, words
            assert [line for line in lines if "fresh" in line or "ageing" in line] == []
            assert any("guess" in line for line in lines), words


@pytest.mark.row("C-14", "C-23")
def test_what_is_distilled_from_an_old_transcript_is_as_old_as_the_transcript(ready, home):
    told = [
        {"type": "user", "sessionId": "s1", "uuid": f"u{number}", "timestamp": LONG_AGO,
         "message": {"role": "user", "content": text}}
        for number, text in enumerate(
            ["We decided to use Postgres for the ledger.", "I prefer uv over pip.", "Thanks."]
        )
    ]  # fmt: skip
    (home / "old.jsonl").write_text("\n".join(map(json.dumps, told)))
    assert ready("import", home / "old.jsonl").code == 0
    ready("distil")

    known = ready("fact", "list", "--lifecycle", "historical", "--lifecycle", "current", "--json")
    assert known.answer["facts"]
    answer = ready("recall", "What did we decide for the ledger?", "--json").answer
    assert answer["hits"]
    assert {hit["freshness"] for hit in answer["hits"]} == {"guess"}


@pytest.mark.row("DU-017")
def test_what_a_human_confirms_is_as_old_as_the_confirmation(ready):
    stated = ready("fact", "add", "The router is at 192.0.2.1.", *ROUTER,
                   "--valid-from", LONG_AGO, "--json").answer  # fmt: skip
    with acting("human"):
        ready("review", "ask", stated["fact"]["id"], "--reason", "is it so?")
        asked = ready("review", "list", "--json").answer["proposals"][0]
        seen = ready("review", "show", asked["id"], "--json").answer
        assert ready("review", "confirm", asked["id"], "--digest", seen["digest"]).code == 0
    (fact,) = ready("state", "--system", "lab", "--json").answer["facts"]

    assert (fact["freshness"], fact["fact"]["life"]["review"]) == ("fresh", "confirmed")


@pytest.mark.row("DU-017", "I7")
def test_what_is_confirmed_is_fresh_though_the_clock_went_back_meanwhile(store, place):
    human = a_brain(store, place.clock, by=Actor("ada", ActorKind.HUMAN))
    place.clock.step = timedelta(seconds=1)
    stated = human.facts.add(
        "The router is at 192.0.2.1.",
        system="lab", component="router",
        valid_from=place.clock.at - 500 * DAY,
    )  # fmt: skip
    place.clock.at -= timedelta(hours=2)

    asked = human.review.question(stated.fact.id, reason="is it so?")
    human.review.confirm(asked.id, digest=human.review.show(asked.id).digest)

    (told,) = human.state(system="lab").facts
    assert told.freshness is Freshness.FRESH


@pytest.mark.row("I7")
@pytest.mark.parametrize("back", [timedelta(hours=7), 400 * DAY])
def test_what_was_recorded_holds_though_the_clock_went_back_since(store, place, back):
    brain = a_brain(store, place.clock, by=Actor("ada", ActorKind.HUMAN))
    told, later = "The router is at 192.0.2.1.", "The router is at 192.0.2.9."
    brain.entities.add("router", type="service")
    brain.facts.add(told, system="lab", component="router")
    brain.facts.add(later, system="den", valid_from=place.clock.at + DAY)
    uses = brain.kg.add("entity", "router", "uses", "OpenWrt").fact

    place.clock.at -= back

    assert [one.fact.said.text for one in brain.state(system="lab").facts] == [told]
    assert brain.state(system="den").facts == ()
    assert [one.fact.id for one in brain.about("router").facts] == [uses.id]
    assert [one.id for one in brain.kg.query("router").triples] == [uses.id]
    assert uses.id in brain.pages.compile("entity", "router").page.compiled_from


@pytest.mark.row("I7")
def test_what_is_told_anew_after_an_end_is_new_though_the_clock_went_back(store, place):
    agent, human = a_brain(store, place.clock), a_brain(store, place.clock, by=Human("ada"))
    importing = a_brain(store, place.clock, by=Actor("import", ActorKind.IMPORT))
    told = agent.facts.add("Lab is at 192.0.2.1.", about=["Lab"]).fact
    place.clock.at += timedelta(hours=2)
    human.facts.retire(told.id)

    place.clock.at -= timedelta(minutes=30)
    again = importing.facts.add("Lab is at 192.0.2.1.", about=["Lab"])

    assert (again.verdict, again.fact.id == told.id) == ("recorded", False)
