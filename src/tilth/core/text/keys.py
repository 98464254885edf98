"""Keys that an index can hold."""

import hashlib

from tilth.core.text.names import name_key

# Some letters fold into eighteen, and an index of PostgreSQL holds 2,704 bytes: two keys of a slot.
_CHARS_MAX = 300


def index_key(name: str) -> str:
    """Return the key of *name*, or the digest of it where no index could hold it."""
    key = name_key(name).replace("\0", "\ufffd")
    return key if len(key) <= _CHARS_MAX else hashlib.sha256(key.encode()).hexdigest()
