"""
Answers: what a few words say only because of the question before them.

"5000 rows" states nothing, and much after "What page size?". Both are told together. What
a person answers an agent that asks how to go on is a decision; any other answer is a fact.
"""

import re

from tilth.extraction.candidate import Harvest, Turn
from tilth.extraction.spoken.assertions import assertion
from tilth.extraction.spoken.clauses import Clause
from tilth.extraction.spoken.context import last_asked, last_said, leans
from tilth.extraction.spoken.deferrals import is_put_off
from tilth.extraction.spoken.reading import Reading, is_agents
from tilth.extraction.spoken.voice import told

_WORDS_MAX = 14
_CHOICE_WORDS_MAX = 6
_OPEN_QUESTION = re.compile(
    r"\b(?:what|which|who|whom|whose|where|when|how (?:many|much|long|often|big|large|far|old|"
    r"high|should|do|does)|"
    r"until when|since when|why)\b|\bor\b|"
    r"^(?:and |so |ok |ok, )?(?!(?:shall|should|can|could|would|will|do|does|did|is|are|was|"
    r"were|may|has|"
    r"have|ok|right|really|ready|done|sure)\b)(?:\S+ ){0,3}\S+$",
    re.IGNORECASE,
)
_TO_BE_SETTLED = re.compile(
    r"\b(?:shall|should|do you want|would you|want me|may (?:i|it|we|this)|do you prefer|would "
    r"you rather|"
    r"prefer|which|how many .* at once|what (?:\w+ )?(?:size|port|version|name|title|limit|"
    r"value|number|"
    r"threshold|format|colou?r|interval|timeout)|where (?:do|does|should|shall|to)\b)",
    re.IGNORECASE,
)
# What answers no more than "yes", asks to go on, or does not know.
_EMPTY = re.compile(
    r"(?:(?:yes|yep|yeah|no|nope|nah)[\s.!,]*$|(?:ok(?:ay)?|sure|please(?: do)?|do it|go(?: "
    r"ahead| on| for it)?|"
    r"done|thanks?|thx|"
    r"whatever|whichever|up to you|you (?:decide|choose|pick)|don't (?:know|care|mind)|dunno|"
    r"idk|no idea|i (?:don't|guess|"
    r"think|see|know|wonder)|not sure|good question|let me|hm+|maybe|perhaps|depends|exactly|"
    r"right|correct|word|"
    r"both|either|neither|none|sorry|hello|hi|wait|stop|nothing|never ?mind|looks|sounds|great|"
    r"nice|cool|"
    r"perfect|lovely|fine|why|what|how|can you|could you|would you|will do|on it|i'll|i will|of "
    r"course|same|meh|lol|haha|ugh|yay|do[.!]*$|(?:i|we)'d\b|(?:i|we) (?:would|could|might))\b)",
    re.IGNORECASE,
)
# What a yes goes on with, where it says which.
_NAMING = re.compile(
    r"(?:the|an?|on|in|at|by|with|from|since|until|every|only|max|about|around|for)\s+\S+",
    re.IGNORECASE,
)
_DOUBTED = re.compile(r"\b(?:would|could|might|may|maybe|perhaps|about|if)\b", re.IGNORECASE)
_WORD = re.compile(r"[A-Za-z][\w-]{3,}")
_STEM_CHARS = 5
_COMMON_WORDS = "this that with from have would could should then there their your what which"
_COMMON = frozenset(_COMMON_WORDS.split())
_OF_CHOICE, _OF_FACT, _PUT_OFF = 0.8, 0.75, 0.75


def answer(clause: Clause, turn: Turn) -> Reading | None:
    """Return what the first words of a turn state together with the question before them."""
    if clause.order or clause.is_asked or turn.before is None:
        return None
    asked = last_asked(turn)
    if is_put_off(clause.plain) and not is_agents(turn):
        said = asked or last_said(turn)
        return _told(clause, turn, said.text, Harvest.DEFERRAL, _PUT_OFF) if said else None
    if _stands_alone(clause, turn):
        return None
    if asked is not None and _OPEN_QUESTION.search(asked.plain):
        return _answered(clause, turn, asked.text, asked.plain)
    return None if is_agents(turn) else _picked(clause, turn)


def _stands_alone(clause: Clause, turn: Turn) -> bool:
    """Say whether it says too much, or too little, to be told with a question."""
    if len(clause.plain.split()) > _WORDS_MAX or _EMPTY.match(clause.plain):
        return True
    return not leans(clause.plain) and assertion(clause, turn) is not None


def _answered(clause: Clause, turn: Turn, question: str, plain: str) -> Reading | None:
    is_settling = _TO_BE_SETTLED.search(plain) is not None and not is_agents(turn)
    if is_agents(turn) and (
        not any(map(str.isdigit, clause.text)) or _DOUBTED.search(clause.plain)
    ):
        return None
    kind = Harvest.DECISION if is_settling else Harvest.FACT
    return _told(clause, turn, question, kind, _OF_CHOICE if is_settling else _OF_FACT)


def _picked(clause: Clause, turn: Turn) -> Reading | None:
    """Return what goes on after a yes, or the choice of one of several things put forward."""
    asked, said = last_asked(turn), last_said(turn)
    if asked is not None and _NAMING.match(clause.plain):
        return _told(clause, turn, asked.text, Harvest.FACT, _OF_FACT)
    if said is None or not re.search(r"\bor\b|\beither\b|\?", said.plain):
        return None
    words = _WORD.findall(clause.plain)
    if not words or len(clause.plain.split()) > _CHOICE_WORDS_MAX:
        return None
    offered = {word[:_STEM_CHARS].casefold() for word in _WORD.findall(said.plain)}
    taken = [
        word
        for word in words
        if word.casefold() not in _COMMON and word[:_STEM_CHARS].casefold() in offered
    ]
    if not taken:
        return None
    return _told(clause, turn, said.text, Harvest.DECISION, _OF_CHOICE)


def _told(clause: Clause, turn: Turn, before: str, kind: Harvest, worth: float) -> Reading:
    assert turn.before is not None
    text = f"{told(before, turn.before)} {told(clause.text, turn.episode)}"
    return Reading(kind=kind, confidence=worth, text=text)
