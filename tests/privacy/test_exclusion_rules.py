"""Terms that are left out are covered wherever they stand as words."""

from dataclasses import dataclass

import pytest

from tests.effort import at_most
from tilth.core.errors import InvalidInputError, LimitExceededError
from tilth.privacy.exclusion import TERMS_MAX, Exclusion, parse_exclusion


@pytest.mark.row("KB-113")
@pytest.mark.parametrize(
    ("term", "text", "covered"),
    [
        ("Zephyr", "Zephyr runs, ZEPHYR stops.", "██████ runs, ██████ stops."),
        ("Zephyr", "Zephyrs and zephyr_2 are others", "Zephyrs and zephyr_2 are others"),
        ("Zephyr", "(zephyr's)", "(██████'s)"),
        ("project X", "the project\n  X is on", "the ███████████ is on"),
        ("C++", "C++17 and C++ too", "███17 and ███ too"),
        ("東京", "私は東京都に住む", "私は██都に住む"),
        ("서울", "서울에서", "██에서"),
        ("a.b", "a.b but not axb", "███ but not axb"),
    ],
)
def test_a_term_is_covered_where_words_end_or_anywhere_in_cjk(term, text, covered):
    found = parse_exclusion([term]).covered(text)

    assert found == covered
    assert len(found) == len(text)


@pytest.mark.row("KB-113")
def test_the_longer_of_two_terms_is_covered_whole():
    assert parse_exclusion(["red", "red kettle"]).covered("a red kettle") == "a ██████████"


@pytest.mark.row("KB-113")
@pytest.mark.parametrize(
    ("text", "covered"),
    [
        ("We meet about Project …", "We meet about ███████ …"),
        ("about project\n Z…, and so on", "about ██████████…, and so on"),
        ("Pro… and Project Zeu…", "███… and ███████████…"),
        ("Pr… and Reproject …", "Pr… and Reproject …"),
        ("the Project and … more", "the Project and … more"),
        ("住在東…", "住在█…"),
    ],
)
def test_what_is_left_of_a_term_before_a_cut_is_covered(text, covered):
    found = parse_exclusion(["Project Zeus", "東京"]).covered(text)

    assert found == covered
    assert len(found) == len(text)


@dataclass(frozen=True)
class Told:
    text: str
    parts: tuple["Told", ...] = ()


@pytest.mark.row("KB-113")
def test_all_texts_of_what_is_told_are_covered():
    told = Told("of Zephyr", (Told("and zephyr"),))

    shown = parse_exclusion(["zephyr"]).shown({"one": [told]})

    assert shown == {"one": [Told("of ██████", (Told("and ██████"),))]}


def test_without_terms_everything_stays_as_it_is():
    told = Told("of Zephyr")

    assert Exclusion().shown(told) is told


@pytest.mark.parametrize("term", ["", "  ", "...", "█"])
def test_a_term_in_which_nothing_can_be_found_is_refused(term):
    with pytest.raises(InvalidInputError, match="cannot be left out"):
        parse_exclusion([term])


def test_too_many_terms_and_too_long_ones_are_refused():
    for terms in ([f"t{number}" for number in range(TERMS_MAX + 1)], ["x" * 101]):
        with pytest.raises(LimitExceededError):
            parse_exclusion(terms)


def test_a_hostile_text_takes_no_longer_than_a_plain_one():
    excluded = parse_exclusion(["a a a a a b", *(f"term {n}" for n in range(100))])

    with at_most(seconds=5):
        excluded.covered("a " * 50_000)
