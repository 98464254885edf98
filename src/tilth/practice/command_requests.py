"""
Match commands with questions that ask for them, and with requests not to use them.

"How do I run the tests", "the lint command"; "use `uv pip`, not `pip`", "never run `npm test`".
"""

import re
from collections.abc import Iterable, Iterator
from functools import cache

from tilth.core.text.pattern import pattern
from tilth.core.text.tokens import index_terms
from tilth.practice.model import LISTED, CommandKind, CommandStats

# Words for the purposes of commands, where a purpose has more than its own name.
_NAMES = {
    CommandKind.TEST: "test",
    CommandKind.LINT: "lint linter",
    CommandKind.TYPES: "types typecheck typing",
    CommandKind.FORMAT: "format formatter fmt",
    CommandKind.BUILD: "build compile",
    CommandKind.RUN: "run start serve launch",
    CommandKind.DEPLOY: "deploy release publish",
    CommandKind.SETUP: "setup set install",
}
# Words that ask for a command of any purpose.
_ANY = "command commands run execute invoke call use"
# Words for the whole, which a command without a selection answers.
_WHOLE = """
    whole full entire every everything suite project repo repository code codebase locally
    server app application dependencies deps
"""
# How many of a question's other words may be a command's own ("integration", "staging"). With more
# of them it asks something else, and no commands are read.
_OWN_MAX = 2
_REFUSED = pattern(
    r"\b(?:not|never|(?:don'?t|do not)(?: ever)?|instead of|rather than|avoid|no longer)"
    r"(?: (?:to )?(?:use|using|run|running|call|calling))? "
    # Without quotation marks it must end there, as in "not pip", or a sentence goes on: "never use
    # npm here".
    r"(?:`(?P<code>[^`\n]+)`|(?P<plain>[a-z][\w.-]*(?: [a-z][\w-]*)??)"
    r"(?=\W*$|[,.;)]|\s(?:in|for|to|here|at|because|directly|and|but)\b))",
    re.IGNORECASE,
)


def kinds_asked(terms: Iterable[str]) -> frozenset[CommandKind]:
    """Return the purposes that a question of these terms asks for; mostly none."""
    asked = frozenset(terms)
    kinds = frozenset(kind for kind in LISTED if not _named(kind).isdisjoint(asked))
    own = asked.difference(_terms_of(_ANY), _terms_of(_WHOLE), *map(_named, kinds))
    return kinds if len(own) <= _OWN_MAX else frozenset()


def is_asked(terms: Iterable[str], one: CommandStats) -> bool:
    """
    Say whether the *terms* of a question ask for this command.

    Each term must match its purpose, one of its own words, or a word that asks for any command. So
    "why did the tests fail" and "run the tests of the parser" ask for none.
    """
    lines = (one.shown, *(line for line, _ in one.wordings))
    any_command, asked = _terms_of(_ANY), frozenset(terms)
    own = _named(one.kind) | (frozenset(index_terms(" ".join(lines))) - any_command)
    return not asked.isdisjoint(own) and asked <= own | any_command | _terms_of(_WHOLE)


def refused_in(text: str) -> Iterator[tuple[str, ...]]:
    """Yield the first words of the commands that *text* refuses."""
    for found in _REFUSED.finditer(text):
        yield tuple((found["code"] or found["plain"]).split())


def is_refused(line: str, refused: Iterable[tuple[str, ...]]) -> bool:
    """Say whether a command begins like one of those that are *refused*."""
    words = tuple(line.split())
    return any(words[: len(one)] == one for one in refused)


def _named(kind: CommandKind) -> frozenset[str]:
    return _terms_of(_NAMES[kind])


@cache
def _terms_of(words: str) -> frozenset[str]:
    return frozenset(index_terms(words))
