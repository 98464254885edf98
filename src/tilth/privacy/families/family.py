"""A family of secrets, and how its pattern is compiled."""

from collections.abc import Callable
from typing import NamedTuple

import re2

from tilth.core.dataclass import dataclass


class Candidate(NamedTuple):
    """A match that may be a secret."""

    key: bytes  # the name or scheme before the value, where the pattern captures one
    value: bytes  # what would be redacted
    after: bytes = b""  # the character that follows, unless it is the last


def always(_: Candidate) -> bool:
    """Accept every match: the format alone is proof."""
    return True


@dataclass(frozen=True, slots=True)
class Family:
    """
    One documented format of a secret.

    `pattern` captures the secret as the group `secret`, or is the secret as a whole;
    a group `key` is handed to `accepts`. `hint` is a pattern that is cheap, and found
    in every text in which `pattern` is found.
    """

    name: str
    hint: str
    pattern: str
    accepts: Callable[[Candidate], bool] = always


def bytes_options() -> re2.Options:
    """Return options under which one byte is one character."""
    options = re2.Options()
    options.encoding = re2.Options.Encoding.LATIN1
    return options


def near(service: str, value: str) -> str:
    """Return the pattern of a *value* without a format of its own, named by its *service*."""
    return (
        rf"(?i:{service})[A-Za-z0-9_. -]{{0,30}}[\"'`]?\s?(?:=>|:=|[:=,(]| is )[ \t]*"
        rf"[\"'`]?(?P<secret>{value})\b"
    )
