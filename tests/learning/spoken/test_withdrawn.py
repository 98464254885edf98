"""Rules that are taken back in typed words."""

import pytest

from tilth.learning.spoken.withdrawn import meant_by, taken_back

RULES = (
    "From now on run the linter before each commit.",
    "Never push to main without asking me.",
    "Always answer in English.",
    "Run the tests before each commit.",
)


@pytest.mark.parametrize(
    ("said", "rule"),
    [
        ("You no longer need to run the linter before each commit, the hook does.", 0),
        ("ok, stop running the linter before each commit", 0),
        ("Please forget the rule about running the linter before each commit.", 0),
        ("You don't need to answer in English any more.", 2),
        ("There's no longer any need to run the tests before each commit.", 3),
        ("Forget the rule about pushing: you may push to main yourself.", 1),
    ],
)
def test_the_rule_that_is_taken_back_is_known(said, rule):
    (what,) = taken_back(said)
    assert meant_by(what, RULES) == RULES[rule]


@pytest.mark.parametrize(
    "said",
    [
        "You don't need to run the linter for this one.",
        "Run the linter before each commit.",
        "Stop the server.",
        "No longer than 80 columns, please.",
        "You no longer need to commit.",
        "Forget the rule about commits.",
        "Forget the rule about deployments: deploy to main yourself.",
        "Why do we no longer run the linter before each commit?",
    ],
)
def test_what_takes_back_no_rule_or_more_than_one_ends_none(said):
    assert [meant_by(what, RULES) for what in taken_back(said)] in ([], [None])
