"""
Decide whether words form a whole statement.

Words cut off at either end, remains of markup, and references to a screen mean nothing in another
session.
"""

import re

# An unmatched closing mark shows that something was cut off, unless it is a smile.
_SMILE = re.compile(r"[:;=]['^-]?[()\[\]D]|\d\"|(?<!\w)\w[)]")
_MARKS = (("(", ")"), ("[", "]"))
# Endings of a sentence that goes on, in what was cut off or in a list.
_ENDS_OPEN = re.compile(
    r"(?:\b(?:and|or|but|by|of|the|an?|than|because|although|we are|they are|in practice|"
    r"something like|such as|e\.g|i\.e)|[,;:(\[\u2014\u2013\u2192-])[\s*_`]*$",
    re.IGNORECASE,
)
# Beginnings of something cut off, of a heading, or of an order to a program.
_BEGINS_CUT = re.compile(
    r"(?:(?:(?:which|whose|or)\b(?!.*\?)|whereas|especially|particularly|namely|that we|"
    r"rather than|no matter|each one|when it's|(?:doesn't|don't) need to be|would be|in the "
    r"\w+ \w+ where|instead(?! of))\b|[#|/@&<>)\]}=+](?![\w-]+/)|-{1,3}\s|(?:two|three|some|a few|"
    r"a couple of) [\w-]+ (?:to|before|left)\b|(?:any|additional) (?:new|differences|missing)\b)",
    re.IGNORECASE,
)
# Marks that programs write: mentions and links of chats, pictures and choices.
_MARKUP = re.compile(
    r"<[@#!]\w|<https?://|\s\|\s|&(?:gt|lt|amp);|\[Image\b|\[Request interrupted|"
    r"\bselected preview\b|\bpasted text\b|^answer:",
    re.IGNORECASE,
)
# A sentence that trails off.
_TRAILS_OFF = re.compile(r"(?:\.{2,}|\u2026)[\s\"')]*$")
_TRAILING_WORDS_MAX = 8


def is_whole(text: str) -> bool:
    """Say whether *text* is a statement from its first word to its last."""
    text = text.strip()
    bare = _SMILE.sub("", text)
    if any(
        bare.count(close) > bare.count(begin) or text.count(begin) > text.count(close)
        for begin, close in _MARKS
    ):
        return False
    if bare.count("`") % 2 or bare.count('"') % 2:
        return False
    if _TRAILS_OFF.search(text) and len(text.split()) <= _TRAILING_WORDS_MAX:
        return False
    cut = (_ENDS_OPEN.search(text), _BEGINS_CUT.match(text), _MARKUP.search(text))
    return not any(cut)
