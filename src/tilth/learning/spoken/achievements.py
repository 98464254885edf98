"""
Achievements: what somebody did, got or finished, and what is done with.

An agent says so in a word, "Bundled the three fonts"; what it is about to do is none.
"""

import re

from tilth.learning.candidate import Harvest, Turn
from tilth.learning.clauses.clauses import Clause
from tilth.learning.clauses.context import leans, told_with_context
from tilth.learning.clauses.reading import Reading, is_agents

_DOUBTED = re.compile(
    r"\b(?:if|would|could|might|maybe|perhaps|probably|unless|should|wish|hope|almost|nearly|"
    r"not|never|"
    r"haven't|hasn't|didn't|yet|kidding|tried|trying)\b",
    re.IGNORECASE,
)
_SPECIFIC = re.compile(r"\d|(?<=[\w,:)] )(?-i:[A-ZÀ-Þ])\w|\bx{3,}\b|[/@#_]\w|\w\.\w{2,}")
_POINTING = re.compile(
    r"(?:it|that|this|them|these|those|him|her|you|to (?:it|him|her|them))\b[^,;]{0,12}$",
    re.IGNORECASE,
)
# What somebody did or got that is done with.
_ACHIEVED = re.compile(
    r"(?:(?:i|we|he|she|they|(?-i:[A-Z\u00c0-\u00de])[\w'-]+(?: [\w'-]+){0,3}?)(?:'ve|'s| have| "
    r"has)?\s+)?"
    r"(?:just |finally |already |now |both )*"
    r"(?:finished|completed|passed|got (?:the|an?|my|our|promoted|married|engaged|accepted|"
    r"hired|approved|funded)|signed|"
    r"won|launched|released|shipped|published|submitted|hired|bought|sold|graduated|booked|"
    r"ordered|installed|paid|reached|hit|"
    r"broke|renewed|replaced|delivered|landed|raised|closed|opened|founded|registered|switched|"
    r"joined|quit|resigned|retired|"
    r"adopted|moved|cancelled|canceled|failed (?:its|his|her|my|the) (?:inspection|exam|audit|"
    r"course|driving test)),?\s+\S+"
    r"|.{2,60}\s(?:is|are|'s|was|were|has been|have been)\s+(?:now |finally |all |officially "
    r")*(?:done|finished|live|deployed|released|"
    r"completed?|shipped|signed|paid|out|over|switched (?:off|on)|approved|sold|booked|"
    r"cancell?ed|closed|renewed|stolen|"
    r"installed|replaced|hired|fired|promoted|rejected|accepted|rescheduled|renamed|merged|"
    r"archived|confirmed|rebuilt)\b",
    re.IGNORECASE,
)
# What was done to things is worth telling where it says to which, or how much.
_DID = re.compile(
    r"(?:i|we)(?!'ve got\b| have got\b)(?:'ve| have)?\s+"
    r"(?:just |finally |already |now |also |both )*(?!tried|checked|"
    r"looked|clicked|noticed|wanted|"
    r"wondered|pasted|attached|needed|used|liked|loved|hated|agreed|asked|guessed|talked|called "
    r"it|moved on|started to)"
    r"(?:\w+ed|did|set|put|told|wrote|sent|met|spoke|cut|built|found|gave|lent|took|left|bought|"
    r"sold|ran|made|"
    r"swapped|went|drove|flew|won|lost|saw|got)\s+\S+",
    re.IGNORECASE,
)
# What an agent reports in the past: "Updated the imprint".
_REPORTED = re.compile(
    r"(?:done[:,] )?(?:i |i've |i have )?(?:bundled|released|deployed|published|merged|migrated|"
    r"rolled out|installed|"
    r"upgraded|downgraded|set|capped|limited|blocked|mapped|pinned|moved|renamed|imported|"
    r"exported|ordered|opened|"
    r"booked|cancell?ed|sent|enabled|disabled|scheduled|created|configured|switched|raised|"
    r"lowered|restored|"
    r"restarted|rebooted|backed up|dropped|shipped|tagged|changed|added|updated|replaced|"
    r"removed)\s+"
    r"(?!it\b|this\b|that\b|them\b|tests?\b)\S.{3,}",
    re.IGNORECASE,
)
# "Changed to 24": of what, the words before it say.
_BARE = re.compile(r"\w+ed to\b|set to\b", re.IGNORECASE)
_REPORT_CHARS_MAX = 200
_WORTH, _OF_AGENT = 0.75, 0.72


def achievement(clause: Clause, turn: Turn) -> Reading | None:
    """Return what a clause says is done, or that somebody got."""
    plain = clause.plain
    if clause.is_asked or _DOUBTED.search(plain):
        return None
    if is_agents(turn):
        is_short = len(turn.episode.text) <= _REPORT_CHARS_MAX
        if is_short and _REPORTED.match(plain) and _SPECIFIC.search(plain):
            text = told_with_context(clause, turn) if _BARE.match(plain) else ""
            return Reading(kind=Harvest.MILESTONE, confidence=_OF_AGENT, text=text)
        return None
    is_done = _ACHIEVED.match(plain) is not None and not _POINTING.search(plain)
    if not is_done and not (_DID.match(plain) and _SPECIFIC.search(plain)):
        return None
    text = told_with_context(clause, turn) if leans(plain) else ""
    return Reading(kind=Harvest.MILESTONE, confidence=_WORTH, text=text)
