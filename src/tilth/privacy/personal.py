"""
Mask personal data on request when reading: mail, phone, IP, card, IBAN.

What is stored is not touched. Numbers that carry a checksum are masked only when it holds, and
identifiers of our own, digests, UUIDs, times and versions stay as they are.
"""

from collections.abc import Callable, Iterator
from ipaddress import IPv4Address, IPv6Address
from typing import NamedTuple

import re2

from tilth.privacy.families.family import bytes_options
from tilth.privacy.redaction import redact
from tilth.privacy.text_views import View


class _Kind(NamedTuple):
    tag: str
    pattern: re2._Regexp
    length: Callable[[bytes], int]  # how much of a match is one: 0 when none of it is


def mask_personal(text: str) -> str:
    """Replace secrets and personal data in *text* by typed tags such as `[email]`."""
    text = redact(text).text
    view = View.of(text)
    pieces: list[str] = []
    at = 0
    for start, end, tag in sorted(_found(view)):
        if start >= at:
            pieces += (text[at:start], f"[{tag}]")
            at = end
    pieces.append(text[at:])
    return "".join(pieces)


def _found(view: View) -> Iterator[tuple[int, int, str]]:
    for kind in _KINDS:
        for match in kind.pattern.finditer(view.data):
            start = match.start(1)
            length = kind.length(match.group(1))
            if length:
                yield *view.origin(start, start + length), kind.tag


def _compiled(pattern: bytes) -> re2._Regexp:
    return re2.compile(pattern, bytes_options())


def _ipv4_length(found: bytes) -> int:
    return len(found) if _is_address(IPv4Address, found) else 0


def _ipv6_length(found: bytes) -> int:
    address = found.rstrip(b".")
    if address.endswith(b":") and not address.endswith(b"::"):
        address = address[:-1]
    # Without a digit it is more likely a path of C++ or Rust, as in `a::b`.
    has_digit = any(digit in address for digit in b"0123456789")
    return len(address) if has_digit and _is_address(IPv6Address, address) else 0


def _is_address(kind: type[IPv4Address | IPv6Address], address: bytes) -> bool:
    try:
        kind(address.decode("ascii"))
    except ValueError:
        return False
    return True


# Issuer prefixes of ISO/IEC 7812 in use, with the lengths that their networks give out.
_CARD = _compiled(
    rb"^(?:4(?:\d{12}|\d{15}|\d{18})|5[1-5]\d{14}|2[2-7]\d{14}|3[47]\d{13}|3[068]\d{12}"
    rb"|35\d{14}|6(?:011|4\d\d|5\d\d|2\d\d|0\d\d)\d{12,15})$"
)


def _card_length(found: bytes) -> int:
    digits = found.translate(None, b" -")
    return len(found) if _CARD.search(digits) and _luhn_holds(digits) else 0


def _luhn_holds(digits: bytes) -> bool:
    """Check the last digit as ISO/IEC 7812-1 annex B prescribes."""
    values = [digit - 0x30 for digit in reversed(digits)]
    doubled = [value * 2 - 9 * (value > 4) for value in values[1::2]]  # noqa: PLR2004
    return (sum(values[::2]) + sum(doubled)) % 10 == 0


# Lengths by country, from the registry of ISO 13616.
_IBAN_LENGTHS = {
    country: length
    for length, countries in {
        15: "NO", 16: "BE BI", 18: "DK FI FO GL NL SD FK", 19: "MK SI",
        20: "AT BA EE KZ LT LU MN XK", 21: "CH HR LI LV", 22: "BG BH CR DE GB GE IE ME RS VA",
        23: "AE GI IL IQ OM SO TL", 24: "AD CZ DZ ES MD PK RO SA SE SK TN VG",
        25: "LY PT ST", 26: "IS TR", 27: "BF BJ CI CM DJ FR GR IT MC MR SM SN",
        28: "AL AZ BY CY DO GT HN HU LB NI PL SV", 29: "BR EG PS QA UA", 30: "JO KW MU",
        31: "MT SC", 32: "LC", 33: "RU",
    }.items()
    for country in countries.split()
}  # fmt: skip


_IBAN = rb"\b((?i:[A-Z]{2})\d{2}(?:(?: [A-Z0-9]{4}){2,7}(?: [A-Z0-9]{1,3})?|[A-Za-z0-9]{11,30}))\b"


def _iban_length(found: bytes) -> int:
    wanted = _IBAN_LENGTHS.get(found[:2].decode("ascii").upper(), 0)
    taken = 0
    for position, byte in enumerate(found, start=1):
        taken += byte != ord(" ")
        if wanted and taken == wanted:
            return position if _iban_holds(found[:position]) else 0
    return 0


def _iban_holds(found: bytes) -> bool:
    """Check the two digits after the country as ISO 7064 MOD 97-10 prescribes."""
    compact = found.replace(b" ", b"").decode("ascii")
    digits = "".join(str(int(character, 36)) for character in compact[4:] + compact[:4])
    return int(digits) % 97 == 1


# Digits alone may count or date something; these shapes are how phone numbers are written.
_PHONE = (
    rb"(?:^|[^\w.+/=:-])("
    rb"\+\d{1,3}[ .-]?(?:\(\d{1,4}\)[ .-]?)?\d{1,4}(?:[ .-]?\d{2,4}){1,4}"
    rb"|(?:1[ .-])?\(\d{3}\) ?\d{3}[ .-]\d{4}"
    rb"|(?:1[ .-])?[2-9]\d{2}[ .-]\d{3}[ .-]\d{4}"
    rb"|\(?0\d{2,4}\)?[ /-]\d{3,4}[ -]?\d{3,5}"
    rb"|0\d(?:[ .]\d{2}){4}"
    rb")\b"
)
_CALLED = (
    rb"(?i)(?:phone|mobile|cell|tel|call|text|whatsapp|fax|sms)(?: (?:me|us|him|her|them))?"
    rb"(?: (?:number|no\.?))?(?: (?:is|at|on))?[ :.]{1,3}(\d{7,12})\b"
)


def _phone_length(found: bytes) -> int:
    digits = sum(byte in b"0123456789" for byte in found)
    return len(found) if 7 <= digits <= 15 else 0  # noqa: PLR2004 - E.164 allows fifteen


_KINDS = (
    _Kind(
        "email",
        _compiled(
            rb"([A-Za-z0-9._%+'-]*[A-Za-z0-9_%+-]@(?:[A-Za-z0-9?-]+\.)+(?:[A-Za-z]{2,24}|xn--[A-Za-z0-9-]+))"
        ),
        len,
    ),
    _Kind("iban", _compiled(_IBAN), _iban_length),
    _Kind("card", _compiled(rb"(?:^|[^\w.+/-])(\d(?:[ -]?\d){12,18})\b"), _card_length),
    _Kind(
        "ip", _compiled(rb"(?:^|[^\w.:])([0-9A-Fa-f]{0,4}:[\w:]*:[\w.:]*(?:%\w+)?)"), _ipv6_length
    ),
    _Kind("ip", _compiled(rb"(?:^|[^\w.])(\d{1,3}(?:\.\d{1,3})+)\b"), _ipv4_length),
    _Kind("phone", _compiled(_PHONE), _phone_length),
    _Kind("phone", _compiled(_CALLED), _phone_length),
)
