"""
Literals: values as they are written, such as `:5433`, `30 s` or `every Monday`.

Their forms are those of programs and people everywhere, so a literal is recognised by itself.
Whether a sentence states it is decided elsewhere.
"""

import re
from enum import StrEnum

from tilth.core.dataclass import dataclass


class LiteralKind(StrEnum):
    """The kind of a literal."""

    URL = "url"
    EMAIL = "email"
    IP = "ip"
    HOST = "host"
    PATH = "path"
    SCHEDULE = "schedule"
    DATE = "date"
    TIME = "time"
    VERSION = "version"
    PRODUCT = "product"
    AMOUNT = "amount"
    COUNT = "count"
    PORT = "port"
    NUMBER = "number"
    CODE = "code"


@dataclass(frozen=True, slots=True)
class Literal:
    """A value as written, with its position."""

    kind: LiteralKind
    text: str
    begin: int
    end: int


_DASH = "[-\u2013]"
_MONTH = (
    r"(?i:Jan(?:uary)?|Feb(?:ruary)?|Mar(?:ch)?|Apr(?:il)?|May|June?|July?|Aug(?:ust)?|"
    r"Sept?(?:ember)?|Oct(?:ober)?|Nov(?:ember)?|Dec(?:ember)?)\b\.?"
)
_FULL_WEEKDAY = r"(?i:(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day|weekday|weekend|workday)"
# Abbreviations that are also words only count with a capital.
_WEEKDAY = rf"(?:{_FULL_WEEKDAY}|(?i:mon|tues?|wed|thu(?:rs?)?|fri)\b|(?:Sat|Sun)\b)"
_DAY = r"(?:the\s)?[0-3]?\d(?:st|nd|rd|th)?"
_YEAR = r"(?:,?\s(?:19|20)\d\d)?(?!\w)"
_CLOCK = r"(?:(?:[01]?\d|2[0-3]):[0-5]\d(?::[0-5]\d)?(?:\s?[ap]\.?m\b)?|(?:1[0-2]|[1-9])\s?[ap]m\b)"
_HOUR = (
    rf"(?:{_CLOCK}|midnight\b|noon\b)(?:\s(?:UTC|GMT|[CEW]E?S?T|[PEMC][SD]T|local time|Zulu)\b)?"
)
_AT = rf"(?:,?\s(?:at|around|from|between)\s{_HOUR}(?:\s?(?:to|and|{_DASH})\s?{_HOUR})?)?"
_SPAN = (
    r"(?:ns|ms|milliseconds?|msec|s|secs?|seconds?|m|mins?|minutes?|h|hrs?|hours?|d|days?|"
    r"wks?|weeks?|months?|quarters?|years?|sprints?|(?:business|working) days)"
)
_SIZE = (
    r"(?:[KMGTP]i?B(?:/s)?|[kmgt]b|gigs?|bytes?|bits?|[KMG]bps|[KMG]bit/s|"
    r"[GMk]?Hz|px|dpi|k?Wh?|V|A)"
)
_MEASURE = (
    r"(?:°\s?[CF]?|degrees?|km|kg|mg|cm|mm|meters?|metres?|miles?|fps|rpm|rps|qps|tps|"
    r"req(?:uest)?s?/(?:s|sec|min|h)\w*|x|lines?|chars?|characters?|tokens?|cores?|v?CPUs?)"
)
_MONEY = r"(?:EUR|USD|GBP|CHF|euros?|dollars?|pounds?)"
# Anything can be counted; the sentence decides whether it is "3 nodes" or "3 failing tests".
_NOT_COUNTED = r"(?!(?:this|was|is|has|as|its|plus|tops|always|does|us|yes|less|across)\b)"
_COUNTED = (
    rf"(?:{_NOT_COUNTED}[a-z][a-z-]{{2,20}}\s)?{_NOT_COUNTED}"
    r"(?:[a-z][a-z-]{2,20}s|people|staff)\b"
)
_FIGURE = r"(?:\d{1,3}(?:[,_]\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?)"
_FEW = r"(?:two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)"
_RATE = r"(?:\s?(?:/|per|an?|each)\s?[a-z]{1,12}\b(?:\s(?:and|per)\s[a-z]{2,12}\b)?)?"
_RANGE = rf"(?:\s?(?:{_DASH}|to)\s?{_FIGURE})?"
_LABEL = r"[A-Za-z0-9][A-Za-z0-9-]{0,62}"
_STEP = r"[\w.@{}*$:-]{0,80}"

_FORMS: list[tuple[LiteralKind, re.Pattern[str]]] = []


def _form(kind: LiteralKind, *patterns: str) -> None:
    _FORMS.extend((kind, re.compile(pattern)) for pattern in patterns)


_form(LiteralKind.URL, r"[a-z][a-z0-9+.-]{1,15}://[^\s<>\"'`)\]]*[^\s<>\"'`)\].,;:!?]")
_form(LiteralKind.EMAIL, rf"[\w.+-]{{1,64}}@{_LABEL}(?:\.{_LABEL}){{1,5}}")
_form(
    LiteralKind.IP,
    r"\d{1,3}(?:\.\d{1,3}){3}(?:/\d{1,2})?(?::\d{2,5})?(?![\w.]*\w)",
    r"(?:[0-9a-f]{1,4}:){2,7}:?[0-9a-f]{1,4}(?:/\d{1,3})?(?!\w)",
)
_form(
    LiteralKind.SCHEDULE,
    r"(?:[\d*][\d*/,-]{0,12}\s){4}[\d*][\d*/,A-Z-]{0,12}(?!\S)",  # cron
    r"(?:on\s)?(?:every|each)\s(?:\d{1,4}\s|(?:other|second|third|single)\s)?"
    rf"(?:{_WEEKDAY}|{_SPAN}|morning|night|evening|afternoon|release|push|commit|{_MONTH})\b{_AT}",
    r"(?:hourly|daily|nightly|weekly|bi-?weekly|fortnightly|monthly|quarterly|yearly|annually|"
    rf"(?:once|twice) (?:an?|per) [a-z]{{3,9}})\b{_AT}(?:\son\s{_WEEKDAY}s?)?",
    rf"(?:on\s)?(?:{_FULL_WEEKDAY}s(?:\sand\s{_FULL_WEEKDAY}s)?|{_WEEKDAY}\s(?:to|through|{_DASH})\s"
    rf"{_WEEKDAY})\b{_AT}",
)
_form(
    LiteralKind.DATE,
    r"(?:19|20)\d\d-[01]\d(?:-[0-3]\d)?(?:[T ]\d\d:\d\d\S*)?",
    rf"(?:{_WEEKDAY},?\s)?{_DAY}\s(?:of\s)?{_MONTH}{_YEAR}",
    rf"(?:{_WEEKDAY},?\s)?{_MONTH}\s{_DAY}{_YEAR}",
    rf"(?:{_MONTH}|Q[1-4]|H[12])\s?(?:19|20)\d\d(?!\w)",
    rf"(?:(?:next|this|coming)\s)?{_WEEKDAY}(?!\w)(?:,?\s(?:the\s)?[0-3]?\d(?:st|nd|rd|th))?(?:\s(?:morning|afternoon|evening|night))?{_AT}",
    r"(?:the\s)?(?:end|start|beginning|middle)\sof\s"
    rf"(?:{_MONTH}|(?:the|next|this)\s(?:week|month|quarter|year|sprint))",
)
_form(LiteralKind.TIME, rf"{_HOUR}(?:\s?(?:to|and|{_DASH})\s?{_HOUR})?")
_form(
    LiteralKind.AMOUNT,
    rf"[$€£]\s?{_FIGURE}(?:\s?[kKmMB]\b|\s(?:million|billion|thousand)\b)?{_RATE}",
    rf"{_FIGURE}(?:[kKM]|\s(?:million|billion|thousand|hundred))\b(?:\s{_NOT_COUNTED}[a-z]{{3,20}}s\b)?{_RATE}",
    rf"{_FIGURE}(?:\s(?:per|an?|each)\s[a-z]{{2,12}}\b){{1,2}}",
    rf"{_FIGURE}{_RANGE}\s?(?:{_MONEY}|%|percent|{_SPAN}|{_SIZE}|{_MEASURE})(?![\w/]){_RATE}",
)
_form(LiteralKind.COUNT, rf"(?:{_FIGURE}|{_FEW})\s{_COUNTED}{_RATE}")
_form(
    LiteralKind.VERSION,
    r"v\d{1,4}(?:\.\d{1,6}){0,4}(?:[-+.][\w.]{1,20})?(?!\w)",
    r"\d{1,4}(?:\.\d{1,6}){1,4}(?:-?[a-z][\w.]{0,12})?(?:\sLTS)?(?!\w)",
    r"\d{1,4}(?:\.\d{1,4}){0,4}\.x\b|\d{1,4}\sLTS\b|[Vv]ersion\s\d{1,4}(?:\.\d{1,6}){0,4}(?!\w)",
)
_form(
    LiteralKind.PRODUCT,  # and its version
    rf"(?!Version|{_MONTH}|{_WEEKDAY})"
    r"[A-Z][^\W\d_+#]{1,20}(?:\s[A-Z][^\W\d_]{1,20})?\s\d{1,4}(?:\.\d{1,6}){0,3}(?![\w:/%])",
)
_form(
    LiteralKind.PORT,
    r":\d{2,5}(?!\w)",
    r"(?:TCP |UDP |tcp/|udp/)?[Pp]orts?\s\d{2,5}(?!\w)(?:\s?(?:and|to|-)\s?\d{2,5}(?!\w))?",
)
_form(
    LiteralKind.NUMBER,
    rf"{_FIGURE}{_RANGE}(?![\w%])",
    r"\d{1,9}-[A-Z][\w-]{0,12}",
    r"\+?\d{2,5}(?:[ /-]\d{2,8}){1,5}(?![\w%])",  # of a phone, a customer, an account
)
_form(
    LiteralKind.HOST,
    r"localhost(?::\d{2,5})?(?!\w)",
    rf"(?:{_LABEL}\.){{1,6}}[a-z][a-z0-9-]{{1,62}}(?::\d{{2,5}})?(?![\w/])",
    r"[A-Za-z][\w-]{0,62}:\d{2,5}(?!\w)",
)
_form(
    LiteralKind.PATH,
    rf"(?:~|\.{{1,2}}|\$[A-Z_]{{2,30}})?/(?=\w|\.\w)(?!\d+\b){_STEP}(?:/{_STEP}){{0,12}}",
    r"[\w.@-]{1,60}(?:/[\w.@*-]{1,60}){2,10}/?|[A-Za-z]:\\[\w.\\-]{1,120}",
    # "Release/2.x" and "src/app.py" are paths; "and/or" is not.
    r"(?=[^\s/]{0,60}[._\d-][^\s/]{0,60}/|[^\s/]{1,60}/\S{0,60}[._\d-])"
    r"[\w.@-]{1,60}/[\w.@*-]{1,60}",
)
_form(
    LiteralKind.CODE,
    r"`[^`\n]{1,100}`",
    '"[^"\\n]{1,80}"|\u201c[^\u201d\\n]{1,80}\u201d',
    r"[A-Za-z0-9]{1,40}(?:_[A-Za-z0-9]{1,40}){1,8}(?!\w)",
    r"(?=[a-z-]{0,40}\d)[a-z][a-z0-9]{0,30}(?:-[a-z0-9]{1,30}){1,8}(?![\w./])",
    r"#[\w:.-]{2,80}(?<![:.])|@[\w.-]{2,40}(?<!\.)",
)


def literal_at(text: str, begin: int, kinds: frozenset[LiteralKind]) -> Literal | None:
    """Return the longest literal of one of *kinds* that begins exactly at *begin*."""
    best: Literal | None = None
    for kind, pattern in _FORMS:
        if kind in kinds and (found := pattern.match(text, begin)) is not None:
            said = found[0].rstrip(" ." if kind is LiteralKind.DATE else " ")
            one = Literal(kind, said, begin, begin + len(said))
            best = one if best is None or one.end > best.end else best
    return best


# The predicate for each kind of value, unless the verb is more specific.
_JOINED_BY = {
    LiteralKind.PORT: "port",
    LiteralKind.IP: "ip_address",
    LiteralKind.VERSION: "current_version",
    LiteralKind.EMAIL: "email_address",
    **dict.fromkeys((LiteralKind.DATE, LiteralKind.TIME, LiteralKind.SCHEDULE), "scheduled_for"),
    **dict.fromkeys((LiteralKind.URL, LiteralKind.HOST, LiteralKind.PATH), "located_in"),
}


def joined_by(literal_kind: LiteralKind, otherwise: str) -> str:
    """Return the predicate for a kind of value; *otherwise* if it has none."""
    return _JOINED_BY.get(literal_kind, otherwise)
