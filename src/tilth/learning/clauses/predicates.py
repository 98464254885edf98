"""
The verb of a clause, and what stands before and after it.

Verbs that people state things with are known by name; others by their ending and by what
stands around them, such as a pronoun before them.
"""

import re
from dataclasses import dataclass

from tilth.learning.clauses.lexicon import VERBS

_VERB = re.compile(rf"(?:(?<=\w)'(?:s|re|m|ve|ll)(?=\s)|(?<=\s)(?:{VERBS})\b)", re.IGNORECASE)
# What stands before a noun: a word that may be a verb is none behind these.
_BEFORE_NOUN = re.compile(
    r"\b(?:the|an?|our|my|your|their|his|her|its|this|that|these|those|of|to|for|with|no|each|"
    r"every|some|any|new|old|in|on|at|by|from|and|or|than|as)\s+$",
    re.IGNORECASE,
)
_SUBJECT_WORDS_MAX = 9
_NO_VERB = (
    r"this|his|its|always|perhaps|besides|plus|minus|versus|thus|less|across|towards|sometimes|"
    r"afterwards|news|needed|indeed|used|supposed|based|called|was|has|does|these|those|"
    r"in|on|at|of|for|to|with|by|from|and|or|as|than|that|who|which|when|where|if|but|so|like|is|"
    r"are|per|via|until|before|after|under|over|about|into|between|vs|not|all|both|\w+ly"
)
_THING = r"(?:(?:the|an?|our|my|his|her|your|their|this|that|every|each)\s+)?(?:[\w'-]+\s+){0,3}?"
# What goes on after a verb, be it what it acts on, or where, when and how.
_AFTER = (
    r"(?:the|an?|our|my|his|her|their|your|all|no|only|in|on|at|to|with|by|from|for|into|after|"
    r"before|until|when|again|down|up|out|off|over|back|\d|(?-i:[A-Z]))"
)
_SHAPES = (
    # Behind a pronoun stands a verb.
    re.compile(
        rf"(?P<subject>(?:[\w'-]+\s+){{0,5}}?(?:i|we|they))\s+(?:\w+ly\s+)?"
        rf"(?P<verb>(?!(?:{_NO_VERB}|two|three|both|all)\b)[a-z]{{2,}})\b",
        re.IGNORECASE,
    ),
    # One thing does something.
    re.compile(
        rf"(?P<subject>{_THING}[\w'-]*[^\Ws])\s+"
        rf"(?P<verb>(?!(?:{_NO_VERB})\b)[a-z]{{2,}}(?:[^\Ws]s|ed))\s+\S",
        re.IGNORECASE,
    ),
    # Anybody did something.
    re.compile(
        rf"(?P<subject>{_THING}[\w'-]+)\s+(?P<verb>(?!(?:{_NO_VERB})\b)[a-z]{{2,}}ed)\s+{_AFTER}\b",
        re.IGNORECASE,
    ),
    # Several things do something.
    re.compile(
        rf"(?P<subject>(?:[\w'-]+\s+){{0,3}}?[a-z]{{2,}}s)\s+"
        rf"(?P<verb>(?!(?:{_NO_VERB})\b)[a-z]{{2,}}[^\Ws])\s+{_AFTER}\b",
        re.IGNORECASE,
    ),
)


@dataclass(frozen=True, slots=True)
class Claim:
    """The parts of a statement around its verb."""

    subject: str
    verb: str
    rest: str


def claim_in(plain: str) -> Claim | None:
    """Return the parts of a statement; None where there is no verb near its beginning."""
    for verb in _VERB.finditer(plain):
        subject = plain[: verb.start()]
        if len(subject.split()) > _SUBJECT_WORDS_MAX:
            break
        if not _BEFORE_NOUN.search(subject):
            return Claim(subject.strip(), verb[0].casefold(), plain[verb.end() :])
    shaped = next((found for shape in _SHAPES if (found := shape.match(plain))), None)
    if shaped is None:
        return None
    return Claim(shaped["subject"], shaped["verb"].casefold(), plain[shaped.end("verb") :])
