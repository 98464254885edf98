"""
Instants: UTC, in whole microseconds.

Stores keep them as integers, so order and equality never depend on a format.
"""

import re
from datetime import UTC, datetime, timedelta

from tilth.core.errors import InvalidInputError
from tilth.core.text.pattern import pattern

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
DAY_US = 86_400_000_000
_MICROSECOND = timedelta(microseconds=1)
_FIRST_US = (datetime.min.replace(tzinfo=UTC) - EPOCH) // _MICROSECOND
_LAST_US = (datetime.max.replace(tzinfo=UTC) - EPOCH) // _MICROSECOND
_SPAN = pattern(r"\s*(\d{1,5})\s*([mhdw])\s*", re.IGNORECASE | re.ASCII)

# Months, weekdays and small numbers as people write them in English.
MONTH = (
    r"(?P<month>jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|"
    r"sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\b\.?"
)
MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_WEEKDAYS = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
_NUMBER_WORDS = "one two three four five six seven eight nine ten eleven twelve"
NUMBERS = {word: number for number, word in enumerate(_NUMBER_WORDS.split(), start=1)}
NUMBERS |= {"a": 1, "an": 1, "couple of": 2, "a couple of": 2, "few": 3, "a few": 3, "several": 4}
_UNITS = {"m": "minutes", "h": "hours", "d": "days", "w": "weeks"}


def month_number(name: str) -> int:
    """Return the number, from 1, of a month that was written as `MONTH` allows."""
    return MONTHS.index(name[:3].lower()) + 1


def weekday_number(name: str) -> int:
    """Return the number, from 0 for Monday, of a weekday in English, in full or in short."""
    return _WEEKDAYS.index(name[:3].lower())


def to_micros(instant: datetime) -> int:
    """
    Return the microseconds from 1970 to *instant*.

    Raises:
        InvalidInputError: *instant* has no time zone, or is outside of the years 1 to 9999 in UTC,
            as the last day of all is in the zones west of it.
    """
    if instant.tzinfo is None:
        raise InvalidInputError(
            f"instant {instant.isoformat()} has no time zone", hint="add one, such as +00:00"
        )
    micros = (instant - EPOCH) // _MICROSECOND
    if not _FIRST_US <= micros <= _LAST_US:
        raise InvalidInputError(f"{instant.isoformat()!r} is outside of the years 1 to 9999")
    return micros


def from_micros(micros: int) -> datetime:
    """Return the instant that is *micros* microseconds after 1970."""
    return EPOCH + timedelta(microseconds=micros)


def written_day(at: datetime) -> str:
    """Write a day with all four digits of its year, which `strftime` leaves to the platform."""
    return at.date().isoformat()


def written_days(begin: datetime, end: datetime | None) -> str:
    """
    Write from which day to which day, inclusive, something holds.

    Args:
        begin: When it begins.
        end: When it ends, exclusive, so a whole day ends with the next; None for no end.
    """
    last = "now" if end is None else written_day(last_microsecond(begin, end))
    return f"{written_day(begin)} to {last}"


def last_microsecond(begin: datetime, end: datetime) -> datetime:
    """Return the last microsecond before an exclusive *end*; *begin* where there is none."""
    return max(begin, end - _MICROSECOND)


def next_microsecond(instant: datetime) -> datetime:
    """Return the microsecond after an *instant*; the last possible one itself."""
    try:
        return instant + _MICROSECOND
    except OverflowError:
        return instant


def written_minute(at: datetime) -> str:
    """Write a day and the time to the minute, as lists show it."""
    return at.replace(tzinfo=None).isoformat(" ", "minutes")


def written_end(end: datetime) -> str:
    """Write an exclusive end to the minute; where a whole day ends with it, that day."""
    day = end - _MICROSECOND
    return written_minute(end) if day.date() == end.date() else written_day(day)


def written_second(at: datetime) -> str:
    """Write an instant to the second in ISO 8601, for programs."""
    return f"{at.replace(tzinfo=None).isoformat(timespec='seconds')}Z"


def parse_instant(text: str) -> datetime:
    """
    Read an ISO 8601 instant or day; a day means its first microsecond in UTC.

    Raises:
        InvalidInputError: *text* is neither, or a time without a zone.
    """
    try:
        instant = datetime.fromisoformat(text)
        if instant.tzinfo is None and len(text) <= len("2026-11-20"):
            instant = instant.replace(tzinfo=UTC)
        to_micros(instant)
        return instant.astimezone(UTC)
    except OverflowError as error:
        raise InvalidInputError(f"{text!r} is outside of the years 1 to 9999") from error
    except ValueError as error:
        raise InvalidInputError(
            f"{text!r} is not an instant", hint="write 2026-11-20 or 2026-11-20T14:03:00+00:00"
        ) from error


def parse_end(text: str) -> datetime:
    """
    Read the end of something: an instant, or a day, which belongs to it.

    Ends are exclusive, so a day ends with the first microsecond of the next.

    Raises:
        InvalidInputError: *text* is neither, or a time without a zone.
    """
    end = parse_instant(text)
    try:
        return end + timedelta(days=1) if len(text) <= len("2026-11-20") else end
    except OverflowError:  # The last day there is.
        return end


def parse_span(text: str) -> timedelta:
    """
    Read a span of time such as `90m`, `24h`, `7d` or `2w`.

    Raises:
        InvalidInputError: *text* is none.
    """
    found = _SPAN.fullmatch(text)
    if found is None:
        raise InvalidInputError(f"{text[:40]!r} is not a span of time", hint="write 24h, 7d or 90m")
    return timedelta(**{_UNITS[found[2].lower()]: int(found[1])})
