"""What holds of retrieval for any input."""

from contextlib import nullcontext
from datetime import UTC, datetime

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from tests.fakes import START, HashingEmbedder
from tilth.core.errors import InvalidInputError
from tilth.core.ids import is_word_for_nothing
from tilth.core.text.tokens import TERM_CHARS_MAX, index_terms, query_terms, stem, words
from tilth.episodes.episode import EpisodeKind, Passage, Place, Role
from tilth.ledger.search import CorpusStats
from tilth.recall.answer import answer
from tilth.recall.lexicon import Lexicon
from tilth.recall.model import RecallOptions
from tilth.recall.order.signals import Candidates
from tilth.recall.packing import SNIPPET_WORDS, packed, snippet
from tilth.recall.question import WORDS_MAX, understand
from tilth.recall.recaller import DEFAULT
from tilth.recall.times import time_ranges

ANYTHING = st.text(st.characters(exclude_categories=()), max_size=400)


@given(ANYTHING)
@example("İ\u0300")
@example("ﷺ\x00\ud800")
def test_terms_hold_letters_and_digits_only_whatever_the_text(text):
    for term in index_terms(text):
        assert term.isalnum()
        assert len(term) <= TERM_CHARS_MAX


# Spaces of every kind, what folding turns into them, and what joins or leans on its neighbours.
SEAMS = " \t\n\x1c\x85\xa0\u2003\u2028\u3000\xb4¨\ufdfa\u0301\u200b\u1161.,'\u2019-_"
JOINED = st.lists(
    st.sampled_from(SEAMS)
    | st.sampled_from(["1,000", "don\u2019t", "İ", "ß", "水喝", "getName"])
    | ANYTHING
).map("".join)


@given(JOINED)
@example("a\xa0\xb4b \u0301c\u20031,000\u3000,000")
@example("x" * 100 + " " + "x" * 100)
def test_the_terms_of_a_text_are_the_stems_of_its_words(text):
    """Terms are remembered by what stands between spaces, words are found in the whole text."""
    assert index_terms(text) == [stem(word) for word in words(text)]


@given(ANYTHING)
def test_a_text_used_as_a_question_looks_for_its_own_terms(text):
    assert set(query_terms(text)) == set(index_terms(text))


@pytest.mark.row("I36")
@given(ANYTHING, st.datetimes(timezones=st.just(UTC)))
@example("in 0001", datetime.min.replace(tzinfo=UTC))
@example("next year, 2 weeks after 9999-12-30", datetime.max.replace(tzinfo=UTC))
@example("9999 years ago, 31 may, since the last 9999 months", datetime.max.replace(tzinfo=UTC))
def test_times_are_read_from_any_string_at_any_moment(text, now):
    for found in time_ranges(text, now):
        assert found.start <= found.end


TIME_WORDS = """
    last next since before after between and 3 2023 may March 5 friday weekend ago weeks year days
    2024-02-29 q3 summer yesterday from to the in a couple of
"""
TIMES = st.lists(st.sampled_from(TIME_WORDS.split()), max_size=12).map(" ".join)


@pytest.mark.row("I36")
@given(TIMES, st.datetimes(timezones=st.just(UTC)))
@example("since the March", datetime(1999, 5, 1, tzinfo=UTC))
def test_words_of_time_in_any_order_are_read(text, now):
    for found in time_ranges(text, now):
        assert found.start <= found.end
        assert found.text in text


@pytest.mark.row("I36")
@given(ANYTHING)
def test_a_question_is_read_from_any_string(text):
    if is_word_for_nothing(text):
        with pytest.raises(InvalidInputError):
            understand(text, START)
        return
    question = understand(text, START)
    assert len(question.words) == len(question.terms) <= WORDS_MAX


@given(ANYTHING, st.lists(st.sampled_from(["kettl", "tea"]), max_size=2))
def test_a_snippet_is_short_and_of_the_text(text, terms):
    cut = snippet(text, terms)

    assert len(cut.split()) <= SNIPPET_WORDS + 2
    assert cut.strip("… ") in text


@given(st.lists(st.integers(0, 50), max_size=20), st.integers(1, 200))
def test_packing_never_exceeds_the_budget_and_keeps_the_best(costs, budget):
    kept = packed(list(range(len(costs))), costs, budget)

    assert sum(costs[item] for item in kept) <= budget
    assert kept == list(range(len(kept)))


WORDS = ["the", "red", "blue", "kettle", "tea", "is", "on", "off", "rain", "ada"]
SAID = st.lists(st.lists(st.sampled_from(WORDS), max_size=9), max_size=12)


@given(SAID, st.sampled_from(["kettle red?", "is the tea on", "rain", "nothing"]))
def test_grouping_keeps_the_set_and_ranking_is_determined(said, asked):
    grouped, again, plain = (
        _answer(said, asked, is_grouped=is_grouped) for is_grouped in (True, True, False)
    )

    assert grouped == again
    assert sorted(grouped) == sorted(plain)


@given(SAID, st.sampled_from([("kettle red?", "kettle"), ("rain", "rain")]))
def test_an_unrelated_episode_never_comes_first_where_another_meets_the_question(said, asked):
    question, word = asked
    told = [*said, [word], ["unrelated"]]

    assert _answer(told, question, is_grouped=False)[0] != len(told) - 1


def _answer(said, asked, *, is_grouped):
    """Return the numbers of the statements in *said*, best first; two make a session."""
    lexicon = Lexicon(HashingEmbedder(), nullcontext())
    places = [
        Place(seq, seq // 2 + 1, seq, seq, EpisodeKind.MESSAGE, Role.USER)
        for seq in range(len(said))
    ]
    if said and said[-1] == ["unrelated"]:
        places[-1] = places[-1]._replace(session_no=99)
    passages = [Passage(place.seq, "", " ".join(said[place.seq])) for place in places]
    known = lexicon.readings("store", [place.seq for place in places], lambda _: passages)
    none = np.full(len(places), np.nan, np.float32)
    found = answer(
        understand(asked, START),
        Candidates(places, [known[place.seq] for place in places], none, none),
        CorpusStats(100, 5.0, {"kettl": 3}),
        lexicon,
        DEFAULT,
        RecallOptions(limit=50, is_grouped=is_grouped),
    )
    return [one.at for one in found.chosen]
