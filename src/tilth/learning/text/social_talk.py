"""
Decide which words in a talk among people say something about them.

Friends cheer each other on ("let's keep going!", "never give up", "don't forget to rest"). That has
the form of decisions and rules, and lays nothing down. What they say about themselves counts. The
patterns are English; they accept any text, in linear time.
"""

import re
from collections.abc import Collection, Iterable

from tilth.core.actor import CameBy
from tilth.episodes.episode import Episode, Role
from tilth.knowledge.facts.statement import Triple

_LEAD = (
    r"^\W*(?:(?:yeah|yep|yes|yup|no|nope|ok|okay|so|and|also|but|well|oh|wow|hey|haha|lol|thanks"
    r"|honestly|actually|lately|recently|last \w+|this \w+|yesterday|today|plus|anyway)\b\W*"
    r"|[A-Z]\w+,\s*){0,3}"
)
_OWN = re.compile(_LEAD + r"(?:(?:i|we)(?:'(?:m|re|ve|d|ll))?|my|our)\b", re.IGNORECASE)
# Encouragement and feelings about the other, or about everybody.
_CHEERS = re.compile(
    _LEAD
    + r"(?:i|we)(?:'m|'re|'ll| am| are| will)?\s+(?:(?:so|really|just|all|always|totally)\s+)*"
    r"(?:can (?:imagine|see|only|tell|totally)|could(?:n't)?|can't|sure|hope|bet|guess|wish|agree"
    r"|proud|glad|happy (?:for|to hear)|here (?:for|to)|know (?:you|what|how|it)"
    r"|think (?:you|it|that)"
    r"|believe in|won't let|need|should|must|can|all|get (?:it|that|you)|got this|appreciate"
    r"|love (?:how|that|it|your)|excited (?:for|to (?:hear|see)))\b"
    r"|\byour?(?:'re|self|s)?\b|\blet'?s\b|\beveryone\b|\bpeople like\b",
    re.IGNORECASE,
)


# "That's my sister", "it's my family's recipe": the sentence before, or a picture, shows what.
_SHOWN = ("it", "that", "this", "these", "those")
_OF_THAT = re.compile(_LEAD + rf"(?:{'|'.join(_SHOWN)})(?:'s|\b)", re.IGNORECASE)
_THIRD = re.compile(r"\b(?:he|she|him|they|them)\b", re.IGNORECASE)
_ONE = re.compile(r"\b(?:[Mm]y|[Oo]ur|[Aa]n?) (?:\w+ ){0,2}?\w+|(?<=\w )[A-Z]\w+")
_MANY = re.compile(
    r"\b(?!(?:always|was|is|has|does|this|us|as|its|yes|thus|\w+'s|\w*ss|\w+ous)\b)\w+s\b"
    r"|\b(?:people|family|children|men|women|team)\b|\b\w+ and (?:my|our|(?-i:I|[A-Z]\w+))\b",
    re.IGNORECASE,
)


def people_in(said: Iterable[Episode]) -> frozenset[str]:
    """
    Return who talk with each other in *said*; empty if an agent is among them.

    A person named by an import is one of several, even if nobody answered in that stretch.
    """
    said = tuple(said)
    people = frozenset(one.speaker for one in said if one.role is Role.USER and one.speaker)
    is_chat = len(people) > 1 or any(one.came_by is CameBy.IMPORTED for one in said)
    is_theirs = is_chat and not any(one.role is Role.ASSISTANT for one in said)
    return people if is_theirs else frozenset()


def tells_of_people(quote: str, text: str, people: Collection[str]) -> bool:
    """
    Say whether a sentence is about its speaker, or about another of *people*.

    Args:
        quote: The sentence as it was said.
        text: The statement that was read from it, where "I" may be a name.
        people: The people who talk with each other.
    """
    if _CHEERS.search(quote) or _OF_THAT.match(quote) or not _says_whom(quote):
        return False
    names_one = any(text.startswith(name) and quote[:1] != "@" for name in people if name)
    return _OWN.match(quote) is not None or names_one


def _says_whom(quote: str) -> bool:
    """Say whether the first "he" or "they" of a sentence follows somebody it can refer to."""
    found = _THIRD.search(quote)
    if found is None:
        return True
    before = quote[: found.start()]
    if found[0].casefold() in {"they", "them"}:
        return _MANY.search(before) is not None
    return _ONE.search(before) is not None


def is_of_people(triple: Triple, quote: str, people: Collection[str]) -> bool:
    """Say whether a triple is about one of *people*, beyond a name or date."""
    is_theirs = any(triple.subject.startswith(name) for name in people)
    is_named = triple.object[:1].isupper() and triple.object.casefold() not in _SHOWN
    is_shown = is_named or _OF_THAT.match(quote) is None
    is_told = is_shown and _says_whom(quote)
    return is_theirs and is_told and not quote.lstrip().startswith(f"{triple.object},")
