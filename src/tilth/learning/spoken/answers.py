"""
Read answers, which state something only together with the other side's words.

"5000 rows" states nothing, and a lot after "What page size?", so both are told together. A person's
answer to an agent that asks how to go on is a decision; any other answer is a fact. "Do it" makes a
decision of an agent's proposal, which alone is only an idea ("I'd round the fees up"). An agent's
offer to look at something or do it in the next minute is only a task.
"""

import re
from collections.abc import Iterator, Sequence

from tilth.core.errors import InvalidInputError, LimitExceededError
from tilth.core.text.prose import Sentence, sentences
from tilth.episodes.episode import EpisodeKind, Role
from tilth.knowledge.facts.statement import Statement
from tilth.learning.candidate import Candidate, StatementKind, Turn
from tilth.learning.spoken.clause_forms import Reading, is_agents
from tilth.learning.spoken.decisions import is_task
from tilth.learning.spoken.plans import is_put_off
from tilth.learning.text.clause_context import (
    follows,
    is_offer,
    last_asked,
    last_said,
    leans,
    with_question,
)
from tilth.learning.text.clauses import Clause, unled
from tilth.learning.text.verb_forms import is_claim
from tilth.learning.text.wholeness import is_whole

_WORDS_MAX = 14
_CHOICE_WORDS_MAX = 6
_BRIEF_WORDS_MAX = 6
_OPEN_QUESTION = re.compile(
    r"\b(?:what|which|who|whom|whose|where|when|how "
    r"(?:many|much|long|often|big|large|far|old|high|should|do|does)|until when|since when|why)\b|"
    r"\bor\b|^(?:and |so |ok |ok, )?(?!(?:shall|should|can|could|would|will|do|"
    r"does|did|is|are|was|were|may|has|have|ok|right|really|ready|done|sure)\b)(?:\S+ ){0,3}\S+$",
    re.IGNORECASE,
)
_TO_BE_SETTLED = re.compile(
    r"\bor\b|\b(?:shall|"
    r"should|do you want|would you|want me|may (?:i|it|we|this)|do you prefer|would you rather|"
    r"prefer|which|how many .* at once|what (?:\w+ )?(?:size|port|version|name|title|limit|"
    r"value|number|threshold|format|colou?r|interval|timeout)|where (?:do|does|should|shall|to)\b)",
    re.IGNORECASE,
)
# Questions about how things are, and about how somebody wants them.
_OF_NOW = re.compile(
    r"\b(?:do|does|did) (?:you|they|he|she|it|we|the)\b|"
    r"\b(?:is|are|was|were|has|have|who)\b|\w's\b",
    re.IGNORECASE,
)
_WANTED = re.compile(r"\b(?:shall|should|want|prefer|like|rather|would|may)\b", re.IGNORECASE)
# Answers that only say "yes", ask to go on, or do not know.
_EMPTY = re.compile(
    r"(?:(?:yes|yep|yeah|no|nope|nah)[\s.!,]*$|(?:ok(?:ay)?|sure|please(?: do)?|"
    r"do it|go(?: ahead| on| for it)?|done|thanks?|thx|whatever|whichever|up to you|"
    r"you (?:decide|choose|pick)|don't (?:know|care|mind)|dunno|idk|no idea|i (?:don't|guess|"
    r"think|see|know|wonder)|not sure|good question|let me|hm+|maybe|perhaps|depends|exactly|"
    r"right|correct|word|both|either|neither|none|sorry|hello|hi|wait|stop|nothing|never ?mind|"
    r"looks|sounds|great|nice|cool|perfect|lovely|fine|why|what|how|can you|could you|would you|"
    r"will do|on it|i'll|i will|of course|same|meh|lol|haha|ugh|yay|do[.!]*$|we(?:'re| are) "
    r"(?:looking|trying|going|working)\b|(?:i|we)'d\b|(?:i|we) (?:would|could|might))\b)",
    re.IGNORECASE,
)
# What follows a yes that says which.
_NAMING = re.compile(
    r"(?:the|an?|on|in|at|by|with|from|since|until|every|only|max|about|around|for)\s+\S+",
    re.IGNORECASE,
)
# Requests to do something, or for more to do.
_REQUEST = re.compile(
    r"(?:and |so |ok,? )?(?:(?:can|could|would|will) (?:you|i|we)|shall|should i|anything)\b",
    re.IGNORECASE,
)
# Proposals and possibilities.
_OFFER = re.compile(
    r"\bor\b|\beither\b|\?|\b(?:i|we|you|one|that|it|this|there) (?:can|could|would|might|may)\b|"
    r"\b(?:could|would|alternatively|option|instead|usual way|suggest|recommend|propose)\b|"
    r"\b(?:i|we|that|it)'d\b",
    re.IGNORECASE,
)
_DIRECTING = re.compile(
    r"(?:put|make|give|move|schedule|"
    r"book|assign|change|increase|decrease|reduce|double|extend|shorten|turn|switch|redraw|"
    r"redo|rewrite|rename|split|merge|raise|lower|drop|skip|keep|take|use|hand|send|mark|write|"
    r"build|swap|replace|upgrade|pin|add|remove|delete|close|open|order|buy|ask|call|show|hide)"
    r"\s+(?:it|that|this|them|the|both|all|everything|\S+ (?:to|at|on|in|as|for|with))\b",
    re.IGNORECASE,
)
_TAKING = re.compile(
    r"(?P<taken>.{2,40}?)\s+(?:(?:is|are|sounds?|seems?|looks?|would be|will) (?:\w+ly "
    r")?(?:fine|good|ok|okay|great|perfect|"
    r"better|best|enough|do)|works?(?: for (?:me|us))?|please|pls|then|it is|all the way)[.!]*$",
    re.IGNORECASE,
)
_REPLY_CHARS_MAX = 200
_NAMED = re.compile(r"\d|(?<=\w )[A-ZÀ-Þ]|\w/\w|^[A-ZÀ-Þ]\w+day\b")
_ASKS_FOR_FACT = re.compile(
    r"^(?:and |so |ok |right |\S+[,:] )?"
    r"(?:what(?!.*\b(?:suggest|think|do you|reason|difference)\b)|which|who|where|when|since when|"
    r"until when|how (?:many|much|long|often|big|old|far))\b.{3,70}$|^(?:\S+ ){0,3}\S+\?$",
    re.IGNORECASE,
)
_OWN_DOING = re.compile(
    r"(?:i|i'm|i've|let|here|there|this|that|you|we|"
    r"done|it depends|first|looking|checking|reading|running|several|some|many|two ways|\w+ing)\b",
    re.IGNORECASE,
)
_DOUBTED = re.compile(r"\b(?:would|could|might|may|maybe|perhaps|about|if)\b", re.IGNORECASE)
_WORD = re.compile(r"[A-Za-z][\w-]{3,}")
_FIGURE = re.compile(r"\b\d")
_STEM_CHARS = 5
_COMMON_WORDS = "this that with from have would could should then there their your what which"
_COMMON = frozenset(_COMMON_WORDS.split())
# Answers that only say that, or how far, it may be done.
_GOING_ON = re.compile(
    r"(?:proceed|continue|go (?:on|ahead)|carry on|kick off|keep going|start (?:with )?step|uh+|"
    r"step \d|stage \w\b)",
    re.IGNORECASE,
)
_OFFER_CHARS_MAX = 120
_TRAILS_OFF = re.compile(r"\.{2,}$|\u2026$")
_PLEASED = re.compile(r"\b(?:perfect|great|good|fine|nice|awesome|matters)\b|\.{3}$", re.IGNORECASE)
_OF_CHOICE, _OF_FACT, _PUT_OFF = 0.8, 0.75, 0.75


def answer(clause: Clause, turn: Turn) -> Reading | None:
    """Return what the first words of a turn state together with the question before them."""
    if clause.order or clause.is_asked or turn.before is None:
        return None
    asked = last_asked(turn)
    if is_put_off(clause.plain) and not is_agents(turn):
        said = asked or last_said(turn)
        return _told(clause, turn, said.text, StatementKind.DEFERRAL, _PUT_OFF) if said else None
    if _stands_alone(clause) or _calls(clause) or _leads(clause):
        return None
    if asked is not None and _OPEN_QUESTION.search(asked.plain):
        return _answered(clause, turn, asked.text, asked.plain)
    return None if is_agents(turn) else _picked(clause, turn)


def _calls(clause: Clause) -> bool:
    """Say whether a clause is the name of the person spoken to."""
    sentence = clause.sentence.plain
    return (
        clause.plain.rstrip("!.,").istitle()
        and sentence.rstrip() != clause.plain
        and len(clause.plain.split()) == 1
    )


def _leads(clause: Clause) -> bool:
    """Say whether a colon follows: then a clause names the topic."""
    after = clause.sentence.plain[clause.end - clause.sentence.start :]
    return after.lstrip().startswith(":")


def _stands_alone(clause: Clause) -> bool:
    """Say whether a clause is too long, or too short, to be told with a question."""
    if len(clause.plain.split()) > _WORDS_MAX or _EMPTY.match(clause.plain):
        return True
    return not leans(clause.plain) and is_claim(clause.plain)


def _answered(clause: Clause, turn: Turn, question: str, plain: str) -> Reading | None:
    is_settling = _is_to_settle(plain, turn)
    if is_agents(turn) and not _is_informing(clause, turn, plain):
        return None
    kind = StatementKind.DECISION if is_settling else StatementKind.FACT
    return _told(clause, turn, question, kind, _OF_CHOICE if is_settling else _OF_FACT)


def _is_to_settle(question: str, turn: Turn) -> bool:
    """Say whether an answer decides something: an agent asks about what is not so yet."""
    if is_agents(turn) or (_OF_NOW.search(question) and not _WANTED.search(question)):
        return False
    is_agents_question = turn.before is not None and turn.before.role is Role.ASSISTANT
    return is_agents_question or _TO_BE_SETTLED.search(question) is not None


def _is_informing(clause: Clause, turn: Turn, question: str) -> bool:
    """Say whether an agent answers a question of what, which, who, where or when in a few words."""
    is_reply = follows(turn) and len(turn.episode.text) <= _REPLY_CHARS_MAX
    if not is_reply or not _ASKS_FOR_FACT.search(question):
        return False
    if is_task(clause.plain) or not _NAMED.search(clause.text):
        return False
    return _DOUBTED.search(clause.plain) is None and _OWN_DOING.match(clause.plain) is None


def _picked(clause: Clause, turn: Turn) -> Reading | None:
    """Return what follows a yes, what is chosen of several things, or what is ordered."""
    asked, said = last_asked(turn), last_said(turn)
    is_all = clause.sentence.plain.rstrip(" .!").endswith(clause.plain.rstrip(" .!"))
    is_brief = asked is not None and _is_brief(clause.plain, asked.plain)
    if asked is not None and is_all and (is_brief or _NAMING.match(clause.plain)):
        is_settling = is_brief and _is_to_settle(asked.plain, turn)
        kind = StatementKind.DECISION if is_settling else StatementKind.FACT
        return _told(clause, turn, asked.text, kind, _OF_FACT)
    if said is None:
        return None
    if _DIRECTING.match(clause.plain) and _OFFER.search(said.plain):
        return _told(clause, turn, said.text, StatementKind.DECISION, _OF_CHOICE)
    chosen = _TAKING.match(clause.plain)
    words = _WORD.findall(chosen["taken"] if chosen else clause.plain)
    count = len(clause.plain.split())
    is_counted = _FIGURE.match(clause.plain) and _FIGURE.search(said.plain)
    is_choice = count <= _CHOICE_WORDS_MAX and _OFFER.search(said.plain) is not None
    if not (chosen or is_choice) or not (is_counted or _offered(words, said.plain)):
        return None
    return _told(clause, turn, said.text, StatementKind.DECISION, _OF_CHOICE)


def _is_brief(plain: str, question: str) -> bool:
    """Say whether a few words say more than yes or no, without ordering it."""
    if len(plain.split()) > _BRIEF_WORDS_MAX or is_task(plain) or is_claim(plain):
        return False
    return not is_offer(question) and _REQUEST.match(question) is None


def _offered(words: Sequence[str], offer: str) -> bool:
    """Say whether one of *words* has the stem of a word of the proposal."""
    stems = {word[:_STEM_CHARS].casefold() for word in _WORD.findall(offer)}
    taken = (word for word in words if word.casefold() not in _COMMON)
    return any(word[:_STEM_CHARS].casefold() in stems for word in taken)


def _told(
    clause: Clause, turn: Turn, before: str, kind: StatementKind, worth: float
) -> Reading | None:
    if _GOING_ON.match(clause.plain):
        return None
    is_vague = _TRAILS_OFF.search(clause.plain) is not None
    if is_offer(before):
        is_vague = len(before) > _OFFER_CHARS_MAX or _PLEASED.search(clause.plain) is not None
    if is_vague or before.lower().startswith("please"):
        return None
    if len(clause.plain.strip(" .!")) == 1 and clause.plain[0] not in before:
        return None
    text = with_question(before, clause.text, turn)
    return Reading(kind=kind, confidence=worth, text=text)


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
_PROPOSAL_CHARS_MAX, _PROPOSAL_WORDS_MIN = 200, 5
_OF_ACCEPTED = 0.8


def acceptances(turn: Turn) -> Iterator[Candidate]:
    """Yield what a person decides by accepting the agent's last proposal."""
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
        yield Candidate(said, answer.text, StatementKind.DECISION, _OF_ACCEPTED)


def _proposal(turn: Turn) -> Sentence | None:
    """Return the other side's last statement, if it proposes something."""
    said = sentences(turn.before.text) if turn.before else ()
    told = [one for one in said[-2:] if not one.plain.endswith("?")]
    if not told or len(told[-1].text) > _PROPOSAL_CHARS_MAX:
        return None
    plain = told[-1].plain
    is_put = any(_PROPOSED.match(plain, at) for at in (0, unled(plain)[0]))
    return told[-1] if is_put and len(plain.split()) >= _PROPOSAL_WORDS_MIN else None
