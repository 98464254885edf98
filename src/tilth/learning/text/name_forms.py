"""
Which words of a sentence have the form of a name.

A sentence that a person typed makes a thing of its subject only where the subject is called by
something: "redis", "`core.api`" and "Kettle Works" are names, "the functions" and "nvm default"
only say what something is. Nothing is asked of what words mean.
"""

import re

from tilth.exchanges.speech import names_something

_JOINTS = frozenset({"&", "and", "de", "der", "du", "for", "la", "of", "the", "van", "von"})
# What stands before a common noun, and before no name by itself.
_DETERMINED = re.compile(
    r"(?:\b(?:the|an?|our|my|your|his|her|their|its|this|that|these|those|all|both|each|every|any"
    r"|some|no|which|what|\d+)|['\u2019]s)\s+$",
    re.IGNORECASE,
)
_OPENS = re.compile(r"(?:^|[.!?:;\n]|[-*]\s)[\s\"'`(\u2018\u201c]*$")
_QUOTES = re.compile(r"[`\"\u201c]$")
# After one thing; several are, have, run, and what was done to them was done.
_OF_ONE = re.compile(
    r"\s+(?:(?:now|also|only|always|still|just)\s+)?"
    r"(?!(?:this|across|less|its|as|us|plus)\b)(?:\w+[^\Ws]s|is|was|has|does|will)\b"
)
_DOING = re.compile(r"[a-z]+ing$", re.IGNORECASE)


def has_form_of_name(name: str, text: str) -> bool:
    """
    Say whether a thing is called *name* in a text.

    It is an identifier, it is quoted, or each of its words has a capital where none need be; or
    it is one word of one thing, without an article: so only what has a name is spoken of.
    """
    words = name.split()
    if not words:
        return False
    if len(words) == 1 and names_something(name):
        return True
    places = [found.start() for found in re.finditer(rf"(?<!\w){re.escape(name)}(?!\w)", text)]
    if not places:
        return _is_proper(words)
    return any(_is_name_at(at, name, words, text) for at in places)


def _is_name_at(at: int, name: str, words: list[str], text: str) -> bool:
    before, after = text[:at], text[at + len(name) :]
    if _QUOTES.search(before) and _QUOTES.match(after[:1]):
        return True
    is_first = _OPENS.search(before) is not None
    if _is_proper(words) and (len(words) > 1 or not is_first):
        return True
    is_bare = len(words) == 1 and not _DETERMINED.search(before) and not _DOING.fullmatch(name)
    return is_bare and _OF_ONE.match(after) is not None


def _is_proper(words: list[str]) -> bool:
    """Say whether each word but small joints has a capital, is a number or an identifier."""
    telling = [word for word in words if word not in _JOINTS]
    return any(map(_has_capital, telling)) and all(
        _has_capital(word) or word[0].isdigit() or names_something(word) for word in telling
    )


def _has_capital(word: str) -> bool:
    return word[0].isupper()
