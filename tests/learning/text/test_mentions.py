"""Who and what a text names, and what kind of thing each name belongs to."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.effort import at_most, tried
from tilth.knowledge.vocabulary.registries import EntityType
from tilth.learning.text.mentions import MentionType, mentions

PERSON, PROJECT = MentionType.PERSON, MentionType.PROJECT
PLACE, ORGANISATION = MentionType.PLACE, MentionType.ORGANISATION
NAMED = [
    ("Ask Gideon about it", [("Gideon", PERSON)]),
    ("I met Rosa Alvarez at the station", [("Rosa Alvarez", PERSON)]),
    ("Their CFO Ivo Tanner agreed", [("Ivo Tanner", PERSON)]),
    ("Dr. Okafor closed her practice", [("Okafor", PERSON)]),
    ("Nora said that it works", [("Nora", PERSON)]),
    ("we have an office in Lisbon", [("Lisbon", PLACE)]),
    ("Ben moved to Leeds", [("Ben", PERSON), ("Leeds", PLACE)]),
    ("the paper of the Harrow Institute", [("Harrow Institute", ORGANISATION)]),
    ("an invoice from Blue Heron Studios", [("Blue Heron Studios", ORGANISATION)]),
    ("the Quiet Rivers project is late", [("Quiet Rivers", PROJECT)]),
    ("work on the Invoice Parsing pipeline", [("Invoice Parsing", PROJECT)]),
]
UNNAMED = [
    "The tests pass and the build is green.",
    "I'd say we use Python on Monday, or PostgreSQL in March.",
    "Filed an issue. Drafted a plan. Finally it works.",
    "## Error Handling And Retries",
    "```\nclass Rosa(Alvarez): pass\n```",
    "Use the API of the NAS",
]


def found_in(text, known=None):
    return [(one.name, one.type) for one in mentions(text, known)]


@pytest.mark.parametrize(("text", "named"), NAMED)
def test_a_name_is_found_with_what_kind_of_thing_it_belongs_to(text, named):
    assert found_in(text) == named


@pytest.mark.parametrize("text", UNNAMED)
def test_what_is_no_name_or_tells_nothing_is_left_out(text):
    assert found_in(text) == []


def test_what_a_name_is_in_one_place_it_is_in_all_of_a_text():
    assert found_in("We saw the Harbour Lights project. Later Harbour Lights was sold.") == [
        ("Harbour Lights", PROJECT),
        ("Harbour Lights", PROJECT),
    ]


def test_a_short_form_of_a_name_is_no_second_thing():
    assert found_in("I met Rosa Alvarez. Rosa said yes.") == [("Rosa Alvarez", PERSON)]


def test_what_is_known_of_a_name_counts_most():
    text = "we asked Zephyr for it"

    assert found_in(text) == [("Zephyr", PERSON)]
    assert found_in(text, {"Zephyr": EntityType.PROJECT}) == [("Zephyr", PROJECT)]


@tried(200)
@given(st.text(max_size=300))
def test_no_text_is_too_strange_and_every_mention_stands_where_it_says(text):
    for one in mentions(text):
        assert text[one.start : one.end].split() == one.name.split()


@pytest.mark.parametrize("text", ["Ab " * 30_000, "A" * 100_000, "A-" * 50_000, "Xy de " * 20_000])
def test_hostile_texts_take_linear_time(text):
    with at_most(seconds=2):
        mentions(text)
