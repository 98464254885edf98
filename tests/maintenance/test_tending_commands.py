"""Tending at the command line."""

from datetime import timedelta

import pytest

from tests.fakes import FixedClock
from tilth.core.actor import Actor, ActorKind
from tilth.interfaces.cli import invocation
from tilth.runtime import connect as bootstrap
from tilth.runtime.system import SystemClock


@pytest.fixture
def later(monkeypatch):
    """Let days go by for the program, not for the machine."""

    def later(days):
        at = SystemClock().now() + timedelta(days=days)
        monkeypatch.setattr(bootstrap, "SystemClock", lambda: FixedClock(at))

    return later


@pytest.fixture
def as_human(monkeypatch):
    return lambda: monkeypatch.setattr(
        invocation, "caller", lambda *_, **__: Actor("ada", ActorKind.HUMAN)
    )


def stated(ready, count=1):
    runs = [
        ready("fact", "add", said, "--about", "kettle", "--json")
        for said in ("The kettle whistles.", "Ada bought it.", "It is green.")[:count]
    ]
    return [run.answer["fact"]["id"] for run in runs]


def held(ready):
    return {fact["id"] for fact in ready("fact", "list", "--json").answer["facts"]}


@pytest.mark.row("EM-067", "EM-069")
def test_archive_says_what_it_would_do_does_that_and_takes_it_back(ready, later, as_human):
    facts = stated(ready, 3)
    assert ready("archive", "--json").answer["facts"] == []
    later(91)

    said = ready("archive", "--dry-run", "--json").answer
    assert held(ready) == set(facts)
    done = ready("archive", "--json").answer

    assert said.pop("is_dry_run")
    assert not done.pop("is_dry_run")
    assert said == done
    assert done["facts"] == facts
    assert held(ready) == set()
    refused = ready("unarchive", "--json")
    assert (refused.code, refused.answer["error"]["code"]) == (5, "forbidden")
    as_human()
    assert ready("unarchive", "--json").answer["facts"] == facts
    assert held(ready) == set(facts)


@pytest.mark.row("EM-067")
def test_archive_speaks_to_a_person(ready, later):
    stated(ready, 2)
    later(91)

    said, done = ready("archive", "-n"), ready("archive")

    assert "2 facts would be archived" in said.out
    assert "2 facts were archived" in done.out
    assert "tilth unarchive" in done.err
    assert "tilth unarchive" in ready("archive", "--undo").err


@pytest.mark.row("EM-072")
def test_the_worker_puts_away_once_a_day(ready, later):
    stated(ready, 2)
    later(91)
    first = ready("worker", "--once", "--json").answer
    fact = ready("fact", "add", "It is loud.", "--about", "kettle", "--json").answer["fact"]["id"]
    later(91.9)

    again = ready("worker", "--once", "--json").answer

    assert first["archived_count"] == 2
    assert again["archived_count"] == 0
    assert fact in held(ready)


TWICE = ("Bob is on call this week.", "This week Bob is on call.")


@pytest.mark.row("EM-053", "EM-069")
def test_dedup_says_what_it_would_ask_and_asks_it(ready):
    facts = [
        ready("fact", "add", said, "--about", "Bob", "--json").answer["fact"]["id"]
        for said in TWICE
    ]

    said = ready("dedup", "--dry-run", "--json").answer
    assert ready("review", "list", "--json").answer["count"] == 0
    done = ready("dedup", "--json").answer

    assert [(one["older"], one["newer"]) for one in said["doubles"]] == [tuple(facts)]
    assert said["doubles"] == done["doubles"]
    assert (said["asked"], len(done["asked"])) == ([], 1)
    shown = ready("review", "show", done["asked"][0])
    assert all(text in shown.out for text in TWICE)
    assert "asked 0 questions" in ready("dedup").err


@pytest.mark.row("EM-053")
def test_the_worker_asks_about_what_says_the_same(ready):
    for said in TWICE:
        ready("fact", "add", said, "--about", "Bob")

    assert ready("worker", "--once", "--json").answer["asked_count"] == 1
    assert ready("review", "list", "--json").answer["proposals"][0]["draft"]["kind"] == "duplicate"
    assert ready("worker", "--once", "--json").answer["asked_count"] == 0


@pytest.mark.row("EM-071")
def test_consolidate_says_what_it_would_draw_together_and_draws_it(ready):
    for said in ("is green", "whistles", "holds 2 litres"):
        ready("fact", "add", f"The kettle in the kitchen {said}.", "--about", "kettle")

    said = ready("consolidate", "--dry-run", "--json").answer
    done = ready("consolidate", "--json").answer

    assert said["groups"][0]["sources"] == done["groups"][0]["sources"]
    shown = ready("fact", "show", done["groups"][0]["fact_id"])
    assert "About kettle: The kettle in the kitchen is green;" in shown.out
    assert "nothing new" in ready("consolidate").err


@pytest.mark.row("EM-064")
def test_an_outcome_is_reported_listed_and_revoked(ready, as_human):
    fact = ready("fact", "add", "It is green.", "--about", "kettle", "--json").answer["fact"]["id"]
    claim = ready("remember", "I saw that it is green.", "--json").answer["episode_id"]
    outcome = ("fact", "outcome", fact, "operational_verified", "--evidence")
    refused = ready(*outcome, claim, "--json")
    assert (refused.code, refused.answer["error"]["code"]) == (2, "invalid_input")
    as_human()
    shown = ready("remember", "Ada looked: it is green.", "--json").answer["episode_id"]

    told = ready(*outcome, shown, "--json").answer

    assert told["maturity"] == "fact"
    assert ready("review", "list", "--json").answer["waiting"] == 1
    listed = ready("fact", "outcomes", fact)
    assert "operational_verified" in listed.out
    assert "stands" in listed.out
    revoked = ready("fact", "revoke", told["outcomes"][0]["id"], "--json").answer
    assert revoked["maturity"] == "observation"
    assert ready("review", "list", "--json").answer["waiting"] == 0


@pytest.mark.row("MP-13")
def test_fact_check_reads_a_text_or_standard_input(ready):
    ready("entity", "add", "Grafana", "--type", "service")

    told = ready("fact", "check", "The dashboards are in Grafanna.", "--json").answer
    piped = ready("fact", "check", "-", "--json", stdin="The dashboards are in Grafanna.").answer

    assert [one["kind"] for one in told["issues"]] == ["similar_name"]
    assert piped == told
    shown = ready("fact", "check", "The dashboards are in Grafanna.")
    assert "nearly the name of Grafana" in shown.out
    assert "nothing that is known" in ready("fact", "check", "All is well.").err


@pytest.mark.row("DU-058")
def test_kg_archive_ends_what_is_said_of_a_work_item(ready):
    item = "urn:item:1"
    ready("kg", "add", "entity", "scout", "working_on", item)
    ready("kg", "add", "entity", item, "phase", "review")

    closed = ready("kg", "archive", item, "--json").answer

    assert len(closed["ended"]) == 2
    assert ready("state", "--json").answer["facts"] == []
    # What ended is known still, and said to have ended.
    ended = ready("fact", "list", "--json").answer["facts"]
    assert {one["life"]["lifecycle"] for one in ended} == {"historical"}
    assert "nobody works on it" in ready("kg", "archive", item).err
