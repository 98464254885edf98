"""Read rules that somebody takes back: "you no longer need to …", "forget the rule …"."""

import re
from collections.abc import Collection, Iterator
from typing import NamedTuple

from tilth.core.text.prose import sentences
from tilth.core.text.tokens import index_terms

_FROM_NOW_ON = r"(?:any ?more|any longer|from now on)"
_TAKES_BACK = re.compile(
    r"(?:(?:ok(?:ay)?|so|and|but|please|also|good|yes|thanks)[,.!]?\s+){0,3}"
    r"(?:(?:you|we) (?:no longer (?:need|have|want)|can stop|may stop|should stop)"
    r"|there(?:'s| is) no longer (?:a |any )?need|no longer|stop"
    r"|(?:you|we) (?:don'?t|do not) (?:need|have)(?= .{0,200}\b" + _FROM_NOW_ON + r"\b)"
    r"|no need(?= .{0,200}\b" + _FROM_NOW_ON + r"\b)"
    r"|(?P<named>(?:forget|scrap|drop|ignore|lift|cancel) (?:about )?(?:the|that|my|our)"
    r" (?:rule|convention)))\b(?P<what>[^.!?\n;]{3,300})",
    re.IGNORECASE,
)
# What follows is the reason; a rule is known by what it asks for.
_WHY = re.compile(r"[,:]|\b(?:because|since|as|now that|unless|until|any ?more|any longer)\b")
_SHARE_MIN, _TERMS_MIN, _LIKENESS_MIN = 0.75, 2, 0.5
_OF_RULES = frozenset(
    index_terms("from now on always never please remember rule not to about you we i me any need")
)


class TakenBack(NamedTuple):
    """What words take back, and whether they call it a rule."""

    what: str
    is_named: bool


def taken_back(typed: str) -> Iterator[TakenBack]:
    """Yield what typed words take back."""
    for sentence in sentences(typed):
        found = _TAKES_BACK.match(sentence.text.strip())
        if found is not None:
            what = _WHY.split(found["what"], maxsplit=1)[0].strip()
            yield TakenBack(what, found["named"] is not None)


def meant_by(said: TakenBack, rules: Collection[str]) -> str | None:
    """Return the one of *rules* that is taken back; None if none or several fit."""
    terms = _terms(said.what)
    if said.is_named:
        # A rule may be named by one of its words.
        meant = [rule for rule in rules if terms and terms <= _terms(rule)]
        return meant[0] if len(meant) == 1 else None
    like = {rule: _likeness(_terms(rule), terms) for rule in rules}
    most = max(like.values(), default=0.0)
    meant = [rule for rule, likeness in like.items() if likeness == most >= _LIKENESS_MIN]
    return meant[0] if len(meant) == 1 else None


def _likeness(rule: frozenset[str], said: frozenset[str]) -> float:
    shared = len(rule & said)
    is_meant = shared >= _TERMS_MIN and shared >= _SHARE_MIN * len(said)
    return shared / len(rule | said) if is_meant else 0.0


def _terms(text: str) -> frozenset[str]:
    return frozenset(index_terms(text)) - _OF_RULES
