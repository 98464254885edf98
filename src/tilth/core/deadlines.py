"""
Read deadlines: when something is due, counted from when that was said (DU-055).

Where no hour is named a day's last microsecond is meant, so that what is due on a day is not late
on it. What is to be done before a day is due when it begins. A weekday is the next that is not
today, and with "next" or "next week" the one of next week. A week of work ends with its Friday, and
a sprint takes two. The 31st is of the next month that has one, and business days leave out
Saturdays and Sundays.
"""

import calendar
import re
from collections.abc import Callable, Iterator
from datetime import datetime, timedelta
from typing import TypeAlias

from tilth.core.dataclass import dataclass
from tilth.core.instant import MONTH, MONTHS, NUMBERS, month_number, weekday_number

# In characters, how far into a sentence a deadline is searched.
_READ_CHARS_MAX = 1000
_NUMBERS = NUMBERS | {"the": 1}
_COUNT = rf"(?P<count>\d{{1,3}}|{'|'.join(sorted(_NUMBERS, key=len, reverse=True))})"
_WORKING_DAYS = frozenset({"business day", "working day"})
_DAYS = {"day": 1, "week": 7, "fortnight": 14, "sprint": 14}
_PERIOD_MONTHS = {"month": 1, "quarter": 3, "year": 12}
_SHORT_UNITS = {
    "minute": timedelta(minutes=1),
    "min": timedelta(minutes=1),
    "hour": timedelta(hours=1),
}
_SPRINT_DAYS = 14
_FRIDAY, _SUNDAY = 4, 6
_WEEK_DAYS = 7
_YEAR_MONTHS, _QUARTER_MONTHS = 12, 3
_NOON = 12
# Of two consecutive months one has 31 days; from January to March two have.
_LONG_MONTH_WITHIN = 2

_WEEKDAY = (
    r"(?P<weekday>mon(?:day)?|tue(?:s(?:day)?)?|wed(?:nesday)?|thu(?:rs?(?:day)?)?|fri(?:day)?|"
    r"saturday|sunday|(?-i:Sat|Sun))\b"
)
_OF_MONTH = r"(?P<day>[0-3]?\d)(?:st|nd|rd|th)?\b"
_IN_YEAR = r"(?:,?\s+(?P<year>20\d\d)\b)?"
_CLOCK = re.compile(
    r"(?:\s*,?\s*(?:at\s+)?)(?:(?P<hour>[01]?\d|2[0-3])(?::(?P<minute>[0-5]\d))?\s?"
    r"(?P<half>[ap]m)\b|(?P<hour24>[01]?\d|2[0-3]):(?P<minute24>[0-5]\d)\b|(?P<noon>noon)\b)",
    re.IGNORECASE,
)
_LIMIT = re.compile(
    r"(?:\b(?:by|before|until|till|til|due|deadline|no later than|not later than|latest|within)\b)"
    r"[^.;!?]{0,20}$",
    re.IGNORECASE,
)
_BEFORE = re.compile(r"\bbefore\s+(?:the\s+)?$", re.IGNORECASE)
_VAGUE = re.compile(
    r"(?:eod|cob|(?:the )?end of (?:the )?(?:day|business|sprint)|close of business|"
    r"(?:next|this) sprint)",
    re.IGNORECASE,
)
# "The 10th again" is a day, "the 10th floor" is not.
_GOING_ON = (
    r"(?:again|at|in|and|or|for|from|to|when|if|please|pls|anyway|with|because|so|by|is|we|i|he|"
    r"she|they|you|then|already|but)\b"
)
_LOOKBACK_CHARS = 40

_Read: TypeAlias = Callable[[re.Match[str], datetime], datetime]


@dataclass(frozen=True, slots=True)
class _Named:
    """A time that a text names, and whether it is a limit."""

    begin: int
    end: int
    due: datetime
    is_limit: bool
    # "End of day" or a sprint gives a day only if nothing else does.
    is_vague: bool


def deadline(text: str, at: datetime) -> datetime | None:
    """
    Return when what *text* announces at *at* is due; None if it names no time.

    Of several times, the one after a word such as "by" or "due" counts, or else the first.
    """
    named = list(_named(text[:_READ_CHARS_MAX], at))
    if not named:
        return None
    return min(named, key=lambda one: (one.is_vague, not one.is_limit, one.begin, -one.end)).due


def _named(text: str, at: datetime) -> Iterator[_Named]:
    for form, read in _FORMS:
        for found in form.finditer(text):
            due = _read_day(read, found, at)
            if due is None:
                continue
            ahead = text[max(0, found.start() - _LOOKBACK_CHARS) : found.start()]
            clock = _CLOCK.match(text, found.end())
            if clock:
                due = _at_hour(due, clock)
            elif read is not _period and _BEFORE.search(ahead) and due == _end(due):
                due = _begin(due)
            is_limit = _LIMIT.search(ahead) is not None
            is_vague = _VAGUE.fullmatch(found[0]) is not None
            yield _Named(found.start(), found.end(), due, is_limit, is_vague)


def _read_day(read: _Read, found: re.Match[str], at: datetime) -> datetime | None:
    """Return the time that *found* names; None if there is no such day."""
    try:
        return read(found, at)
    except (ValueError, OverflowError):
        return None


def _begin(day: datetime) -> datetime:
    return day.replace(hour=0, minute=0, second=0, microsecond=0)


def _end(day: datetime) -> datetime:
    return _begin(day) + timedelta(days=1, microseconds=-1)


def _at_hour(day: datetime, clock: re.Match[str]) -> datetime:
    hour, minute = _NOON, 0
    if clock["hour24"]:
        hour, minute = int(clock["hour24"]), int(clock["minute24"])
    elif clock["hour"]:
        is_pm = clock["half"].lower() == "pm"
        hour = int(clock["hour"]) % _NOON + (_NOON if is_pm else 0)
        minute = int(clock["minute"] or 0)
    return _begin(day).replace(hour=hour, minute=minute)


def _month_end(at: datetime, months: int) -> datetime:
    """Return the end of the month that comes *months* after that of *at*."""
    years, month = divmod(at.month - 1 + months, _YEAR_MONTHS)
    year = at.year + years
    return _end(at.replace(year=year, month=month + 1, day=calendar.monthrange(year, month + 1)[1]))


def _iso_date(found: re.Match[str], at: datetime) -> datetime:
    return _end(datetime.fromisoformat(found["date"]).replace(tzinfo=at.tzinfo))


def _date(found: re.Match[str], at: datetime) -> datetime:
    """Return a day of a month: of the year named, or the first that is not over."""
    month, day = month_number(found["month"]), int(found["day"])
    due = _end(at.replace(year=int(found["year"] or at.year), month=month, day=day))
    return due if found["year"] or due >= at else due.replace(year=at.year + 1)


def _day_of_month(found: re.Match[str], at: datetime) -> datetime:
    day = int(found["day"])
    first = int(day < at.day)
    months = (_month_end(at, ahead) for ahead in range(first, first + _LONG_MONTH_WITHIN))
    return next(due for due in months if due.day >= day).replace(day=day)


def _end_of_month_named(found: re.Match[str], at: datetime) -> datetime:
    month = month_number(found["month"])
    year = int(found["year"] or at.year + (month < at.month))
    due = _month_end(at, (year - at.year) * _YEAR_MONTHS + month - at.month)
    return _begin(due.replace(day=1)) if found[0].lower().startswith("before") else due


def _quarter(found: re.Match[str], at: datetime) -> datetime:
    year, last = int(found["year"] or at.year), int(found["number"]) * _QUARTER_MONTHS
    is_over = not found["year"] and last < at.month
    return _month_end(at, (year - at.year + is_over) * _YEAR_MONTHS + last - at.month)


def _near_day(found: re.Match[str], at: datetime) -> datetime:
    name = found[0].lower()
    if name.startswith(("day after", "the day after")):
        return _end(at + timedelta(days=2))
    return _end(at + timedelta(days=name.startswith(("tom", "tmr", "first", "in the"))))


def _weekday(found: re.Match[str], at: datetime) -> datetime:
    """Return the next such weekday; with "next" or "next week", that of the following week."""
    day = weekday_number(found["weekday"])
    ahead = (day - at.weekday()) % _WEEK_DAYS or _WEEK_DAYS
    if found["next_week"] or found["in_next_week"] or (found["which"] or "").lower() == "next":
        ahead = day - at.weekday() + _WEEK_DAYS
    if found["later"]:
        ahead += _WEEK_DAYS
    return _end(at + timedelta(days=ahead))


def _weekend(found: re.Match[str], at: datetime) -> datetime:
    ahead = _SUNDAY - at.weekday() + _WEEK_DAYS * ((found["which"] or "").lower() == "next")
    is_before = (found["before"] or "").lower() == "before "
    due = _end(at + timedelta(days=ahead))
    return _begin(due - timedelta(days=1)) if is_before else due


def _period(found: re.Match[str], at: datetime) -> datetime:
    """Return the end of this period, or of the next."""
    unit = _UNITS[found["short"].lower()] if found["short"] else found["unit"].lower()
    steps = int((found["which"] or "").lower() in {"next", "coming"})
    if unit == "day":
        return _end(at + timedelta(days=steps))
    if unit == "sprint":
        return _end(at + timedelta(days=_SPRINT_DAYS))
    if unit == "week":
        ahead = (_FRIDAY - at.weekday()) % _WEEK_DAYS
        is_next = steps and at.weekday() <= _FRIDAY
        return _end(at + timedelta(days=ahead + (_WEEK_DAYS if is_next else 0)))
    months = _PERIOD_MONTHS[unit]
    return _month_end(at, -at.month % months + months * steps)


def _after_count(found: re.Match[str], at: datetime) -> datetime:
    count, unit = found["count"].lower(), found["unit"].lower()
    number = int(count) if count.isdecimal() else _NUMBERS[count]
    if unit in _SHORT_UNITS:
        return at + number * _SHORT_UNITS[unit]
    if unit in _WORKING_DAYS:
        return _end(_after_working_days(at, number))
    if unit in _DAYS:
        return _end(at + timedelta(days=number * _DAYS[unit]))
    due = _month_end(at, number * _PERIOD_MONTHS[unit])
    return due.replace(day=min(at.day, due.day))


def _after_working_days(at: datetime, count: int) -> datetime:
    """Return the day so many working days after that of *at*."""
    # Counted from its Monday; a weekend counts as the Friday before it.
    weeks, day = divmod(min(at.weekday(), _FRIDAY) + count, _FRIDAY + 1)
    return at + timedelta(days=weeks * _WEEK_DAYS + day - at.weekday())


def _clock_time(found: re.Match[str], at: datetime) -> datetime:
    clock = _CLOCK.match(found["clock"])
    due = _at_hour(at, clock) if clock else _end(at)
    return due if due >= at else due + timedelta(days=1)


_UNITS = {
    "eod": "day",
    "cob": "day",
    "end of business": "day",
    "close of business": "day",
    "eow": "week",
    "eom": "month",
    "month-end": "month",
    "month end": "month",
    "eoq": "quarter",
    "eoy": "year",
    "year-end": "year",
    "year end": "year",
}
_SHORT = "|".join(_UNITS)
_PERIOD = r"(?P<unit>day|week|sprint|month|quarter|year)\b"


def _form(text: str, read: _Read) -> tuple[re.Pattern[str], _Read]:
    return re.compile(rf"\b(?:{text})", re.IGNORECASE), read


_FORMS = (
    _form(r"(?P<date>20\d\d-[01]\d-[0-3]\d)\b", _iso_date),
    _form(rf"{MONTH}\s+(?:the\s+)?{_OF_MONTH}{_IN_YEAR}", _date),
    _form(rf"{_OF_MONTH}\s+(?:of\s+)?{MONTH}{_IN_YEAR}", _date),
    _form(
        r"(?:the|by|on|until|before)\s+(?P<day>[0-3]?\d)(?:st|nd|rd|th)\b"
        rf"(?!\s+(?:of\s+)?(?:{'|'.join(MONTHS)}|(?!{_GOING_ON})[a-z]))",
        _day_of_month,
    ),
    _form(
        rf"(?:by|before|until|till|in|(?:the\s+)?end\s+of)\s+{MONTH}(?!\s+\d{{1,2}}\b){_IN_YEAR}",
        _end_of_month_named,
    ),
    _form(r"Q(?P<number>[1-4])(?:\s+(?P<year>20\d\d))?\b", _quarter),
    _form(
        r"(?:the\s+)?day after tomorrow|tomorrow|tmrw?|tonight|today|this (?:morning|afternoon|"
        r"evening)|(?:before|after|over|at) (?:lunch|work)\b|first thing\b|in the morning\b|"
        r"(?:by|before|until|till|at) midnight\b",
        _near_day,
    ),
    _form(
        r"(?P<next_week>next\s+week,?\s+(?:on\s+)?)?(?:(?P<which>next|this|coming)\s+)?"
        rf"{_WEEKDAY}(?P<later> week\b)?(?P<in_next_week>,?\s+(?:of\s+)?next\s+week\b)?",
        _weekday,
    ),
    _form(r"(?P<before>before )?(?:the |(?P<which>next|this|coming) )?weekend\b", _weekend),
    _form(
        r"(?:(?:the\s+)?end\s+of\s+)?"
        rf"(?:the\s+)?(?P<short>(?!))?(?P<which>next|this|coming|current)\s+{_PERIOD}",
        _period,
    ),
    _form(rf"end\s+of\s+(?:the\s+|my\s+)?(?P<which>(?!))?(?P<short>(?!))?{_PERIOD}", _period),
    _form(rf"(?P<short>{_SHORT})\b(?P<which>(?!))?(?P<unit>(?!))?", _period),
    _form(
        rf"(?:in|within)\s+(?:the\s+next\s+)?(?:about\s+)?{_COUNT}\s+(?P<unit>minute|min|hour|"
        r"business day|working day|day|week|fortnight|month|year|sprint)s?\b",
        _after_count,
    ),
    _form(
        rf"{_COUNT}\s+(?P<unit>hour|day|week|month|year)s?\s+from\s+(?:now|today)\b", _after_count
    ),
    _form(
        r"(?:by|before|until|at)\s+(?P<clock>(?:[01]?\d|2[0-3])(?::[0-5]\d|"
        r"(?::[0-5]\d)?\s?[ap]m)\b|noon\b)",
        _clock_time,
    ),
)
