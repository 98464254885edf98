"""
Instants: UTC, in whole microseconds.

Stores keep them as integers, so order and equality never depend on a format.
"""

import re
from datetime import UTC, datetime, timedelta

from tilth.core.errors import InvalidInputError

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND = timedelta(microseconds=1)
_SPAN = re.compile(r"\s*(\d{1,5})\s*([mhdw])\s*", re.IGNORECASE | re.ASCII)
_UNITS = {"m": "minutes", "h": "hours", "d": "days", "w": "weeks"}


def to_micros(instant: datetime) -> int:
    """
    Return the microseconds from 1970 to *instant*.

    Raises:
        InvalidInputError: *instant* has no time zone.
    """
    if instant.tzinfo is None:
        raise InvalidInputError(
            f"instant {instant.isoformat()} has no time zone", hint="add one, such as +00:00"
        )
    return (instant - EPOCH) // _MICROSECOND


def from_micros(micros: int) -> datetime:
    """Return the instant that is *micros* microseconds after 1970."""
    return EPOCH + timedelta(microseconds=micros)


def parse_instant(text: str) -> datetime:
    """
    Read an ISO 8601 instant or day; a day means its first microsecond in UTC.

    Raises:
        InvalidInputError: *text* is neither, or a time without a zone.
    """
    try:
        instant = datetime.fromisoformat(text)
    except ValueError as error:
        raise InvalidInputError(
            f"{text!r} is not an instant", hint="write 2026-11-20 or 2026-11-20T14:03:00+00:00"
        ) from error
    if instant.tzinfo is None and len(text) <= len("2026-11-20"):
        instant = instant.replace(tzinfo=UTC)
    to_micros(instant)
    return instant.astimezone(UTC)


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
