"""
Acceptances: "do it", by which what an agent put forward becomes what somebody decided.

"I'd round the fees up" alone is an idea. It is told with the words that accept it. What an
agent offers to look at or to do in the next minute is no more than a task.
"""

import re
from collections.abc import Iterator

from tilth.core.errors import InvalidInputError, LimitExceededError
from tilth.episodes.episode import EpisodeKind, Role
from tilth.knowledge.facts.statement import Statement
from tilth.learning.candidate import Candidate, Harvest, Turn
from tilth.learning.clauses.clauses import unled
from tilth.learning.clauses.context import follows, with_question
from tilth.learning.clauses.wholeness import is_whole
from tilth.learning.prose import Sentence, sentences

_PROPOSED = re.compile(
    r"(?:then,? )?(?:i'd|i would|we'd|i can|i could|i'll|i suggest|i recommend|i propose|"
    r"(?:my |the )?(?:suggestion|proposal)(?: is|:)|then )\s*(?!(?:have a|take a|look|check|see|"
    r"try|run|read|tell|show|explain|search|list|let|keep you|wait|love|like to|say|need|be happy|"
    r"be glad|start|begin|go|continue|draft|write up|also|split|you|it's|it is|there)\b)\w+",
    re.IGNORECASE,
)
_ACCEPTED = re.compile(
    r"(?:(?:ok(?:ay)?|ye(?:s|p|ah?)|sure|"
    r"sounds good|great|perfect|fine|good|please|alright|deal|makes sense|cool|nice)[\s,.!]+)*(?:"
    r"(?:please )?(?:do (?:it|that|so)|go (?:for it|ahead)|let's do (?:it|that)|take it)|why not|"
    r"y|ye(?:s|p|ah?)|sure|agreed|sounds good|makes sense|deal)(?: (?:please|pls|then))?[\s.!]*",
    re.IGNORECASE,
)
_CHARS_MAX, _WORDS_MIN = 200, 5
_WORTH = 0.8


def acceptances(turn: Turn) -> Iterator[Candidate]:
    """Yield what a person decides by accepting what an agent put forward last."""
    before = turn.before
    if before is None or before.role is not Role.ASSISTANT or turn.episode.role is not Role.USER:
        return
    if turn.episode.kind is not EpisodeKind.MESSAGE or not follows(turn):
        return
    answer = next(iter(sentences(turn.episode.text)), None)
    proposal = _proposal(turn)
    if answer is None or proposal is None or _ACCEPTED.fullmatch(answer.plain) is None:
        return
    text = with_question(proposal.text, answer.text, turn)
    try:
        said = Statement(text=text)
    except (InvalidInputError, LimitExceededError):
        return
    if is_whole(text):
        yield Candidate(said=said, quote=answer.text, kind=Harvest.DECISION, confidence=_WORTH)


def _proposal(turn: Turn) -> Sentence | None:
    """Return the last statement of the other side, if it puts something forward to be done."""
    said = sentences(turn.before.text) if turn.before else ()
    told = [one for one in said[-2:] if not one.plain.endswith("?")]
    if not told or len(told[-1].text) > _CHARS_MAX or len(told[-1].plain.split()) < _WORDS_MIN:
        return None
    plain = told[-1].plain
    return told[-1] if any(_PROPOSED.match(plain, at) for at in (0, unled(plain)[0])) else None
