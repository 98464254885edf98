"""The longest run of words that two clauses share, names left out: what both say of something."""

from collections.abc import Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher

from tilth.knowledge.likeness.statements import Clause, Token, TokenKind

_JOINING = frozenset({"and", "or", ","})


@dataclass(frozen=True, slots=True)
class SharedRun:
    """
    A run of words that two clauses share.

    `share` is its part of the shorter clause. `ours` and `theirs` are the names
    that it is said of: those that stand last before it.
    """

    share: float
    says_something: bool
    ours: frozenset[str]
    theirs: frozenset[str]


def shared_run(here: Clause, there: Clause) -> SharedRun:
    """Return the longest run of words that *here* and *there* share, names left out."""
    names = here.of(TokenKind.NAME) | there.of(TokenKind.NAME)
    ours, theirs = _without(names, here), _without(names, there)
    our_terms = [here.tokens[at].term for at in ours]
    their_terms = [there.tokens[at].term for at in theirs]
    # Of runs of one length the first is found, so the two stand in one order from either side.
    if our_terms <= their_terms:
        our_begin, their_begin, size = _longest_match(our_terms, their_terms)
    else:
        their_begin, our_begin, size = _longest_match(their_terms, our_terms)
    run = ours[our_begin : our_begin + size]
    return SharedRun(
        share=size / max(1, min(len(ours), len(theirs))),
        says_something=any(here.tokens[at].is_content for at in run),
        ours=_said_of(here.tokens, run),
        theirs=_said_of(there.tokens, theirs[their_begin : their_begin + size]),
    )


def _longest_match(one: Sequence[str], other: Sequence[str]) -> tuple[int, int, int]:
    return SequenceMatcher(None, one, other, autojunk=False).find_longest_match()


def _without(names: frozenset[str], clause: Clause) -> list[int]:
    return [at for at, token in enumerate(clause.tokens) if token.term not in names]


def _said_of(tokens: Sequence[Token], run: Sequence[int]) -> frozenset[str]:
    """Return the names before *run*."""
    if not run:
        return frozenset()
    group: frozenset[str] = frozenset()
    is_joined = False
    for token in tokens[: run[0]]:
        if token.kind is TokenKind.NAME:
            group = group | {token.term} if is_joined else frozenset({token.term})
        is_joined = token.kind is TokenKind.NAME or (is_joined and token.term in _JOINING)
    return group
