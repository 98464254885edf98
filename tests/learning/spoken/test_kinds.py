"""Of what kind a plain statement is: a fact, or what somebody settled, did or is to somebody."""

import pytest

from tests.learning.voices import the_one
from tilth.episodes.episode import Role


@pytest.mark.parametrize(
    ("said", "kind"),
    [
        ("the piano stays in the hall", "decision"),
        ("we export the ledger as CSV", "decision"),
        ("until then everything is in Malin's freezer", "decision"),
        ("no paint in the shed until the roof is dry in May", "decision"),
        ("Malin's the only one who knows the alarm code", "relationship"),
        ("Malin is our surveyor, since 2019", "relationship"),
        ("my contact at the bank is Oduya", "relationship"),
        ("the shed has 40 shelves", "fact"),
    ],
)
def test_a_plain_statement_is_of_the_kind_that_its_form_tells(said, kind):
    assert str(the_one(said).kind) == kind


@pytest.mark.parametrize(
    ("reported", "kind"),
    [
        ("The alarm is now at 85 dB.", "milestone"),
        ("All 312 letters were accepted.", "milestone"),
        ("The alarm has 2 sirens on port 8021.", "fact"),
    ],
)
def test_what_an_agent_reports_as_it_is_now_is_what_was_reached(reported, kind):
    found = the_one(reported, role=Role.ASSISTANT, after="How is the alarm?")
    assert str(found.kind) == kind


@pytest.mark.parametrize(
    ("asked", "answered", "kind"),
    [
        ("And how many at once?", "900", "decision"),
        ("How many are in use?", "900", "fact"),
        ("Where do you keep them?", "in the cellar", "fact"),
    ],
)
def test_who_answers_how_it_is_to_be_settles_it(asked, answered, kind):
    assert str(the_one(answered, after=asked).kind) == kind


@pytest.mark.parametrize(
    "said", ["I send her the plan on Friday", "ill fetch the keys", "I can lend you the trailer"]
)
def test_who_says_what_they_do_for_somebody_promises_it(said):
    assert str(the_one(said).kind) == "commitment"
