"""Whether two wants are one."""

import pytest

from tilth.gaps.gap_matching import Likeness, compare, read_want


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
