"""
Scrub everything before it is kept; there is no other way in.

Private spans go first, then secrets, each replaced in place, so that the rest of what was said is
not lost. Scrubbing what has been scrubbed changes nothing.
"""

import hashlib
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import fields, is_dataclass, replace
from enum import Enum
from functools import lru_cache
from typing import Any, TypeVar, cast

from tilth.core.dataclass import dataclass
from tilth.core.json import Json, JsonObject, check_keys
from tilth.core.scope import Scope, parse_scope
from tilth.core.view import number_of
from tilth.privacy.finding import UNRESOLVED, Finding, placeholder
from tilth.privacy.text_views import Edit, Trail

T = TypeVar("T")

# What is cut out can bring two halves of another secret together. Real texts settle in
# one round; one that does not settle in these is made to hide something.
_ROUNDS_MAX = 8

# Deeper than any metadata that people write, and far from the interpreter's own limit.
_VALUE_DEPTH_MAX = 64
NAMED = "assignment"
# What may be a key or a token in the name of a project; looking closer loads every family.
_LIKE_A_TOKEN = re.compile(r"[\w+-]{16,}")
_NO_PART_OF_A_KEY = re.compile(r"[^\w.@+/-]+")
_KEY_CHARS_MAX = 100
TOO_DEEP = "[omitted: nested too deeply]"


@dataclass(frozen=True, slots=True)
class Redacted:
    """A text with its secrets replaced, and where in the original they stood."""

    text: str
    findings: tuple[Finding, ...]


@dataclass(frozen=True, slots=True)
class Scrubbed:
    """
    A text that may be kept.

    `findings` count characters of the text without its private spans.
    """

    text: str
    private_spans: int
    findings: tuple[Finding, ...]

    def taken_out(self) -> Iterator[str]:
        """Say what is not kept: else whoever told it relies on finding it again."""
        if spans := self.private_spans:
            yield f"{number_of(spans, 'private span')} {_was(spans)} left out."
        if secrets := len(self.findings):
            yield f"{number_of(secrets, 'secret')} {_was(secrets)} replaced."


def _was(count: int) -> str:
    return "was" if count == 1 else "were"


def scrub(text: str) -> Scrubbed:
    """Remove the private spans from *text*, then replace its secrets."""
    from tilth.privacy.private_tags import strip_private  # noqa: PLC0415 - for who writes

    stripped = strip_private(text)
    redacted = redact(stripped.text)
    return Scrubbed(redacted.text, stripped.removed, redacted.findings)


@lru_cache(maxsize=1024)
def scrub_label(label: str) -> str:
    """Return *label* as `scrub` does: who speaks is told again with all that they say."""
    return scrub(label).text


def scrub_name(name: str) -> str:
    """Return *name*, or where a secret stands in it, one that stays apart from others."""
    plain = scrub_label(name)
    return name if plain == name else f"{plain} {_short_digest(name)}"


def scrub_fields(told: T) -> T:
    """
    Return *told*, a dataclass, with every text in it and below it as `scrub` leaves it.

    No field is named, so that none which comes later is forgotten. Words of a closed list stay.
    """
    made: Any = told
    return cast(
        "T", replace(made, **{one.name: _clean(getattr(made, one.name)) for one in fields(made)})
    )


def _clean(value: object) -> object:
    if isinstance(value, str) and not isinstance(value, Enum):
        return scrub(value).text
    if isinstance(value, tuple):
        return tuple(map(_clean, value))
    return scrub_fields(value) if is_dataclass(value) else value


@lru_cache(maxsize=1024)
def scrub_scope(scope: Scope) -> Scope:
    """Return *scope*, as `scrub_name` does with a name."""
    if not _LIKE_A_TOKEN.search(scope) or (plain := scrub(scope).text) == scope:
        return scope
    kind, _, key = plain.partition(":")
    key = _NO_PART_OF_A_KEY.sub("-", key)[:_KEY_CHARS_MAX].strip("-/")
    return parse_scope(f"{kind}:{key}-{_short_digest(scope)}")


def _short_digest(name: str) -> str:
    return hashlib.sha256(name.encode("utf-8", "surrogatepass")).hexdigest()[:8]


def redact(text: str) -> Redacted:
    """Replace every secret in *text* by a placeholder that names its family."""
    from tilth.privacy.scanner import find_secrets, merged  # noqa: PLC0415 - for who writes

    redacted = text
    findings: list[Finding] = []
    for _ in range(_ROUNDS_MAX):
        more = find_secrets(redacted)
        if not more:
            return Redacted(redacted, tuple(findings))
        if findings:  # back to where they stood before those were replaced
            trail = Trail([Edit(f.start, f.end, len(placeholder(f.family))) for f in findings])
            more = [Finding(f.family, *trail.origin(f.start, f.end)) for f in more]
        findings = merged(findings + more)
        redacted = _replaced(text, findings)
    whole = Finding(UNRESOLVED, 0, len(text))
    return Redacted(placeholder(UNRESOLVED), (whole,))


def scrub_object(value: JsonObject) -> JsonObject:
    """
    Scrub every string in *value*, the keys of its objects too.

    What is kept under the name of a secret is replaced as a whole, since `hunter2`
    says nothing by itself; what is nested too deeply is left out. Objects come back as
    dicts and arrays as lists, whatever they came in.

    Raises:
        InvalidInputError: it is no object of JSON, or a key in it is no text.
    """
    check_keys(value)
    return _scrub_members(value, 0)


def _scrub_at(value: Json, key: str, depth: int) -> Json:
    if depth > _VALUE_DEPTH_MAX:
        return TOO_DEEP
    if isinstance(value, Mapping):
        return _scrub_members(value, depth)
    if isinstance(value, str):
        return _scrub_named(value, key)
    if isinstance(value, Sequence):
        return [_scrub_at(item, key, depth + 1) for item in value]
    if key and not isinstance(value, bool) and value is not None:
        named = _scrub_named(str(value), key)
        return value if named == str(value) else named
    return value


def _scrub_members(value: JsonObject, depth: int) -> JsonObject:
    scrubbed: dict[str, Json] = {}
    for key, item in value.items():
        name = clean = scrub_label(key)
        number = len(scrubbed)
        while name in scrubbed:  # two keys that held secrets of one family
            number += 1
            name = f"{clean} {number}"
        scrubbed[name] = _scrub_at(item, key, depth + 1)
    return scrubbed


def _scrub_named(value: str, key: str) -> str:
    from tilth.privacy.families.judgement import is_named_secret  # noqa: PLC0415 - likewise

    text = scrub(value).text
    if is_named_secret(key, text):
        return placeholder(NAMED)
    return text


def _replaced(text: str, findings: list[Finding]) -> str:
    pieces: list[str] = []
    at = 0
    for finding in findings:
        pieces += (text[at : finding.start], placeholder(finding.family))
        at = finding.end
    pieces.append(text[at:])
    return "".join(pieces)
