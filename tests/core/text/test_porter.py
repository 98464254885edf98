"""Stems, beside those of the people who keep the algorithm."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from snowballstemmer import stemmer

from tilth.core.text.porter import porter

ENDINGS = """
    sses ies ss s eed ed ing ated bled ized tional enci anci abli entli eli izer ization ational
    ation ator alli alism aliti fulness ousli ousness iveness iviti biliti alize icate iciti ical
    ative ful ness al ance ence er ic able ible ant ement ment ent ou ism ate iti ous ive ize sion
    tion ion e l ll y yy ay
"""
STARTS = st.text("aeiouybcdfghlmnprstwxz", max_size=7)
WORDS = st.builds(
    lambda start, ends: f"{start}{''.join(ends)}"[:30],
    STARTS,
    st.lists(st.sampled_from(ENDINGS.split()), max_size=3),
).filter(lambda word: len(word) > 2)


@pytest.mark.parametrize(
    ("word", "stem"),
    [
        ("caresses", "caress"),
        ("ponies", "poni"),
        ("agreed", "agre"),
        ("plastered", "plaster"),
        ("hopping", "hop"),
        ("filing", "file"),
        ("failing", "fail"),
        ("happy", "happi"),
        ("sky", "sky"),
        ("relational", "relat"),
        ("adoption", "adopt"),
        ("controll", "control"),
        ("generalizations", "gener"),
    ],
)
def test_a_word_loses_its_endings(word, stem):
    assert porter(word) == stem


@pytest.mark.parametrize("ending", ENDINGS.split())
def test_each_ending_is_lost_as_the_reference_says(ending):
    starts = ("tr", "fal", "sens", "gener", "adjust", "hop", "yl", "posit", "controll", "oscill")
    for word in (f"{start}{ending}{more}" for start in starts for more in ("", "s", "ly", "ed")):
        assert porter(word) == stemmer("porter").stemWord(word)


@given(WORDS)
def test_every_stem_is_that_of_the_reference(word):
    assert porter(word) == stemmer("porter").stemWord(word)
