"""What is asked."""

import pytest

from tests.fakes import START
from tilth.core.errors import InvalidInputError
from tilth.recall.question import QUESTION_CHARS, reduce_to_question, understand

PROMPT = (
    "You are a helpful assistant. Do you know the rules? Answer briefly, cite nothing.\n"
    "<context>The user works on a kettle.</context>\n"
) * 17
ASKED = "Which database did we choose for the ledger?"


def test_a_short_question_stays_as_it_is():
    assert reduce_to_question(ASKED) == ASKED


@pytest.mark.row("MP-05")
@pytest.mark.parametrize(
    "prompted",
    [
        PROMPT + ASKED,
        PROMPT + "User: " + ASKED,
        PROMPT + "<query>" + ASKED + "</query>",
        PROMPT + "Question: " + ASKED + "\nAnswer in one line.",
    ],
)
def test_a_prompt_in_front_of_a_question_is_left_out(prompted):
    assert len(prompted) > 2000
    assert understand(prompted, START) == understand(ASKED, START)


@pytest.mark.row("MP-05")
def test_without_a_question_mark_the_last_sentence_is_asked():
    assert reduce_to_question(PROMPT + "Find the ledger's database.").startswith("Find the ledger")


@pytest.mark.row("MP-05")
def test_what_follows_a_question_is_left_out():
    assert understand(ASKED + " The kettle is on." * 200, START) == understand(ASKED, START)


def test_a_question_that_says_too_little_takes_what_stands_before_it():
    asked = "So it went on. " * QUESTION_CHARS + "We chose a database for the ledger. Which?"

    assert reduce_to_question(asked) == "We chose a database for the ledger. Which?"


@pytest.mark.parametrize("asked", ["", "  ", "undefined", "null"])
def test_nothing_is_no_question(asked):
    with pytest.raises(InvalidInputError, match="question"):
        understand(asked, START)


def test_terms_stand_beside_their_words():
    question = understand("Were the cats running, cats?", START)

    assert question.words == ("cats", "running")
    assert question.terms == ("cat", "run")
