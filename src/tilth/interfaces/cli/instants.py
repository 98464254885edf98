"""Instants as people type them: a date, a time with its zone, or the name of a time."""

from collections.abc import Callable
from datetime import datetime

from tilth.core.errors import InvalidInputError
from tilth.core.instant import parse_end, parse_instant
from tilth.runtime.system import SystemClock

_HINT = "write 2026-11-20, 2026-11-20T14:03:00+00:00, or a day such as yesterday or 'last monday'"


def beginning(text: str) -> datetime:
    """
    Read an instant; of a day that is named, where it begins.

    Raises:
        InvalidInputError: *text* is neither.
    """
    return _parse(text, parse_instant)[0]


def day(text: str) -> str:
    """
    Read a day, and return its date.

    Raises:
        InvalidInputError: *text* is neither a date nor the name of a day.
    """
    return beginning(text).date().isoformat()


def ending(text: str) -> datetime:
    """
    Read when something ends; of a day that is written or named, after the whole of it.

    Raises:
        InvalidInputError: *text* is neither.
    """
    return _parse(text, parse_end)[1]


def since(text: str) -> str:
    """
    Read from when on: an instant, or where a day, a week or a month that is named begins.

    Raises:
        InvalidInputError: *text* is neither, nor a cursor, which stays as it is.
    """
    try:
        return parse_instant(text).isoformat()
    except InvalidInputError as error:
        from tilth.episodes.changes import CURSOR_PREFIX  # noqa: PLC0415 - for who gives no date

        if not text or text.startswith(CURSOR_PREFIX):
            return text
        return _parse_name(text, error, is_span_taken=True)[0].isoformat()


def _parse(text: str, parse: Callable[[str], datetime]) -> tuple[datetime, datetime]:
    """Return where a time begins and ends; what is written out is one instant."""
    try:
        written = parse(text)
    except InvalidInputError as error:
        return _parse_name(text, error)
    return written, written


def _parse_name(
    text: str, error: InvalidInputError, *, is_span_taken: bool = False
) -> tuple[datetime, datetime]:
    """Return where a time that is named begins and ends; hours are not told apart there."""
    # The grammar of times is for who does not write a date.
    from tilth.recall.times import Precision, named_time  # noqa: PLC0415

    # Which of its numbers is the month, "03.02.2026" does not say.
    has_name = any(map(str.isalpha, text))
    found = named_time(text, SystemClock().now()) if has_name else None
    is_exact = found is not None and found.precision is Precision.DAY
    if found is None or "hour" in text.casefold() or not (is_exact or is_span_taken):
        raise InvalidInputError(str(error), hint=_HINT) from error
    return found.start, found.end
