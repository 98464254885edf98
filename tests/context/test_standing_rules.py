"""A rule that a person typed stands until a person ends it."""

from contextlib import suppress
from datetime import timedelta

import pytest

from tests.conftest import a_draft
from tests.fakes import START
from tilth.context.model import Block, BriefRequest
from tilth.core.errors import ForbiddenError
from tilth.core.ids import SessionId
from tilth.core.scope import Scope

WORK = Scope("project:acme/api")
RULE = "From now on, write the tests first."
OPENING = BriefRequest(session_id=SessionId("claude-code:new"), via="claude-code/SessionStart")


def said(text, *, session, days=0):
    at = START + timedelta(days=days)
    return a_draft(text, session_id=SessionId(f"claude-code:{session}"), scope=WORK, occurred_at=at)


def rules(brain):
    blocks = brain.brief(OPENING, scope=WORK).blocks
    return [item.text for block in blocks if block.kind is Block.RULES for item in block.items]


@pytest.fixture
def ruled(captured):
    captured.remember_many([said(f"Fix the login bug. {RULE}", session="first")])
    captured.distil(is_asked=True)
    return captured


@pytest.mark.row("XR-01")
def test_a_rule_stays_however_many_sessions_follow(ruled, place):
    for number in range(40):
        text = f"Look at file {number}. We use Redis {number} for the queue."
        ruled.remember_many([said(text, session=f"s{number}", days=number)])
    place.clock.at += timedelta(days=300)
    ruled.distil(is_asked=True)
    ruled.archive()

    assert [RULE in one for one in rules(ruled)].count(True) == 1


@pytest.mark.row("XR-01", "I23")
@pytest.mark.parametrize("verb", ["retire", "archive"])
def test_only_a_person_ends_it(ruled, agent, human, verb):
    (rule,) = (one for one in agent.facts.list(scope=WORK) if one.said.text == RULE)
    reason = {"reason": "the tests are written by others now"} if verb == "retire" else {}

    # An agent's wish to retire it waits for a person; the others are refused.
    with suppress(ForbiddenError):
        getattr(agent.facts, verb)(rule.id, **reason)
    assert rules(agent)

    getattr(human.facts, verb)(rule.id, **reason)
    assert not rules(agent)
