"""What somebody puts right, and what they take back."""

from time import thread_time

import pytest

from tests.effort import slowness
from tests.learning.voices import a_turn, read
from tilth.core.text.prose import sentences
from tilth.episodes.episode import Role
from tilth.learning.candidate import StatementKind
from tilth.learning.spoken.corrections import correction
from tilth.learning.text.clauses import clauses

# DU-053: for one message, however it is made.
SECONDS_MAX = 0.05
ATTEMPTS = 3
LISTENS = "The database listens on port 5432."


def corrections(text, **about):
    return [one for one in read(text, **about) if one.kind is StatementKind.CORRECTION]


@pytest.mark.row("DU-053")
@pytest.mark.parametrize(
    ("text", "new", "old"),
    [
        ("no, it's 5433", "5433", "5432"),
        ("No, it is 5433.", "5433", "5432"),
        ("nope - it's 5433", "5433", "5432"),
        ("actually it's 5433", "5433", "5432"),
        ("Actually, that's 5433 since Easter", "5433", "5432"),
        ("that's wrong, it's 5433", "5433", "5432"),
        ("That's not right. It's 5433.", "5433", "5432"),
        ("wrong, it should be 5433", "5433", "5432"),
        ("sorry, I meant 5433", "5433", "5432"),
        ("then 5433", "5433", "5432"),
        ("5433 not 5432", "5433", "5432"),
        ("5433, not 5432", "5433", "5432"),
        ("No, measure the load in watts, not in volts.", "watts", "volts"),
        ("make that 5433", "5433", "5432"),
        ("it's 5433, not 5432", "5433", "5432"),
        ("it's 5433 instead of 5432", "5433", "5432"),
        ("it isn't 5432, it's 5433", "5433", "5432"),
        ("5432 is old, it's more like 5433", "5433", "5432"),
        ("Correction: it's 5433", "5433", "5432"),
        ("no, 5433", "5433", "5432"),
        ("it's 5433 now", "5433", "5432"),
        ("They moved it in May, it's now 5433", "5433", "5432"),
    ],
)
def test_a_correction_says_what_is_right_and_what_was_wrong(text, new, old):
    (found,) = corrections(text, after=LISTENS)
    assert (found.new_value, found.old_value) == (new, old)
    assert found.quote in text
    assert new in found.said.text


@pytest.mark.row("DU-053")
def test_what_only_points_at_what_it_corrects_is_told_anew():
    (found,) = corrections("no, it's 5433", after=f"I looked it up. {LISTENS} Anything else?")
    assert found.said.text == "The database listens on port 5433."


@pytest.mark.row("DU-053")
def test_what_says_itself_what_it_corrects_is_left_as_it_was_said():
    (found,) = corrections("no, the office move is in June, not in May", after="It is in May.")
    assert found.said.text == "The office move is in June, not in May"
    assert (found.new_value, found.old_value) == ("June", "May")


@pytest.mark.row("DU-053")
def test_a_value_of_which_there_are_two_is_not_guessed():
    (found,) = corrections("no, it's 5433", after="It listens on 5432 and 5434.")
    assert found.old_value is None


@pytest.mark.row("DU-053")
def test_the_right_value_stands_beside_the_question_where_one_was_asked():
    (found,) = corrections("no, it's 5433", after="Is the port 5432?")
    assert found.said.text == "Is the port 5432? It's 5433"


@pytest.mark.row("DU-053")
@pytest.mark.parametrize(
    "text",
    [
        "no worries",
        "No problem, take your time.",
        "no need",
        "no, thanks",
        "no",
        "No.",
        "nope",
        "no, go ahead",
        "no it's fine",
        "no, that's ok",
        "no idea",
        "no rush",
        "actually, never mind",
        "actually, can you check the port?",
        "Actually that works",
        "that's great",
        "is it 5433, not 5432?",
        "I'm not sure it's right",
        "not now",
        "no no no",
        "then go on",
        "```\nno, it's 5433\n```",
        "<system-reminder>\nno, it's 5433\n</system-reminder>",
        "<system-reminder>no, it's 5433</system-reminder>",
        "> no, it's 5433",
        'she said "no, it\'s 5433"',
        "I prefer tabs, not spaces",
    ],
)
def test_what_puts_nothing_right_is_no_correction(text):
    assert not corrections(text, after=LISTENS)


@pytest.mark.row("DU-053")
def test_an_agent_that_looks_again_corrects_nobody():
    assert not corrections("It uses `grep` instead of `source`.", role=Role.ASSISTANT)


@pytest.mark.row("DU-053")
def test_an_agent_may_take_back_its_own_words():
    text = "I misspoke: it's 5433."
    (found,) = corrections(text, after="Is the port 5432?", role=Role.ASSISTANT)
    assert found.new_value == "5433"


@pytest.mark.row("DU-053")
def test_what_is_no_longer_so_is_taken_back():
    (found,) = corrections("we don't use redis any more", after="I'll restart Redis.")
    assert found.old_value == "redis"


@pytest.mark.row("DU-053")
@pytest.mark.parametrize(
    "piece",
    [
        "no no no ",
        "no. ",
        "no, it's 5433. ",
        'no, "it\'s "no" ',
        "actually ",
        "not 1, not 2, ",
        "a, b is c, ",
        "it isn't ",
        "we don't ",
        "and I ",
        "x is ",
        "I " * 40,
        "x\n",
        "no, " * 149 + ". ",
    ],
)
def test_a_hundred_kilobytes_of_anything_are_looked_through_in_time(piece):
    turn = a_turn(piece * (100_000 // len(piece)), after=LISTENS)
    taken = []
    for _ in range(ATTEMPTS):
        sentences.cache_clear()
        begun = thread_time()
        for clause in clauses(turn.episode.text):
            correction(clause, turn)
        taken.append(thread_time() - begun)
    assert min(taken) < SECONDS_MAX * slowness()
