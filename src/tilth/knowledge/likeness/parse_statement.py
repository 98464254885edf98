"""
Parse a statement, so that it can be compared with another.

Tokens know what they are: a name, a number and what it counts, a part of a time, a negated word.
Negations and names follow English rules; words, numbers and dates work in any language. The parser
accepts any string, in linear time.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import field, replace
from enum import StrEnum
from functools import lru_cache
from itertools import islice

from tilth.core.dataclass import dataclass
from tilth.core.text.tokens import fold, stem, words
from tilth.knowledge.likeness.amounts import read_amounts

# In characters, how much of a statement is compared.
READ_CHARS_MAX = 1000


class TokenKind(StrEnum):
    """The kind of a token; a function word has no content."""

    FUNCTION = "function"
    WORD = "word"
    NAME = "name"
    NUMBER = "number"
    TIME = "time"


@dataclass(frozen=True, slots=True)
class Token:
    """
    A word of a statement, as written and as compared.

    Numbers or times disagree only if they share one of their `parts`: what a number counts or
    measures, or the year, the weekday and so on.
    """

    text: str
    term: str
    kind: TokenKind
    parts: frozenset[str] = frozenset()
    is_denied: bool = False

    @property
    def is_content(self) -> bool:
        """Whether it has content."""
        return self.kind is not TokenKind.FUNCTION


@dataclass(frozen=True, slots=True)
class Clause:
    """A sequence of tokens that says one thing, and its content terms."""

    tokens: Sequence[Token]
    affirmed: frozenset[str] = field(init=False)
    denied: frozenset[str] = field(init=False)

    def __post_init__(self) -> None:
        said = [token for token in self.tokens if token.is_content]
        affirmed = frozenset(token.term for token in said if not token.is_denied)
        denied = frozenset(token.term for token in said if token.is_denied)
        object.__setattr__(self, "affirmed", affirmed)
        object.__setattr__(self, "denied", denied - affirmed)

    @property
    def terms(self) -> frozenset[str]:
        """All of its content terms."""
        return self.affirmed | self.denied

    def of(self, *kinds: TokenKind) -> frozenset[str]:
        """Return the terms of some kinds."""
        return frozenset(token.term for token in self.tokens if token.kind in kinds)


@dataclass(frozen=True, slots=True)
class Statement:
    """A parsed statement, as a whole and by clauses, of which there is at least one."""

    whole: Clause
    clauses: Sequence[Clause]


# One statement is compared with about forty others, and parsing takes most of the time.
@lru_cache(maxsize=512)
def read_statement(text: str) -> Statement:
    """Return what *text* says."""
    tokens = _tokens(fold(text[:READ_CHARS_MAX]).replace("\u2019", "'"))
    read = list(_with_denials(_with_parts(_with_first_name(list(tokens)))))
    return Statement(Clause(tuple(read)), tuple(Clause(tuple(part)) for part in _clauses(read)))


# Words with marks that may join them within a name; the full stop of "Dr." or "Jr." is none.
_CHUNK = re.compile(
    r"\w+(?:[.'-]\w+){0,15}|[,;:!?()\u2013\u2014]|(?<!\b[A-Z][a-z])(?<!\b[A-Z][a-z][a-z])\."
)
# In tokens. "Port is 8080" and "port 8080" say the same; farther away, a number says something
# else.
_NEAR_TOKENS = 2
_POSSESSIVE = re.compile(r"'s?$")


def _tokens(text: str) -> Iterator[Token]:
    begin = 0
    for amount in read_amounts(text):
        yield from _words(text[begin : amount.begin])
        kind = TokenKind.TIME if amount.is_time else TokenKind.NUMBER
        parts = frozenset({amount.part} if amount.part else ())
        yield Token(text[amount.begin : amount.end], amount.value, kind, parts)
        begin = amount.end
    yield from _words(text[begin:])


def _words(text: str) -> Iterator[Token]:
    """Yield the words and marks of a part without amounts."""
    for chunk in _CHUNK.findall(text):
        plain = _POSSESSIVE.sub("", chunk)
        found = words(plain)
        if not found:
            yield Token(chunk, plain.casefold(), TokenKind.FUNCTION)
        elif plain.isascii() or len(found) == 1:
            # A compound is compared as a whole, which comes last.
            is_name = plain[0].isupper() or any(map(str.isdecimal, plain))
            kind = TokenKind.NAME if is_name else TokenKind.WORD
            yield Token(plain, stem(found[-1]), kind)
        else:
            yield from (Token(word, stem(word), TokenKind.WORD) for word in found)


_ENDS_SENTENCE = frozenset(".!?")


def _with_first_name(tokens: list[Token]) -> list[Token]:
    """Return *tokens*; a capital at the beginning of a sentence makes no name."""
    result = list(tokens)
    for at, token in enumerate(tokens):
        begins = at == 0 or tokens[at - 1].text in _ENDS_SENTENCE
        followed = at + 1 < len(tokens) and tokens[at + 1].kind is TokenKind.NAME
        if token.kind is TokenKind.NAME and begins and not followed and token.text.isalpha():
            result[at] = replace(token, kind=TokenKind.WORD)
    return result


def _with_parts(tokens: list[Token]) -> list[Token]:
    """Return *tokens*; a bare number belongs to the nearest words on either side."""
    result = list(tokens)
    for at, token in enumerate(tokens):
        if token.kind is TokenKind.NUMBER and not token.parts:
            before = reversed(tokens[max(0, at - _NEAR_TOKENS) : at])
            after = tokens[at + 1 : at + 1 + _NEAR_TOKENS]
            parts = {near.term for side in (before, after) for near in islice(_said(side), 1)}
            result[at] = replace(token, parts=frozenset(parts))
    return result


def _said(side: Iterable[Token]) -> Iterator[Token]:
    return (token for token in side if token.kind in {TokenKind.WORD, TokenKind.NAME})


# Negations, which extend to the end of the clause.
_DENYING_WORDS = """
    not no never none nobody nothing nowhere neither nor without cannot unlike lacks lacking
    ain't isn't aren't wasn't weren't don't doesn't didn't hasn't haven't hadn't won't wouldn't
    can't couldn't shouldn't mustn't needn't dont doesnt didnt isnt arent wasnt werent hasnt
    havent wont cant
"""
_DENYING = frozenset(_DENYING_WORDS.split())
_DENYING_TWO = frozenset({("rather", "than"), ("instead", "of"), ("no", "longer")})
_TURNING_WORDS = "but while whereas although though however instead"
_BEGINS_CLAUSE = frozenset({*_TURNING_WORDS.split(), *";.!?"})
_ENDS_DENIAL = _BEGINS_CLAUSE | {*",:()\u2013\u2014", "because", "and"}


def _with_denials(tokens: list[Token]) -> Iterator[Token]:
    """Yield *tokens* with their negations; a negation itself has no content."""
    is_denied, is_second = False, False
    for at, token in enumerate(tokens):
        word = token.text.casefold()
        is_pair = (word, *(t.text.casefold() for t in tokens[at + 1 : at + 2])) in _DENYING_TWO
        if is_second or is_pair or word in _DENYING:
            is_denied, is_second = True, is_pair
            yield replace(token, kind=TokenKind.FUNCTION)
        else:
            is_denied = is_denied and word not in _ENDS_DENIAL
            yield replace(token, is_denied=is_denied)


def _clauses(tokens: Sequence[Token]) -> list[list[Token]]:
    """Return *tokens* split into clauses with content."""
    clauses: list[list[Token]] = [[]]
    for token in tokens:
        if token.text.casefold() in _BEGINS_CLAUSE and any(t.is_content for t in clauses[-1]):
            clauses.append([])
        clauses[-1].append(token)
    if len(clauses) > 1 and not any(token.is_content for token in clauses[-1]):
        clauses[-2:] = [clauses[-2] + clauses[-1]]
    return clauses
