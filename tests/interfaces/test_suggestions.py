import pytest
from hypothesis import given
from hypothesis import strategies as st

from tilth.interfaces.suggestions import SCORE_MAX, questions_on, showing_score

LEDGER = "We chose PostgreSQL for the ledger: row-level security settles it."


def first(statement):
    return next(questions_on(statement), "")


@pytest.mark.parametrize(
    ("statement", "question"),
    [
        (LEDGER, "What did we choose for the ledger?"),
        ("Caddy instead of nginx terminates TLS.", "What do we use instead of nginx?"),
        ("Decision: a restore drill on the first Monday.",
         "What did we decide about the restore drill?"),
        ("Let's go with the factory approach.", "What did we decide about the factory approach?"),
        ("Asked “Where does the diagram go?”, the user chose docs/", "Where does the diagram go?"),
        ("Do not run the CI on Fridays.", "What did we decide about the CI?"),
        ("I don't think we need push_policy.", "What did we decide about push_policy?"),
        ("We should call ours max_concurrency.", "What did we decide about max_concurrency?"),
        ("Let a port be specified via cli or env.", "What did we decide about the port?"),
        ("Structure the example better in Phoenix.", "What did we decide about the example?"),
    ],
)  # fmt: skip
def test_a_question_is_made_of_one_stretch_of_what_was_said(statement, question):
    assert first(statement) == question


def test_what_was_not_decided_is_asked_about_in_other_words():
    asked = next(questions_on("There are still the old codes.", is_decision=False))

    assert asked == "What did we say about the old codes?"


@pytest.mark.parametrize("statement", ["", "yes please", "Compare.", "Do it as we did before."])
def test_where_nothing_is_named_nothing_is_asked(statement):
    assert first(statement) == ""


@given(st.text())
def test_a_question_holds_no_word_that_was_not_said(statement):
    frame = "What did we choose for use instead of decide about do we the"
    for question in questions_on(statement):
        for word in question.removesuffix("?").split():
            assert word in statement or word in frame


@pytest.mark.parametrize("statement", [LEDGER, "We don't need Phoenix for the traces any more."])
def test_what_was_laid_down_shows_best_what_is_remembered(statement):
    assert showing_score(statement) == SCORE_MAX


@pytest.mark.parametrize(
    ("statement", "worth"),
    [
        ("Should we use PostgreSQL for the ledger then?", 0),
        ("Does the user need to run the dashboard locally", 0),
        ("Use it.", 0),
        ("Create a commit message for the new documentation file.", 1),
        ("Let's go with the option that you named above.", 2),
        ("Asked “Where does the diagram go?”, the user chose docs/", 2),
        ("The gate crew scans the tickets at Skarvøy pier.", 2),
    ],
)
def test_what_was_a_question_a_chore_or_points_elsewhere_shows_less(statement, worth):
    assert showing_score(statement) == worth
