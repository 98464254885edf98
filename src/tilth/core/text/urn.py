"""
URNs: names that say the kind of what they name, and connect triples.

`urn:client:acme` names a thing, and `urn:client:acme/CTO` something of it: a sub-URN.
"""

import re

from tilth.core.text.names import index_key, name_key
from tilth.core.text.pattern import pattern

_URN = "urn:"
_PART = "/"
# Whoever one has a position at, the design calls a client (seed 002).
_AT = "urn:client:"
_POSITION = pattern(
    r"(?:(?:an?|the|our|their|his|her)\s+)?(?P<part>.+)\s+(?:at|@)\s+(?P<whole>.+)", re.IGNORECASE
)
# Who is at the head of the whole; "Head of Sales" names a part of it, and not where that is.
_HEAD = (
    r"(?i:(?:an?|the|our|their|his|her)\s+)?(?P<part>(?i:(?:[\w-]+\s)?(?:c[a-z]o|ciso"
    r"|chief\s(?:[\w-]+\s){1,3}officer|(?:co-?)?founder|managing\sdirector"
    r"|(?<!vice\s)(?<!vice-)president|chair(?:man|woman|person)?)))"
)
_NAMED = r"(?P<whole>[^\W_a-z][\w.&'-]*(?:\s(?:(?:of|and|&|the|de)\s)?[^\W_a-z][\w.&'-]*){0,5})"
HEAD_OF = rf"{_HEAD}\s+of\s+{_NAMED}"
_HEAD_OF = pattern(HEAD_OF)


def is_urn(name: str) -> bool:
    """Say whether *name*, or the key of one, is a URN."""
    return name_key(name).startswith(_URN)


def node_key(name: str) -> str:
    """Return the key of the thing that *name* is, or is a part of."""
    key = name_key(name)
    return index_key(key.partition(_PART)[0] if key.startswith(_URN) else key)


def part_key(name: str) -> str:
    """Return the key of the part of a thing that a sub-URN names; an empty text for the whole."""
    key = index_key(name)
    return "" if key == node_key(name) else key


def as_position(value: str) -> str:
    """Return `CTO at Acme`, or of it, as `urn:client:acme/CTO`; as it is what names no place."""
    if is_urn(value) or _PART in value:
        return value
    found = _HEAD_OF.fullmatch(value.strip()) or _POSITION.fullmatch(value.strip())
    if found is None:
        return value
    return f"{_AT}{_slug(found['whole'])}{_PART}{found['part'].strip()}"


def other_names(name: str) -> tuple[str, ...]:
    """Return the URN that a plain name may go by, or the plain names that such a URN is of."""
    key = name_key(name)
    if not key.startswith(_URN):
        return (f"{_AT}{_slug(name)}",) if key else ()
    if not key.startswith(_AT):
        return ()
    slug = key.partition(_PART)[0].removeprefix(_AT)
    return tuple(dict.fromkeys((slug, slug.replace("-", " "))))


def _slug(name: str) -> str:
    return name_key(name).replace(" ", "-")
