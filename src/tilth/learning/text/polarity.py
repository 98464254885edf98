"""
Whether words tell of the world, lay down a rule, or speak to the memory itself (KB-114).

"Don't mention Zephyr in the wiki" says nothing about Zephyr. Were it kept as a
fact, it would bring up what it asks to leave out; so such words feed nothing.
"""

import re
from enum import StrEnum

# What stands around a quote; a longer stretch without an end is no sentence.
_AROUND_CHARS_MAX = 600


class Polarity(StrEnum):
    """What kind of statement words are."""

    FACT = "fact"
    RULE = "rule"
    META = "meta"
    CORRECTION = "correction"


# What people call a memory that they speak to. "In memory" is where programs keep things.
_OWN = (
    r"(?:(?:the|your|my|our|long[- ]term) (?:long[- ]term )?memor(?:y|ies)\b"
    r"|(?:the |your )?(?:memory (?:pages?|notes?)|brain|tilth)\b"
    r"|your (?:notes|summar(?:y|ies)|records|profile|wiki|knowledge base)\b)"
)
# A team has a wiki of its own too, so to change that is no order to us; to leave out of it is.
_STORE = (
    rf"(?:{_OWN}|(?:the |my |our |any )?(?:project |team )?(?:wiki|knowledge base)(?: pages?)?\b)"
)
_KEEP = (
    r"(?:remember|memori[sz]e|save|store|record|capture|track|keep|retain|log|mention|include|"
    r"put|write|note|add|list|bring up|index|learn)"
)
_NOT = r"(?:do not|don't|never|must not|should(?:n't| not)|no need to|stop|avoid)"
_THIS = r"(?:this|that|it|these|those|any of (?:this|that|it)|what i (?:just )?(?:said|told|wrote))"
# An order begins a clause, or follows a word that leads up to one.
_ORDER = (
    r"(?:^\W*|[,;:.!?\u2014-]\s*|\b(?:please|just|then|and|now|also|you (?:can|should|must|may)|"
    r"can you|could you) )"
)
_SPACE = r"[^.!?\n]{0,200}?"
_AS_TRUE = r"(?:confirmed|verified|approved|trusted|instructions?|facts?)\b"
_ALL = rf"(?:{_THIS}|the following|all)"
_RULES = r"(?:instructions?|rules?|prompts?|guidelines|safeguards)"
_LEAVE_OUT = (
    rf"\b{_NOT} (?:be )?{_KEEP}(?:ing|ed)?\b{_SPACE}\b(?:in|into|to|on|from|of) {_STORE}",
    rf"\b{_NOT} (?:ever )?(?:remember|memori[sz]e|retain|record|save)(?:ing)?,? {_THIS}\b",
    rf"{_ORDER}(?:do not|don't|never) (?:ever )?(?:store|capture|keep|log) {_THIS}\b",
    rf"{_ORDER}(?:stop|quit) (?:remembering|memori[sz]ing|recording|capturing|mentioning)\b",
    rf"{_ORDER}(?:keep|leave|take|strip) {_SPACE}\b(?:out of|off|away from) {_STORE}",
    rf"{_ORDER}(?:forget|erase|delete|remove|drop|wipe)\b{_SPACE}\bfrom (?:{_STORE}|memory\b)",
    rf"{_ORDER}(?:erase|delete|wipe|clear|purge|reset) {_STORE}",
    rf"{_ORDER}forget (?:{_THIS}|everything|all|about|my|our|the|i)\b",
    r"\boff the record\b",
    rf"{_STORE} (?:should|must|may)(?:n't| not| never) {_KEEP}\b",
)
_TAKE_IN = (
    rf"{_ORDER}(?:update|edit|rewrite|overwrite|correct|change|check|search|consult) {_OWN}",
    rf"{_ORDER}(?:add|save|write|put|store|commit)\b{_SPACE}\b(?:to|in|into) {_OWN}",
    rf"{_ORDER}(?:mark|treat|store|save|flag|regard|consider) {_SPACE}\bas (?:an? )?{_AS_TRUE}",
    rf"{_ORDER}(?:mark|confirm|approve|promote) {_ALL}(?: as)? (?:memor(?:y|ies)|{_AS_TRUE})",
    rf"\b(?:ignore|disregard|forget|override|bypass)\b[^.!?\n]{{0,40}}?\b{_RULES}\b",
)
_META = re.compile("|".join(_LEAVE_OUT + _TAKE_IN), re.IGNORECASE | re.MULTILINE)
_NOT_META = re.compile(r"\b(?:don'?t|do not|never) forget\b", re.IGNORECASE)
_RULE = re.compile(
    r"\b(?:always|never|must(?:n't)?|from now on|going forward|under no circumstances|"
    r"make sure (?:to|that)|do not|don't ever|are not allowed to|is not allowed to)\b",
    re.IGNORECASE,
)
_ENDS = re.compile(r"[.!?]\s|\n")


def polarity_of(words: str) -> Polarity:
    """Say what kind of statement *words* are, by their form; a correction is known by its place."""
    plain = words.replace("\u2019", "'")
    if _META.search(_NOT_META.sub(" ", plain)):
        return Polarity.META
    return Polarity.RULE if _RULE.search(plain) else Polarity.FACT


def sentence_around(text: str, start: int, end: int) -> str:
    """Return the words from *start* to *end*, and what belongs to their sentence."""
    floor, ceiling = max(0, start - _AROUND_CHARS_MAX), min(len(text), end + _AROUND_CHARS_MAX)
    ends = [found.end() for found in _ENDS.finditer(text, floor, start)]
    after = _ENDS.search(text, max(start, end - 1), ceiling)
    return text[ends[-1] if ends else floor : after.end() if after else ceiling].strip()
