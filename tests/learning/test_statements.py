"""Whole sentences that a person typed, and how far they may be relied on."""

import pytest

from tests.brains import a_brain
from tests.learning.turns import an_episode
from tests.learning.voices import a_turn
from tilth.core.actor import Actor, ActorKind
from tilth.episodes.episode import Role
from tilth.knowledge.facts.life import Grade
from tilth.learning.candidate import StatementKind, Turn
from tilth.learning.statements import statements

WORK = "project:acme/api"


def kinds(text, **about):
    return [one.kind for one in statements(a_turn(text, **about))]


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("From now on, write the tests first.", StatementKind.RULE),
        ("We don't want a separate debug.go file in the providers.", StatementKind.PREFERENCE),
        ("Let's go with the factory approach for `color-system.js`.", StatementKind.DECISION),
        ("I used --no-verify, I will have to fix that at some point.", StatementKind.DEFERRAL),
        ("No man, we already extract path hints for `shell` tools.", StatementKind.CORRECTION),
    ],
)
def test_a_sentence_has_the_kind_of_its_form(text, kind):
    assert kinds(text) == [kind]


@pytest.mark.parametrize(
    "text",
    [
        "Should we always use `fsnotify` for the watchers of providers?",
        "commit this and push it",
        "I like option 1 and not the others.",
        "This should never be a problem of ours.",
        "If we use `go.work` then we never need the replace directive.",
        "```\nWe never use polling in the watchers of providers.\n```",
    ],
)
def test_what_asks_orders_leans_supposes_or_is_quoted_states_nothing(text):
    assert kinds(text) == []


def test_what_an_agent_reports_states_nothing_by_itself():
    assert kinds("We never use polling in the watchers.", role=Role.ASSISTANT) == []


def test_what_is_typed_right_after_the_agent_was_stopped_corrects():
    turn = Turn(an_episode("The watchers use `fsnotify` in our repository."), is_after_stop=True)

    assert [one.kind for one in statements(turn)] == [StatementKind.CORRECTION]


PLAIN = "The `orders` table of our shop is only written by the importer, not by the API."


def test_what_only_tells_how_something_is_counts_once_a_test_bore_it_out(captured):
    captured.remember(PLAIN, session_id="s1", scope=WORK)
    captured.remember(PLAIN.replace("orders", "carts"), session_id="s2", scope=WORK)
    call = 'Bash: {"command": "pytest"}'
    captured.remember(call, session_id="s2", scope=WORK, role="assistant", kind="tool_call")
    captured.remember("9 passed", session_id="s2", scope=WORK, role="tool", kind="tool_result")

    captured.distil()

    (fact,) = captured.facts.list(scope=WORK)
    assert "carts" in fact.said.text
    assert fact.grade is Grade.CORROBORATED


def test_a_rule_that_a_person_typed_is_known_and_one_that_was_handed_over_is_told_as_that(
    captured, brain
):
    captured.remember("Always write a test first.", session_id="s1", scope=WORK)
    brain.remember("Always deploy on Fridays.", session_id="s2", scope=WORK)

    captured.distil()

    facts = {fact.said.text: fact for fact in captured.facts.list(scope=WORK)}
    assert {fact.grade for fact in facts.values()} == {Grade.KNOWN}
    assert "came_by" not in facts["Always write a test first."].metadata
    assert facts["Always deploy on Fridays."].metadata["came_by"] == "passed"


def test_nobody_but_a_job_of_ours_says_how_far_a_fact_may_be_relied_on(brain):
    told = brain.facts.add("The api is down.", about=["api"], metadata={"grade": "known"})

    assert told.fact.grade is Grade.CANDIDATE


def test_what_a_person_states_as_a_fact_is_known(store, place):
    human = a_brain(store, place.clock, by=Actor("ada", ActorKind.HUMAN))
    told = human.facts.add("The api is up.", about=["api"])

    assert told.fact.grade is Grade.KNOWN
