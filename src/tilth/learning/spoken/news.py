"""
Read news: announced facts, and what somebody did, got or finished.

"For the record", "turns out" and "just confirmed" announce a fact. An agent reports a deed in a
past form ("Bundled the three fonts"); what it is about to do is no news.
"""

import re

from tilth.learning.candidate import StatementKind, Turn
from tilth.learning.spoken.clause_forms import Form, Reading, is_agents
from tilth.learning.text.clause_context import leans, told_with_context
from tilth.learning.text.clauses import Clause
from tilth.learning.text.third_person import SOMEBODY

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
_POINTING_FIRST = re.compile(
    r"(?:it|this|that|these|those|there|you|i|to|how|why|what|if|for)\b", re.IGNORECASE
)
# "It" stands for a program that was named before, whose behaviour is described.
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
    is_pointing = _POINTING_FIRST.match(rest) is not None and is_agents(turn)
    if len(rest.split()) < _WORDS_MIN or is_pointing:
        return None
    worth = _FORM.of_agent if is_agents(turn) else _FORM.of_person
    return Reading(kind=StatementKind.FACT, confidence=worth)


_DOUBTED = re.compile(
    r"\b(?:if|would|could|might|maybe|perhaps|probably|unless|"
    r"should|wish|hope|almost|nearly|not|never|haven't|hasn't|didn't|yet|kidding|tried|trying)\b",
    re.IGNORECASE,
)
_SPECIFIC = re.compile(r"\d|(?<=[\w,:)] )(?-i:[A-ZÀ-Þ])\w|\bx{3,}\b|[/@#_]\w|\w\.\w{2,}")
_POINTING_LAST = re.compile(
    r"(?:it|that|this|them|these|those|him|her|you|to (?:it|him|her|them))\b[^,;]{0,12}$",
    re.IGNORECASE,
)
# Completed deeds and acquisitions.
_ACHIEVED = re.compile(
    r"(?:(?:i|we|he|she|they|(?-i:[A-Z\u00c0-\u00de])[\w'-]+(?: [\w'-]+){0,3}?)(?:'ve|"
    r"'s| have| has)?\s+)?(?:just |finally |already |now |both )*(?:finished|completed|passed|"
    r"got (?:the|an?|my|our|promoted|married|engaged|accepted|hired|approved|funded)|signed|won|"
    r"launched|released|shipped|published|submitted|hired|bought|sold|graduated|booked|ordered|"
    r"installed|paid|reached|hit|broke|renewed|replaced|delivered|landed|raised|closed|opened|"
    r"founded|registered|switched|joined|quit|resigned|retired|adopted|moved|cancelled|canceled|"
    r"failed (?:its|his|her|my|the) (?:inspection|exam|audit|course|driving test)),?\s+\S+|"
    r".{2,60}\s(?:is|are|'s|was|were|has been|have been)\s+(?:now |finally |all |officially )*"
    r"(?:done|finished|live|deployed|released|completed?|shipped|signed|paid|out|over|switched "
    r"(?:off|on)|approved|sold|booked|cancell?ed|closed|renewed|stolen|installed|replaced|hired|"
    r"fired|promoted|rejected|accepted|rescheduled|renamed|merged|archived|confirmed|rebuilt)\b",
    re.IGNORECASE,
)
# Deeds that count only with an object or amount.
_DID = re.compile(
    r"(?:i|we)(?!'ve got\b| have got\b)(?:'ve| have)?\s+(?:just |finally |already |"
    r"now |also |both )*(?!tried|checked|looked|clicked|noticed|wanted|wondered|pasted|attached|"
    r"needed|used|liked|loved|hated|agreed|asked|guessed|talked|called it|moved on|started to)"
    r"(?:\w+ed|did|set|put|told|wrote|sent|met|spoke|cut|built|found|"
    r"gave|lent|took|left|bought|sold|ran|made|swapped|went|drove|flew|won|lost|saw|got)\s+\S+",
    re.IGNORECASE,
)
# An agent's report in the past: "Updated the imprint".
_REPORTED = re.compile(
    r"(?:done[:,] )?(?:i |i've |i have )?"
    r"(?:bundled|released|deployed|published|merged|migrated|rolled out|installed|upgraded|"
    r"downgraded|set|capped|limited|blocked|mapped|pinned|moved|renamed|imported|exported|"
    r"ordered|opened|booked|cancell?ed|sent|enabled|disabled|scheduled|created|configured|"
    r"switched|raised|lowered|restored|restarted|rebooted|backed up|dropped|shipped|tagged|"
    r"changed|added|updated|replaced|removed)\s+(?!it\b|this\b|that\b|them\b|tests?\b)\S.{3,}",
    re.IGNORECASE,
)
# "Changed to 24": the words before say what.
_BARE = re.compile(r"\w+ed to\b|set to\b", re.IGNORECASE)
_REPORT_CHARS_MAX = 200
_OF_PERSON, _OF_AGENT = 0.75, 0.72


def achievement(clause: Clause, turn: Turn) -> Reading | None:
    """Return the completed deed or acquisition in a clause."""
    plain = clause.plain
    if clause.is_asked or _DOUBTED.search(plain):
        return None
    if is_agents(turn):
        is_short = len(turn.episode.text) <= _REPORT_CHARS_MAX
        if is_short and _REPORTED.match(plain) and _SPECIFIC.search(plain):
            text = told_with_context(clause, turn) if _BARE.match(plain) else ""
            return Reading(kind=StatementKind.MILESTONE, confidence=_OF_AGENT, text=text)
        return None
    is_done = _ACHIEVED.match(plain) is not None and not _POINTING_LAST.search(plain)
    if not is_done and not (_DID.match(plain) and _SPECIFIC.search(plain)):
        return None
    text = told_with_context(clause, turn) if leans(plain) else ""
    return Reading(kind=StatementKind.MILESTONE, confidence=_OF_PERSON, text=text)
