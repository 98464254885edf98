"""Facts that are announced as such: "for the record", "turns out", "just confirmed"."""

import re

from tilth.learning.candidate import Harvest, Turn
from tilth.learning.clauses.clauses import Clause
from tilth.learning.clauses.reading import Form, Reading, is_agents
from tilth.learning.clauses.voice import SOMEBODY

_ANNOUNCED = (
    r"(?:(?:just |now |finally |we |i |i've |we've |it's |been |double-?)*(?:confirmed|verified|"
    r"checked|found out|learn(?:ed|t)|discovered|established|measured)(?: (?:with|by|via|from|"
    r"through|in) [^:,]{2,60})?(?:\s*[:,]|\s+that)|(?:it )?turn(?:s|ed) out(?: that| to be|:|,)?|"
    r"as it turns out,?|fyi[,:]?|for your information,?|(?:please )?note(?: that|:| to self:)|"
    r"nota bene:?|nb:|for the record[,:]?|for (?:context|reference|info|the file)[,:]|(?:please )?"
    r"(?:remember|don't forget|keep in mind|bear in mind|be aware|mind you|know)(?: that\b|:|,)|"
    r"(?:do )?(?:keep|bear) in mind(?: that)?|heads?[- ]up[:,]|(?:quick |fun |small |"
    r"key |two |another |one )*facts?(?: (?:for the file|worth filing|check|worth knowing))?:|"
    r"just so you know,?|as a reminder[,:]|(?:friendly |quick )?reminder:|"
    r"(?:good|useful|worth|important) (?:to (?:know|note)|knowing|noting)[:,]?(?: that)?|"
    r"important:|psa:|til[:,]?|update:|news:|context:|background:|"
    r"(?:the )?(?:root cause|cause|culprit|reason|trick|solution|upshot|catch) (?:is|was)"
    rf"(?: that)?|according to [^,]{{2,60}},|(?:i (?:just )?(?:heard|was told)|{SOMEBODY} "
    r"(?:told (?:me|us)|says|said|confirmed|mentioned|reports?|reported))(?: that\b|:|,)?)\s*"
)
_FORM = Form(re.compile(_ANNOUNCED, re.IGNORECASE), 0.85, 0.75)
_POINTING = re.compile(
    r"(?:it|this|that|these|those|there|you|i|to|how|why|what|if|for)\b", re.IGNORECASE
)
# What a program that was named before reports is how it works.
_IT = re.compile(r"it\b(?! turn)", re.IGNORECASE)
_WORDS_MIN = 3


def announced(clause: Clause, turn: Turn) -> Reading | None:
    """Return the fact that a clause announces, or that was announced right before it."""
    if clause.is_asked or (is_agents(turn) and _IT.match(clause.plain)):
        return None
    found = _FORM.pattern.match(clause.plain)
    is_led = found is None and _FORM.pattern.fullmatch(clause.ahead.lstrip()) is not None
    if found is None and not is_led:
        return None
    rest = clause.plain[found.end() :] if found else clause.plain
    is_pointing = _POINTING.match(rest) is not None and is_agents(turn)
    if len(rest.split()) < _WORDS_MIN or is_pointing:
        return None
    worth = _FORM.of_agent if is_agents(turn) else _FORM.of_person
    return Reading(kind=Harvest.FACT, confidence=worth)
