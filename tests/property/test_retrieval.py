"""What holds of retrieval for any input."""

from hypothesis import example, given
from hypothesis import strategies as st

from tilth.retrieval.tokens import TERM_CHARS_MAX, index_terms, query_terms

ANYTHING = st.text(st.characters(exclude_categories=()), max_size=400)


@given(ANYTHING)
@example("İ\u0300")
@example("ﷺ\x00\ud800")
def test_terms_hold_letters_and_digits_only_whatever_the_text(text):
    for term in index_terms(text):
        assert term.isalnum()
        assert len(term) <= TERM_CHARS_MAX


@given(ANYTHING)
def test_a_text_used_as_a_question_looks_for_its_own_terms(text):
    assert set(query_terms(text)) == set(index_terms(text))
