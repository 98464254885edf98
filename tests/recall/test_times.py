"""Times in a question."""

from datetime import UTC, datetime

import pytest

from tilth.recall.times import BEGINNING, END, Precision, time_ranges

FRIDAY = datetime(2026, 11, 20, 14, 3, tzinfo=UTC)


def at(text):
    return datetime.fromisoformat(text).replace(tzinfo=UTC)


@pytest.mark.parametrize(
    ("question", "start", "end", "precision"),
    [
        ("what did we do yesterday?", "2026-11-19", "2026-11-20", Precision.DAY),
        ("the day before yesterday", "2026-11-18", "2026-11-19", Precision.DAY),
        ("who called last night", "2026-11-19", "2026-11-20", Precision.DAY),
        ("last Tuesday", "2026-11-17", "2026-11-18", Precision.DAY),
        ("last friday", "2026-11-13", "2026-11-14", Precision.DAY),
        ("on Friday", "2026-11-20", "2026-11-21", Precision.DAY),
        ("next Monday", "2026-11-23", "2026-11-24", Precision.DAY),
        ("last weekend", "2026-11-14", "2026-11-16", Precision.DAY),
        ("two weeks ago", "2026-11-03", "2026-11-10", Precision.WEEK),
        ("a few days ago", "2026-11-17", "2026-11-18", Precision.DAY),
        ("last month", "2026-10-01", "2026-11-01", Precision.MONTH),
        ("12 months ago", "2025-11-01", "2025-12-01", Precision.MONTH),
        ("last quarter", "2026-07-01", "2026-10-01", Precision.QUARTER),
        ("last year", "2025-01-01", "2026-01-01", Precision.YEAR),
        ("in March", "2026-03-01", "2026-04-01", Precision.MONTH),
        ("in december", "2025-12-01", "2026-01-01", Precision.MONTH),
        ("March 2023", "2023-03-01", "2023-04-01", Precision.MONTH),
        ("in may", "2026-05-01", "2026-06-01", Precision.MONTH),
        ("March 5th", "2026-03-05", "2026-03-06", Precision.DAY),
        ("on 25 December", "2025-12-25", "2025-12-26", Precision.DAY),
        ("8 May, 2023", "2023-05-08", "2023-05-09", Precision.DAY),
        ("29.02.2024", "2024-02-29", "2024-03-01", Precision.DAY),
        ("from 3 to 5 May", "2026-05-03", "2026-05-06", Precision.OPEN),
        ("2024-02-29", "2024-02-29", "2024-03-01", Precision.DAY),
        ("in 2024-02", "2024-02-01", "2024-03-01", Precision.MONTH),
        ("Q3 2025", "2025-07-01", "2025-10-01", Precision.QUARTER),
        ("the summer of 2022", "2022-06-01", "2022-09-01", Precision.QUARTER),
        ("during 2023", "2023-01-01", "2024-01-01", Precision.YEAR),
        ("2 days before 5 March 2024", "2024-03-03", "2024-03-04", Precision.DAY),
        ("the week before 9 June 2023", "2023-05-30", "2023-06-06", Precision.WEEK),
        ("since Monday", "2026-11-16", "2026-11-20T14:03", Precision.OPEN),
        ("in the last 3 days", "2026-11-17T14:03", "2026-11-20T14:03", Precision.OPEN),
        ("from 1 May to 3 May", "2026-05-01", "2026-05-04", Precision.OPEN),
        ("between March and May 2023", "2023-03-01", "2023-06-01", Precision.OPEN),
    ],
)
def test_a_time_is_a_half_open_range(question, start, end, precision):
    (found,) = time_ranges(question, FRIDAY)

    assert (found.start, found.end, found.precision) == (at(start), at(end), precision)
    assert found.text.lower() in question.lower()


def test_before_and_after_are_open_to_one_side():
    (before,) = time_ranges("before 2023", FRIDAY)
    (after,) = time_ranges("after 3 May, 2023", FRIDAY)

    assert (before.start, before.end) == (BEGINNING, at("2023-01-01"))
    assert (after.start, after.end) == (at("2023-05-04"), END)


def test_several_times_come_in_their_order():
    found = time_ranges("Was it in June 2023 or yesterday?", FRIDAY)

    assert [one.text for one in found] == ["June 2023", "yesterday"]


@pytest.mark.parametrize(
    "question",
    [
        "May I march to the store?",
        "We may go 2 miles and march on",
        "I sat in the sun",
        "the fall of Rome",
        "port 2020, please",
        "2024-02-30",
        "9999-12-31",
        "0000-01-01",
        "9999 years ago",
        "",
    ],
)
def test_what_is_no_time_is_left_out(question):
    assert time_ranges(question, FRIDAY) == ()
