"""
Read what a sentence claims, and about what.

Questions, guesses, conditions and proposals claim nothing. The subject of a claim stands before its
verb, after the last word that joins it to something else.
"""

import re

from tilth.core.dataclass import dataclass
from tilth.core.scope import key_of
from tilth.core.text.names import name_key
from tilth.episodes.episode import Episode, Role
from tilth.knowledge.facts.statement import PART_CHARS_MAX, Triple
from tilth.learning.candidate import Turn
from tilth.learning.text.clauses import Clause
from tilth.learning.text.triples import is_named
from tilth.learning.text.valid_from import after_opening

# The subject of triples about the user, whatever their name.
USER = "user"
_US = "we"
_ME = "i"
SUBJECT_WORDS_MAX = 10
_SUBJECT_CHARS_MAX = 120

# Capitalised "May" is a month.
_DOUBTED = re.compile(
    r"\?[\"')\]_\s]*$|\b(?i:if|would|could|should|might|maybe|perhaps|probably|possibly|"
    r"presumably|supposedly|apparently|unless|whether|suppose|supposing|imagine|assume|assuming|"
    r"assumes|hopefully|hypothetical\w*|pretend|let's|lets|let us|let me|shall|i'd|we'd|you'd|"
    r"he'd|she'd|they'd|wonder\w*|guess|doubt|seems?|seemed|allegedly|not sure|unsure|no idea|"
    r"don't know|dunno|propos\w+|suggest\w*|recommend\w*|consider\w*|instead of using|what about|"
    r"how about|for example|for instance|e\.g|say,|such as|either|in theory|theoretically|ideally|"
    r"wish|hope|hoping|want(?:s|ed)? to|trying to|try to|tries to|going to|gonna|planning|used to|"
    r"no longer|not yet|was going|were going|looks? like|sounds? like|i thought|rumou?r\w*|joking|"
    r"kidding|just kidding|can be|could've|must have|may (?:be|have|not))\b|\bmay\s(?=[a-z])"
)
_SUPPOSED = re.compile(
    r"\W*(?:(?:and|but|so|ok|okay|well|then|yes|no|yeah)\W+)*(?:even |as |what |only )?"
    r"(?:if|unless|suppose|supposing|imagine|assuming|let's say|in case|provided)\b",
    re.IGNORECASE,
)
_NUMBER = re.compile(r"\d+(?:[.,:]\d+)*")
# "Right" and "isn't it" ask for confirmation of a claim.
_THEN_ASKS = re.compile(
    r",\s(?:and |so |but )?(?:can|could|would|will|do|does|did|what|which|who|when|where|why|how|"
    r"shall|should)\b",
    re.IGNORECASE,
)
_NEGATED = re.compile(
    r"\b(?:not|never|isn't|aren't|wasn't|weren't|doesn't|don't|didn't|hasn't|haven't|won't|can't|"
    r"cannot|nobody|nothing|neither|nor)\b",
    re.IGNORECASE,
)
# Words that join a claim to what came before, or only open it.
_JOINT = re.compile(
    "[(]|[,;:)!]\\s+|\\s[-\u2013\u2014]+\\s|\\s--\\s|"
    r"\b(?i:that|because|since|as|so|but|and then|where|while|whereas|although|though|"
    r"also|now|currently|actually|btw|fyi|by the way|note|reminder|"
    r"remember|meanwhile|"
    r"just|ok|okay|yes|yeah|yep|no|nope|right|well|oh|hey|hi|thanks|please|"
    r"keep in mind|for (?:the record|context|reference|info)|heads[- ]up|good to know|confirmed|"
    r"i (?:checked|confirmed|verified|found|see|know|learned|heard)|it turns out|turns out|"
    r"(?:he|she|they|\w+) (?:says|said|told me|told us|mentioned|confirmed))\s+"
)
_AND = re.compile(
    r"\s(?:and|or)\s+(?=(?:the|our|my|its|his|her|their|we|i|a|an)\s|(?:[\w'-]+ ?){1,3}$)",
    re.IGNORECASE,
)
_SAYS = re.compile(r"\d|\b(?:is|are|has|have|runs|uses|takes|costs|lives|on|at)\b")
_LEAD = re.compile(r"\s*(?:(?:and|or|but|so|then|also|plus)\s+)*", re.IGNORECASE)
_LEADING = re.compile(
    r"^(?:the|an?|our|my|your|his|her|its|their|this|these|those|that|all|both|each)\s+",
    re.IGNORECASE,
)
_WHOSE = re.compile(r"(my|our|your|his|her|its|their)\s", re.IGNORECASE)
_THERE = re.compile(r"\s(?:there|here|now|itself|also|still|already)$", re.IGNORECASE)
_AROUND = " \t*_`'\",\u201c\u201d"


@dataclass(frozen=True, slots=True)
class Subject:
    """
    The subject of a claim, without its article, and its position.

    `whose` is a possessive before it: "my", "our", "their".
    """

    name: str
    begin: int
    whose: str = ""


def is_claimed(plain: str) -> bool:
    """Say whether a sentence, in normal form, claims what it says."""
    return _DOUBTED.search(plain) is None


def is_asserted(clause: Clause, end: int = 0) -> bool:
    """
    Say whether a clause claims what it says, with no question, guess or condition.

    With *end*, only up to there: a question may follow its basis ("…, can you look?").
    """
    # A condition at the beginning of a sentence covers all of it.
    if _SUPPOSED.match(clause.sentence.plain):
        return False
    asks = _THEN_ASKS.search(clause.plain, end) if end and clause.is_asked else None
    if asks is not None:
        return is_claimed(clause.plain[: asks.start()])
    return not clause.is_asked and is_claimed(clause.plain)


def without_question(quote: str) -> str:
    """Return the words of a claim without a question behind it."""
    asks = _THEN_ASKS.search(quote) if quote.endswith("?") else None
    return quote if asks is None else quote[: asks.start()]


def is_denied(plain: str) -> bool:
    """Say whether a part of a sentence contains a negation."""
    return _NEGATED.search(plain) is not None


def subject_before(text: str, plain: str, end: int) -> Subject | None:
    """
    Return the subject of a claim whose verb begins at *end*.

    Args:
        text: The sentence as written.
        plain: The same in normal form.
        end: Where its verb begins.
    """
    begin = after_opening(plain, 0, end)
    for joint in _JOINT.finditer(plain, begin, end):
        if joint.start() >= begin:
            begin = after_opening(plain, joint.end(), end)
    for joint in _AND.finditer(plain, begin, end):
        # "Ana and Bo are" has two subjects; "a has 4 and b has 2" has two claims.
        if _SAYS.search(plain, begin, joint.start()):
            begin = joint.end()
    if lead := _LEAD.match(plain, begin, end):
        begin = lead.end()
    said = text[begin:end]
    name = _THERE.sub("", _LEADING.sub("", said.strip(_AROUND)))
    words = name.casefold().split()
    if not words or len(words) > SUBJECT_WORDS_MAX or len(name) > _SUBJECT_CHARS_MAX:
        return None
    whose = _WHOSE.match(said.strip(_AROUND))
    owner = whose[1].casefold() if whose else ""
    return Subject(name, begin, owner) if is_named(name) else None


def is_us(subject: Subject) -> bool:
    """Say whether a claim is about the speakers: "we" and what is theirs."""
    return subject.name.casefold() == _US


def is_me(subject: Subject) -> bool:
    """Say whether a claim is about the speaker."""
    return subject.name.casefold() == _ME


def anchor(episode: Episode) -> str:
    """Return what "we" means in an episode: its project or domain, or the user."""
    return key_of(episode.scope) or USER


def triple_of(subject: str, predicate: str, value: str) -> Triple | None:
    """Return a triple; None if a part of it is not valid."""
    parts = (subject.strip(), predicate, value.strip())
    if any(len(part) > PART_CHARS_MAX or not name_key(part) for part in parts):
        return None
    return Triple(*parts)


def is_echo(text: str, turn: Turn) -> bool:
    """Say whether an agent only confirms a person's words: each of its numbers is theirs."""
    asked, told = turn.before, _NUMBER.findall(text)
    if asked is None or turn.episode.role is not Role.ASSISTANT or asked.role is not Role.USER:
        return False
    return bool(told) and set(told) <= set(_NUMBER.findall(asked.text))
