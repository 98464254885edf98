from datetime import UTC, datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tilth.core.errors import InvalidInputError
from tilth.core.instant import (
    from_micros,
    parse_instant,
    to_micros,
    written_day,
    written_days,
    written_minute,
    written_second,
)


@given(st.datetimes(timezones=st.timezones(), min_value=datetime(1900, 1, 1)))  # noqa: DTZ001
def test_an_instant_comes_back_to_the_microsecond(instant):
    assert from_micros(to_micros(instant)) == instant.astimezone(UTC)


def test_an_instant_without_a_zone_is_refused():
    with pytest.raises(InvalidInputError, match="no time zone"):
        to_micros(datetime(2026, 1, 1))  # noqa: DTZ001


WEST, EAST = timezone(timedelta(hours=-5)), timezone(timedelta(hours=5))


@pytest.mark.parametrize(
    "end", [datetime.max.replace(tzinfo=WEST), datetime.min.replace(tzinfo=EAST)]
)
def test_an_instant_that_has_no_year_in_utc_is_refused(end):
    with pytest.raises(InvalidInputError, match="years 1 to 9999"):
        to_micros(end)


def test_a_day_means_its_first_microsecond():
    assert parse_instant("2026-11-20") == datetime(2026, 11, 20, tzinfo=UTC)


def test_an_instant_is_read_in_its_own_zone():
    zone = timezone(timedelta(hours=2))

    assert parse_instant("2026-11-20T14:00:00+02:00") == datetime(2026, 11, 20, 14, tzinfo=zone)


@pytest.mark.parametrize("text", ["", "yesterday", "2026-13-01", "2026-11-20T14:00:00"])
def test_what_is_no_instant_is_refused(text):
    with pytest.raises(InvalidInputError):
        parse_instant(text)


def test_a_year_is_written_with_four_digits():
    crowned = datetime(800, 12, 25, 9, 5, 7, 12, tzinfo=UTC)

    assert written_day(crowned) == "0800-12-25"
    assert written_minute(crowned) == "0800-12-25 09:05"
    assert written_second(crowned) == "0800-12-25T09:05:07Z"


@pytest.mark.row("C-22")
@pytest.mark.parametrize(
    ("end", "told"),
    [
        (None, "2026-01-01 to now"),
        (datetime(2026, 4, 1, tzinfo=UTC), "2026-01-01 to 2026-03-31"),
        (datetime(2026, 4, 1, 0, 0, 1, tzinfo=UTC), "2026-01-01 to 2026-04-01"),
        (datetime(2026, 1, 1, tzinfo=UTC), "2026-01-01 to 2026-01-01"),
        (datetime.max.replace(tzinfo=UTC), "2026-01-01 to 9999-12-31"),
    ],
)
def test_the_second_of_two_days_is_the_last_that_belongs_to_them(end, told):
    assert written_days(datetime(2026, 1, 1, tzinfo=UTC), end) == told
