import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.effort import at_most
from tilth.privacy.terminal_text import inert, one_line, without_ansi_codes

ACTIVE = {"Cc", "Cf", "Zl", "Zp", "Cs"}


@pytest.mark.row("I35")
@pytest.mark.parametrize(
    ("hostile", "shown"),
    [
        ("\x1b[31mred\x1b[0m", r"\x1b[31mred\x1b[0m"),
        ("\x1b]52;c;cm0gLXJm\x07", r"\x1b]52;c;cm0gLXJm\x07"),
        ("\x9b2J", r"\x9b2J"),
        ("safe\rgone", r"safe\rgone"),
        ("\u202egnp.exe", r"\u202egnp.exe"),
        ("a\u2028b", r"a\u2028b"),
        ("\U000e0041", r"\U000e0041"),
        ("\ud800", r"\ud800"),
    ],
)
def test_what_a_terminal_would_obey_is_spelled_out(hostile, shown):
    assert inert(hostile) == shown


@pytest.mark.parametrize("text", ["plain", "två\trader\nhär", "👩\u200d🔬", "日本語", ""])
def test_what_only_shows_stays_as_it_is(text):
    assert inert(text) == text


@pytest.mark.row("I35")
@given(st.text(st.characters(exclude_categories=())))
def test_no_text_keeps_anything_active(text):
    left = {char for char in inert(text) if unicodedata.category(char) in ACTIVE}

    assert left <= set("\n\t\u200c\u200d")


@given(st.text(), st.integers(1, 60))
def test_one_line_is_one_line_and_no_longer_than_asked(text, width):
    line = one_line(text, width)

    assert len(line) <= width
    assert "\n" not in line


def test_a_line_that_is_cut_says_so():
    assert one_line("a long  story\nabout tides", 12) == "a long stor…"


@pytest.mark.parametrize(
    ("painted", "plain"),
    [
        ("\x1b[31mred\x1b[0m error", "red error"),
        ("\x1b[1;38;5;196mTypeError\x1b[39;49m: x", "TypeError: x"),
        ("\x1b[2K\x1b[1A\x1b[?25ldone", "done"),
        ("see \x1b]8;;https://a.example/b\x07the page\x1b]8;;\x1b\\.", "see the page."),
        ("\x1b(B\x1b[mplain", "plain"),
        ("matrix[31m]", "matrix[31m]"),
        ("\x1b alone, and \x1b[", "\x1b alone, and \x1b["),
    ],
)
def test_what_only_paints_words_on_a_terminal_is_no_part_of_them(painted, plain):
    assert without_ansi_codes(painted) == plain


@pytest.mark.parametrize("text", ["\x1b[" * 50_000, "\x1b]" * 50_000, "\x1b[" + "1;" * 50_000])
def test_hostile_paint_takes_linear_time(text):
    with at_most(seconds=2):
        without_ansi_codes(text)
