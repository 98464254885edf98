"""
Find what two statements disagree in, in words that a human can judge.

The result is symmetric. Whether the statements are about one thing is not decided here.
"""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Sequence
from difflib import SequenceMatcher
from enum import StrEnum
from itertools import product

from tilth.core.dataclass import dataclass
from tilth.knowledge.likeness.antonyms import are_opposite
from tilth.knowledge.likeness.parse_statement import Clause, Statement, Token, TokenKind

_JOINING = frozenset({"and", "or", ","})


@dataclass(frozen=True, slots=True)
class SharedRun:
    """
    A run of words that two clauses share.

    `share` is its part of the shorter clause. `ours` and `theirs` are the last names before it.
    """

    share: float
    says_something: bool
    ours: frozenset[str]
    theirs: frozenset[str]


def shared_run(here: Clause, there: Clause) -> SharedRun:
    """Return the longest run of words, names left out, that *here* and *there* share."""
    names = here.of(TokenKind.NAME) | there.of(TokenKind.NAME)
    ours, theirs = _without(names, here), _without(names, there)
    our_terms = [here.tokens[at].term for at in ours]
    their_terms = [there.tokens[at].term for at in theirs]
    # Of equally long runs the first is found, so the order of the clauses must not matter.
    is_ours_first = our_terms <= their_terms
    pair = (our_terms, their_terms) if is_ours_first else (their_terms, our_terms)
    first, second, size = SequenceMatcher(None, *pair, autojunk=False).find_longest_match()
    our_begin, their_begin = (first, second) if is_ours_first else (second, first)
    run = ours[our_begin : our_begin + size]
    return SharedRun(
        share=size / max(1, min(len(ours), len(theirs))),
        says_something=any(here.tokens[at].is_content for at in run),
        ours=_names_before(here.tokens, run),
        theirs=_names_before(there.tokens, theirs[their_begin : their_begin + size]),
    )


def _without(names: frozenset[str], clause: Clause) -> list[int]:
    return [at for at, token in enumerate(clause.tokens) if token.term not in names]


def _names_before(tokens: Sequence[Token], run: Sequence[int]) -> frozenset[str]:
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


# The cosine from which two statements nearly say the same, by seed 004 and `python -m
# bench.doubles`: it finds 28 of forty pairs that do, and 3 of forty that do not; by the cosine
# alone it is 32 and 16.
LIKENESS_MIN = 0.92
# In characters: enough to see what is meant, since the statements are shown beside it.
_QUOTE_CHARS_MAX = 60
# "Only" denies what it does not name, less plainly than "not".
_LIMITING = frozenset({"onli", "sole", "exclus"})
_LIMIT_STRENGTH = 0.5
_GAP = "\u2026"
_PASSIVE = "by"


class ConflictKind(StrEnum):
    """The kinds of disagreement, the plainest first."""

    DENIAL = "denial"
    OPPOSITE = "opposite"
    NUMBER = "number"
    TIME = "time"
    NAME = "name"
    VALUE = "value"


@dataclass(frozen=True, slots=True)
class Conflict:
    """
    One disagreement, with its reason in words.

    `strength` is the share of the denied words that the other statement contains; otherwise 1.
    """

    kind: ConflictKind
    reason: str
    strength: float = 1.0


def conflicts(new: Statement, old: Statement) -> list[Conflict]:
    """Return what *new* and *old* disagree in, the plainest first; at most one of each kind."""
    if _words(new.whole) == _words(old.whole):
        return []
    # The two clauses that share most are most likely about one thing.
    here, there = max(product(new.clauses, old.clauses), key=_likeness)
    found = (
        _denial(new, old) or _limit(new.whole, old.whole),
        _opposite(here, there),
        _amount(new.whole, old.whole, ConflictKind.NUMBER),
        _amount(new.whole, old.whole, ConflictKind.TIME),
        _replaced(here, there, ConflictKind.NAME) or _said_of(here, there),
        _replaced(here, there, ConflictKind.VALUE),
    )
    return [conflict for conflict in found if conflict]


def _words(clause: Clause) -> list[str]:
    """Return the terms of *clause* in order, with function words and without marks."""
    return [token.term for token in clause.tokens if any(map(str.isalnum, token.term))]


def _likeness(pair: tuple[Clause, Clause]) -> tuple[int, int, list[list[str]]]:
    here, there = pair
    # Sorted, so that the order of the statements does not matter.
    both = sorted((_words(here), _words(there)))
    return len(here.terms & there.terms), -len(here.terms ^ there.terms), both


def _denial(new: Statement, old: Statement) -> Conflict | None:
    sides = ((new, old, "denies {}"), (old, new, "says {}, which the other denies"))
    found = []
    for denying, saying, form in sides:
        for clause in denying.clauses:
            if hit := clause.denied & saying.whole.affirmed:
                reason = form.format(_quote(saying.whole, hit))
                found.append(Conflict(ConflictKind.DENIAL, reason, len(hit) / len(clause.denied)))
    return max(found, key=lambda conflict: conflict.strength, default=None)


def _limit(new: Clause, old: Clause) -> Conflict | None:
    for limiting, saying in ((new, old), (old, new)):
        more = saying.of(TokenKind.WORD, TokenKind.NAME) - limiting.terms
        if more and any(token.term in _LIMITING for token in _only_in(limiting, saying)):
            reason = f'one says "only", and the other says more: {_quote(saying, more)}'
            return Conflict(ConflictKind.DENIAL, reason, _LIMIT_STRENGTH)
    return None


def _opposite(new: Clause, old: Clause) -> Conflict | None:
    theirs = list(_only_in(old, new))
    for here in _only_in(new, old):
        for there in theirs:
            if here.is_denied is there.is_denied and are_opposite(here.term, there.term):
                reason = _says_where(f'"{here.text}"', f'"{there.text}"')
                return Conflict(ConflictKind.OPPOSITE, reason)
    return None


def _only_in(one: Clause, other: Clause) -> Iterator[Token]:
    """Yield the tokens that *one* contains more often than *other*, function words too."""
    left = Counter(token.term for token in other.tokens)
    for token in one.tokens:
        left[token.term] -= 1
        if left[token.term] < 0:
            yield token


def _amount(new: Clause, old: Clause, kind: ConflictKind) -> Conflict | None:
    """Return the first part in which none of *new*'s amounts is one of *old*'s."""
    here, there = _by_part(new, kind), _by_part(old, kind)
    for part in sorted(here.keys() & there.keys()):
        if not any(_agree(one, other) for one in here[part] for other in there[part]):
            ours, theirs = (
                # A time is quoted whole, with the parts that agree.
                clause.of(TokenKind.TIME) if kind is ConflictKind.TIME else values[part]
                for clause, values in ((new, here), (old, there))
            )
            return Conflict(kind, _says_where(_quote(new, ours), _quote(old, theirs)))
    return None


def _by_part(clause: Clause, kind: ConflictKind) -> dict[str, set[str]]:
    found: defaultdict[str, set[str]] = defaultdict(set)
    for token in clause.tokens:
        if token.kind.value == kind.value and not token.is_denied:
            for part in token.parts:
                found[part].add(token.term)
    return found


def _agree(one: str, other: str) -> bool:
    """Say whether two amounts may be equal; version 3 may be version 3.1."""
    return one == other or one.startswith(f"{other}.") or other.startswith(f"{one}.")


_REPLACED = {ConflictKind.NAME: TokenKind.NAME, ConflictKind.VALUE: TokenKind.WORD}


def _replaced(here: Clause, there: Clause, kind: ConflictKind) -> Conflict | None:
    ours = here.of(_REPLACED[kind]) - there.terms
    theirs = there.of(_REPLACED[kind]) - here.terms
    # Opposites are a kind of their own, or no conflict if one of them is denied.
    opposed = {pair for pair in product(ours, theirs) if are_opposite(*pair)}
    ours -= {one for one, _ in opposed}
    theirs -= {other for _, other in opposed}
    if not ours or not theirs:
        return None
    return Conflict(kind, _says_where(_quote(here, ours), _quote(there, theirs)))


def _said_of(here: Clause, there: Clause) -> Conflict | None:
    """Return a conflict if the same is said of two names, both of which occur in both."""
    run = shared_run(here, there)
    is_turned = _is_passive(here) is not _is_passive(there)
    if not (run.says_something and run.ours and run.theirs) or run.ours & run.theirs or is_turned:
        return None
    ours, theirs = _quote(here, run.ours), _quote(there, run.theirs)
    return Conflict(ConflictKind.NAME, f"says of {ours} what the other says of {theirs}")


def _is_passive(clause: Clause) -> bool:
    return any(token.term == _PASSIVE for token in clause.tokens)


def _says_where(ours: str, theirs: str) -> str:
    return f"says {ours} where the other says {theirs}"


def _quote(clause: Clause, terms: Collection[str]) -> str:
    """Return the words of *terms* in *clause*, with a mark for each gap."""
    shown: list[str] = []
    for token in clause.tokens:
        if token.is_content and token.term in terms:
            shown.append(token.text)
        elif shown and shown[-1] != _GAP:
            shown.append(_GAP)
    quoted = " ".join(shown).removesuffix(f" {_GAP}")
    return f'"{quoted[:_QUOTE_CHARS_MAX]}"'
