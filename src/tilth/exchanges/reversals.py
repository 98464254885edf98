"""
Read what somebody wants after all, and whether an earlier text turns just that down.

"We need a config file after all" ends "the user decided against a config file", but not "the config
file holds no secrets".
"""

import re
from collections.abc import Iterator
from itertools import chain

from tilth.core.text.pattern import AnyOf, pattern
from tilth.core.text.tokens import index_terms, split_sentences

_AFTER_ALL = pattern(r"\bafter all\b", re.IGNORECASE)
_PART = pattern(r"[,;:()]\s")
_ASKS = AnyOf("not, don't, do not, no, never, wasn't, isn't, doesn't, didn't")
_DENYING = "against no not never without don't won't doesn't dropped rejected"
_DENIES = frozenset(_DENYING.split())
# Stems of words that say that a thing is wanted.
_WANTED = frozenset(
    index_terms("need want let use go get have add do make take ok okay please now yes back keep")
)
_NEAR_WORDS = 4


def wanted_after_all(said: str) -> Iterator[frozenset[str]]:
    """Yield the terms of each thing that a text wants after all; a question wants nothing."""
    for sentence in split_sentences(said) if _AFTER_ALL.search(said) else ():
        for part in _PART.split(sentence):
            if _AFTER_ALL.search(part) and not (_ASKS.search(part) or sentence.endswith("?")):
                terms = frozenset(index_terms(_AFTER_ALL.sub(" ", part))) - _WANTED
                if terms:
                    yield terms


def turns_down(older: str, terms: frozenset[str]) -> bool:
    """Say whether *older* turns down what *terms* name."""
    words = older.lower().replace("\u2019", "'").split()
    stems = [frozenset(index_terms(one)) for one in words]
    if not terms <= frozenset(chain.from_iterable(stems)):
        return False
    first = next(at for at, one in enumerate(stems) if one & terms)
    return not _DENIES.isdisjoint(words[max(0, first - _NEAR_WORDS) : first])
