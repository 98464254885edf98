"""Words, terms, stems."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bench.texts import corpus, evaluation_data
from tilth.core.text.tokens import (
    TERM_CHARS_MAX,
    _Runs,
    index_terms,
    query_terms,
    runs,
    stem,
    words,
    words_of_run,
)

ANY_TEXT = st.text(st.characters(exclude_categories=()))  # lone surrogates included
# What joins parts of a word, or parts words, and what folding takes apart.
SEAMS = st.text("aZ1 .,'-_/(\n\x1f\u2019\u0301\u200b\u00a8\u3382\u0130\u6c34<")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("I was née in São Paulo", ["nee", "sao", "paulo"]),
        ("Søren's Straße", ["soren", "strasse"]),
        ("ﬁne ²", ["fine", "2"]),
        ("getUserName", ["get", "user", "name", "getusername"]),
        ("a user_id", ["user", "id", "userid"]),
        ("src/tilth/config.yaml", ["src", "tilth", "config", "yaml", "configyaml"]),
        ("gpt-4 and GPT4", ["gpt", "4", "gpt4", "gpt", "4", "gpt4"]),
        ("1.12 is not 112", ["1", "12", "1x12", "112"]),
        ("1,000 dollars", ["1000", "dollars"]),
        ("don't, I'll say it's O\u2019Neil\u2019s", ["say", "o", "neil", "oneil"]),
        ("我喜欢喝水", ["我喜", "喜欢", "欢喝", "喝水"]),
        ("水", ["水"]),
        ("", []),
        ("\x00 \ud800 '' __", []),
    ],
)
def test_words_are_folded_and_compounds_taken_apart(text, expected):
    assert expected == words(text)


def test_terms_are_porter_stems_without_stop_words():
    assert index_terms("The cats were running") == ["cat", "run"]


def test_a_question_looks_for_each_term_once():
    assert query_terms("cats, dogs, a cat?") == ["cat", "dog"]


def test_the_speaker_of_a_document_is_found_like_any_word():
    assert "carolin" in index_terms("Caroline: I am back")


def test_a_blob_is_found_by_its_start():
    (term,) = index_terms("f" * 500)

    assert len(term) == TERM_CHARS_MAX


@given(ANY_TEXT | SEAMS)
def test_no_word_reaches_across_two_runs_of_a_text(text):
    assert words(text) == [word for run in runs(text) for word in words_of_run(run)]


def test_a_run_is_what_no_mark_parts():
    said = 'He said: "it\'s in (src/user_id.py), 1,000 times; v1.2-rc!"'

    assert runs(said) == [
        *("He", "said", "it's", "in", "src", "user_id.py", ",", "1,000", "times", "v1.2-rc"),
    ]


def test_terms_that_are_remembered_make_room_for_others():
    remembered = _Runs(index_terms, room=2)

    for run in ("red", "kettles", "blue", "long" * 50, "red"):
        assert remembered[run] == tuple(stem(word) for word in words(run))
        assert len(remembered) <= 2


def test_the_terms_of_what_people_and_agents_say_are_the_stems_of_their_words():
    if not evaluation_data().exists():
        pytest.skip("the evaluation data is not here")
    said = corpus(evaluation_data())

    for text in (*said.short, *said.long, *said.questions):
        assert index_terms(text) == [stem(word) for word in words(text)]
