"""Whether two wants are one."""

import pytest

from tests.brains import a_brain
from tests.conftest import a_draft
from tilth.embedding.static import StaticEmbedder
from tilth.episodes.episode import Role
from tilth.gaps.gap_matching import Likeness, compare, read_want
from tilth.knowledge.likeness.synonyms import replace_synonyms


def likeness(one, other, cosine=0.7):
    assert compare(read_want(one), read_want(other), cosine) is compare(
        read_want(other), read_want(one), cosine
    )
    return compare(read_want(one), read_want(other), cosine)


@pytest.mark.row("EM-053")
@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("export my notes as a PDF", "get a pdf of my notes"),
        ("export my notes as a PDF", "EXPORT MY NOTES AS A PDF"),
        ("create Jira tickets", "open a ticket in Jira"),
        ("order tea", "get some tea ordered"),
    ],
)
def test_the_same_things_in_other_words_are_the_same(one, other):
    assert likeness(one, other) is Likeness.SAME


@pytest.mark.row("EM-053")
@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("open port 5432", "open port 5433"),
        ("sync reminders with Slack", "sync reminders with Discord"),
        ("import contacts from CSV", "export contacts as CSV"),
        ("list public notes of Bob", "list private notes of Bob"),
        ("bake bread", "paint walls"),
        ("", ""),
    ],
)
def test_what_differs_in_a_number_a_name_or_its_way_is_another_however_alike(one, other):
    assert likeness(one, other, 1.0) is Likeness.OTHER


@pytest.mark.row("EM-053")
def test_between_them_lies_what_a_human_is_asked_about():
    one, other = "deploy the app to staging", "deploy the app to production"

    assert likeness(one, other, 0.79) is Likeness.NEAR
    assert likeness(one, other, 0.3) is Likeness.OTHER


@pytest.mark.row("EM-053")
def test_four_ordinary_wordings_of_one_wish_are_one_gap_counted_four(store, place):
    brain = a_brain(store, place.clock, second=StaticEmbedder())
    asked = (
        "Can you export the invoices to Excel?",
        "Is there a way to get my invoices as an Excel file?",
        "I wish I could download invoices as xlsx.",
        "It would be great to have the invoices in a spreadsheet.",
    )
    others = ("Can you export the contacts to Excel?", "Can you export the invoices as PDF?")
    for number, text in enumerate((*asked, *others)):
        brain.remember_many(
            [
                a_draft(text, session_id=f"s{number}", speaker="Ada"),
                a_draft("Sorry, I can't do that.", role=Role.ASSISTANT, session_id=f"s{number}"),
            ]
        )
    brain.gaps.scan()

    assert sorted(gap.frequency for gap in brain.gaps.list()) == [1, 1, 4]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("order some tea", "order some coffee"),
        ("show prices in euros", "show prices in GBP"),
        ("export the reports to Excel", "export the invoices to Excel"),
        ("set a recurring reminder", "postpone a reminder until later"),
    ],
)
def test_one_thing_in_the_place_of_another_is_never_the_same(one, other):
    assert likeness(one, other, 0.95) is not Likeness.SAME


@pytest.mark.parametrize(
    ("phrase", "plain"),
    [
        ("put the reminder off", "postpone the reminder"),
        ("roll the release back", "undo the release"),
        ("send a text message", "send a sms"),
        ("show pounds instead of the dollars here", "show pounds   here"),
    ],
)
def test_a_phrase_that_stands_for_one_word_is_that_word(phrase, plain):
    assert replace_synonyms(phrase) == plain
