"""What a person asks for in session after session is known; what was asked for once is spent."""

from datetime import timedelta

import pytest

from tests.brains import a_brain
from tests.fakes import START
from tilth.context.model import BriefRequest
from tilth.context.notes import NOTES_ENOUGH
from tilth.core.actor import HOOKS, Actor, ActorKind
from tilth.core.lifecycle import Lifecycle
from tilth.knowledge.facts.life import Grade
from tilth.learning.habits import Request, habits

WORK = "project:acme/api"
PUSHED = (
    "commit this, then push and open a draft PR",
    "please commit, push and open a draft PR",
    "commit, push, open the draft PR",
)


@pytest.fixture
def hooked(store, place):
    return a_brain(store, place.clock, by=HOOKS)


def ask(brain, text, session, scope=WORK, day=None):
    """Say it in a session; each session is of a day of its own, if none is given."""
    day = int(session.removeprefix("s")) if day is None else day
    at = START - timedelta(days=9 - day)
    return brain.remember(text, session_id=session, at=at, scope=scope)


def told(brain, **which):
    return [(fact.said.text, len(fact.evidence)) for fact in brain.facts.list(scope=WORK, **which)]


@pytest.mark.row("KB-006")
def test_what_three_sessions_ask_for_is_one_fact_that_rests_on_all(hooked):
    for number, text in enumerate(PUSHED):
        ask(hooked, text, f"s{number}")

    hooked.distil()

    (fact,) = hooked.facts.list(scope=WORK)
    assert fact.said.text in PUSHED
    assert fact.grade is Grade.KNOWN
    assert len(fact.evidence) == 3
    brief = hooked.brief(BriefRequest(via="test"), scope=WORK).text
    assert "in 3 sessions: “" in brief


def test_what_a_person_turns_down_again_and_again_opens_sessions_beside_notes(hooked, brain):
    bans = [
        "do not add fixtures, ignore them",
        "don't edit the fixtures",
        "do not touch fixtures or add any",
    ]
    for number, (ban, push) in enumerate(zip(bans, PUSHED, strict=True)):
        ask(hooked, ban, f"s{number}")
        ask(hooked, push, f"s{number}")
    for number in range(NOTES_ENOUGH):
        text = f"Shelf {number} stands in room {number} since its door is {number} feet wide."
        brain.remember(text, kind="note", role="assistant", scope=WORK)

    hooked.distil()

    brief = hooked.brief(BriefRequest(via="test"), scope=WORK).text
    assert brief.count("in 3 sessions: “") == 1
    assert "fixtures" in brief


def test_what_a_person_wants_left_alone_in_any_words_is_a_habit(hooked):
    bans = [
        "Keep your hands off test/golden.",
        "test/golden stays as it is.",
        "Leave golden alone.",
    ]
    for number, ban in enumerate(bans):
        ask(hooked, f"The print of page {number * 'x'}y is skewed. {ban}", f"s{number}")

    hooked.distil()

    assert [count for text, count in told(hooked) if "golden" in text] == [3]


def test_what_is_to_be_left_alone_is_another_thing_each_time(hooked):
    for number, thing in enumerate(["fixtures", "docs", "icons"]):
        ask(hooked, f"Leave the {thing} alone.", f"s{number}")

    hooked.distil()

    assert all(count == 1 for _, count in told(hooked))


def test_what_one_session_repeats_or_two_ask_of_other_things_is_no_habit(hooked):
    for text in PUSHED:
        ask(hooked, text, "s1")
    ask(hooked, "rename the orders table of the shop", "s2")
    ask(hooked, "open the settings page and add a button", "s3")

    hooked.distil()

    assert told(hooked) == []


@pytest.mark.row("KB-114", "KB-125")
@pytest.mark.parametrize(
    "words",
    [
        "don't mention the Quokka rollout of billing in the wiki",
        "push the billing image with AKIA" + "Q7RZK3M2W5X9T4BN as login",
    ],
)
def test_what_is_meant_for_the_memory_or_held_a_secret_is_no_habit_however_often(hooked, words):
    for number in range(4):
        ask(hooked, words, f"s{number}")

    hooked.distil()

    assert told(hooked) == []


@pytest.mark.parametrize("days", [(0, 0, 0), (0, 1)], ids=["one day", "two sessions"])
def test_what_is_asked_for_on_one_day_or_twice_is_a_topic_and_no_habit(hooked, days):
    for number, (text, day) in enumerate(zip(PUSHED, days, strict=False)):
        ask(hooked, text, f"s{number}", day=day)

    hooked.distil()

    assert told(hooked) == []


def test_an_order_that_names_one_task_or_issue_is_no_habit(hooked):
    for number, form in enumerate(("continue work on", "go on with the work on", "work on")):
        ask(hooked, f"{form} task 011 of the importer, please", f"s{number}")
        ask(hooked, f"{form} the flaky exporter of ticket #42", f"s{number}")

    hooked.distil()

    assert told(hooked) == []


def test_that_tests_pass_again_and_again_is_no_habit(hooked):
    for number, text in enumerate(("17/65 tests now pass!", "All tests pass, great!") * 2):
        ask(hooked, text, f"s{number}")

    hooked.distil()

    assert told(hooked) == []


def test_a_measure_that_three_sessions_take_is_told_and_one_of_everyday_is_not(hooked):
    for number, text in enumerate(
        ("That doesn't seem so DRY.", "In what world is it still DRY?", "Not very DRY, is it?")
    ):
        ask(hooked, text, f"s{number}")
    for number, text in enumerate(("I'm not sure.", "Still not sure?", "Not so sure either.")):
        ask(hooked, text, f"s{number}")

    hooked.distil()

    ((text, count),) = told(hooked)
    assert "DRY" in text
    assert count == 3


def test_what_three_sessions_want_left_alone_is_told_whatever_is_not_to_be_done_to_it(hooked):
    for number, text in enumerate(
        ("do not reset seeds", "Do not edit seeds and don't run them.", "skip adding seeds for now")
    ):
        ask(hooked, text, f"s{number}")
    for number, text in enumerate(
        ("don't worry about the badge", "do not forget the badge", "I don't know the badge")
    ):
        ask(hooked, text, f"s{number}")

    hooked.distil()

    ((text, count),) = told(hooked)
    assert "seeds" in text
    assert count == 3


def test_a_habit_is_told_in_words_that_name_no_file_of_one_session(hooked):
    for number, text in enumerate(
        ("format overview.md in markdown", "format this report in markdown", "format in markdown")
    ):
        ask(hooked, text, f"s{number}")

    hooked.distil()

    ((text, _),) = told(hooked)
    assert "overview" not in text


def test_a_habit_is_told_in_words_that_point_at_nothing(hooked):
    for number, text in enumerate((PUSHED[0], PUSHED[2], PUSHED[0])):
        ask(hooked, text, f"s{number}")

    hooked.distil()

    assert told(hooked) == [(PUSHED[2], 3)]


def test_what_names_its_thing_is_told_though_it_says_this_or_these(hooked):
    often = "please create a commit message for these changes"
    once = "please create a commit message for the consolidated documentation chapter"
    for number, text in enumerate((often, once, often, often)):
        ask(hooked, text, f"s{number}")

    hooked.distil()

    assert told(hooked) == [(often, 4)]


def test_a_long_order_word_for_word_is_a_copy_of_a_template(hooked):
    order = "summarise the open tickets of the week, group them by team and mail the table to me"
    for number in range(4):
        ask(hooked, order, f"s{number}")

    hooked.distil()

    assert told(hooked) == []


def test_one_more_session_adds_evidence_and_the_same_ones_add_nothing(hooked):
    for number, text in enumerate(PUSHED):
        ask(hooked, text, f"s{number}")
    hooked.distil()
    ((text, _),) = told(hooked)

    ask(hooked, "commit and push it, and open a draft PR", "s3")
    hooked.distil()
    ask(hooked, "what does the importer write?", "s4")
    hooked.distil()

    assert told(hooked) == [(text, 4)]


def test_a_habit_that_a_person_took_back_does_not_come_again(hooked, store, place):
    for number, text in enumerate(PUSHED):
        ask(hooked, text, f"s{number}")
    hooked.distil()
    (fact,) = hooked.facts.list(scope=WORK)
    a_brain(store, place.clock, by=Actor("ada", ActorKind.HUMAN)).facts.retire(
        fact.id, reason="not any more"
    )

    ask(hooked, "commit and push it, and open a draft PR", "s3")
    hooked.distil()

    current = {Lifecycle.CURRENT}
    assert [one for one in hooked.facts.list(scope=WORK) if one.life.lifecycle in current] == []


def test_what_is_of_no_project_recurs_nowhere(hooked):
    for number, text in enumerate(PUSHED):
        ask(hooked, text, f"s{number}", scope="global")

    hooked.distil()

    assert hooked.facts.list() == []


def test_a_path_that_two_sessions_name_is_a_topic_and_no_habit():
    def asked(session, text, terms):
        return Request(session, None, text, frozenset(terms), START)

    said = [
        asked("s1", "a", {"`srcapipy", "`srcdbpy", "look"}),
        asked("s2", "b", {"`srcapipy", "`srcdbpy", "review"}),
        asked("s3", "c", {"`srcapipy", "`srcdbpy", "shorten"}),
    ]

    assert habits(said) == []


@pytest.mark.row("I22")
def test_what_a_program_hands_over_in_the_role_of_a_user_is_no_habit(brain):
    for number, text in enumerate(PUSHED):
        ask(brain, text, f"s{number}")

    brain.distil()

    assert brain.facts.list(scope=WORK) == []
