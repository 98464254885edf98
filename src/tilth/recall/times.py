"""
The times that a question speaks of, as half-open ranges in UTC.

A small grammar: names of times (`March 2023`, `last Tuesday`, `two weeks ago`), and what stands
before one (`since`, `3 days before`, `between … and`). A time without a year is the latest one that
has begun. Words that are also verbs (`may`, `march`) count where a reader would take them for a
time. Never raises; what it does not understand it leaves out.
"""

import re
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import UTC, datetime

from tilth.recall.named_times import COUNT, READERS, UNIT, Precision, Read, around, number

# Enough for any question; it bounds the time that reading one can take.
READ_CHARS_MAX = 2000
BEGINNING = datetime.min.replace(tzinfo=UTC)
END = datetime.max.replace(tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class TimeRange:
    """From *start* until just before *end*; *text* is what named it."""

    start: datetime
    end: datetime
    precision: Precision
    text: str


def time_ranges(question: str, now: datetime) -> tuple[TimeRange, ...]:
    """Return the times that *question*, asked at *now*, speaks of, in their order."""
    text = question[:READ_CHARS_MAX]
    spans = _disjoint([span for read in READERS for span in _spans(read, text, now)])
    spans = [_qualified(span, text, now) for span in spans]
    return tuple(span.range for span in _joined(spans, text))


@dataclass(frozen=True, slots=True)
class _Span:
    begin: int
    stop: int
    range: TimeRange


def _spans(reader: tuple[re.Pattern[str], Read], text: str, now: datetime) -> list[_Span]:
    pattern, read = reader
    found = []
    for match in pattern.finditer(text):
        # "31 February", or a year that no calendar has, is not a time.
        with suppress(ValueError, OverflowError):
            if known := read(match, now):
                start, end, precision = known
                begin = _begin_of_name(match)
                named = TimeRange(start, end, precision, text[begin : match.end()])
                found.append(_Span(begin, match.end(), named))
    return found


_SHOWING = re.compile(
    r"(?:in|since|during|until|till|before|after|by|of|from|through|on|between|and|or|to|the|my|our|"
    r"year)\s+(?:the\s+)?",
    re.IGNORECASE,
)


def _begin_of_name(match: re.Match[str]) -> int:
    """Return where the time itself begins, after a word that only showed that it is one."""
    showing = _SHOWING.match(match[0])
    return match.start() + (showing.end() if showing else 0)


def _disjoint(spans: list[_Span]) -> list[_Span]:
    """Return *spans* in order, without those that a longer one covers in part."""
    kept: list[_Span] = []
    for span in sorted(spans, key=lambda span: (span.begin - span.stop, span.begin)):
        if all(span.stop <= other.begin or other.stop <= span.begin for other in kept):
            kept.append(span)
    return sorted(kept, key=lambda span: span.begin)


_BEFORE = re.compile(r"\b(since|after|before|until|till|by)\s+(?:the\s+)?$", re.IGNORECASE)
_OFFSET = re.compile(
    rf"\b(?:{COUNT}|the)\s+{UNIT}\s+(?P<side>before|after)\s+(?:the\s+)?$", re.IGNORECASE
)
_LOOKBACK_CHARS = 40


def _qualified(span: _Span, text: str, now: datetime) -> _Span:
    """Return *span* changed by the words before it."""
    before = text[max(0, span.begin - _LOOKBACK_CHARS) : span.begin]
    named = span.range
    try:
        if offset := _OFFSET.search(before):
            count = number(offset["count"] or "a") * (
                1 if offset["side"].lower() == "after" else -1
            )
            start, end, precision = around(named.start, count, offset["unit"].lower())
            changed = TimeRange(start, end, precision, offset[0] + named.text)
        elif word := _BEFORE.search(before):
            changed = _opened(named, word[1].lower(), now)
        else:
            return span
    except (ValueError, OverflowError):
        return span
    return replace(span, range=changed)


def _opened(named: TimeRange, word: str, now: datetime) -> TimeRange:
    text = f"{word} {named.text}"
    match word:
        case "since":
            return TimeRange(named.start, max(now, named.end), Precision.OPEN, text)
        case "after":
            return TimeRange(named.end, END, Precision.OPEN, text)
        case "before":
            return TimeRange(BEGINNING, named.start, Precision.OPEN, text)
        case _:
            return TimeRange(BEGINNING, named.end, Precision.OPEN, text)


_BETWEEN = re.compile(r"\b(?:between|from)\s+(?:the\s+)?$", re.IGNORECASE)
_AND = re.compile(r"\s*(?:and|to|until|till|through|-|\u2013)\s*(?:the\s+)?", re.IGNORECASE)


def _joined(spans: list[_Span], text: str) -> list[_Span]:
    """Return *spans* with `between A and B`, `from A to B` made one."""
    result: list[_Span] = []
    for span in spans:
        first = result[-1] if result else None
        if (
            first
            and _BETWEEN.search(text[max(0, first.begin - _LOOKBACK_CHARS) : first.begin])
            and _AND.fullmatch(text[first.stop : span.begin])
        ):
            start = _begun_before(first.range.start, span.range.end)
            named = text[first.begin : span.stop]
            whole = TimeRange(start, span.range.end, Precision.OPEN, named)
            result[-1] = _Span(first.begin, span.stop, whole)
        else:
            result.append(span)
    return result


def _begun_before(start: datetime, end: datetime) -> datetime:
    """Return *start*, in the year of *end* where it was said without one and would come later."""
    if start < end:
        return start
    # The 28th is in every month and in every year.
    return min(end, start.replace(year=end.year, day=min(start.day, 28)))
