"""
Find secrets in a text, whatever they are wrapped in.

A text is folded, decoded and read as base64; each view is scanned by RE2, which is linear in its
input, and what is found is traced back to the text itself.
"""

import re
from collections.abc import Iterator
from functools import cache
from operator import itemgetter

import re2

from tilth.privacy.decode import base64_readings, base64_runs, decoded_views
from tilth.privacy.families import FAMILIES
from tilth.privacy.families.commands import COMMAND_FAMILIES
from tilth.privacy.families.family import Candidate, Family, bytes_options
from tilth.privacy.families.generic import GENERIC_FAMILIES
from tilth.privacy.families.sentences import SENTENCE_FAMILIES
from tilth.privacy.finding import UNRESOLVED, Finding
from tilth.privacy.line_wraps import joins_a_secret, unwrapped
from tilth.privacy.text_views import View

FAMILY_NAMES = (*dict.fromkeys(family.name for family in FAMILIES), UNRESOLVED)
_RANK = {name: rank for rank, name in enumerate(FAMILY_NAMES)}

# Known by their format alone, whatever stands around them; the other generic ones are guessed at
# by a name before them.
_WITH_A_FORMAT = {family.name for family in FAMILIES} - {
    family.name
    for family in (*GENERIC_FAMILIES, *COMMAND_FAMILIES, *SENTENCE_FAMILIES)
    if family.name != "json_web_token"
}

_PLACEHOLDERS = frozenset(f"[secret:{name}]".encode("ascii") for name in FAMILY_NAMES)
_LIKE_A_PLACEHOLDER = re.compile(rb"\[secret:[a-z0-9_]+\]")
_ENCODED_DEPTH_MAX = 2  # base64 within base64, and no deeper
_BY_PLACE = itemgetter(1, 2)


def find_secrets(text: str) -> list[Finding]:
    """Return the secrets in *text*, ordered and without overlap."""
    findings: list[Finding] = []
    for view in decoded_views(text):
        found = list(_scan(_without_placeholders(view.data), _ENCODED_DEPTH_MAX))
        found += _scan_wrapped(view, found)
        if view.trails:
            found = [Finding(one.family, *view.origin(one.start, one.end)) for one in found]
        findings += found
    return merged(findings)


def merged(findings: list[Finding]) -> list[Finding]:
    """Join findings that overlap; the most telling family names the whole."""
    joined: list[Finding] = []
    for finding in sorted(findings, key=_BY_PLACE):
        if joined and finding.start < joined[-1].end:
            last = joined.pop()
            family = min(last.family, finding.family, key=_RANK.__getitem__)
            joined.append(Finding(family, last.start, max(last.end, finding.end)))
        else:
            joined.append(finding)
    return joined


def _scan(data: bytes, depth: int) -> Iterator[Finding]:
    for index in _hinted().Match(data) or ():  # None when nothing matched
        yield from _scan_for(index, data)
    if depth:
        yield from _scan_encoded(data, depth - 1)


def _scan_wrapped(view: View, found: list[Finding]) -> Iterator[Finding]:
    words = unwrapped(View(view.data))
    if words is None:
        return
    for one in _scan(_without_placeholders(words.data), 0):
        if one.family not in _WITH_A_FORMAT:
            continue
        start, end = words.origin(one.start, one.end)
        is_found = any(one.family == its.family and its.start <= start < its.end for its in found)
        if joins_a_secret(view.data[start:end], is_found=is_found):
            yield Finding(one.family, start, end)


def _scan_encoded(data: bytes, depth: int) -> Iterator[Finding]:
    # Texts repeat themselves: each run is read once, and each candidate judged once.
    read: dict[bytes, str | None] = {}
    for start, end in base64_runs(data):
        run = data[start:end]
        if run not in read:
            first = next(_scan(base64_readings(run), depth), None)
            read[run] = first.family if first else None
        if family := read[run]:
            yield Finding(family, start, end)


def _scan_for(index: int, data: bytes) -> Iterator[Finding]:
    family = FAMILIES[index]
    pattern, key_group, secret_group = _compiled(family)
    judged: dict[tuple[bytes, bytes, bytes], bool] = {}
    for match in pattern.finditer(data):
        start, end = match.span(secret_group)
        key = match.group(key_group) if key_group else b""
        said = (key or b"", data[start:end], data[end : end + 1])
        is_secret = judged.get(said)
        if is_secret is None:
            is_secret = judged[said] = family.accepts(Candidate(*said))
        if is_secret:
            yield Finding(family.name, start, end)


def _without_placeholders(data: bytes) -> bytes:
    # Line ends of the same length, since no value reaches across a line.
    if b"[secret:" in data:
        for known in _PLACEHOLDERS.intersection(_LIKE_A_PLACEHOLDER.findall(data)):
            data = data.replace(known, b"\n" * len(known))
    return data


@cache
def _hinted() -> re2.Set:
    hints = re2.Set.SearchSet(bytes_options())
    for family in FAMILIES:
        hints.Add(family.hint.encode("ascii"))
    hints.Compile()
    return hints


@cache
def _compiled(family: Family) -> tuple[re2._Regexp, int, int]:
    pattern = re2.compile(family.pattern.encode("ascii"), bytes_options())
    groups = pattern.groupindex
    return pattern, groups.get(b"key", 0), groups.get(b"secret", 0)
