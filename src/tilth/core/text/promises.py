"""
Decide whether later words report that something promised or put off is done.

The functions are pure. A promise that nothing reports as done stays open.
"""

import re
from functools import lru_cache

from tilth.core.text.pattern import pattern
from tilth.core.text.tokens import index_terms

# Stems that say when or how, not what is promised.
_SAID_BESIDE = """
    mondai tuesdai wednesdai thursdai fridai saturdai sundai todai tomorrow tonight morn afternoon
    even week month dai soon later now next also too whether pleas hello hi thank note need let
    rememb remind promis todo
"""
_BESIDE = frozenset(_SAID_BESIDE.split())
# Stems for handing something over, and for its arrival.
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
    r"|\bstill (?:needs?|has|have|to)\b|\bremind me\b|^\W*(?:next|to ?do)\b|^\W*open:"
    r"|\bsome ?day\b|\bsome other time\b|\banother (?:day|time)\b|\bat some point\b|\bcan wait\b"
    r"|\b(?:is|are|was) put off\b|\b(?:is|are|comes) next\b|;\s*open\W*$",
    re.IGNORECASE,
)
# A commit does what was put off if its title has this many of its terms, and this share of them; or
# if the title says little else.
_SHARED_MIN, _SHARE, _TITLE_MIN = 2, 0.5, 3
_OF_TITLE, _OF_PUT_OFF = 0.75, 0.35
# The most part of either.
_OF_EACH = 0.6
# The most terms of a title that does a thing of one word.
_TELLING_MAX = 4
# Stems for doing something, and for putting it off.
_DOING = frozenset(
    index_terms(
        "add fix do make implement support use update create write set todo open point time put"
        " another other user want wants someday stay left rest issue next come logic"
    )
)
_ISSUE = pattern(r"#(\d+)\b")
# Mending, testing or describing a thing does not deliver it.
_MENDS = pattern(r"^(?:\w+(?:\([^()\n]*\))?!?: )?(?:fix\w*|docs?|tests?|typo)\b", re.IGNORECASE)
_RELEASES = pattern(r"\b(?:release|publish|version|bump)\b|^\W*v?\d", re.IGNORECASE)


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
    every, titled = frozenset(index_terms(put_off)), frozenset(index_terms(title))
    shared = every & titled
    if len(shared) >= max(_TITLE_MIN, _SHARE * len(every)):
        return True
    if _RELEASES.search(title) and any(map(_is_version, shared)):
        return True
    if set(_ISSUE.findall(put_off)) & set(_ISSUE.findall(title)):
        return True
    return _tells_the_same(_terms(put_off) - _DOING, titled - _BESIDE - _DOING, title)


def _tells_the_same(terms: frozenset[str], telling: frozenset[str], title: str) -> bool:
    """Say whether a title consists mostly of the *terms* of what was put off."""
    shared = len(terms & telling)
    if shared < _SHARED_MIN:
        is_it = len(terms) == shared == 1 and len(telling) <= _TELLING_MAX
        return is_it and not _MENDS.match(title)
    of_title, of_put_off = shared / len(telling), shared / len(terms)
    if of_title >= _OF_TITLE and of_put_off >= _OF_PUT_OFF:
        return True
    is_most = of_title >= _OF_EACH and of_put_off >= _OF_EACH
    return (is_most or of_put_off == 1) and not _MENDS.match(title)


def _is_version(term: str) -> bool:
    return "x" in term and term.replace("x", "").isdigit()


@lru_cache(maxsize=1024)
def _terms(text: str) -> frozenset[str]:
    return frozenset(index_terms(text)) - _BESIDE
