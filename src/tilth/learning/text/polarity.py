"""
Decide whether words describe the world, lay down a rule, or address the memory (KB-114).

"Don't mention Zephyr in the wiki" says nothing about Zephyr. As a fact it would bring up just what
it asks to leave out; so nothing is stated from such words.
"""

import re
from enum import StrEnum

# In characters, how much around a quote is searched for its sentence.
_AROUND_CHARS_MAX = 600


class Polarity(StrEnum):
    """The kind of statement that words are."""

    FACT = "fact"
    RULE = "rule"
    META = "meta"
    CORRECTION = "correction"


# Names that people give the memory. "In memory" is where programs keep things.
_OWN = (
    r"(?:(?:the|your|my|our|long[- ]term) (?:long[- ]term )?memor(?:y|ies)\b"
    r"|(?:the |your )?(?:memory (?:pages?|notes?)|brain|tilth)\b"
    r"|your (?:notes|summar(?:y|ies)|records|profile|wiki|knowledge base)\b)"
)
# Teams have wikis too, so an order to change one is not for the memory, but an order to leave
# something out is. A memory has no pages of a product.
_WHOLE = (
    r"(?!(?:'s|'| page)? (?:headers?|footers?|sidebars?|titles?|menus?|navigation|layouts?|urls?"
    r"|templates?|components?|forms?|editors?|modules?|tables?|models?|views?|routes?|tests?|api)\b)"
)
_STORE = (
    rf"(?:{_OWN}|(?:the |my |our |any )?(?:project |team )?(?:wiki|knowledge base)(?: pages?)?\b"
    rf"{_WHOLE})"
)
_PAGES = r"(?:project|entity|topic|compiled)(?:'s)? pages?"
# Things that a product hardly has: keeping a name or topic out of one is an order to the memory.
_SHEET = (
    r"(?:(?:the|your|my|our|any|this) )?(?:(?:(?:session|project|next|memory) )?brief(?:ing)?s?"
    rf"|(?:your|tilth'?s?|the (?:memory|brain)'s) {_PAGES}|compiled pages?)\b{_WHOLE}"
)
_KEPT_IN = rf"(?:{_STORE}|{_SHEET})"
# Products have project pages of their own, but nobody mentions something on one.
_TALKED_OF_IN = rf"(?:{_KEPT_IN}|(?:(?:the|our|any|this) )?{_PAGES}{_WHOLE})"
_KEEP = (
    r"(?:remember|memori[sz]e|save|store|record|capture|track|keep|retain|log|mention|include|"
    r"put|write|note|add|list|bring up|index|learn|memori[sz]ing|saving|storing|capturing"
    r"|including|putting|writing|noting)"
)
_TALK = (
    r"(?:mention(?:ing|ed)?|referenc(?:e|ing|ed)|refer(?:ring|red)? to|discuss(?:ing|ed)?"
    r"|(?:talk(?:ing)?|writ(?:e|ing)|say(?:ing)?|speak(?:ing)?|tell(?:ing)?)"
    r" (?:a word |anything )?(?:about|of)|bring(?:ing)?(?: [\w'-]+){0,4}? up|brought up)"
)
_SHOW = (
    rf"(?:{_KEEP}(?:ing|ed)?|show(?:ing|n)?|display(?:ing|ed)?|surfac(?:e|ing|ed)|nam(?:e|ing|ed)"
    r"|hav(?:e|ing)|see(?:ing)?)"
)
# A named person or thing, however the rest is written.
_NAMED = r"(?:the |our |my |any mention of |anything (?:about|on) )?(?-i:[A-Z]|[\"`\u201c])[\w.-]+"
_NOT = r"(?:do not|don't|never|must not|should(?:n't| not)|no need to|stop|avoid)(?: ever)?"
_THIS = r"(?:this|that|it|these|those|any of (?:this|that|it)|what i (?:just )?(?:said|told|wrote))"
# An order begins a clause, or follows a word that leads up to one.
_ORDER = (
    r"(?:^\W*|[,;:.!?\u2014-]\s*|\b(?:please|just|then|and|now|also|you (?:can|should|must|may)|"
    r"can you|could you) )"
)
_LEAD = rf"(?:{_ORDER}|\b(?:from now on|going forward),? )(?:always )?"
_SPACE = r"[^.!?\n]{0,200}?"
_AS_TRUE = r"(?:confirmed|verified|approved|trusted|instructions?|facts?)\b"
_ALL = rf"(?:{_THIS}|the following|all)"
_RULES = r"(?:instructions?|rules?|prompts?|guidelines|safeguards)"
_INTO, _OFF = r"(?:in|into|to|on|from)", r"(?:out of|off|away from)"
_APPEAR = rf"(?:appear|show up|turn up|come up|be {_SHOW}|be {_TALK})"
_LEAVE_OUT = (
    rf"\b{_NOT} (?:be )?{_TALK}\b{_SPACE}\b(?:in|into|to|on|from|of) {_TALKED_OF_IN}",
    rf"\b{_NOT} (?:want (?:to )?)?(?:{_SHOW} )?{_NAMED}{_SPACE}\b{_INTO} {_KEPT_IN}",
    rf"{_NAMED} (?:must|should|may)(?:n't| not| never)(?: ever)? {_APPEAR} (?:in|on) {_KEPT_IN}",
    rf"{_LEAD}(?:keep|leave|take|strip) {_NAMED}{_SPACE}\b{_OFF} {_KEPT_IN}",
    rf"{_LEAD}(?:omit|exclude|hide|drop) {_NAMED}{_SPACE}\b(?:from|in|on) {_KEPT_IN}",
    rf"\b{_NOT} (?:be )?{_KEEP}(?:ing|ed)?\b{_SPACE}\b(?:in|into|to|on|from|of) {_STORE}",
    rf"\b{_NOT} (?:ever )?(?:remember|memori[sz]e|retain|record|save)(?:ing)?,? {_THIS}\b",
    rf"{_ORDER}(?:do not|don't|never) (?:ever )?(?:store|capture|keep|log) {_THIS}\b",
    rf"{_ORDER}(?:stop|quit) (?:remembering|memori[sz]ing|recording|capturing|mentioning)\b",
    rf"{_LEAD}(?:keep|leave|take|strip) {_SPACE}\b{_OFF} {_STORE}",
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
    """Return the kind of *words*, by their form; a correction is recognised by its position."""
    plain = words.replace("\u2019", "'")
    if _META.search(_NOT_META.sub(" ", plain)):
        return Polarity.META
    return Polarity.RULE if _RULE.search(plain) else Polarity.FACT


def sentence_around(text: str, start: int, end: int) -> str:
    """Return the sentence around the words from *start* to *end*."""
    floor, ceiling = max(0, start - _AROUND_CHARS_MAX), min(len(text), end + _AROUND_CHARS_MAX)
    ends = [found.end() for found in _ENDS.finditer(text, floor, start)]
    after = _ENDS.search(text, max(start, end - 1), ceiling)
    return text[ends[-1] if ends else floor : after.end() if after else ceiling].strip()
