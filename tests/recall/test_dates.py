"""A question about a time is answered by that time, in order."""

from datetime import timedelta

import pytest

from tests.brains import a_brain
from tests.conftest import a_draft
from tests.fakes import START, FixedClock
from tilth.episodes.episode import Role

DAY = timedelta(days=1)
NOW = START + 90 * DAY
# What anybody may note of a day; each holds words that others hold too.
DONE = (
    "Deployed the gateway again", "Talked to Marina about the budget", "Fixed the flaky login test",
    "What happened to the backup is unclear", "Wrote notes on the day of the outage",
    "Reviewed everything on the ledger branch", "Yesterday was long, so no work today",
    "Last week's figures are wrong", "The session on dates went well", "Moved house",
)  # fmt: skip
ASKED = (
    "what happened on {0:%Y-%m-%d}", "What did I do on {0:%-d %B %Y}?", "{0:%Y-%m-%d}",
    "what did I ask on {0:%-d %B %Y}",
    "what was going on on {0:%B %-d, %Y}", "Anything on {0:%d.%m.%Y}?",
    "Show me everything from {0:%Y-%m-%d}", "what did we work on on {0:%-d %B}?",
)  # fmt: skip


def texts(found):
    return [hit.text for hit in found.hits]


@pytest.fixture
def sixty(store):
    """A brain with a note for each of sixty days."""
    brain = a_brain(store, clock=FixedClock(NOW))
    days = [START + number * DAY + timedelta(hours=9) for number in range(60)]
    brain.remember_many(
        [
            a_draft(f"{DONE[n % len(DONE)]}, item {n}.", session_id=f"s{n}", occurred_at=at)
            for n, at in enumerate(days)
        ]
    )
    return brain, days


@pytest.mark.parametrize("form", ASKED)
@pytest.mark.on_sqlite(but=1)
def test_of_sixty_dated_notes_the_day_s_own_comes_first(sixty, form):
    brain, days = sixty

    found = [texts(brain.recall(form.format(day))) for day in days]

    assert [said[0].split(", item ")[1] for said in found] == [f"{n}." for n in range(60)]
    assert {len(said) for said in found} == {1}


@pytest.mark.parametrize(
    ("question", "first", "last"),
    [
        ("what happened yesterday?", 59, 59),
        ("What happened last week?", 53, 59),
        ("what happened between 3 and 5 January 2026?", 2, 4),
        ("what happened in the last 3 days", 57, 59),
        ("What did we do since 2026-02-25?", 55, 59),
    ],
)
def test_a_time_is_told_in_order_and_nothing_else_in_front(sixty, question, first, last):
    brain, days = sixty
    now = days[-1] + DAY

    found = brain.recall(question, as_of=now)

    numbers = [int(said.split(", item ")[1].strip(".")) for said in texts(found)]
    assert numbers == list(range(first, last + 1))
    assert found.answerable


def test_a_day_is_told_by_session_with_what_people_asked_and_what_was_reported(store):
    brain = a_brain(store, clock=FixedClock(NOW))
    told = [
        a_draft(f"{name} {n}", session_id=name, role=role, occurred_at=NOW - DAY + at)
        for name, begin in (("second", 5), ("first", 0))
        for n, role in enumerate((Role.USER, Role.TOOL, Role.TOOL, Role.ASSISTANT))
        for at in [timedelta(hours=begin, minutes=n)]
    ]
    brain.remember_many(told)

    assert texts(brain.recall("what happened yesterday?", limit=4)) == [
        "first 0", "first 3", "second 0", "second 3",
    ]  # fmt: skip
    assert len(texts(brain.recall("what happened yesterday?"))) == 8


def test_a_time_in_which_nothing_happened_is_not_answered(sixty):
    brain, _ = sixty

    assert not brain.recall("what happened on 2025-03-01?").answerable


def test_what_else_is_asked_of_a_day_is_ranked(sixty):
    brain, days = sixty

    found = brain.recall(f"what did Marina discuss about the budget on {days[11]:%Y-%m-%d}?")

    assert texts(found)[0] == "Talked to Marina about the budget, item 11."
    assert len(found.hits) == 10
