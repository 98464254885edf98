"""Values that are only named, and what looks like one and is none."""

import pytest

from tests.learning.turns import a_turn, triples
from tilth.episodes.episode import Role
from tilth.learning.values.values import fields


@pytest.mark.row("DU-022")
@pytest.mark.parametrize(
    ("text", "triple"),
    [
        ("firmware 1.14", ("firmware", "current_version", "1.14")),
        ("API port: 8443", ("API port", "set_to", "8443")),
        ("deadline: 4 December", ("deadline", "scheduled_for", "4 December")),
        ("- Staging: db2.internal:5433", ("Staging", "located_in", "db2.internal:5433")),
        ("contact: ana@acme.io", ("contact", "email_address", "ana@acme.io")),
        ("penalty of 50,000 euros", ("penalty", "set_to", "50,000 euros")),
    ],
)
def test_a_name_and_its_value_are_a_fact(text, triple):
    assert triples(fields, text) == [triple]


@pytest.mark.parametrize(
    "text", ["need 60", "wait 5 minutes", "sorry 10:30", "deadline: 4 December?", "ok 2.0", "hi"]
)
def test_an_order_a_question_and_an_interjection_name_no_value(text):
    assert list(fields(a_turn(text))) == []


def test_what_an_agent_lists_is_no_field():
    assert list(fields(a_turn("API port: 8443", role=Role.ASSISTANT))) == []
