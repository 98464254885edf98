"""How much it is worth to remember what is said, and which runs of clauses are told together."""

import json
import re
from importlib import resources

import pytest

from tests.learning.voices import a_turn, read
from tilth.episodes.episode import Role
from tilth.learning.filter import CONFIDENCE_MIN
from tilth.learning.spoken.salience import (
    CLAUSES_MAX,
    LEAST,
    Weighed,
    best_of,
    runs_of,
    words_of,
    worth_of,
)
from tilth.learning.text.clauses import clauses

THREE = "the loft is dry; the cellar is damp; the shed is full"
# The families of `features` of which a name goes on after a space.
FAMILIES = re.compile(
    r"(?:word|words|form|person|agent|ending|around|before|chars|claims|numbers)\b.*|clauses: \d|"
    r"clauses without claim > \d|.+ & .+"
)
NAMES = re.compile(
    r"person|agent|at work|pasted|question before|offer before|first|answer|denying|asked|"
    r"question|exclaims|supposed|sentence|message|path|money|day|code|colon|trails|of me|of us|"
    r"of you|by me|by you|doubt|will|not|doing|done|number|name|acronym|claim|leans|points|task"
)


def runs_in(text, **about):
    """Return the runs of the only sentence of a turn, by their words."""
    turn = a_turn(text, **about)
    (runs,) = runs_of(clauses(text), turn)
    return {run.plain: run for run in runs}


def worth_in(text, **about):
    return worth_of(runs_in(text, **about)[text])


def chosen(least=0.4, **worths):
    """Return what is chosen of three clauses, by the places of those that a run has."""
    runs = list(runs_in(THREE).values())
    places = {"a": (0, 1), "ab": (0, 2), "abc": (0, 3), "b": (1, 2), "bc": (1, 3), "c": (2, 3)}
    of = {(run.clauses[0].order, run.clauses[-1].order + 1): run for run in runs}
    weighed = [Weighed(of[places[name]], worth) for name, worth in worths.items()]
    named = {place: name for name, place in places.items()}
    kept = best_of(weighed, least)
    return [named[one.run.clauses[0].order, one.run.clauses[-1].order + 1] for one in kept]


def learned():
    source = resources.files("tilth.learning.spoken").joinpath("salience.json")
    return json.loads(source.read_text(encoding="utf-8"))


def test_a_sentence_has_each_run_of_its_clauses():
    assert len(runs_in(THREE)) == 6
    assert {run.of for run in runs_in(THREE).values()} == {3}


def test_more_clauses_than_say_one_thing_are_no_run():
    many = "; ".join(f"shelf {number} holds jars" for number in range(CLAUSES_MAX + 3))
    assert max(len(run.clauses) for run in runs_in(many).values()) == CLAUSES_MAX


def test_a_run_that_shares_a_clause_with_a_better_one_is_not_chosen():
    assert chosen(ab=0.6, bc=0.9) == ["bc"]
    assert chosen(ab=0.9, bc=0.6) == ["ab"]


def test_two_clauses_are_chosen_over_their_joined_run_when_they_are_worth_more():
    assert chosen(a=0.7, b=0.7, ab=0.9) == ["a", "b"]
    assert chosen(a=0.5, b=0.5, ab=0.9) == ["ab"]


def test_what_is_chosen_stands_in_the_order_of_the_text():
    assert chosen(c=0.6, a=0.9, b=0.5) == ["a", "b", "c"]


def test_what_is_worth_less_than_the_least_is_never_chosen():
    assert chosen(a=0.39, b=0.4, c=0.41) == ["c"]
    assert best_of([], 0.4) == []


def test_what_is_worth_more_is_surer_and_what_is_worth_nothing_is_barely_kept():
    run = runs_in(THREE)["the loft is dry"]
    sure = [Weighed(run, worth).confidence for worth in (0.0, LEAST, 0.7, 0.9, 1.0)]
    assert sure[0] == CONFIDENCE_MIN
    assert sure == sorted(set(sure))
    assert sure[-1] == 1.0


@pytest.mark.parametrize(
    "said", ["our goat Mirabel eats 3 turnips every Friday", "rent is 640 EUR"]
)
def test_a_plain_claim_of_a_person_is_worth_more_than_talk(said):
    talk = ("you are the best", "I love that so much", "have a good trip")
    assert worth_in(said) > LEAST > max(worth_in(one) for one in talk)


def test_what_anything_is_worth_is_likelihood():
    for said in (THREE, "7", "turnips", "x " * 60 + "y"):
        runs = list(runs_in(said).values()) + list(runs_in(said, role=Role.ASSISTANT).values())
        assert all(0 < worth_of(run) < 1 for run in runs)


def test_words_are_looked_at_in_small_letters_without_numbers():
    run = runs_in("Mirabel's 3 Turnips")["Mirabel's 3 Turnips"]
    assert words_of(run) == ["mirabel's", "turnips"]


def test_what_was_learned_has_a_bias_and_weights_of_signs_and_of_words():
    told = learned()
    assert set(told) == {"bias", "features", "words"}
    assert all(isinstance(one, float) and one for one in told["features"].values())
    assert all(float(weight) for weight in told["words"])
    words = [word for group in told["words"].values() for word in group.split()]
    assert len(words) == len(set(words))


def test_each_trait_that_was_learned_is_one_that_can_be_seen():
    names = learned()["features"]
    assert [one for one in names if not (NAMES.fullmatch(one) or FAMILIES.fullmatch(one))] == []


@pytest.mark.parametrize(
    "said",
    ["our glazier is Ottoline", "the ladle is behind the oven", "im from Utrecht", "I drive a van"],
)
def test_what_is_the_whole_of_a_short_message_is_kept(said):
    assert [found.quote for found in read(said)] == [said]


@pytest.mark.parametrize(
    "said",
    [
        "I'm knitting a hat now",
        "the oven is failing",
        "continue with step 9",
        "it is behind the oven",
    ],
)
def test_what_is_of_the_moment_lets_go_on_or_leans_is_not(said):
    assert read(said) == []
