"""What somebody says was replaced is not told as holding any more."""

import json

import pytest

import tilth_spool
from prove.attacks.ways import AT_NS
from tilth.agents.capture import items_of
from tilth.agents.spool import SpoolFolder
from tilth.context.model import BriefRequest
from tilth.core.ids import SessionId
from tilth.core.scope import Scope
from tilth.interfaces.plain import plain

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
        brain.ingest(SpoolFolder(tmp_path / "spool"), items_of)
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
def test_what_was_replaced_is_contested_and_no_brief_tells_it_as_holding(brain, say, text):
    say(0, BEFORE)
    (fact,) = brain.facts.list(scope=SCOPE)
    assert not fact.is_contested
    say(1, text)
    assert brain.facts.get(fact.id).is_contested
    assert text in json.dumps(plain(brain.review.list()))
    lines = brain.brief(ASKING, scope=SCOPE).text.splitlines()
    assert all("removal waits" in line for line in lines if BEFORE in line)


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
def test_what_was_not_replaced_stays(brain, say, text):
    say(0, BEFORE)
    say(1, text)
    fact = next(one for one in brain.facts.list(scope=SCOPE) if one.said.text == BEFORE)
    assert not fact.is_contested
