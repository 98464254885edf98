"""Opinions: what somebody takes to be so, and says that it is their own view."""

import re

from tilth.learning.candidate import Harvest, Turn
from tilth.learning.clauses.clauses import Clause
from tilth.learning.clauses.reading import Reading, form, is_agents, known
from tilth.learning.clauses.voice import NAME

_FORMS = (
    form(
        r"(?:i|we)(?:'m| am|'d|'ve| have)?\s+(?:really |"
        r"honestly |personally |still |also |strongly |kind of |do |don't |never |always )*"
        r"(?:think|thought that|believe|feel|find|reckon|suspect|consider|doubt|liked?|sceptical|"
        r"skeptical|convinced|not convinced|not sold|worried|would (?:say|argue)|say|argue)\b.{5,}",
        0.75,
        0.72,
    ),
    form(
        rf"{NAME} (?:thinks|believes|feels|finds|reckons|argues|doubts|is (?:convinced|"
        rf"sceptical|skeptical))\b.{{5,}}",
        0.75,
        0.72,
    ),
    form(
        r"(?:honestly|frankly|personally|"
        r"imo|imho|in my (?:opinion|view|experience|book)|to (?:me|my mind)|if you ask me|"
        r"for my money|as i see it|from my (?:point of view|perspective))\b[,:]?\s+\S.{5,}",
        0.75,
        0.72,
    ),
    form(
        r"my (?:\w+ )?(?:take|view|read|reading|opinion|sense|hunch|impression|gut feeling|"
        r"feeling|guess|verdict)\b.{5,}",
        0.8,
        0.78,
    ),
)
_MARKED_AFTER = re.compile(
    r"\b(?:imo|imho|in my (?:opinion|view|experience)|if you ask me|i think|i reckon|i guess|"
    r"just my (?:view|read))\W*$",
    re.IGNORECASE,
)
_MARKED_BEFORE = re.compile(
    r"(?:honestly|frankly|personally|imo|imho|in my (?:opinion|view|experience)|to my mind|if "
    r"you ask me)\W*$",
    re.IGNORECASE,
)
_AFTERWARDS = 0.72
# "I think so", what somebody looks for in code just now, and thoughts about what to do next.
_NO_VIEW = re.compile(
    r"^we don't say\b|^(?:i|we)(?:'d| would)\s+(?:\w+ )?(?:like|love)\b|"
    r"^(?:i|we)(?:'m| am)?\s+(?:\w+ )?(?:think|believe|guess|feel|find|say|suspect)"
    r"\s+(?:so|not|about|of|i(?:'ll|'d|'m| should| need| found| see| can| have)?|"
    r"you|we (?:can|should|need)|it(?:'s| is) (?:time|fine|ok|done)|(?:the|this) (?:issue|"
    r"problem|bug|error|cause|fix|failure|test)|there(?:'s| is| are)|free|out|that (?:way|out))\b",
    re.IGNORECASE,
)
# Who guesses aloud what is so has no view of it yet.
_GUESSED = re.compile(r"\b(?:might|maybe|perhaps|somewhere)\b", re.IGNORECASE)
_WORDS_MIN = 4


def opinion(clause: Clause, turn: Turn) -> Reading | None:
    """Return what a clause gives as somebody's own view."""
    plain = clause.plain
    if clause.is_asked or _NO_VIEW.match(plain) or len(plain.split()) < _WORDS_MIN:
        return None
    if _GUESSED.search(plain) or (is_agents(turn) and clause.ahead.strip()):
        return None
    if found := known(_FORMS, clause, turn):
        return Reading(kind=Harvest.OPINION, confidence=found[0])
    if _MARKED_AFTER.search(plain) or _MARKED_BEFORE.search(clause.ahead):
        return Reading(kind=Harvest.OPINION, confidence=_AFTERWARDS)
    return None
