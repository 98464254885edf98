"""
Make text fit to leave this machine: no secrets, no personal data, no home folders.

After EM-065: mail addresses, home paths and credentials. Numbers and addresses of networks go too.
"""

import re
from collections.abc import Mapping, Sequence
from functools import lru_cache

from tilth.core.json import Json
from tilth.privacy.personal import mask_personal

# Where systems keep a user's folder; what names the user ends at the next separator.
_HOME = re.compile(
    r"(?:/(?:home|Users)/|\b[A-Za-z]:(?:\\{1,2}|/)Users(?:\\{1,2}|/))[^\s/\\:\"'<>|]{1,100}"
    r"|(?<![\w.])/root(?=/)"
)
# Most values of an export are the same few words, over and over.
_WORD_CHARS, _WORDS_KEPT = 64, 4096


def mask_shareable(text: str) -> str:
    """Replace secrets, personal data and the names of home folders in *text* by typed tags."""
    return (_mask_word if len(text) <= _WORD_CHARS else _mask)(text)


def mask_values(value: Json) -> Json:
    """Return *value* with every text in it masked, keys too."""
    if isinstance(value, str):
        return mask_shareable(value)
    if isinstance(value, Mapping):
        return {mask_shareable(key): mask_values(one) for key, one in value.items()}
    if isinstance(value, Sequence):
        return [mask_values(one) for one in value]
    return value


def _mask(text: str) -> str:
    return mask_personal(_HOME.sub("~", text))


_mask_word = lru_cache(maxsize=_WORDS_KEPT)(_mask)
