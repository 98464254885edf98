"""What somebody types for a time is read, or refused in words."""

from datetime import UTC, datetime, timedelta

import pytest

from tilth.core.errors import InvalidInputError
from tilth.interfaces.cli import instants
from tilth.interfaces.cli.instants import beginning, ending, since

FRIDAY = datetime(2026, 11, 27, 15, 30, tzinfo=UTC)
DAY = timedelta(days=1)


@pytest.fixture(autouse=True)
def friday(monkeypatch):
    monkeypatch.setattr(instants.SystemClock, "now", lambda _clock: FRIDAY)


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("2026-11-20", 20),
        ("today", 27),
        ("Yesterday", 26),
        ("monday", 23),
        ("last friday", 20),
        ("3 days ago", 24),
        ("November 2", 2),
    ],
)
def test_a_day_is_read_by_its_name(text, day):
    begins = datetime(2026, 11, day, tzinfo=UTC)

    assert (beginning(text), ending(text), since(text)) == (
        begins,
        begins + DAY,
        begins.isoformat(),
    )


def test_what_is_listed_since_a_week_begins_with_it():
    assert since("last week") == "2026-11-16T00:00:00+00:00"
    assert since("October 2026") == "2026-10-01T00:00:00+00:00"


@pytest.mark.parametrize("cursor", ["", "chg_AAAAAAACLgqd_WXyTzRB"])
def test_a_cursor_stays_as_it_is(cursor):
    assert since(cursor) == cursor


@pytest.mark.parametrize(
    "text", ["2 hours ago", "last week", "soon", "port 80", "2026-13-01", "03.02.2026"]
)
def test_what_is_no_day_is_refused_with_what_would_be_one(text):
    with pytest.raises(InvalidInputError) as refused:
        beginning(text)

    assert "'last monday'" in refused.value.hint
