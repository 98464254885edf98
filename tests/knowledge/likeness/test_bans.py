"""Which texts ban the same, in other words."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tilth.knowledge.likeness.bans import drop_repeated_bans, lifted_by

BAN = "The user wants db/seeds untouched."
SAME = [
    "Never touch the seed files.",
    "Seeds are off limits: leave them as they are.",
    "Don't change the seeds.",
    "The user asked to leave the seeds alone.",
    "Hands off the seeds!",
    "Please keep out of db/seeds.",
    "The seed files must not be edited.",
    "Nobody may modify the seeds.",
    "The user does not want the seeds changed.",
    "db/seeds/ stays as is.",
    "No edits to the seed data, please.",
    "Stay away from the seed folder.",
    "Changing the seeds is forbidden.",
    "The seeds: never touch them.",
    "`db/seeds` — don\u2019t mess with it.",
    "The seeds should stay as they are.",
]
APART = [
    # Another thing, or another deed.
    "Don't change the fixtures.",
    "The user wants web/seeds untouched.",
    "Never touch the seeds of the demo.",
    "Don't run the seeds.",
    "Never delete the seeds.",
    # It says more: why, but for what, until when, what besides.
    "The seeds are off limits, since Mara curates them.",
    "Don't touch the seeds, except those of the demo.",
    "Leave the seeds alone until Monday.",
    "Don't change the seeds without asking.",
    "Leave the seeds and the fixtures alone.",
    # It allows it, takes the ban back, or tells how they are.
    "You may change the seeds of the demo.",
    "The seeds may be changed again.",
    "The seeds are no longer off limits.",
    "Do not leave the seeds untouched.",
    "There is no need to leave the seeds alone.",
    "The ban on the seeds is lifted.",
    "The seeds did not change.",
    "The seeds are unchanged.",
    "The user wants the seeds changed.",
]


_WORDS = """
    the seeds db/seeds don't never touch leave alone off limits may can no longer any more not until
    because is are and must stay as ( ) : ; . , ` ? hands keep out of untouched
"""
TEXTS = st.lists(st.sampled_from(_WORDS.split()), max_size=12).map(" ".join)


def once(*texts, told=()):
    return drop_repeated_bans(texts, str, told=told)


@pytest.mark.parametrize("text", SAME)
def test_what_bans_the_same_in_other_words_is_told_once(text):
    assert once(BAN, text) == [BAN]
    assert once(text, BAN) == [text]
    assert once(text, told=[BAN]) == []


@pytest.mark.parametrize("text", APART)
def test_what_bans_another_thing_or_says_more_stays(text):
    assert text in once(BAN, text)
    assert once(text, told=[BAN]) == [text]


@pytest.mark.parametrize(
    "text",
    ["The seeds are off limits, since Mara curates them.", "Leave seeds and fixtures alone."],
)
def test_of_two_the_one_that_says_more_is_kept(text):
    assert once(BAN, text) == once(text, BAN) == [text]


def test_what_a_newer_ban_leaves_free_is_free_and_what_an_older_one_does_is_not():
    limited = "Don't touch the seeds, except those of the demo."

    assert once(limited, BAN) == [limited]
    assert once(BAN, limited) == [BAN, limited]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Never push to main.", "No pushes to main, please."),
        ("Pushing to main is forbidden.", "The user does not want pushes to main."),
        ("No mocks in the tests.", "Tests must not use mocks."),
    ],
)
def test_a_deed_that_is_banned_in_other_words_is_told_once(one, other):
    assert once(one, other) == [one]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Never copy dev to prod.", "Never copy prod to dev."),
        ("No emoji in the commits.", "Don't use emoji in the docs."),
        ("Never push to main.", "Never force-push to main."),
        ("Don't touch main.", "Don't push to main."),
        ("The worker did not run.", "The worker must not run."),
    ],
)
def test_two_deeds_stand_beside_each_other(one, other):
    assert once(one, other) == [one, other]


@pytest.mark.parametrize(
    ("text", "is_lifted"),
    [
        ("The seeds can be changed again.", True),
        ("Mara moved them, so db/seeds may be edited.", True),
        ("The seeds are no longer off limits.", True),
        ("The ban on the seeds is lifted.", True),
        ("You may change the seeds.", True),
        ("You may change the seeds of the demo.", False),
        ("You may change the seeds if Mara agrees.", False),
        ("You may run the seeds.", False),
        ("Can we change the seeds?", False),
        ("The seeds may not be changed.", False),
        ("Nobody may change the seeds.", False),
        ("We no longer change the seeds.", False),
        ("The seeds were changed again.", False),
        ("The fixtures can be changed again.", False),
    ],
)
def test_a_ban_is_lifted_by_what_allows_all_that_it_bans(text, is_lifted):
    assert lifted_by(text, BAN) is is_lifted
    assert not lifted_by(text, "Leave the seeds and the fixtures alone.")


@pytest.mark.parametrize(
    "text",
    [
        "calib/ comes from the institute and is off limits.",
        "The user does not want the calibration tables (calib/) modified.",
    ],
)
def test_a_path_stands_for_what_it_is_told_behind(text):
    assert lifted_by("calib/ may be edited: the institute handed it over.", text)
    assert not lifted_by("tables/ may be edited.", text)


@given(TEXTS, TEXTS)
def test_any_words_are_read_and_what_is_told_once_is_of_them(one, other):
    assert lifted_by(one, other) in {True, False}
    kept = once(one, other)
    assert kept
    assert set(kept) <= {one, other}
