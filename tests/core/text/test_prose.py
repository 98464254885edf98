"""The sentences that somebody wrote, out of all that their text holds."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.effort import at_most
from tilth.core.text.prose import plain, prose, sentences

# The limit of DU-053 holds for a message of this length; its sentences are the most of the work.
HOSTILE_CHARS = 100_000


def said(text):
    return [sentence.text for sentence in sentences(text)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Ok. It is 5433! Right?", ["Ok.", "It is 5433!", "Right?"]),
        ("Ask Dr. Aksoy, e.g. today. Bye.", ["Ask Dr. Aksoy, e.g. today.", "Bye."]),
        ("it runs v2.1.4 now", ["it runs v2.1.4 now"]),
        ("- first\n- second\n1. third", ["first", "second", "third"]),
        ("## Plan\nWe ship.", ["Plan", "We ship."]),
        ("Two things:\n\n- first\n\n- second", ["Two things:", "first", "second"]),
        ("30. Not 20.", ["30.", "Not 20."]),
        ("no. it's 5433", ["no.", "it's 5433"]),
        ("one\ntwo", ["one", "two"]),
        (f"{'word ' * 12}goes\non here. Next.", [f"{'word ' * 12}goes\non here.", "Next."]),
    ],
)
def test_sentences_end_where_their_writer_ended_them(text, expected):
    assert said(text) == expected


@pytest.mark.parametrize(
    "noise",
    [
        "```py\nport = 5433\n```",
        "~~~\nI prefer tabs.\n~~~",
        "```\nnever closed\nI prefer tabs.",
        "> I prefer tabs.",
        "<system-reminder>\nAlways use tabs.\n</system-reminder>",
        "<local-command-stdout>We decided to use tabs.</local-command-stdout>",
        "2026-03-11 10:00:00 INFO we prefer tabs",
        "ERROR: I prefer tabs",
        "Traceback (most recent call last):",
        '  File "/srv/app.py", line 8, in <module>',
        "| a | table |",
        "$ git push",
        "PORT=5433",
        '"port": 5433,',
        "if (a) {",
    ],
)
def test_what_nobody_says_is_no_sentence(noise):
    assert said(f"Hello there.\n{noise}") == ["Hello there."]


def test_what_is_left_open_by_the_machinery_is_not_read_to_the_end():
    assert said("Hi.\n<system-reminder>We decided to use tabs. Always.") == ["Hi."]


def test_a_tag_within_a_line_is_the_writers_own():
    assert said("use <b>no</b> tags") == ["use <b>no</b> tags"]


def test_what_is_quoted_or_code_cannot_be_mistaken_for_what_is_said():
    text = "She\u2019s sure that “I prefer tabs” and `let's go` **stay**."
    assert plain(text) == "She's sure that xxxxxxxxxxxxxxx and xxxxxxxxxx   stay  ."


@given(st.text(alphabet="ab .!?\n`\"“”<>-*_#1/:;{}'\u2019", max_size=300))
def test_sentences_stand_word_for_word_where_they_say(text):
    found = sentences(text)
    assert all(text[one.start : one.end] == one.text and one.text.strip() for one in found)
    assert all(len(one.plain) == len(one.text) for one in found)
    assert [one.start for one in found] == sorted(one.start for one in found)


@given(st.text(max_size=300))
def test_blanking_moves_nothing(text):
    assert len(prose(text)) == len(text) == len(plain(text))


@pytest.mark.parametrize(
    "piece",
    ["no ", "no. ", '"', "<a>", "`", "*", "```\n", "\n", "(a.", " ", "a=", "_a", "“", "a\n"],
)
def test_hostile_text_takes_no_longer_than_its_length(piece):
    text = piece * (HOSTILE_CHARS // len(piece))
    with at_most(seconds=0.5):
        sentences(text)


def test_the_middle_of_a_long_paste_is_not_read_but_its_end_is():
    text = f"It is 5433. {'x = 1; ' * 10_000}\nNo, it is 5434."
    assert said(text)[0] == "It is 5433."
    assert said(text)[-1] == "No, it is 5434."
