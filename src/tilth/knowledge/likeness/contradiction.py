"""
Which of the statements near a new one it may contradict, and why.

Everything found is a suggestion for a human: likeness cannot tell an update
from a second thing that is also true, so nothing is decided here. A pair has
the same score whichever of the two is the new one.
"""

import math
from collections.abc import Sequence
from itertools import islice, takewhile
from typing import NamedTuple

from tilth.core.dataclass import dataclass
from tilth.knowledge.likeness.conflicts import Conflict, ConflictKind, conflicts, shared_run
from tilth.knowledge.likeness.parse_statement import (
    Clause,
    Statement,
    Token,
    TokenKind,
    read_statement,
)


@dataclass(frozen=True, slots=True)
class Near:
    """A statement near the new one, and the mean of their cosines by tier where there is any."""

    text: str
    cosine: float | None = None


@dataclass(frozen=True, slots=True)
class Contradiction:
    """
    A statement that the new one may contradict.

    `index` is its place among those that were given, `score` runs from 0 to 1,
    and `reason` tells of the new statement in what it disagrees.
    """

    index: int
    score: float
    kind: ConflictKind
    reason: str


class _Signs(NamedTuple):
    """The signs of a contradiction, each from 0 to 1, or their weights."""

    cosine: float
    shared: float
    subject: float
    predicate: float
    frame: float
    denial: float
    opposite: float
    amount: float


# A logistic model, fitted to half of the set of `bench/contradiction.py`, rounded, then adjusted by
# hand on that half: opposites and amounts, rare there, count for more, since statements on machines
# disagree in little else.
_WEIGHTS = _Signs(
    cosine=9.0,
    shared=2.0,
    subject=4.0,
    predicate=1.5,
    frame=3.0,
    denial=3.0,
    opposite=2.0,
    amount=2.0,
)
# Gives a score of 0.5 where three in a hundred agreeing facts of that half are flagged; it is more
# where many statements are about one person's doings.
_BIAS = -14.3
FLOOR = 0.5
_OF_AMOUNTS = frozenset({ConflictKind.NUMBER, ConflictKind.TIME})
_PLAIN = frozenset({ConflictKind.DENIAL, ConflictKind.OPPOSITE})
# More shared terms than this count no more.
_SHARED_ENOUGH = 5
_AUXILIARY_WORDS = (
    "is are was were has have had will would can could does did may might should must"
)
_AUXILIARIES = frozenset(_AUXILIARY_WORDS.split())
# Things that have numbers of their own. A product mostly has one version.
_NUMBERED_WORDS = (
    "adr bug case chapter issue item line node option page phase pipeline port pr question rfc room"
    " row rule section shard sprint step task ticket vlan worker"
)
_NUMBERED = frozenset(_NUMBERED_WORDS.split())


def rank(statement: str, pool: Sequence[Near], *, floor: float = FLOOR) -> list[Contradiction]:
    """
    Return what in *pool* the new *statement* may contradict, most likely first.

    Statements that say the same, or the same and more, are left out, and so are statements on two
    things that their figures distinguish.

    Args:
        statement: The new statement.
        pool: The statements near it, by words and by vectors; 50 are enough.
        floor: The score from which a human is asked.
    """
    new = read_statement(statement)
    found = []
    for index, near in enumerate(pool):
        old = read_statement(near.text)
        disagreements = conflicts(new, old)
        if disagreements and not _are_of_two_things(new.whole, old.whole, disagreements):
            signs = _signs(new, old, near.cosine, disagreements)
            weighted = sum(weight * sign for weight, sign in zip(_WEIGHTS, signs, strict=True))
            score = 1 / (1 + math.exp(-_BIAS - weighted))
            plainest = max(disagreements, key=lambda conflict: conflict.strength)
            found.append(Contradiction(index, score, plainest.kind, plainest.reason))
    flagged = (one for one in found if one.score >= floor)
    return sorted(flagged, key=lambda one: one.score, reverse=True)


def _signs(
    new: Statement, old: Statement, cosine: float | None, found: Sequence[Conflict]
) -> _Signs:
    here, there = new.whole, old.whole
    strength = {conflict.kind: conflict.strength for conflict in found}
    shared = len(here.terms & there.terms)
    our_subject, their_subject = _subject(here), _subject(there)
    ours, theirs = _first(here, our_subject), _first(there, their_subject)
    return _Signs(
        # Without vectors, the share of common words serves as likeness.
        cosine=shared / max(1, len(here.terms | there.terms)) if cosine is None else cosine,
        shared=min(1.0, shared / _SHARED_ENOUGH),
        subject=max(_share(our_subject, there), _share(their_subject, here)),
        predicate=(_share(ours, there) + _share(theirs, here)) / 2,
        frame=shared_run(here, there).share,
        denial=strength.get(ConflictKind.DENIAL, 0.0),
        opposite=strength.get(ConflictKind.OPPOSITE, 0.0),
        amount=max(strength.get(kind, 0.0) for kind in _OF_AMOUNTS),
    )


def _are_of_two_things(here: Clause, there: Clause, found: Sequence[Conflict]) -> bool:
    """Say whether two clauses are about two things, such as the ports of two services."""
    kinds = {conflict.kind for conflict in found}
    if not kinds & _OF_AMOUNTS or kinds & _PLAIN:
        return False
    are_about_two = _named(here) - there.terms and _named(there) - here.terms
    return bool(are_about_two) or _number_two_things(here, there)


def _named(clause: Clause) -> frozenset[str]:
    """Return the names and words before what a clause says of its subject."""
    return Clause(_head(clause)).of(TokenKind.NAME, TokenKind.WORD)


def _number_two_things(here: Clause, there: Clause) -> bool:
    """Say whether the clauses name their subjects by different numbers or addresses."""
    ours, theirs = _numbered(here), _numbered(there)
    return bool(ours and theirs) and ours != theirs


def _numbered(clause: Clause) -> tuple[str, ...]:
    """Return the number or address by which a clause names its subject, and its noun."""
    head = list(takewhile(lambda token: token.term not in _AUXILIARIES, clause.tokens))
    said = [token for token in head if token.is_content]
    if len(head) == len(clause.tokens):
        # Without an auxiliary, only the beginning surely belongs to the subject.
        said = said[: 1 + (bool(said) and said[0].text.casefold() in _NUMBERED)]
    for before, token in zip([None, *said], said, strict=False):
        is_address = any(part.endswith(" address") for part in token.parts)
        noun = before.text.casefold() if before is not None else ""
        if token.kind is TokenKind.NUMBER and (is_address or noun in _NUMBERED):
            return ("" if is_address else noun, token.term)
    return ()


def _head(clause: Clause) -> Sequence[Token]:
    """Return the tokens before the auxiliary of a clause, or before its first figure."""
    head = list(takewhile(lambda token: token.term not in _AUXILIARIES, clause.tokens))
    if len(head) < len(clause.tokens):
        return head
    figures = {TokenKind.NUMBER, TokenKind.TIME}
    return list(takewhile(lambda token: token.kind not in figures, clause.tokens))


def _subject(clause: Clause) -> frozenset[str]:
    """
    Return the terms of the subject of *clause*.

    They are the names before its auxiliary, or its first term; a clause without an auxiliary that
    begins with a name is about all of its names.
    """
    head = list(takewhile(lambda token: token.term not in _AUXILIARIES, clause.tokens))
    first = _first(clause, frozenset())
    names = Clause(head).of(TokenKind.NAME)
    has_auxiliary = len(head) < len(clause.tokens)
    return names if names and (has_auxiliary or first & names) else first


def _first(clause: Clause, apart: frozenset[str]) -> frozenset[str]:
    """Return the first content term that is not in *apart*."""
    said = (token.term for token in clause.tokens if token.is_content and token.term not in apart)
    return frozenset(islice(said, 1))


def _share(terms: frozenset[str], other: Clause) -> float:
    """Return the share of *terms* that the other clause contains."""
    return len(terms & other.terms) / len(terms) if terms else 0.0
