"""
URNs: names that say what kind of thing they name, and lead from one triple to another.

`urn:client:acme` names a thing, and `urn:client:acme/CTO` something of it: a sub-URN.
"""

from tilth.core.text.keys import index_key
from tilth.core.text.names import name_key

_URN = "urn:"
_PART = "/"


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
