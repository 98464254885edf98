"""What a person decides by accepting what an agent put forward."""

import pytest

from tests.learning.voices import a_turn
from tilth.learning.spoken.answers import acceptances

PROPOSAL = "The queue fills up at night. I'd raise its limit to 500 jobs."


@pytest.mark.parametrize("answered", ["do it", "ok, do that pls", "y", "Sounds good, go for it!"])
def test_what_is_accepted_is_told_with_what_was_put_forward(answered):
    (found,) = acceptances(a_turn(answered, after=PROPOSAL))
    assert str(found.kind) == "decision"
    assert found.said.text.startswith("The assistant would raise its limit to 500 jobs. ")
    assert found.quote == answered


@pytest.mark.parametrize(
    ("proposed", "answered"),
    [
        (PROPOSAL, "hm, do it later"),
        (PROPOSAL, "thanks"),
        ("I'll have a look at the queue and its limit.", "do it"),
        ("The queue fills up at night, as it did in May.", "yes"),
        ("Shall I raise the limit to 500 jobs?", "yes"),
    ],
)
def test_nothing_else_is_accepted(proposed, answered):
    assert not list(acceptances(a_turn(answered, after=proposed)))


def test_nobody_accepts_what_nobody_put_forward():
    assert not list(acceptances(a_turn("do it")))
