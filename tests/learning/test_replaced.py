"""What somebody says was replaced is not told as holding any more."""

import json

import pytest

import tilth_spool
from prove.attacks.ways import AT_NS
from tests.brains import a_brain
from tilth.agents.read_record import parse_items
from tilth.agents.spool import SpoolFolder
from tilth.context.model import BriefRequest
from tilth.core.actor import Human
from tilth.core.ids import SessionId
from tilth.core.scope import Scope
from tilth.interfaces.to_json import to_json

FOLDER, SCOPE = "/home/ada/work/shop", Scope("project:work/shop")
BEFORE = "We use Redis for the job queue."
ASKING = BriefRequest(session_id=SessionId("claude-code:asking"), via="claude-code/SessionStart")


@pytest.fixture
def say(brain, tmp_path):
    """Return what says a text in a session of its own, on a day, through a host's hooks."""

    def said(day, text):
        for event, told in (
            ("UserPromptSubmit", {"prompt": text}),
            ("Stop", {"last_assistant_message": "Ok, done."}),
        ):
            payload = {"session_id": f"s{day}", "cwd": FOLDER, "hook_event_name": event} | told
            at = AT_NS + day * 86_400 * 10**9
            record = tilth_spool.framed("claude-code", event, at, json.dumps(payload).encode())
            tilth_spool.append(str(tmp_path / "spool"), record)
        brain.ingest(SpoolFolder(tmp_path / "spool"), parse_items)
        brain.distil(is_asked=True)

    return said


@pytest.mark.parametrize(
    "text",
    [
        "We switched from Redis to RabbitMQ for the job queue.",
        "We replaced Redis with RabbitMQ.",
        "The job queue was moved from Redis to RabbitMQ.",
        "Redis is gone, the job queue is on RabbitMQ now.",
        "We no longer use Redis for the job queue.",
        "From now on we use RabbitMQ instead of Redis.",
    ],
)
@pytest.mark.on_sqlite(but=2)
def test_what_was_replaced_is_contested_and_no_brief_tells_it_as_holding(brain, say, text):
    say(0, BEFORE)
    (fact,) = brain.facts.list(scope=SCOPE)
    assert not fact.is_contested
    say(1, text)
    assert brain.facts.get(fact.id).is_contested
    assert text in json.dumps(to_json(brain.review.list()))
    lines = brain.brief(ASKING, scope=SCOPE).text.splitlines()
    assert all("removal waits" in line for line in lines if BEFORE in line)


@pytest.mark.parametrize(
    "text",
    [
        "We switched the job queue from Redis to RabbitMQ, because Redis lost messages.",
        "We replaced Redis with RabbitMQ.",
    ],
)
def test_what_came_in_place_of_another_is_told_in_its_own_words(brain, say, text):
    say(0, BEFORE)
    say(1, text)
    told = [line for line in brain.brief(ASKING, scope=SCOPE).text.splitlines() if text in line]
    assert len(told) == 1


def test_what_stands_behind_the_new_value_is_not_said_twice(brain, say):
    say(0, BEFORE)
    say(1, "We use RabbitMQ for the job queue now, not Redis.")
    waiting = brain.facts.list(scope=SCOPE, lifecycles=["draft"])
    assert [one.said.text for one in waiting] == ["We use RabbitMQ for the job queue."]


def test_a_switch_fills_the_slot_of_what_was_switched(brain, say):
    say(0, "We switched the job queue from Redis to RabbitMQ, because Redis lost messages.")
    triples = [one.said.triple for one in brain.facts.list(scope=SCOPE, subject="job queue")]
    assert [(one.subject, one.object) for one in triples] == [("job queue", "RabbitMQ")]


@pytest.mark.parametrize(
    "text",
    [
        "We switched from Redis to Memcached for the session cache.",
        "Maybe we should switch from Redis to RabbitMQ.",
        "Did we replace Redis with RabbitMQ?",
        "The search team stopped using Redis.",
        "We have not replaced Redis with RabbitMQ yet.",
        "If we replaced Redis with RabbitMQ, jobs would survive.",
        "We replaced Memcached with Valkey.",
        "Redis is gone, the session cache is on Valkey now.",
    ],
)
@pytest.mark.on_sqlite(but=2)
def test_what_was_not_replaced_stays(brain, say, text):
    say(0, BEFORE)
    say(1, text)
    fact = next(one for one in brain.facts.list(scope=SCOPE) if one.said.text == BEFORE)
    assert not fact.is_contested


def asked(brain, prompt):
    """Return the lines that a session is told beside its prompt."""
    request = BriefRequest(
        question=prompt, session_id=SessionId("claude-code:asking"), via="claude-code/Prompt"
    )
    text = brain.brief(request, scope=SCOPE).text
    return [line for line in text.splitlines() if line.startswith("- ")]


RULE = "Never push to the main branch without asking me."
LIFTS = "Forget the rule about pushing: the main branch is yours."


def test_a_rule_in_question_says_so_beside_a_prompt_and_one_that_ended_is_not_told(
    brain, say, store, place
):
    say(0, RULE)
    say(1, LIFTS)

    lines = asked(brain, "May I push to the main branch?")
    assert [", contested: " in line for line in lines if RULE in line] == [True]
    assert [", contested: " in line for line in lines if LIFTS in line] == [False]

    person = a_brain(store, place.clock, by=Human("ana"))
    (waits,) = person.review.list().proposals
    digest = person.review.show(waits.id).digest
    person.review.confirm(waits.id, digest=digest, retires=waits.draft.retires)

    lines = asked(brain, "May I push to the main branch?")
    assert not [line for line in lines if RULE in line]
    assert [line for line in lines if LIFTS in line]


@pytest.mark.on_sqlite(but=1)
@pytest.mark.parametrize(
    ("before", "after", "prompt"),
    [
        (
            "Staging listens on port 8443, see deploy/staging.toml.",
            "Correction: staging listens on port 9443 since Monday, not on 8443.",
            "On which port does staging listen?",
        ),
        (
            "We decided to keep the firmware images in the bucket kettle-images.",
            "We moved the firmware images from the bucket kettle-images to kettle-releases.",
            "In which bucket are the firmware images?",
        ),
        (
            "I have not updated the documentation of the payment API yet.",
            "The documentation of the payment API is updated and published.",
            "Is the documentation of the payment API updated?",
        ),
    ],
)
def test_what_came_later_stands_beside_a_prompt_without_what_it_ended(
    brain, say, before, after, prompt
):
    say(0, before)
    assert any(before in line for line in asked(brain, prompt))
    say(1, after)

    lines = asked(brain, prompt)

    assert not any(before in line for line in lines)
    assert any(after.removeprefix("Correction: s") in line for line in lines)


def test_what_is_said_to_the_host_is_told_beside_no_prompt(brain, say):
    say(0, "/compact keep the schema of the payment tables")
    say(1, "The schema of the payment tables has three columns.")

    lines = asked(brain, "What is the schema of the payment tables?")

    assert lines
    assert not any("/compact" in line for line in lines)


DECIDED = "Actually, let's use Redis for the rate limits instead of memory."


def test_a_decision_that_would_correct_a_value_is_kept_where_none_was_known(brain, say):
    say(0, DECIDED)

    assert [one.said.text for one in brain.facts.list(scope=SCOPE)] == [DECIDED]


def test_a_decision_that_corrects_a_value_is_stated_once(brain, say):
    say(0, "The rate limits are kept in memory.")
    say(1, "The rate limits are kept in Redis instead of memory.")

    held = [one.said.text for one in brain.facts.list(scope=SCOPE)]
    assert len([one for one in held if "Redis" in one]) <= 1


def test_what_waits_to_be_taken_back_is_one_line_with_the_words_that_take_it_back(brain, say):
    say(0, "Deploys go to Fly.io, region ams.")
    say(1, "We moved the deploy from Fly.io to Hetzner yesterday, Fly was too slow.")

    told = brain.brief(ASKING, scope=SCOPE).text.splitlines()

    (line,) = [one for one in told if "Deploys go to" in one]
    assert "contested: “Deploys go to Fly.io, region ams.”, taken back?" in line
    assert "We moved the deploy from Fly.io to Hetzner yesterday" in line


def test_a_rule_that_waits_to_be_replaced_is_one_line_with_what_would_replace_it(brain, say):
    say(0, "Always measure the water temperature in kelvin.")
    say(1, "No, that was wrong: measure the water temperature in celsius, not in kelvin.")

    told = [one for one in brain.brief(ASKING, scope=SCOPE).text.splitlines() if "kelvin" in one]

    (line,) = [one for one in told if not one.startswith("- 2026-01-02, “No,")]
    assert "contested: “Always measure the water temperature in kelvin.”" in line
    assert "or now “Always measure the water temperature in celsius.”" in line
