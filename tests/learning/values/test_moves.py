"""What has moved or changed: what holds from then on, of what."""

import pytest

from tests.learning.turns import a_turn, triples
from tilth.episodes.episode import Role
from tilth.learning.values.values import moves


@pytest.mark.row("DU-022")
@pytest.mark.parametrize(
    ("text", "triple"),
    [
        ("we've moved the wiki from confluence to notion", ("wiki", "located_in", "notion")),
        ("the domain moved to cloudflare last week", ("domain", "located_in", "cloudflare")),
        ("renamed the service from ledger to books", ("service", "renamed_to", "books")),
        ("bumped the heap to 4g", ("heap", "set_to", "4g")),
        ("the standup moved to 9:15", ("standup", "scheduled_for", "9:15")),
        ("we upgraded postgres to 16.2", ("postgres", "current_version", "16.2")),
        ("the deadline got extended to 4 December", ("deadline", "scheduled_for", "4 December")),
    ],
)
def test_what_moved_is_where_it_moved_to(text, triple):
    assert triples(moves, text) == [triple]


@pytest.mark.parametrize(
    "text",
    [
        "should we move the wiki to notion?",
        "we could have moved the wiki to notion",
        "we haven't moved the wiki to notion",
        "move the wiki to notion",
        "I moved to Berlin",
        "she moved to the sea",
        "we went to bed",
    ],
)
def test_what_is_asked_for_or_tells_of_somebody_moves_nothing(text):
    assert list(moves(a_turn(text))) == []


def test_what_an_agent_moves_is_in_its_commits():
    assert list(moves(a_turn("Moved the parser to its own file.", role=Role.ASSISTANT))) == []
