"""
Whether words that were read as a statement are one: whole, and told to somebody.

What is cut off at either end, what is left of a program's markup, and what points at
something on a screen say nothing to whoever reads them in another session.
"""

import re

# A closing mark that closes nothing was cut off from what it closes; a smile closes nothing.
_SMILE = re.compile(r"[:;=]['^-]?[()\[\]D]|\d\"|(?<!\w)\w[)]")
_MARKS = (("(", ")"), ("[", "]"))
# A sentence that ends so went on, in what was cut off or in a list below it.
_ENDS_OPEN = re.compile(
    r"(?:\b(?:and|or|but|by|of|the|an?|than|because|although|we are|they are|in practice|"
    r"something like|such as|e\.g|i\.e)|[,;:(\[\u2014\u2013\u2192-])[\s*_`]*$",
    re.IGNORECASE,
)
# So begins what was cut off from what came before, a heading, or an order to a program.
_BEGINS_CUT = re.compile(
    r"(?:(?:(?:which|whose|or)\b(?!.*\?)|whereas|especially|particularly|namely|that we|"
    r"rather than|no matter|each one|when it's|(?:doesn't|don't) need to be|would be|in the "
    r"\w+ \w+ where|instead(?! of))\b|[#|/@&<>)\]}=+](?![\w-]+/)|-{1,3}\s|(?:two|three|some|a few|"
    r"a couple of) [\w-]+ (?:to|before|left)\b|(?:any|additional) (?:new|differences|missing)\b)",
    re.IGNORECASE,
)
# What programs write for programs: mentions and links of chats, marks of pictures and choices.
_MARKUP = re.compile(
    r"<[@#!]\w|<https?://|\s\|\s|&(?:gt|lt|amp);|\[Image\b|\[Request interrupted|"
    r"\bselected preview\b|\bpasted text\b|^answer:",
    re.IGNORECASE,
)
# Somebody trails off: what they were going to say is not there.
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
