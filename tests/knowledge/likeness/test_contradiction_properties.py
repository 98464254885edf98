"""What holds of contradictions for any statements."""

from itertools import pairwise

from hypothesis import example, given
from hypothesis import strategies as st

from tilth.knowledge.likeness.amounts import read_amounts
from tilth.knowledge.likeness.contradiction import Near, rank
from tilth.knowledge.likeness.parse_statement import read_statement

ANYTHING = st.text(st.characters(exclude_categories=()), max_size=300)
WORDS = """
    Ana Ben node01 host-a backup port runs on off at is not never no longer enabled disabled 8080
    3.1 two days 02:00 March 2023 5 while but , . only by and the lives Lisbon 水 é
"""
SAID = st.lists(st.sampled_from(WORDS.split()), max_size=14).map(" ".join)
COSINES = st.none() | st.floats(-1, 1)


@given(ANYTHING)
@example("1" * 5000)
@example("9.9.9 GB 99999999999999999999999999 days 31 31 May May 2099")
@example("\ud800 İ' ﷺ\x00 ٣ days ² 5 \u017f, \u017fept 5, 3 m\u0131n")
def test_amounts_are_read_from_any_string_in_order(text):
    found = read_amounts(text)

    assert all(0 <= one.begin < one.end <= len(text) for one in found)
    assert all(one.end <= other.begin for one, other in pairwise(found))


@given(ANYTHING)
def test_a_statement_is_read_from_any_string(text):
    said = read_statement(text)

    assert [t for clause in said.clauses for t in clause.tokens] == list(said.whole.tokens)


@given(ANYTHING | SAID, COSINES)
@example("Ana is up, Ana is down", 1.0)
@example("not hot, hot", 1.0)
@example("use Redis but never use Redis", None)
def test_nothing_contradicts_itself(text, cosine):
    assert rank(text, [Near(text, cosine)], floor=0.0) == []


@given(ANYTHING | SAID, ANYTHING | SAID, COSINES)
@example("on", "off", None)
@example("node01 and at March on host-a but", "but node01 on on Ben March", None)
@example("Ben lives is port 水 . and March", "March . and backup Lisbon 水 at", None)
def test_a_pair_scores_the_same_both_ways(one, other, cosine):
    here, there = (
        [(found.score, found.kind) for found in rank(new, [Near(old, cosine)], floor=0.0)]
        for new, old in ((one, other), (other, one))
    )

    assert here == there


@given(SAID, st.sampled_from(["{}.", "  {} ", "{}!", "\u200b{}"]), COSINES)
def test_another_dress_of_the_same_words_is_no_contradiction(text, dress, cosine):
    assert rank(dress.format(text), [Near(text, cosine)], floor=0.0) == []


@given(SAID, st.lists(SAID, max_size=6), st.floats(0, 1))
def test_every_candidate_comes_once_by_score_and_above_the_floor(text, pool, floor):
    found = rank(text, [Near(near, 0.5) for near in pool], floor=floor)

    assert len({one.index for one in found}) == len(found)
    assert [one.score for one in found] == sorted((one.score for one in found), reverse=True)
    assert all(floor <= one.score <= 1 for one in found)
