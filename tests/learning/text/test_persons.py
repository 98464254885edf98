"""Which persons a text names."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.effort import at_most, tried
from tilth.learning.text.persons import persons_in


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("Ask Gideon about it", {"Gideon"}),
        ("I met Rosa Alvarez at the station", {"Rosa Alvarez"}),
        ("Their CFO Ivo Tanner agreed", {"Ivo Tanner"}),
        ("Dr. Okafor closed her practice", {"Okafor"}),
        ("Nora said that it works", {"Nora"}),
        ("Nora's project is late", {"Nora"}),
        ("Ben moved to Leeds", {"Ben"}),
        ("I met Rosa Alvarez. Rosa said yes.", {"Rosa Alvarez"}),
        ("Nora asked Gideon about it", {"Nora", "Gideon"}),
    ],
)
def test_who_is_named_is_found(text, named):
    assert persons_in(text) == named


@pytest.mark.parametrize(
    "text",
    [
        "we have an office in Lisbon",
        "the paper of the Harrow Institute",
        "an invoice from Blue Heron Studios",
        "the Quiet Rivers project is late",
        "work on the Invoice Parsing pipeline",
        "We saw the Harbour Lights project. Later Harbour Lights was sold.",
        "The tests pass and the build is green.",
        "I'd say we use Python on Monday, or PostgreSQL in March.",
        "Filed an issue. Drafted a plan. Finally it works.",
        "## Error Handling And Retries",
        "```\nclass Rosa(Alvarez): pass\n```",
        "Use the API of the NAS",
    ],
)
def test_what_is_another_thing_or_no_name_is_nobody(text):
    assert persons_in(text) == set()


@tried(200)
@given(st.text(max_size=300))
def test_no_text_is_too_strange_and_every_name_stands_in_it(text):
    for name in persons_in(text):
        assert all(word in text for word in name.split())


@pytest.mark.parametrize("text", ["Ab " * 30_000, "A" * 100_000, "A-" * 50_000, "Xy de " * 20_000])
def test_hostile_texts_take_linear_time(text):
    with at_most(seconds=2):
        persons_in(text)
