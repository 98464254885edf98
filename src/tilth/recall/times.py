"""
Read the times that a question names, as half-open ranges in UTC.

A small grammar: names of times (`March 2023`, `last Tuesday`, `two weeks ago`), and words before
one (`since`, `3 days before`, `between … and`). A time without a year is the latest one that has
begun. Words that are also verbs (`may`, `march`) count where a reader would take them for a time.
The functions never raise; they leave out what they do not understand.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from enum import StrEnum
from functools import cache
from typing import TypeAlias

from tilth.core.dataclass import dataclass
from tilth.core.instant import MONTH, NUMBERS, month_number, weekday_number
from tilth.core.text.pattern import pattern


class Precision(StrEnum):
    """How exactly a time was named."""

    DAY = "day"
    WEEK = "week"
    MONTH = "month"
    QUARTER = "quarter"
    YEAR = "year"
    OPEN = "open"


_Extent: TypeAlias = tuple[datetime, datetime, Precision]
_Read: TypeAlias = Callable[[re.Match[str], datetime], _Extent | None]

_SEASONS = {"spring": 3, "summer": 6, "autumn": 9, "fall": 9, "winter": 12}
_SEASON = rf"(?P<season>{'|'.join(_SEASONS)})"
_WEEKDAY = (
    r"(?P<weekday>mon(?:day)?|tue(?:s(?:day)?)?|wed(?:nesday)?|thu(?:rs?(?:day)?)?|fri(?:day)?|"
    r"sat(?:urday)?|sun(?:day)?)\b"
)
_DAY = r"(?P<day>[0-3]?\d)(?:st|nd|rd|th)?"
_DAYS = rf"(?P<first>[0-3]?\d)(?:st|nd|rd|th)?\s*(?:and|to|until|till|through|-|\u2013)\s*{_DAY}"
_YEAR = r"(?P<year>(?:19|20)\d\d)\b"
_COUNT = rf"(?P<count>\d{{1,4}}|{'|'.join(sorted(NUMBERS, key=len, reverse=True))})"
_UNIT = r"(?P<unit>hour|day|week|month|year)s?"
_WHICH = r"(?P<which>last|past|previous|this|current|next)"
_BEFORE_MONTH = (
    r"in|since|during|until|till|before|after|by|of|from|through|early|late|mid|this|last|past|"
    r"between|(?P<loose>and|or|to|the|my|our)"
)
_BEFORE_YEAR = r"in|during|since|until|till|before|after|by|from|through|year"
_UNIT_MONTHS = {"month": 1, "quarter": 3, "year": 12}
_UNIT_DAYS = {"hour": 1 / 24, "day": 1, "week": 7, "month": 31, "year": 366}
_NEAR_DAYS = {"yesterday": -1, "last night": -1, "day before yesterday": -2, "tomorrow": 1}
_TODAY = ("today", "tonight", "this morning", "this afternoon", "this evening")
_NEAR_DAYS |= dict.fromkeys(_TODAY, 0)


def _number(text: str) -> int:
    """Read a number in figures or in words."""
    return int(text) if text.isdecimal() else NUMBERS[" ".join(text.lower().split())]


def _days(start: datetime, count: int = 1, precision: Precision = Precision.DAY) -> _Extent:
    """Return *count* whole days from the day of *start*."""
    begin = start.replace(hour=0, minute=0, second=0, microsecond=0)
    return begin, begin + timedelta(days=count), precision


def _months(year: int, month: int, precision: Precision = Precision.MONTH) -> _Extent:
    """Return a month, or the quarter or year that begins with it."""
    last = year * 12 + month - 1 + _UNIT_MONTHS[precision]
    end = datetime(last // 12, last % 12 + 1, 1, tzinfo=UTC)
    return datetime(year, month, 1, tzinfo=UTC), end, precision


def _unit_from(at: datetime, unit: str, count: int) -> _Extent:
    """Return the month, quarter or year that is *count* after that of *at*."""
    size = _UNIT_MONTHS[unit]
    months = ((at.year * 12 + at.month - 1) // size + count) * size
    return _months(months // 12, months % 12 + 1, Precision(unit))


def _latest_year(match: re.Match[str], now: datetime, month: int, day: int = 1) -> int:
    """Return the year in *match*, else the year of the latest such day that has begun."""
    if match["year"]:
        return int(match["year"])
    return now.year - ((month, day) > (now.month, now.day))


def _read_iso(match: re.Match[str], _: datetime) -> _Extent:
    year, month = int(match["year"]), int(match["number"])
    if day := match.groupdict().get("day"):
        return _days(datetime(year, month, int(day), tzinfo=UTC))
    return _months(year, month)


def _read_date(match: re.Match[str], now: datetime) -> _Extent:
    month, day = month_number(match["month"]), int(match["day"])
    return _days(datetime(_latest_year(match, now, month, day), month, day, tzinfo=UTC))


def _read_days(match: re.Match[str], now: datetime) -> _Extent:
    start, end, _ = _read_date(match, now)
    return start.replace(day=int(match["first"])), end, Precision.OPEN


def _read_month(match: re.Match[str], now: datetime) -> _Extent:
    month = month_number(match["month"])
    return _months(_latest_year(match, now, month), month)


def _read_lone_month(match: re.Match[str], now: datetime) -> _Extent | None:
    # "And may" and "to march" are verbs; "in may" is a time, even in small letters.
    is_verb = match["loose"] and match["month"] in {"may", "march"}
    return None if is_verb else _read_month(match, now)


def _read_quarter(match: re.Match[str], now: datetime) -> _Extent:
    month = int(match["quarter"]) * 3 - 2
    return _months(_latest_year(match, now, month), month, Precision.QUARTER)


def _read_season(match: re.Match[str], now: datetime) -> _Extent:
    month = _SEASONS[match["season"].lower()]
    return _months(_latest_year(match, now, month), month, Precision.QUARTER)


def _read_year(match: re.Match[str], _: datetime) -> _Extent:
    return _months(int(match["year"]), 1, Precision.YEAR)


def _read_near_day(match: re.Match[str], now: datetime) -> _Extent:
    return _days(now + timedelta(days=_NEAR_DAYS[" ".join(match[0].lower().split())]))


def _read_weekday(match: re.Match[str], now: datetime) -> _Extent:
    back = (now.weekday() - weekday_number(match["weekday"])) % 7
    which = (match["which"] or "").lower()
    if which == "next":
        back -= 7
    elif which in {"last", "past", "previous"} and back == 0:
        back = 7
    return _days(now - timedelta(days=back))


def _read_period(match: re.Match[str], now: datetime) -> _Extent:
    step = {"this": 0, "current": 0, "next": 1}.get(match["which"].lower(), -1)
    unit = match["period"].lower()
    monday = now - timedelta(days=now.weekday()) + timedelta(weeks=step)
    if unit == "week":
        return _days(monday, 7, Precision.WEEK)
    if unit == "weekend":
        # On a weekend, "last weekend" is the one before; both begin on a Saturday.
        return _days(monday + timedelta(days=5), 2)
    return _unit_from(now, unit, step)


def _read_ago(match: re.Match[str], now: datetime) -> _Extent:
    return _around(now, -_number(match["count"]), match["unit"].lower())


def _around(at: datetime, count: int, unit: str) -> _Extent:
    """Return the extent of *count* units from *at*: the larger the unit, the less exact."""
    if unit in {"hour", "day"}:
        return _days(at + timedelta(**{f"{unit}s": count}))
    if unit == "week":
        return _days(at + timedelta(days=7 * count - 3), 7, Precision.WEEK)
    return _unit_from(at, unit, count)


def _read_lately(match: re.Match[str], now: datetime) -> _Extent:
    days = _number(match["count"]) * _UNIT_DAYS[match["unit"].lower()]
    return now - timedelta(days=days), now, Precision.OPEN


# The empty alternative `(?!)` stands where a form has no such part.
_FORMS: tuple[tuple[str, _Read], ...] = (
    (r"(?P<year>\d{4})[-/](?P<number>\d\d)[-/](?P<day>\d\d)\b", _read_iso),
    (r"(?P<year>(?:19|20)\d\d)-(?P<number>\d\d)\b(?!-)", _read_iso),
    (r"(?P<day>[0-3]?\d)\.(?P<number>[01]?\d)\.(?P<year>(?:19|20)\d\d)\b", _read_iso),
    (rf"{_DAY}\s+(?:of\s+)?{MONTH}(?:,?\s+{_YEAR})?", _read_date),
    (rf"{_DAYS}\s+{MONTH}(?:,?\s+{_YEAR})?", _read_days),
    (rf"{MONTH}\s+(?:the\s+)?{_DAY}\b(?!:)(?:,?\s+{_YEAR})?", _read_date),
    (rf"{MONTH},?\s+(?:of\s+)?{_YEAR}", _read_month),
    (rf"(?:{_BEFORE_MONTH})[\s-]+{MONTH}(?P<year>(?!))?(?!\s+\d)", _read_lone_month),
    (rf"q(?P<quarter>[1-4])\b(?:,?\s+(?:of\s+)?{_YEAR})?", _read_quarter),
    (
        rf"(?:(?:last|past|this|in|in the|during the|over the)\s+)?{_SEASON}\s+(?:of\s+)?{_YEAR}",
        _read_season,
    ),
    (rf"(?:last|past|this|in the|during the|over the)\s+{_SEASON}\b(?P<year>(?!))?", _read_season),
    (rf"(?:(?:{_BEFORE_YEAR})\s+){_YEAR}(?![-/.:\w])", _read_year),
    (r"(?:day\s+before\s+yesterday|yesterday|today|tonight|tomorrow)\b", _read_near_day),
    (r"(?:this\s+(?:morning|afternoon|evening)|last\s+night)\b", _read_near_day),
    (rf"{_WHICH}\s+{_WEEKDAY}", _read_weekday),
    (rf"(?:on|since|until|till|before|after|by)\s+(?P<which>(?!))?{_WEEKDAY}", _read_weekday),
    (r"(?P<which>(?!))?(?P<weekday>(?:mon|tues|wednes|thurs|fri|satur|sun)day)\b", _read_weekday),
    (rf"{_WHICH}\s+(?P<period>weekend|week|month|quarter|year)\b", _read_period),
    (rf"{_COUNT}\s+{_UNIT}\s+(?:ago|earlier|back)\b", _read_ago),
    (rf"(?:last|past|previous)\s+{_COUNT}\s+{_UNIT}\b", _read_lately),
)
# Every name of a time matches this; most questions do not, and need no reader compiled.
_HINT = pattern(
    r"\d|day|week|month|year|hour|quarter|night|morning|noon|evening|tomorrow|tonight|spring|"
    r"summer|autumn|fall|winter|jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec|"
    r"mon|tue|wed|thu|fri|sat|sun",
    re.IGNORECASE,
)


@cache
def _readers() -> list[tuple[re.Pattern[str], _Read]]:
    return [(re.compile(rf"\b(?:{form})", re.IGNORECASE), read) for form, read in _FORMS]


# In characters: enough for any question, and a bound on the time of reading.
READ_CHARS_MAX = 2000
BEGINNING = datetime.min.replace(tzinfo=UTC)
END = datetime.max.replace(tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class TimeRange:
    """The range from *start* to just before *end*; *text* is its name."""

    start: datetime
    end: datetime
    precision: Precision
    text: str


def time_ranges(question: str, now: datetime) -> tuple[TimeRange, ...]:
    """Return the times that *question*, asked at *now*, names, in their order."""
    text = question[:READ_CHARS_MAX]
    if not _HINT.search(text):
        return ()
    spans = [_apply_qualifier(span, text, now) for span in _disjoint(_spans(text, now))]
    return tuple(span.range for span in _join_ranges(spans, text))


def named_time(text: str, now: datetime) -> TimeRange | None:
    """Return the time that *text*, said at *now*, consists of; None if it says anything else."""
    ranges = time_ranges(text, now)
    is_all = len(ranges) == 1 and ranges[0].text.casefold() == text.strip().casefold()
    return ranges[0] if is_all else None


@dataclass(frozen=True, slots=True)
class _Span:
    begin: int
    stop: int
    range: TimeRange


# Words that announce a time and are no part of its name.
_PREPOSITION = pattern(
    r"(?:(?:in|since|during|until|till|before|after|by|of|from|through|on|between|and|or|to|the|my|"
    r"our|year)\s+(?:the\s+)?)?",
    re.IGNORECASE,
)


def _spans(text: str, now: datetime) -> Iterator[_Span]:
    for form, read in _readers():
        for match in form.finditer(text):
            # "31 February", or a year outside of the calendar, is no time.
            with suppress(ValueError, OverflowError):
                if known := read(match, now):
                    preposition = _PREPOSITION.match(match[0])
                    begin = match.start() + (preposition.end() if preposition else 0)
                    named = TimeRange(*known, text[begin : match.end()])
                    yield _Span(begin, match.end(), named)


def _disjoint(spans: Iterable[_Span]) -> list[_Span]:
    """Return *spans* in order, without those that overlap a longer one."""
    kept: list[_Span] = []
    for span in sorted(spans, key=lambda span: (span.begin - span.stop, span.begin)):
        if all(span.stop <= other.begin or other.stop <= span.begin for other in kept):
            kept.append(span)
    return sorted(kept, key=lambda span: span.begin)


_BEFORE = pattern(r"\b(since|after|before|until|till|by)\s+(?:the\s+)?$", re.IGNORECASE)
_OFFSET = pattern(
    rf"\b(?:{_COUNT}|the)\s+{_UNIT}\s+(?P<side>before|after)\s+(?:the\s+)?$", re.IGNORECASE
)
_LOOKBACK_CHARS = 40


def _apply_qualifier(span: _Span, text: str, now: datetime) -> _Span:
    """Return *span* as the words before it change it."""
    before = text[max(0, span.begin - _LOOKBACK_CHARS) : span.begin]
    named = span.range
    try:
        if offset := _OFFSET.search(before):
            sign = 1 if offset["side"].lower() == "after" else -1
            count = sign * _number(offset["count"] or "a")
            extent = _around(named.start, count, offset["unit"].lower())
            changed = TimeRange(*extent, offset[0] + named.text)
        elif word := _BEFORE.search(before):
            changed = replace(_open_range(named, word[1].lower(), now), text=word[0] + named.text)
        else:
            return span
    except (ValueError, OverflowError):
        return span
    return replace(span, range=changed)


def _open_range(named: TimeRange, word: str, now: datetime) -> TimeRange:
    start, end = {
        "since": (named.start, max(now, named.end)),
        "after": (named.end, END),
        "before": (BEGINNING, named.start),
    }.get(word, (BEGINNING, named.end))
    return TimeRange(start, end, Precision.OPEN, named.text)


_BETWEEN = pattern(r"\b(?:between|from)\s+(?:the\s+)?$", re.IGNORECASE)
_AND = pattern(r"\s*(?:and|to|until|till|through|-|\u2013)\s*(?:the\s+)?", re.IGNORECASE)


def _join_ranges(spans: Sequence[_Span], text: str) -> list[_Span]:
    """Return *spans* with each `between A and B` and `from A to B` joined."""
    result: list[_Span] = []
    for span in spans:
        first = result[-1] if result else span
        ahead = text[max(0, first.begin - _LOOKBACK_CHARS) : first.begin]
        if _BETWEEN.search(ahead) and _AND.fullmatch(text[first.stop : span.begin]):
            start, end = first.range.start, span.range.end
            if start >= end:
                # The first part has no year. The 28th exists in every month and year.
                start = min(end, start.replace(year=end.year, day=min(start.day, 28)))
            named = text[first.begin : span.stop]
            whole = TimeRange(start, end, Precision.OPEN, named)
            result[-1] = _Span(first.begin, span.stop, whole)
        else:
            result.append(span)
    return result
