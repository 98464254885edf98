"""
Whether later words report that what was promised, or put off, is done.

Pure: texts in, yes or no out. A promise that nothing reports as done stays open.
"""

import re
from functools import lru_cache

from tilth.core.text.pattern import pattern
from tilth.core.text.tokens import index_terms

# Stems that do not tell what is promised: when it comes, and how it is said.
_SAID_BESIDE = """
    mondai tuesdai wednesdai thursdai fridai saturdai sundai todai tomorrow tonight morn afternoon
    even week month dai soon later now next also too whether pleas hello hi thank note need let
    rememb remind promis todo
"""
_BESIDE = frozenset(_SAID_BESIDE.split())
# What is handed over, and how its coming is told.
_HANDING = "send share give deliv deliver forward bring upload attach mail readi"
_HANDS = frozenset(_HANDING.split())
_CAME = pattern(
    r"\b(?:sent|shared|gave|delivered|forwarded|brought|uploaded|attached|arrived|received"
    r"|got|(?:is|are) (?:ready|here|there)|here(?:'s| is| are))\b",
    re.IGNORECASE,
)
_DONE = pattern(
    r"\b(?:\w{3,}ed|done|sent|made|wrote|written|built|ran|works?|ready)\b", re.IGNORECASE
)
_NOT_YET = pattern(
    r"\b(?:not|never|yet|will|shall|going to|cannot|please)\b|\b(?:could|would|should|can)"
    r" (?:you|we|i)\b|n['\u2019]t\b|['\u2019]ll\b|\?",
    re.IGNORECASE,
)
_PUT_OFF = pattern(
    r"(?:\bnot|n['\u2019]t)\b[^.!?]{0,80}\byet\b|\b(?:for|until) later\b|\blater on\b"
    r"|\bstill (?:needs?|has|have|to)\b|\bremind me\b|^\W*(?:next|to ?do)\b",
    re.IGNORECASE,
)
# A title that has so many, and this share, of the terms of what was put off does it.
_SHARED_MIN, _SHARE, _TITLE_MIN = 2, 0.5, 3


def is_reported(promised: str, told: str) -> bool:
    """Say whether the sentence *told* reports that what was *promised* is done."""
    terms = _terms(promised)
    shared = terms & _terms(told)
    # Most sentences have nothing to do with it, which costs less to tell than what they say of it.
    if not shared or _NOT_YET.search(told) or not (_DONE.search(told) or _CAME.search(told)):
        return False
    if terms & _HANDS and _CAME.search(told):
        things = terms - _HANDS
        return bool(things & shared) and len(things & shared) >= _SHARE * len(things)
    return len(shared) >= max(_SHARED_MIN, _SHARE * len(terms))


def puts_off(text: str) -> bool:
    """Say whether a sentence says that something is left to do."""
    return _PUT_OFF.search(text) is not None


def is_done_by(put_off: str, title: str) -> bool:
    """Say whether a commit of this *title* does most of what was put off."""
    terms = frozenset(index_terms(put_off))
    shared = terms & frozenset(index_terms(title))
    return len(shared) >= max(_TITLE_MIN, _SHARE * len(terms))


@lru_cache(maxsize=1024)
def _terms(text: str) -> frozenset[str]:
    return frozenset(index_terms(text)) - _BESIDE
