"""
Decide whether two texts that share most of their words are about two things.

"The API is on port 4300" and "the worker is on port 4400" are similar, and so are a wish and its
negation. If each names what the other does not (a port, a version, a day, a person, a file),
replaces one word of the other, or negates what it says, neither stands for the other.
"""

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import groupby, zip_longest

from tilth.core.dataclass import dataclass
from tilth.core.text.pattern import pattern
from tilth.core.text.tokens import index_terms
from tilth.knowledge.likeness.parse_statement import Clause, Token, TokenKind, read_statement

# A path, a file, a member, an address: parts joined by other marks than hyphens.
_JOINED = pattern(r"[\w~./\\#:-]*\w[._/\\:#]\w[\w./\\#:-]*")
# Negations in other languages; `statements` knows those of English.
_DENIES = pattern(
    r"\b(?:nicht|kein\w*|nie|niemals|ohne|pas|jamais|sans|nunca|jamás|sin|non|não|nem|sem|niet|geen"
    r"|zonder|bez|не|нет|без)\b|[不没沒勿别別無无]|ない|ません|않|없|لا|לא",
    re.IGNORECASE,
)
_VALUES = frozenset({TokenKind.NAME, TokenKind.NUMBER, TokenKind.TIME})
# A number with at least so many digits is a name anywhere: a port, a year, an issue.
_COUNT_FIGURES = 2


@dataclass(frozen=True, slots=True)
class _Read:
    """What a text names and negates; all but `joined` are terms."""

    terms: frozenset[str]
    affirmed: frozenset[str]
    # Without counts such as the 14 of "14 tests", which may grow; 4300 and 3.11 are names.
    said: frozenset[str]
    names: frozenset[str]
    joined: frozenset[str]
    # The terms of each negation in order, and whether another language negates something.
    denied: Sequence[frozenset[str]]
    is_denying: bool


def are_distinct(one: str, other: str) -> bool:
    """Say whether two texts are about two things, or one negates the other."""
    here, there = _read(one), _read(other)
    return (
        name_different_things(one, other)
        or _denies(here, there)
        or _denies(there, here)
        or here.is_denying is not there.is_denying
    )


def name_different_things(one: str, other: str) -> bool:
    """Say whether each of two texts names what the other does not."""
    here, there = _read(one), _read(other)
    return (
        _are_apart(here.names - there.terms, there.names - here.terms)
        or _are_apart(here.joined - there.joined, there.joined - here.joined)
        or len(here.said - there.terms) == len(there.said - here.terms) == 1
    )


def values_in(text: str) -> frozenset[str]:
    """Return the terms of what *text* names: things, persons, times, numbers, files."""
    named = (token.text for token in read_statement(text).whole.tokens if _is_value(token))
    return frozenset(index_terms(" ".join([*named, *_read(text).joined])))


def _are_apart(ours: frozenset[str], theirs: frozenset[str]) -> bool:
    # A text that alone names something says more about the same thing.
    return bool(ours and theirs)


def _denies(one: _Read, other: _Read) -> bool:
    """Say whether *other* affirms most of one of the negations of *one*, and negates none of it."""
    both = frozenset(term for run in other.denied for term in run)
    return any(
        2 * len(run & other.affirmed) > len(run) and both.isdisjoint(run) for run in one.denied
    )


# Each text is compared with many.
@lru_cache(maxsize=512)
def _read(text: str) -> _Read:
    whole = read_statement(text).whole
    told = list(_without_counts(whole))
    return _Read(
        terms=whole.terms,
        affirmed=whole.affirmed,
        said=frozenset(token.term for token in told if token.is_content),
        names=frozenset(token.term for token in told if _is_value(token)),
        joined=frozenset(one.strip(".:").casefold() for one in _JOINED.findall(text)),
        denied=tuple(_denied(whole)),
        is_denying=_DENIES.search(text) is not None,
    )


def _is_value(token: Token) -> bool:
    return token.kind in _VALUES or any(map(str.isupper, token.text[1:]))


def _without_counts(said: Clause) -> Iterator[Token]:
    for token, after in zip_longest(said.tokens, said.tokens[1:]):
        is_of_several = after and after.kind is TokenKind.WORD and after.text.endswith("s")
        is_few = token.kind is TokenKind.NUMBER and len(token.text) <= _COUNT_FIGURES
        if not (is_few and is_of_several):
            yield token


def _denied(said: Clause) -> Iterator[frozenset[str]]:
    content = (token for token in said.tokens if token.is_content)
    for is_denied, run in groupby(content, key=lambda token: token.is_denied):
        if is_denied:
            yield frozenset(token.term for token in run)
