"""Names of times: how each is written, and what it means at a given moment."""

import re
from collections.abc import Callable, Sequence
from datetime import UTC, datetime, timedelta
from enum import StrEnum
from typing import TypeAlias


class Precision(StrEnum):
    """How exactly a time was named."""

    DAY = "day"
    WEEK = "week"
    MONTH = "month"
    QUARTER = "quarter"
    YEAR = "year"
    OPEN = "open"


Extent: TypeAlias = tuple[datetime, datetime, Precision]
Read: TypeAlias = Callable[[re.Match[str], datetime], Extent | None]

_MONTH_STARTS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_WEEKDAY_STARTS = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
_NUMBER_WORDS = """
    one two three four five six seven eight nine ten eleven twelve
"""
_NUMBERS = {word: number for number, word in enumerate(_NUMBER_WORDS.split(), start=1)} | {
    "a": 1,
    "an": 1,
    "couple of": 2,
    "a couple of": 2,
    "few": 3,
    "a few": 3,
    "several": 4,
}
_SEASONS = {"spring": 3, "summer": 6, "autumn": 9, "fall": 9, "winter": 12}

_MONTH = (
    r"(?P<month>jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|"
    r"sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\b\.?"
)
_WEEKDAY = (
    r"(?P<weekday>mon(?:day)?|tue(?:s(?:day)?)?|wed(?:nesday)?|thu(?:rs?(?:day)?)?|fri(?:day)?|"
    r"sat(?:urday)?|sun(?:day)?)\b"
)
_DAY = r"(?P<day>[0-3]?\d)(?:st|nd|rd|th)?"
_YEAR = r"(?P<year>(?:19|20)\d\d)\b"
COUNT = (
    r"(?P<count>\d{1,4}|a couple of|couple of|a few|few|several|an?|one|two|three|four|five|six|"
    r"seven|eight|nine|ten|eleven|twelve)"
)
UNIT = r"(?P<unit>hour|day|week|month|year)s?"
_PAST = r"(?P<which>last|past|previous|this|current|next)"


def _pattern(text: str) -> re.Pattern[str]:
    return re.compile(rf"\b(?:{text})", re.IGNORECASE)


def _day(at: datetime) -> datetime:
    return at.replace(hour=0, minute=0, second=0, microsecond=0)


def _month_of(match: re.Match[str]) -> int:
    return _MONTH_STARTS.index(match["month"].lower()[:3]) + 1


def number(text: str) -> int:
    """Read a number in figures or in words."""
    return int(text) if text.isdecimal() else _NUMBERS[" ".join(text.lower().split())]


def _months(year: int, month: int, count: int) -> tuple[datetime, datetime]:
    last = year * 12 + month - 1 + count
    return datetime(year, month, 1, tzinfo=UTC), datetime(last // 12, last % 12 + 1, 1, tzinfo=UTC)


def _whole_days(start: datetime, days: int = 1) -> tuple[datetime, datetime]:
    return _day(start), _day(start) + timedelta(days=days)


def _latest_year(match: re.Match[str], now: datetime, month: int, day: int = 1) -> int:
    """Return the year that *match* names, else that of the latest such day that has begun."""
    if match["year"]:
        return int(match["year"])
    return now.year - ((month, day) > (now.month, now.day))


def _read_iso_day(match: re.Match[str], _: datetime) -> Extent:
    start = datetime(int(match["year"]), int(match["number"]), int(match["day"]), tzinfo=UTC)
    return *_whole_days(start), Precision.DAY


def _read_iso_month(match: re.Match[str], _: datetime) -> Extent:
    return *_months(int(match["year"]), int(match["number"]), 1), Precision.MONTH


def _read_date(match: re.Match[str], now: datetime) -> Extent:
    month, day = _month_of(match), int(match["day"])
    start = datetime(_latest_year(match, now, month, day), month, day, tzinfo=UTC)
    return *_whole_days(start), Precision.DAY


def _read_month(match: re.Match[str], now: datetime) -> Extent:
    month = _month_of(match)
    return *_months(_latest_year(match, now, month), month, 1), Precision.MONTH


def _read_lone_month(match: re.Match[str], now: datetime) -> Extent | None:
    # "and may", "to march" are verbs; "in may" is a time, however it is written.
    is_verb = match["loose"] and match["month"] in {"may", "march"}
    return None if is_verb else _read_month(match, now)


def _read_quarter(match: re.Match[str], now: datetime) -> Extent:
    month = int(match["quarter"]) * 3 - 2
    return *_months(_latest_year(match, now, month), month, 3), Precision.QUARTER


def _read_season(match: re.Match[str], now: datetime) -> Extent:
    month = _SEASONS[match["season"].lower()]
    return *_months(_latest_year(match, now, month), month, 3), Precision.QUARTER


def _read_year(match: re.Match[str], _: datetime) -> Extent:
    return *_months(int(match["year"]), 1, 12), Precision.YEAR


_NEAR_DAYS = {
    "today": 0,
    "tonight": 0,
    "this morning": 0,
    "this afternoon": 0,
    "this evening": 0,
    "yesterday": -1,
    "last night": -1,
    "day before yesterday": -2,
    "tomorrow": 1,
}


def _read_near_day(match: re.Match[str], now: datetime) -> Extent:
    days = _NEAR_DAYS[" ".join(match[0].lower().split())]
    return *_whole_days(now + timedelta(days=days)), Precision.DAY


def _step(match: re.Match[str]) -> int:
    return {"this": 0, "current": 0, "next": 1}.get(match["which"].lower(), -1)


def _read_weekday(match: re.Match[str], now: datetime) -> Extent:
    back = (now.weekday() - _WEEKDAY_STARTS.index(match["weekday"].lower()[:3])) % 7
    which = (match["which"] or "").lower()
    if which == "next":
        back -= 7
    elif which in {"last", "past", "previous"} and back == 0:
        back = 7
    return *_whole_days(now - timedelta(days=back)), Precision.DAY


def _read_period(match: re.Match[str], now: datetime) -> Extent:
    step, unit = _step(match), match["period"].lower()
    monday = _day(now) - timedelta(days=now.weekday()) + timedelta(weeks=step)
    match unit:
        case "week":
            return *_whole_days(monday, 7), Precision.WEEK
        case "weekend":
            # Told on a weekend, "last weekend" is the one before; both begin on a Saturday.
            return *_whole_days(monday + timedelta(days=5), 2), Precision.DAY
        case "month":
            months = now.year * 12 + now.month - 1 + step
            return *_months(months // 12, months % 12 + 1, 1), Precision.MONTH
        case "quarter":
            quarters = now.year * 4 + (now.month - 1) // 3 + step
            return *_months(quarters // 4, quarters % 4 * 3 + 1, 3), Precision.QUARTER
        case _:
            return *_months(now.year + step, 1, 12), Precision.YEAR


def _read_ago(match: re.Match[str], now: datetime) -> Extent:
    return around(now, -number(match["count"]), match["unit"].lower())


def around(at: datetime, count: int, unit: str) -> Extent:
    """Return what is meant by *count* units from *at*: the less exact the larger the unit."""
    match unit:
        case "hour":
            return *_whole_days(at + timedelta(hours=count)), Precision.DAY
        case "day":
            return *_whole_days(at + timedelta(days=count)), Precision.DAY
        case "week":
            return *_whole_days(at + timedelta(days=7 * count - 3), 7), Precision.WEEK
        case "month":
            months = at.year * 12 + at.month - 1 + count
            return *_months(months // 12, months % 12 + 1, 1), Precision.MONTH
        case _:
            return *_months(at.year + count, 1, 12), Precision.YEAR


_UNIT_DAYS = {"hour": 1 / 24, "day": 1, "week": 7, "month": 31, "year": 366}


def _read_lately(match: re.Match[str], now: datetime) -> Extent:
    days = number(match["count"]) * _UNIT_DAYS[match["unit"].lower()]
    return now - timedelta(days=days), now, Precision.OPEN


READERS: Sequence[tuple[re.Pattern[str], Read]] = (
    (_pattern(r"(?P<year>\d{4})[-/](?P<number>\d\d)[-/](?P<day>\d\d)\b"), _read_iso_day),
    (_pattern(r"(?P<year>(?:19|20)\d\d)-(?P<number>\d\d)\b(?!-)"), _read_iso_month),
    (_pattern(rf"{_DAY}\s+(?:of\s+)?{_MONTH}(?:,?\s+{_YEAR})?"), _read_date),
    (_pattern(rf"{_MONTH}\s+(?:the\s+)?{_DAY}\b(?!:)(?:,?\s+{_YEAR})?"), _read_date),
    (_pattern(rf"{_MONTH},?\s+(?:of\s+)?{_YEAR}"), _read_month),
    (
        _pattern(
            r"(?:in|since|during|until|till|before|after|by|of|from|through|early|late|mid|this|"
            rf"last|past|between|(?P<loose>and|or|to|the|my|our))[\s-]+{_MONTH}(?P<year>(?!))?"
            r"(?!\s+\d)"
        ),
        _read_lone_month,
    ),
    (_pattern(rf"q(?P<quarter>[1-4])\b(?:,?\s+(?:of\s+)?{_YEAR})?"), _read_quarter),
    (
        _pattern(
            r"(?:(?:last|past|this|in|in the|during the|over the)\s+)?"
            rf"(?P<season>spring|summer|autumn|winter|fall)\s+(?:of\s+)?{_YEAR}"
        ),
        _read_season,
    ),
    (
        _pattern(
            r"(?:last|past|this|in the|during the|over the)\s+"
            r"(?P<season>spring|summer|autumn|winter|fall)\b(?P<year>(?!))?"
        ),
        _read_season,
    ),
    (
        _pattern(
            rf"(?:(?:in|during|since|until|till|before|after|by|from|through|year)\s+){_YEAR}"
            r"(?![-/.:\w])"
        ),
        _read_year,
    ),
    (_pattern(r"(?:day\s+before\s+yesterday|yesterday|today|tonight|tomorrow)\b"), _read_near_day),
    (_pattern(r"(?:this\s+(?:morning|afternoon|evening)|last\s+night)\b"), _read_near_day),
    (_pattern(rf"{_PAST}\s+{_WEEKDAY}"), _read_weekday),
    (
        _pattern(rf"(?:on|since|until|till|before|after|by)\s+(?P<which>(?!))?{_WEEKDAY}"),
        _read_weekday,
    ),
    (
        _pattern(r"(?P<which>(?!))?(?P<weekday>(?:mon|tues|wednes|thurs|fri|satur|sun)day)\b"),
        _read_weekday,
    ),
    (_pattern(rf"{_PAST}\s+(?P<period>weekend|week|month|quarter|year)\b"), _read_period),
    (_pattern(rf"{COUNT}\s+{UNIT}\s+(?:ago|earlier|back)\b"), _read_ago),
    (_pattern(rf"(?:last|past|previous)\s+{COUNT}\s+{UNIT}\b"), _read_lately),
)  # fmt: skip
