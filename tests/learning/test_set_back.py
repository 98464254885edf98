"""What is said on a clock that was set back still comes after what was said before (ADR 42)."""

import json
from dataclasses import replace
from datetime import timedelta

import pytest

import tilth_spool
from tests.brains import a_brain
from tests.fakes import START
from tilth.agents.read_record import parse_items
from tilth.agents.spool import SpoolFolder
from tilth.context.model import BriefRequest
from tilth.core.actor import Actor, ActorKind
from tilth.core.ids import SessionId
from tilth.core.instant import to_micros
from tilth.core.scope import Scope
from tilth.episodes.episode import EpisodeDraft, Role
from tilth.interfaces.to_json import to_json

FOLDER, SCOPE = "/home/ada/work/shop", Scope("project:work/shop")
OLD, NEW = "/remember The version of the SDK is 8.4", "/remember The version of the SDK is 9.4"
WHY = "because it waits for a lock that the export of the orders holds until it ends"
BEFORE = "We use MySQL for the shop."
SOON, MINUTE = timedelta(seconds=5), timedelta(minutes=1)
DAY, BACK = timedelta(days=1), timedelta(hours=3)
ASKING = BriefRequest(session_id=SessionId("claude-code:asking"), via="claude-code/SessionStart")


@pytest.fixture
def spool(tmp_path):
    return tmp_path / "spool"


@pytest.fixture
def say(spool):
    """Return what writes to the spool what a person and an agent say in a session."""

    def said(at, session, text, report="Ok."):
        told = {"UserPromptSubmit": {"prompt": text}, "Stop": {"last_assistant_message": report}}
        for event, more in told.items():
            payload = {"session_id": session, "cwd": FOLDER, "hook_event_name": event} | more
            words = json.dumps(payload).encode()
            record = tilth_spool.framed("claude-code", event, to_micros(at) * 1000, words)
            tilth_spool.append(str(spool), record)

    return said


@pytest.fixture
def drained(brain, spool, place):
    """Return what lets the worker read the spool by a clock that shows a time."""

    def drain(at):
        place.clock.at = at
        brain.ingest(SpoolFolder(spool), parse_items)
        brain.distil(is_asked=True)

    return drain


def versions(brain):
    """Return the current versions of the SDK, each with whether it is contested."""
    listed = brain.facts.list(scope=SCOPE)
    triples = [(one.said.triple, one.is_contested) for one in listed if one.said.triple]
    return {triple.object: contested for triple, contested in triples}


@pytest.mark.parametrize("back", [timedelta(), BACK, timedelta(days=400)])
def test_a_session_on_a_clock_that_was_set_back_is_the_later_one(brain, say, drained, back):
    said_at = START + MINUTE - back
    say(START, "one", OLD)
    drained(START + SOON)
    say(said_at, "two", NEW)
    drained(said_at + SOON)

    assert versions(brain) == {"9.4": False}
    # The clock has not come up with it yet, and the next session follows on both.
    say(said_at + MINUTE, "three", "/remember The version of the SDK is 9.5")
    drained(said_at + MINUTE + SOON)
    assert versions(brain) == {"9.5": False}
    assert "9.5" in brain.recall("Which version is the SDK?").hits[0].text


@pytest.mark.parametrize("back", [timedelta(), BACK])
@pytest.mark.parametrize(
    "text", ["We replaced MySQL with Postgres.", "We use Postgres for the shop now, not MySQL."]
)
def test_what_was_replaced_by_a_clock_that_stands_behind_is_contested(
    brain, say, drained, back, text
):
    said_at = START + MINUTE - back
    say(START, "one", BEFORE)
    drained(START + SOON)
    (fact,) = brain.facts.list(scope=SCOPE)
    say(said_at, "two", text)
    drained(said_at + SOON)

    assert brain.facts.get(fact.id).is_contested
    lines = brain.brief(ASKING, scope=SCOPE).text.splitlines()
    assert all(" waits: " in line for line in lines if BEFORE in line)


@pytest.mark.parametrize("back", [timedelta(), BACK])
def test_what_an_agent_reported_on_a_clock_that_stands_behind_comes_last(brain, say, drained, back):
    for at, session, report in (
        (START, "one", "We decided to use Caddy for the proxy, it renews certificates."),
        (START + MINUTE - back, "two", "We decided on Traefik instead of Caddy for the proxy."),
    ):
        say(at, session, "Which proxy shall we take?", report)
        drained(at + SOON)

    brief = brain.brief(ASKING, scope=SCOPE).text
    assert "Traefik" in brief
    assert "to use Caddy" not in brief


@pytest.mark.parametrize("back", [timedelta(), BACK])
def test_the_last_work_is_told_first_whatever_the_clock(brain, say, drained, back):
    for at, session, asked, report in (
        (START, "one", "Why does the importer hang?", f"The importer hangs, {WHY}."),
        (START + MINUTE - back, "two", "Why is the page slow?", f"The page is slow, {WHY}."),
    ):
        say(at, session, asked, report)
        drained(at + SOON)

    brief = brain.brief(ASKING, scope=SCOPE).text
    assert 0 < brief.index("page is slow, because") < brief.index("importer hangs, because")


def test_the_clock_is_read_from_the_whole_ledger_and_not_from_what_is_shown(
    brain, store, place, say, drained, spool
):
    """Another project's session alone stands on the clock before it was set back."""
    importing = a_brain(store, place.clock, by=Actor("import", ActorKind.IMPORT))
    asked = EpisodeDraft(
        text="Which proxy shall we take?",
        session_id=SessionId("codex:old"),
        scope=SCOPE,
        occurred_at=START - MINUTE,
    )
    report = "We decided to use Caddy for the proxy, it renews certificates."
    importing.remember_many([asked, replace(asked, text=report, role=Role.ASSISTANT)])
    brain.remember("The kettle is red.", scope="project:work/kettle")
    said_at = START - BACK
    say(said_at, "two", asked.text, "We decided on Traefik instead of Caddy for the proxy.")
    drained(said_at + SOON)

    brief = brain.brief(ASKING, scope=SCOPE).text
    assert "Traefik" in brief
    assert "to use Caddy" not in brief


@pytest.mark.parametrize("back", [timedelta(), BACK])
def test_recall_puts_what_was_said_later_first_whatever_the_clock(brain, say, place, spool, back):
    for at, session, text in (
        (START, "one", BEFORE),
        (START + MINUTE - back, "two", "We switched the shop from MySQL to Postgres."),
    ):
        say(at, session, text)
        place.clock.at = at + SOON
        brain.ingest(SpoolFolder(spool), parse_items)

    first, *_ = brain.recall("What do we use for the shop?").hits
    assert "Postgres" in first.text


def test_what_waited_for_days_is_as_old_as_it_says(brain, say, drained, spool, tmp_path):
    say(START, "one", OLD)
    spool.rename(tmp_path / "elsewhere")
    say(START + DAY, "two", NEW)
    drained(START + DAY + SOON)
    (tmp_path / "elsewhere").rename(spool)
    drained(START + 2 * DAY)

    assert versions(brain) == {"9.4": False}


def test_what_waited_on_a_clock_that_stands_behind_is_as_old_as_it_waited(brain, say, drained):
    say(START, "one", NEW)
    drained(START + SOON)
    # It was said a day before: the other machine is 3 hours behind, and had no worker.
    say(START - DAY - BACK, "two", OLD)
    drained(START - BACK)

    assert versions(brain) == {"9.4": False}


def test_what_no_clock_can_put_in_order_is_contested(brain, say, drained):
    # Both waited in the spool while the clock was set back: nothing tells when the first was said.
    say(START, "one", OLD)
    say(START - BACK, "two", NEW)
    drained(START - BACK + MINUTE)

    assert [*versions(brain).values()] == [True]
    assert "set back" in json.dumps(to_json(brain.review.list()))
