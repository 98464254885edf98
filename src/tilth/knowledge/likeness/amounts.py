"""
Numbers, addresses and parts of times in a statement, in the form in which two of them compare.

Addresses in a network are of their kind, whatever stands beside them. Durations are
told in seconds and sizes in bytes, a date by its year, month and day, so that
`March 2023` agrees with `2023-03-14` and disagrees with `May 2023`.
Relative times (`yesterday`) are left out: what they mean depends on when they
were said. Never raises.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from tilth.core.dataclass import dataclass

_MONTHS = (
    "january", "february", "march", "april", "may", "june", "july", "august", "september",
    "october", "november", "december",
)  # fmt: skip
_MONTH_OF = {name[:3]: str(number) for number, name in enumerate(_MONTHS, start=1)}
_COUNTED = "zero one two three four five six seven eight nine ten eleven twelve"
_NUMBER_WORDS = {word: number for number, word in enumerate(_COUNTED.split())} | {
    "twenty": 20,
    "thirty": 30,
    "forty": 40,
    "fifty": 50,
    "sixty": 60,
    "seventy": 70,
    "eighty": 80,
    "ninety": 90,
    "hundred": 100,
    "thousand": 1000,
}
# Years and months have no fixed length, so they stay what they are: words after a number.
_UNITS = {
    "ms": ("s", 0.001), "millisecond": ("s", 0.001), "s": ("s", 1), "sec": ("s", 1),
    "second": ("s", 1), "min": ("s", 60), "minute": ("s", 60), "h": ("s", 3600),
    "hr": ("s", 3600), "hour": ("s", 3600), "day": ("s", 86_400), "week": ("s", 604_800),
    "kb": ("byte", 1e3), "mb": ("byte", 1e6), "gb": ("byte", 1e9), "tb": ("byte", 1e12),
    "kib": ("byte", 2**10), "mib": ("byte", 2**20), "gib": ("byte", 2**30), "tib": ("byte", 2**40),
    "%": ("%", 1), "percent": ("%", 1),
}  # fmt: skip
_UNIT = "|".join(sorted(_UNITS, key=len, reverse=True))
_MONTH = "|".join(sorted(set(_MONTHS) - {"may", "march"}))
_SHORT_MONTH = "|".join([*_MONTH_OF, "sept"])
# "May" and "March" are months where they are capitalised, "Jan" and its like before a number.
_AMOUNT = re.compile(
    rf"""
    (?<![\w.])(?<!\w-)(?:
        (?P<hardware>(?:[0-9a-f]{{2}}:){{5}}[0-9a-f]{{2}})(?![\w:])
      | (?P<ipv6>(?:[0-9a-f]{{1,4}}:){{1,6}}(?::[0-9a-f]{{1,4}}){{1,6}}
          | (?:[0-9a-f]{{1,4}}:){{7}}[0-9a-f]{{1,4}})(?![\w:])
      | (?P<ipv4>\d{{1,3}}(?:\.\d{{1,3}}){{3}})(?!\.?\d)
      | (?P<year>\d{{4}})-(?P<month_number>[01]\d)-(?P<day>[0-3]\d)(?!\d)
      | (?P<clock>[0-2]?\d:[0-5]\d|(?=1?\d\s?[ap]m)1?\d)(?::[0-5]\d)?(?:\s?(?P<half>[ap])m\b)?
      | (?P<money>[$€£]\s?)?v?(?P<number>\d{{1,3}}(?:,\d{{3}})+(?:\.\d+)?|\d+(?:\.\d+)*)
        (?:(?P<ordinal>st|nd|rd|th)\b|[\s-]?(?P<unit>{_UNIT})s?(?!\w))?
      | (?P<spelled>{"|".join(_NUMBER_WORDS)})(?![\w'])(?!\s+of\b)
        (?:[\s-](?P<spelled_unit>{_UNIT})s?(?!\w))?
      | (?P<month>(?-i:May|March)|{_MONTH}|(?:{_SHORT_MONTH})(?=\.?\s\d))\b
      | (?P<weekday>(?:mon|tues|wednes|thurs|fri|satur|sun)day)s?\b
    )
    """,
    # Of ASCII alone: elsewhere a letter can be another's other case, and name no unit.
    re.VERBOSE | re.IGNORECASE | re.ASCII,
)
_BEFORE_YEAR = re.compile(
    r"(?:^|[(,]\s*|\b(?:in|since|of|by|until|till|from|to|during|before|after|around|and|or|for|"
    r"through|between|year|late|early|mid|spring|summer|autumn|fall|winter)[\s-]+)$",
    re.IGNORECASE,
)
_YEAR = re.compile(r"(?:19|20)\d\d")
_DAY = re.compile(r"[12]?\d|3[01]")
_BETWEEN_DAY_AND_MONTH = re.compile(r"\.?\s(?:of\s|the\s)?")
_LOOKBACK_CHARS = 20
_HALF_DAY = 12


@dataclass(frozen=True, slots=True)
class Amount:
    """
    A number or a part of a time, and where it stands.

    `part` is the unit of a number, where it has one, or which part of a time it is.
    """

    begin: int
    end: int
    value: str
    part: str = ""
    is_time: bool = False


def read_amounts(text: str) -> Sequence[Amount]:
    """Return the amounts in *text*, in order; they do not overlap."""
    found = [amount for match in _AMOUNT.finditer(text) for amount in _amounts(match)]
    pairs = zip([None, *found], found, [*found[1:], None], strict=False)
    return [_as_day_or_year(before, amount, after, text) for before, amount, after in pairs]


def _amounts(match: re.Match[str]) -> Iterator[Amount]:
    begin, end = match.span()
    if address := match["hardware"] or match["ipv6"] or match["ipv4"]:
        # A machine may have one of each kind.
        yield Amount(begin, end, address.lower(), f"{match.lastgroup} address")
    elif match["year"]:
        for group, part in (("year", "year"), ("month_number", "month"), ("day", "day")):
            yield Amount(*match.span(group), match[group].lstrip("0"), part, is_time=True)
    elif match["clock"]:
        yield Amount(begin, end, _clock(match), "clock", is_time=True)
    elif month := match["month"]:
        yield Amount(begin, end, _MONTH_OF[month[:3].lower()], "month", is_time=True)
    elif weekday := match["weekday"]:
        yield Amount(begin, end, weekday.lower(), "weekday", is_time=True)
    else:
        yield Amount(begin, end, *_quantity(match))


def _clock(match: re.Match[str]) -> str:
    hour, _, minute = match["clock"].partition(":")
    half = (match["half"] or "").lower()
    hours = int(hour) % _HALF_DAY + _HALF_DAY * (half == "p") if half else int(hour)
    return f"{hours}:{minute or '00'}"


def _quantity(match: re.Match[str]) -> tuple[str, str]:
    """Return the value and the unit of a number, in figures or in words."""
    spelled, unit = match["spelled"], (match["unit"] or match["spelled_unit"] or "").lower()
    value = str(_NUMBER_WORDS[spelled.lower()]) if spelled else match["number"].replace(",", "")
    if match["money"]:
        return value, match["money"].strip()
    if not unit or value.count(".") > 1:
        return value, ""
    base, factor = _UNITS[unit]
    return f"{float(value) * factor:.12g}", base


def _as_day_or_year(
    before: Amount | None, amount: Amount, after: Amount | None, text: str
) -> Amount:
    """Return a bare number as a day beside a month, or as a year where it reads as one."""
    if amount.part or amount.is_time:
        return amount
    if _DAY.fullmatch(amount.value) and (
        _is_beside_month(before, amount, text) or _is_beside_month(amount, after, text)
    ):
        return replace(amount, part="day", is_time=True)
    if _YEAR.fullmatch(amount.value) and _is_year_after(before, text[: amount.begin]):
        return replace(amount, part="year", is_time=True)
    return amount


def _is_year_after(before: Amount | None, lead: str) -> bool:
    if before and before.is_time and not lead[before.end :].strip(" ,."):
        return True
    return bool(_BEFORE_YEAR.search(lead[-_LOOKBACK_CHARS:]))


def _is_beside_month(one: Amount | None, other: Amount | None, text: str) -> bool:
    if one is None or other is None or "month" not in {one.part, other.part}:
        return False
    return bool(_BETWEEN_DAY_AND_MONTH.fullmatch(text[one.end : other.begin]))
