"""
Read from when a sentence says that something holds.

"As of today the port is 4400" is about the port. "From next month the port is 4400" is a plan, and
the old value holds until then.
"""

import re
from datetime import datetime, time

from tilth.core.deadlines import deadline
from tilth.core.instant import MONTHS

_MONTH = rf"(?:{'|'.join(MONTHS)})[a-z]*"
_OF_MONTH = r"\d{1,2}(?:st|nd|rd|th)?"
_DAY = (
    r"(?:the )?(?:(?:start|beginning|end) of )?(?:(?:this|next|last|past|coming) )?"
    r"(?:now|today|tonight|tomorrow|yesterday|immediately|week|month|quarter|year|sprint"
    r"|(?:mon|tues|wednes|thurs|fri|satur|sun)day"
    rf"|(?:{_OF_MONTH} (?:of )?)?{_MONTH}(?: {_OF_MONTH})?(?:,? 20\d\d)?"
    r"|20\d\d(?:-\d\d){0,2})\b"
)
_FROM = r"(?:as of|as from|from|starting|beginning|effective)(?: on| from| as of)?"
_ON = r"(?: on(?:wards?)?\b)?"
_JOINED = r"\W*(?:(?:and|or|but|so|then|also|plus)\s+)*"
_OPENS = re.compile(
    rf"{_JOINED}(?:(?:{_FROM}|since) {_DAY}{_ON}|from here on|today|at the moment|these days"
    r"|nowadays|(?:going|moving) forward|in (?:the )?future|henceforth),?\s+",
    re.IGNORECASE,
)
_LATER_DAY = rf"{_FROM} (?P<day>(?!(?:the )?(?:this|last|past)\b){_DAY}){_ON}"
_LATER = re.compile(rf"\b{_LATER_DAY}\W*$", re.IGNORECASE)
_OPENS_LATER = re.compile(rf"{_JOINED}{_LATER_DAY},?\s+", re.IGNORECASE)


def after_opening(plain: str, begin: int, end: int) -> int:
    """Return where a part of a sentence goes on after words that say since when it holds."""
    opening = _OPENS.match(plain, begin, end)
    return opening.end() if opening else begin


def begins_later(ahead: str, at: datetime) -> bool:
    """Say whether the words *ahead* of a claim made at *at* date its beginning to a later day."""
    found = _LATER.search(ahead)
    return found is not None and _later_than(at, found["day"]) is not None


def later_opening(plain: str, at: datetime) -> tuple[datetime, int] | None:
    """
    Return the later day with which a sentence said at *at* opens, and where it goes on.

    A week or a month is none: which of its days is meant is not said.
    """
    opening = _OPENS_LATER.match(plain)
    begins = _later_than(at, opening["day"]) if opening else None
    if opening is None or begins is None or begins.time() != time.min:
        return None
    return begins, opening.end()


def _later_than(at: datetime, day: str) -> datetime | None:
    begins = deadline(f"before {day}", at)
    return begins if begins is not None and begins > at else None
