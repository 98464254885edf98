"""Deferrals: what somebody put off, and until when where they say so."""

import re

from tilth.learning.candidate import Harvest, Turn
from tilth.learning.clauses.clauses import Clause
from tilth.learning.clauses.reading import Reading, form, known
from tilth.learning.spoken.deadlines import deadline

_PUT_OFF = (
    r"(?:park|postpone|defer|punt|table|shelve|hold off|hold|put off|delay|push (?:back|out)|"
    r"deprioriti[sz]e|backlog|pause|freeze|revisit|come back to|circle back|skip|leave)"
)
_FORMS = (
    form(
        r"(?:let's|lets|let us|we'll|we will|i'll|i'd|we should|we can|please|we'd better)?"
        rf"\s*(?:just |rather )*{_PUT_OFF}\b.{{0,80}}\b(?:later|for now|for the moment|until|"
        r"till|after|next|someday|for (?:v ?\d|the next|phase|another|now|later|after|next)\b|"
        r"for a(?:nother)? (?:later|while|day|time|week|month)|"
        r"some other time|another time|aside|to q[1-4]|"
        r"when|once|on ice|the backlog|in the (?:new year|spring|summer|autumn|fall|winter))\b",
        0.85,
        0.75,
    ),
    form(
        r"(?:let's|lets|let us|we'll|we will|please|i'd)\s+(?:just |rather )*(?:park|"
        r"postpone|defer|punt|table|shelve|hold off|put off|deprioriti[sz]e|revisit|circle back)\b",
        0.85,
        0.75,
    ),
    form(
        r"(?:we|i|they|he|she|[\w' -]{2,40})(?:'ve| have| has| was| were| is| are|'re|'s)?"
        r"\s*(?:been )?(?:postpon(?:ed|ing)|deferr(?:ed|ing)|punt(?:ed|ing) on|park(?:ed|ing)|"
        r"shelv(?:ed|ing)|delay(?:ed|ing)|push(?:ed|ing)(?: [\w' -]{1,40})? (?:out|to)|"
        r"pushed back|held off|holding off|put(?:ting)? (?:off|on hold|aside))\b",
        0.8,
        0.75,
    ),
    form(
        r"(?:push(?:ing|ed)?|mov(?:e|ing|ed))\b.{2,60}\b(?:to (?:q[1-4]|next (?:week|month|"
        r"quarter|sprint|year))|back to)\b",
        0.75,
        0.7,
    ),
    form(
        r"(?:[\w' -]{2,60}\s)?(?:can|will|has to|must|should|needs to|may|'ll) wait\b(?! for "
        r"(?:me|you|it|this)\b)",
        0.8,
        0.7,
    ),
    form(
        r"[\w' -]{2,60}\b(?:is|are|stays?|remains?|goes|go) (?:on hold|on ice|on the back ?burner|"
        r"out of scope|parked|deferred|postponed|not (?:a )?(?:priority|urgent|in scope))\b",
        0.8,
        0.75,
    ),
    form(
        r"(?:not|never) (?:now|today|yet|this (?:week|sprint|month|year|quarter|release)|"
        r"right now|in this (?:release|sprint|pr|iteration)|before)\b",
        0.75,
    ),
    form(
        r"(?:maybe |perhaps |let's do (?:it|that|this) )?"
        r"(?:some other (?:day|time)|another (?:day|time)|"
        r"later|some ?day|next (?:time|week|month|sprint|quarter|year|release))\b[^?]{0,60}$",
        0.75,
    ),
    form(
        r"(?:we'll|we will|i'll|i will|we can|let's|lets|we)"
        r"\s+\w+.{0,60}\b(?:later|when we|once we|once the|after the|after that|some other time|"
        r"at some point|down the (?:road|line)|in a (?:later|follow-?up|future|separate)\b)",
        0.75,
        0.65,
    ),
    form(
        r"(?:todo|follow-?up|backlog|later|v2|phase 2|for later|out of scope(?: for "
        r"now)?)\s*:\s*\S+",
        0.75,
        0.7,
    ),
    form(r"(?:[\w'-]+ ){1,4}(?:another|some other) (?:weekend|day|time|week|month|year)\b", 0.75),
    form(
        r"(?:it's |that's )?not (?:a |an |the |our |my )?(?:priority|urgent|important right now)\b",
        0.75,
    ),
    form(
        r"put (?:it|that|this|the [\w ]{2,40}) (?:on|in) (?:the backlog|hold|ice|the (?:wish|"
        r"later) ?list)\b",
        0.8,
    ),
    form(r"no (?:time|rush|capacity|bandwidth) for\b.{2,60}", 0.7),
)
_SHORT = re.compile(
    r"(?:hm+[,. ]*|nah[,. ]*|no[,. ]+)?"
    r"(?:not now|not yet|not today|later|maybe later|some other (?:day|time)|"
    r"another (?:day|time)|next time|not this (?:week|month|sprint)|let's wait|it can wait|"
    r"can wait|no rush|after the \w+|next (?:week|month|sprint|quarter|year))\b[^?]{0,40}$",
    re.IGNORECASE,
)
_UNDONE = re.compile(
    r"\b(?:no problem|talk|chat|see you|speak|any ?more|don't|can't|cannot|couldn't|sorry|if)\b",
    re.IGNORECASE,
)


def deferral(clause: Clause, turn: Turn) -> Reading | None:
    """Return what a clause puts off."""
    if clause.is_asked:
        return None
    found = known(_FORMS, clause, turn)
    if found is None or _UNDONE.search(clause.plain):
        return None
    due = deadline(clause.plain, turn.episode.occurred_at)
    return Reading(kind=Harvest.DEFERRAL, confidence=found[0], due=due)


def is_put_off(plain: str) -> bool:
    """Say whether a few words put off what was asked before them."""
    return _SHORT.match(plain) is not None
