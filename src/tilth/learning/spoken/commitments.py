"""Commitments: what somebody said they would do, and by when."""

import re

from tilth.learning.candidate import Harvest, Turn
from tilth.learning.clauses.clauses import Clause
from tilth.learning.clauses.reading import Reading, form, is_agents, known
from tilth.learning.clauses.voice import NAME, SOMEBODY
from tilth.learning.spoken.deadlines import deadline

_WILL = (
    r"(?:'ll| will|'m going to| am going to| is going to| are going to|'re going to|'m gonna| "
    r"gonna)"
)
# What one hands over or sees through; what an agent does in the next minute is none of these.
_DELIVERS = (
    r"(?:send|deliver|review|finish|email|mail|fix|ship|write|prepare|call|phone|follow up|"
    r"schedule|"
    r"get back|present|bring|organi[sz]e|take care of|handle|sort|complete|submit|post|publish|"
    r"draft|share|book|pay|order|pick up|swap|replace|migrate|have|let you know|tell|ask|talk to|"
    r"do|make|move|clean|set up|file|renew|cover|host|cook|drive|upload|hand|provide|look into|"
    r"buy|fetch|return|water|feed|check with|ping|remind|answer|come|be there|join|attend|update)"
)
_PROMISED = (
    r"(?:promis(?:e|es|ed)|commits?|committed|committing|vows?|vowed|pledged?|volunteered|offered|"
    r"agreed|guarantees?|guaranteed|undertook|signed up|swore)"
)
_FIRM = (
    form(
        rf"(?:i|we|{NAME})(?:'m|'ve| am| have| has| is)?\s+(?:already |just |also |hereby "
        rf")*{_PROMISED}\s+(?:to|that|(?:[\w']+ ){{1,3}}(?:that |i'd|he'd|she'd|we'd|they'd|to))\b",
        0.85,
        0.85,
    ),
    form(rf"{_PROMISED}\s+(?:to|that|(?:[\w']+ ){{1,3}}(?:that |i'd|to))\b", 0.8, 0.8),
    form(
        rf"(?!(?:i|we)\b){SOMEBODY} (?:promised|volunteered|offered|agreed|pledged)\s+\S+",
        0.75,
        0.75,
    ),
    form(r"(?:i|we) promised (?:\S+ ){1,3}\S+", 0.8, 0.7),
    form(
        r"i (?:make|bring|take|do|cook|bake|cover|pay|drive|host|write|book|call|ask|send|pick "
        r"up)\s+\S.*\bthen\b",
        0.75,
    ),
    form(r"(?:i|we) owe (?:you|him|her|them|\w+)\b", 0.8),
    form(r"you(?:'ll| will| can) (?:have|get|expect|receive)\b", 0.75, 0.6),
    form(
        r"(?:i|we) (?:can|could|should be able to) have\b.{3,60}\b(?:by|before|until)\b", 0.75, 0.7
    ),
    form(r"(?:count on (?:me|us)|leave (?:it|that|this) (?:to|with) me|consider it done)\b", 0.6),
)
_LOOSE = (
    form(
        r"(?:answer|reply|send|submit|register|sign up|let me know|"
        r"rsvp|pay|confirm|hand in|return|vote|apply|respond)\b.{0,60}\b(?:by|until|before|till)\b",
        0.6,
    ),
    form(
        rf"(?:i|we|he|she|they|{SOMEBODY}){_WILL}\s+(?:\w+ly |also |then |try to |just |both "
        rf")*(?:{_DELIVERS}\b)",
        0.65,
        0.5,
    ),
    # "I send it on Friday", and what somebody offers to somebody.
    form(rf"(?:i|we) (?!have\b)(?:{_DELIVERS})\b(?! not\b)", 0.5),
    form(
        r"(?:i|we) can (?:take|start|bring|drive|fetch|cover|lend|let you have|host|pick|help|"
        r"give)\b",
        0.62,
    ),
    form(r"ill (?!be\b|and\b|or\b)[a-z]+ \S+", 0.5),
    form(
        r"(?:will|gonna|going to) (?!be\b|you\b|it\b|this\b|that\b|there\b|the\b)[a-z]+", 0.6, 0.5
    ),
    form(
        rf"(?:i'm|we're|i am|we are|{NAME} is|{NAME}'s) (?:sending|bringing|doing|"
        r"finishing|reviewing|writing|taking|preparing|handling|picking|organi[sz]ing|delivering|"
        r"shipping|presenting|meeting|calling|coming|flying|moving|submitting|publishing)\b",
        0.6,
        0.4,
    ),
    form(rf"{NAME} (?:wants|intends|plans|is (?:happy|willing)|has agreed|hopes) to\b", 0.6, 0.6),
    form(
        r"(?:i|we) (?:have|need|ought|must|intend|plan|aim|expect|hope)(?: got)? (?:to )?\w+",
        0.6,
        0.4,
    ),
    form(
        r"(?:the |our |my )?[\w' -]{2,40}\b(?:is|are|'s) (?:due|to be (?:done|ready|finished))\b",
        0.75,
        0.7,
    ),
    form(
        rf"(?:i|we|he|she|they|{SOMEBODY}){_WILL}\s+(?:\w+ly |also |"
        r"then |try to |just |both |all )*(?!be (?:back|right|there|off|away|out)\b|see\b)\w+",
        0.5,
        0.4,
    ),
)
_LASTING = re.compile(
    r"\b(?:going forward|from now on|next time|in (?:the )?future|every (?:day|week|month|time))\b",
    re.IGNORECASE,
)
_UNCERTAIN = re.compile(
    r"\b(?:if|would|might|maybe|perhaps|probably not|could|unless|or something|someday|one day)\b",
    re.IGNORECASE,
)
_WITH_TIME, _WITHOUT_TIME = 0.85, 0.62
# What a person says that they will do, other than in the next minute.
_OWN_PROMISE = re.compile(
    r"(?:(?:i|we)(?:'ll| will)|ill)\s+(?:also |then |just |all |both |definitely )*"
    r"(?!(?:see|be|try|check|look|think|test|run|wait|know|let|say|go|keep|need|want|have|"
    r"never|not|get (?:it|back)|stick|use|start|find|tell you)\b)"
    r"\w+\s+(?!(?:it|that|this|them|you|so)(?:\s+\w+)?[.!]*$)\S+",
    re.IGNORECASE,
)


def commitment(clause: Clause, turn: Turn) -> Reading | None:
    """Return what somebody promises in a clause; what has no time needs a plain promise."""
    if clause.is_asked or _UNCERTAIN.search(clause.plain):
        return None
    due = deadline(clause.plain, turn.episode.occurred_at)
    if found := known(_FIRM, clause, turn):
        return Reading(kind=Harvest.COMMITMENT, confidence=found[0], due=due)
    worth = _worth(clause, turn, is_dated=due is not None)
    return Reading(kind=Harvest.COMMITMENT, confidence=worth, due=due) if worth else None


def _worth(clause: Clause, turn: Turn, *, is_dated: bool) -> float:
    """Return how much a looser promise is worth; nothing if it may be one of the next minute."""
    found = known(_LOOSE, clause, turn)
    if found is None:
        return 0
    if is_dated:
        return max(found[0], _WITH_TIME)
    is_lasting = _LASTING.search(clause.plain) is not None
    if is_agents(turn):
        return found[0] if is_lasting else 0
    is_promise = is_lasting or _OWN_PROMISE.match(clause.plain) is not None
    return max(found[0], _WITHOUT_TIME) if is_promise or found[0] >= _WITHOUT_TIME else 0
