"""What a person tells again in another session is borne out; what is only repeated is not."""

from datetime import timedelta

import pytest

from tests.brains import a_brain
from tests.fakes import START, FixedClock
from tilth.context.model import BriefRequest
from tilth.core.actor import HOOKS, Actor, ActorKind
from tilth.episodes.episode import Role
from tilth.knowledge.facts.life import Grade

WORK = "project:acme/api"
PLAIN = "The `orders` table of our shop is only written by the importer, not by the API."
AGAIN = "So the `orders` table of our shop is only written by our importer, not by the API."


@pytest.fixture
def brain(whole_store):
    # As the worker records what hooks captured.
    return a_brain(whole_store, FixedClock(START + timedelta(days=9)), by=HOOKS)


def say(brain, text, session, day, **how):
    at = START + timedelta(days=day)
    return brain.remember(text, session_id=session, at=at, scope=WORK, **how)


def told(brain):
    brain.distil(is_asked=True)
    return brain.facts.list(scope=WORK)


@pytest.mark.parametrize("is_at_once", [False, True])
def test_what_two_sessions_tell_by_themselves_is_corroborated_and_told(brain, is_at_once):
    ids = {say(brain, PLAIN, "s1", 1)}
    assert is_at_once or told(brain) == []

    ids.add(say(brain, AGAIN, "s2", 2))

    facts = told(brain)
    assert {one.grade for one in facts} == {Grade.CORROBORATED}
    assert {of.episode_id for one in facts for of in one.evidence} == ids
    assert any("only written by our importer" in one.said.text for one in facts)
    assert "only written by our importer" in brain.brief(BriefRequest(), scope=WORK).text
    assert told(brain) == facts


@pytest.mark.parametrize(
    ("text", "session", "day", "how"),
    [
        (AGAIN, "s1", 2, {}),
        (AGAIN, "s1/agent-7", 2, {}),
        (AGAIN, "s2", 1, {}),
        (AGAIN, "s2", 2, {"role": Role.ASSISTANT}),
        (PLAIN, "s2", 2, {}),
        (AGAIN.replace("only written", "written"), "s2", 2, {}),
        (AGAIN.replace("orders", "carts"), "s2", 2, {}),
        (f"```\n{AGAIN}\n```", "s2", 2, {}),
    ],
    ids=[
        "same session",
        "its subagent",
        "a copy of a fork",
        "an agent",
        "a copy",
        "another statement",
        "another thing",
        "a paste",
    ],
)
@pytest.mark.on_sqlite(but=1)
def test_what_is_only_repeated_bears_nothing_out(brain, text, session, day, how):
    say(brain, PLAIN, "s1", 1)
    say(brain, text, session, day, **how)

    assert told(brain) == []


def forked(brain, *later):
    """Begin `s1`, and `s2` as an older host forks it: with its first lines, and no word of that."""
    for session in ("s1", "s2"):
        say(brain, "Please look at the shop and its importer.", session, 1)
        say(brain, PLAIN, session, 1 + 1 / 24)
    for number, text in enumerate(later, start=2):
        say(brain, text, "s2", number)


@pytest.mark.row("I24")
@pytest.mark.parametrize("is_at_once", [False, True])
def test_what_a_fork_goes_on_to_say_bears_nothing_out(brain, is_at_once):
    forked(brain)
    assert is_at_once or told(brain) == []
    say(brain, AGAIN, "s2", 2)

    assert told(brain) == []

    say(brain, AGAIN, "s3", 3)

    assert {one.grade for one in told(brain)} == {Grade.CORROBORATED}


@pytest.mark.row("I24")
def test_the_lines_that_a_fork_copied_are_no_further_evidence(brain):
    rule = "From now on, never write to the `orders` table without asking me."
    for session in ("s1", "s2", "s4"):
        say(brain, "Please look at the shop and its importer.", session, 1)
        say(brain, rule, session, 1 + 1 / 24)
        assert [len(one.evidence) for one in told(brain)] == [1]

    say(brain, rule, "s3", 3)

    assert [len(one.evidence) for one in told(brain)] == [2]


@pytest.mark.row("I24")
def test_what_is_asked_for_in_forks_of_one_session_is_no_habit(brain):
    order = "commit, push and open a draft PR"
    for day, session in enumerate(("s1", "s2", "s3", "s4")):
        say(brain, "Please look at the shop and its importer.", session, 1)
        say(brain, order, session, 2 + day)

    assert told(brain) == []


def test_what_a_program_hands_over_bears_nothing_out(brain, whole_store):
    say(brain, PLAIN, "s1", 1)
    passing = a_brain(whole_store, brain.parts.clock, by=Actor("bot", ActorKind.AGENT))
    say(passing, AGAIN, "s2", 2)

    assert all("importer" not in one.said.text for one in told(brain))
