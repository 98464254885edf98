"""Keys that fit into an index."""

import hashlib

from tilth.core.text.names import name_key

# In characters: some letters fold into eighteen, and an index of PostgreSQL holds 2,704 bytes, for
# two keys of a slot.
_CHARS_MAX = 300


def index_key(name: str) -> str:
    """Return the key of *name*, or its digest if the key does not fit into an index."""
    key = name_key(name).replace("\0", "\ufffd")
    return key if len(key) <= _CHARS_MAX else hashlib.sha256(key.encode()).hexdigest()
