"""When something is due, counted from when that was said."""

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.learning.voices import SAID_AT
from tilth.core.deadlines import deadline


@pytest.mark.row("DU-055")
@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("by Friday", "2026-03-13"),
        ("by friday morning", "2026-03-13"),
        ("by Wednesday", "2026-03-18"),
        ("next friday", "2026-03-20"),
        ("supplier delivers Thu", "2026-03-12"),
        ("eod", "2026-03-11"),
        ("by eow", "2026-03-13"),
        ("this week", "2026-03-13"),
        ("end of next week", "2026-03-20"),
        ("before month-end", "2026-03-31"),
        ("by the end of the month", "2026-03-31"),
        ("next month", "2026-04-30"),
        ("EOQ", "2026-03-31"),
        ("in Q3", "2026-09-30"),
        ("by Q1 2027", "2027-03-31"),
        ("end of year", "2026-12-31"),
        ("next sprint", "2026-03-25"),
        ("by end of sprint (Friday)", "2026-03-13"),
        ("today", "2026-03-11"),
        ("tonight", "2026-03-11"),
        ("tomorrow", "2026-03-12"),
        ("tmrw", "2026-03-12"),
        ("the day after tomorrow", "2026-03-13"),
        ("in 3 days", "2026-03-14"),
        ("within two weeks", "2026-03-25"),
        ("in a fortnight", "2026-03-25"),
        ("in a couple of months", "2026-05-11"),
        ("a week from now", "2026-03-18"),
        ("on March 15", "2026-03-15"),
        ("by the 2nd of november", "2026-11-02"),
        ("by January 5th", "2027-01-05"),
        ("15 March 2027", "2027-03-15"),
        ("2026-12-01", "2026-12-01"),
        ("by the 27th", "2026-03-27"),
        ("until the 5th", "2026-04-05"),
        ("by the end of June", "2026-06-30"),
        ("this weekend", "2026-03-15"),
        ("I'll sign it after lunch", "2026-03-11"),
        ("first thing", "2026-03-12"),
        ("on Friday week", "2026-03-20"),
        ("I ring them on the 20th again", "2026-03-20"),
        ("by Friday next week", "2026-03-20"),
        ("on Monday, next week", "2026-03-16"),
        ("by Thursday of next week", "2026-03-19"),
        ("next week on Monday", "2026-03-16"),
        ("by next week Tuesday", "2026-03-17"),
        ("within 2 business days", "2026-03-13"),
        ("within 3 business days", "2026-03-16"),
        ("in 10 working days", "2026-03-25"),
        ("before midnight", "2026-03-11"),
        ("by midnight", "2026-03-11"),
    ],
)
def test_a_deadline_is_the_end_of_its_day(text, day):
    due = deadline(text, SAID_AT)
    assert due == datetime.fromisoformat(f"{day}T23:59:59.999999+00:00")


@pytest.mark.row("DU-055")
@pytest.mark.parametrize(
    ("text", "moment"),
    [
        ("tomorrow at 17:30", "2026-03-12T17:30"),
        ("Friday 5pm", "2026-03-13T17:00"),
        ("by noon", "2026-03-11T12:00"),
        ("by 9am", "2026-03-12T09:00"),
        ("in an hour", "2026-03-11T11:00"),
        ("in 30 minutes", "2026-03-11T10:30"),
        ("within 48 hours", "2026-03-13T10:00"),
        ("before Monday", "2026-03-16T00:00"),
        ("before the weekend", "2026-03-14T00:00"),
        ("before April", "2026-04-01T00:00"),
    ],
)
def test_a_named_hour_is_the_deadline(text, moment):
    assert deadline(text, SAID_AT) == datetime.fromisoformat(moment).replace(tzinfo=UTC)


@pytest.mark.row("DU-055")
@pytest.mark.parametrize(
    ("said", "text", "day"),
    [
        ("2026-11-25", "by the 31st", "2026-12-31"),
        ("2026-02-01", "by the 30th", "2026-03-30"),
        ("2026-02-28", "until the 29th", "2026-03-29"),
        ("2026-01-31", "by the 30th", "2026-03-30"),
        ("2027-12-31", "by the 30th", "2028-01-30"),
        ("2026-03-14", "within one business day", "2026-03-16"),
        ("2026-03-15", "in 5 working days", "2026-03-20"),
        ("2026-03-13", "in 5 working days", "2026-03-20"),
    ],
)
def test_a_day_that_a_month_lacks_is_of_the_next_and_weekends_are_no_working_days(said, text, day):
    due = deadline(text, datetime.fromisoformat(f"{said}T10:00:00+00:00"))
    assert due == datetime.fromisoformat(f"{day}T23:59:59.999999+00:00")


@pytest.mark.row("DU-055")
@pytest.mark.parametrize(
    "text", ["", "soon", "it may be fine", "she sat down", "one second", "Feb 30", "at 2026-99-99"]
)
def test_where_no_time_is_named_nothing_is_due(text):
    assert deadline(text, SAID_AT) is None


@pytest.mark.row("DU-055")
def test_the_time_after_by_counts_more_than_one_before_it():
    due = deadline("On Monday we start, the draft is due by Friday", SAID_AT)
    assert due is not None
    assert due.date().isoformat() == "2026-03-13"


@pytest.mark.row("DU-055")
@given(
    st.text(alphabet="bydueinext 0123456789/-:marfiwksptoq", max_size=60),
    st.datetimes(timezones=st.just(UTC)),
)
def test_no_text_at_any_time_is_too_much(text, at):
    due = deadline(text, at)
    assert due is None or due.tzinfo is not None


@pytest.mark.row("DU-055")
def test_the_last_day_of_time_has_no_tomorrow():
    last = datetime.max.replace(tzinfo=UTC) - timedelta(hours=1)
    assert deadline("by tomorrow", last) is None
