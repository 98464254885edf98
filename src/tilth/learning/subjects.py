"""
What a statement that was read is about: a name that somebody could ask for, or none.

Words before a verb are not yet a name. What is left without one is kept in its words, about
the project or whoever speaks, so nobody has to tell "indexing core" from "The indexing core".
"""

import re
from dataclasses import replace

from tilth.knowledge.facts.statement import Statement
from tilth.learning.clauses.lexicon import PREDICATES
from tilth.learning.values.claims import is_named

# A name with more words is a part of a sentence.
WORDS_MAX = 6
_CHARS_MIN = 2
_AROUND = " \t*_`'\".,:;-\u2013\u2014\u2018\u2019\u201c\u201d"
_ARTICLE = re.compile(r"^(?:the|an?|our|this|that|these|those|all|both|each)\s+", re.IGNORECASE)
_ENDS_OPEN = re.compile(r"['\u2019]s$|\b(?:your|my|his|her|their)\b", re.IGNORECASE)
# How a report begins: "Added a flag", "Measured timings".
_DOING = re.compile(r"[A-Z][a-z]+(?:ing|ed)\b(?=\s)")
# What people say along with a value, to be kind or funny, or to come to something else.
_ALONG = re.compile(
    r"[\s,]+(?:lol|lmao|ha(?:ha)+\w*|btw|by the way|tho|though|imo|fyi|in case|i think|i guess|"
    r"please|pls|unfortunately|sadly|luckily|actually|anyway|:-?[)(DP])(?!\w).*",
    re.IGNORECASE | re.DOTALL,
)
_AROUND_VALUE = " \t*,;"
# A value with more words is a clause.
VALUE_WORDS_MAX = 8
_POINTS = re.compile(
    r"(?:it|that|this|these|those|them|he|she|they|him|her|you|what|how|why|when|if|to|not|being|"
    r"having|compiled|all (?:day|night|the time)|no|about)\b|"
    r".*\b(?:is|are|was|were|can|will|has|have)\s",
    re.IGNORECASE,
)
_TRAILS = re.compile(r"\.{2,}|\u2026")
# "With the present growth", "as per contract": how or when, and not what. A name has no "=".
_NO_SUBJECT = re.compile(
    r"(?:per|as|with|without|in|on|at|by|from|for|to|of|if|when|after|before|under|"
    rf"over|half|most|many|some|few)\b|(?:.{{2,80}}\s)?(?:{PREDICATES}|fails)\b(?!['\u2019])|.*=",
    re.IGNORECASE,
)
_PAIRS = (("(", ")"), ("[", "]"), ("{", "}"))
_GENERAL = frozenset(
    [
        "a",
        "an",
        "the",
        "new",
        "old",
        "default",
        "number",
        "file",
        "files",
        "people",
        "loading",
        "ours",
        "mine",
        "yours",
        "hers",
        "theirs",
    ]
)


def named(words: str) -> str | None:
    """Return *words* as a thing is called, without article and marks; None if they name nothing."""
    name = _ARTICLE.sub("", words.strip(_AROUND), count=1).strip(_AROUND)
    if len(name) < _CHARS_MIN or len(name.split()) > WORDS_MAX or not is_named(name):
        return None
    if _NO_SUBJECT.match(name):
        return None
    is_whole = name.count("`") % 2 == 0 and all(name.count(a) == name.count(b) for a, b in _PAIRS)
    is_general = name.casefold() in _GENERAL or _DOING.match(name) or _ENDS_OPEN.search(name)
    return name if is_whole and not is_general else None


def with_names(said: Statement) -> Statement:
    """Return a statement whose triple is of something with a name; without triple if it is not."""
    if said.triple is None:
        return said
    subject, value = named(said.triple.subject), valued(said.triple.object)
    if subject is None or value is None:
        return replace(said, triple=None)
    return replace(said, triple=replace(said.triple, subject=subject, object=value))


def valued(words: str) -> str | None:
    """Return *words* as a value, without what is only said along; None if they are a clause."""
    value = _ALONG.sub("", words).strip(_AROUND_VALUE)
    is_clause = (
        len(value.split()) > VALUE_WORDS_MAX or _POINTS.match(value) or _TRAILS.search(value)
    )
    return None if not value or is_clause else value
