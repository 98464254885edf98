"""Snippets and budgets."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tilth.recall.packing import SNIPPET_WORDS, beginning, packed, snippet, token_estimate


@pytest.mark.row("OB-064")
def test_a_snippet_is_the_forty_words_where_most_of_the_question_stands():
    text = "blah " * 200 + "the kettle boils water quickly " + "blah " * 200

    cut = snippet(text, ["kettl", "water"])

    assert "kettle boils water" in cut
    assert len(cut.split()) == SNIPPET_WORDS + 2  # the dots at both ends
    assert cut.startswith("… ")
    assert cut.endswith(" …")


def test_a_short_text_is_its_own_snippet():
    assert snippet(" the kettle is on ", ["kettl"]) == "the kettle is on"


def test_packing_ends_at_the_first_hit_without_room():
    assert packed("abc", [2, 9, 1], 5) == ["a"]


def test_no_budget_keeps_all():
    assert packed("abc", [2, 9, 1], 0) == ["a", "b", "c"]


def test_four_characters_are_a_token():
    assert [token_estimate("x" * size) for size in (0, 1, 4, 5)] == [0, 1, 1, 2]


def test_letters_of_other_alphabets_are_two_a_token_and_of_chinese_japanese_and_korean_one():
    assert token_estimate("“four” … characters") == token_estimate("'four' . characters")
    assert token_estimate("память") == 3
    assert [token_estimate(word) for word in ("数据库", "データ", "기억", "数据 ok")] == [
        3,
        3,
        2,
        3,
    ]


@given(st.text(alphabet="ab я数기", max_size=200), st.integers(0, 60))
def test_the_beginning_of_a_text_fits_and_leaves_out_no_more_than_it_must(text, tokens):
    kept = beginning(text, tokens)

    assert text.startswith(kept)
    assert token_estimate(kept) <= tokens
    assert kept == text or token_estimate(text[: len(kept) + 8]) > tokens
