"""
Match a want with known gaps, whatever words it uses.

A want names things (`notes`, `PDF`) and what to do with them (`export`, `save`). The things decide,
by any ordinary word for them (`tilth.knowledge.likeness.synonyms`). Two wants are one if they name
the same things, and neither names another thing that the other could mean instead. A cosine alone
does not suffice: "remind me in Slack" and "remind me in Discord" are closer than most paraphrases
(docs/reference/gaps.md has the figures, `python -m bench.gaps` makes them).

Words decide which wants may be one, vectors how alike they are. A `GapMatcher` embeds each text
once, so that little is left to do inside a transaction.
"""

from collections.abc import Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from enum import StrEnum
from functools import lru_cache
from itertools import product

import numpy as np

from tilth.core.dataclass import dataclass
from tilth.core.text.tokens import stem
from tilth.embedding.embedder import Embedder, Vector
from tilth.gaps.model import Gap, KnownGap
from tilth.knowledge.likeness.antonyms import are_opposite
from tilth.knowledge.likeness.parse_statement import TokenKind, read_statement
from tilth.knowledge.likeness.synonyms import DOING, THINGS, WORDS, replace_synonyms

# Cosines from which two wants are one: if both name the same things (several; one), if one of them
# names more, and if each names more. Above the last, a human is asked. Set on two thirds of
# bench/data/gaps.jsonl.
EQUAL_COSINE, SAME_COSINE, ONE_SIDED_COSINE, TWO_SIDED_COSINE = 0.25, 0.4, 0.6, 0.7
NEAR_COSINE = 0.6
# How strong the common things must be, where a name counts twice.
_STRENGTH = 2
_READ_CHARS_MAX = 500
_CACHED = 4096

# Words for actions, and words for any thing, which do not tell wants apart.
_GENERIC_WORDS = """
    able access actually add again allow already always answer any app application as ask
    automatically back begin bring bringing brought change check choose come comes coming
    connect connection create current currently detail directly display do document download
    easily enable every existing export feature features fetch file files find finish format
    function functionality functions get gets getting give given go goes going great handy have
    having helpful here import in instead integrate integration item items itself keep kind know
    let like list load look make makes making manually mean mode move myself need new nice now
    obtain offer one open opened option options page perform please possible possibly provide
    pull put really receive request run said save saved say see seen send sent set setting show
    showed shown somebody someone something sort start still support supported switch sync
    system take tell thing things through time told tool try turn type understand understood
    upload use used using view want wanted way went whole wish work working works write your
    yourself
"""
_GENERIC = frozenset(map(stem, f"{_GENERIC_WORDS} {DOING}".split()))
# Opposite directions, one side each.
_DIRECTIONS = (
    frozenset(map(stem, ("import", "load", "upload", "ingest", "bring"))),
    frozenset(map(stem, ("export", "download", "extract"))),
)
_VOWELS = frozenset("aeiouy")


class Likeness(StrEnum):
    """The relation of two wants."""

    SAME = "same"
    NEAR = "near"
    OTHER = "other"


@dataclass(frozen=True, slots=True)
class Want:
    """A want in comparable form: its things (true for a name), numbers and directions."""

    things: Mapping[str, bool]
    numbers: frozenset[str]
    directions: frozenset[int]


@lru_cache(maxsize=_CACHED)
def read_want(text: str) -> Want:
    """Return what *text* asks for."""
    # In a text in capitals, capitals do not mark names.
    said_plainly = text.casefold() if text.isupper() else text
    tokens = read_statement(replace_synonyms(said_plainly[:_READ_CHARS_MAX])).whole.tokens
    said = [token for token in tokens if token.is_content]
    terms = {token.term for token in said}
    return Want(
        things={
            WORDS.get(token.term, token.term): (
                token.kind is TokenKind.NAME or _is_acronym(token.text)
            )
            for token in said
            if token.kind in {TokenKind.WORD, TokenKind.NAME}
            and (token.term not in _GENERIC or _is_acronym(token.text))
        },
        numbers=frozenset(
            token.term for token in said if token.kind in {TokenKind.NUMBER, TokenKind.TIME}
        ),
        directions=frozenset(number for number, words in enumerate(_DIRECTIONS) if terms & words),
    )


def cannot_be_one(one: Want, other: Want) -> bool:
    """Say whether two wants cannot be one, however alike their words are."""
    # One exports what the other imports.
    is_opposed = one.directions and other.directions and not one.directions & other.directions
    if one.numbers != other.numbers or is_opposed or _is_renamed(one, other):
        return True
    here, there = one.things.keys() - other.things, other.things.keys() - one.things
    return any(are_opposite(left, right) for left, right in product(here, there))


def may_be_one(one: Want, other: Want) -> bool:
    """Say whether two wants share enough to be compared."""
    return bool(one.things.keys() & other.things.keys()) and not cannot_be_one(one, other)


def compare(one: Want, other: Want, cosine: float) -> Likeness:
    """Return the relation of two wants whose texts have this *cosine*."""
    if not may_be_one(one, other):
        return Likeness.OTHER
    shared = one.things.keys() & other.things.keys()
    here, there = one.things.keys() - shared, other.things.keys() - shared
    strength = sum(1 + (one.things[thing] or other.things[thing]) for thing in shared)
    is_named = any(one.things[it] for it in here) or any(other.things[it] for it in there)
    # Each names one thing instead of the other's, or two things that are known to differ.
    is_replaced = len(here) == len(there) == 1 or bool(here & THINGS and there & THINGS)
    if not (is_named or is_replaced) and cosine >= _least_cosine(here, there, strength):
        return Likeness.SAME
    return Likeness.NEAR if cosine >= NEAR_COSINE else Likeness.OTHER


def _least_cosine(here: AbstractSet[str], there: AbstractSet[str], strength: int) -> float:
    """Return the least cosine at which two wants are one, by what each names besides."""
    if here and there:
        return TWO_SIDED_COSINE
    has_much = strength >= _STRENGTH
    if here or there:
        return SAME_COSINE if has_much else ONE_SIDED_COSINE
    return EQUAL_COSINE if has_much else SAME_COSINE


def _is_renamed(one: Want, other: Want) -> bool:
    """Say whether one want names another thing where the other names its own."""
    mine = {thing for thing, is_name in one.things.items() if is_name} - other.things.keys()
    theirs = {thing for thing, is_name in other.things.items() if is_name} - one.things.keys()
    return bool(mine and theirs)


def _is_acronym(text: str) -> bool:
    """Say whether a word is spelt letter by letter: PDF, csv, SMS, 2fa."""
    return text.isalnum() and (
        (text.isupper() and len(text) > 1)
        or any(map(str.isdecimal, text))
        or not _VOWELS & set(text.casefold())
    )


@dataclass(frozen=True, slots=True)
class Match:
    """The gap that a want is, and one that it may be; None where there is none."""

    same: KnownGap | None = None
    near: Gap | None = None


class GapMatcher:
    """Matches wants with known gaps, by the vectors of *embedder*."""

    def __init__(self, embedder: Embedder) -> None:
        self._embedder = embedder
        self._vectors: dict[str, Vector] = {}

    def match(self, words: str, known: Sequence[KnownGap]) -> Match:
        """
        Return the gap among *known* that *words* describe.

        Of several, an open gap comes before one that is over, then the most alike; a human is asked
        about open ones only.
        """
        compared = [(*self._likeness(words, one), one) for one in known]
        same = [found for found in compared if found[0] is Likeness.SAME]
        if same:
            return Match(max(same, key=lambda one: (not one[2].gap.is_over, one[1]))[2])
        near = [one for one in compared if one[0] is Likeness.NEAR and not one[2].gap.is_over]
        return Match(near=max(near, key=lambda one: one[1])[2].gap) if near else Match()

    def _likeness(self, words: str, known: KnownGap) -> tuple[Likeness, float]:
        """Return the closest relation to a gap: to its description, or to its evidence."""
        want, description = read_want(words), known.gap.description
        if cannot_be_one(want, read_want(description)):
            return Likeness.OTHER, 0.0
        best, score = Likeness.OTHER, 0.0
        for text in _texts(known):
            other = read_want(text)
            if not may_be_one(want, other):
                continue
            cosine = self._cosine(words, text)
            likeness = compare(want, other, cosine)
            if (_RANK[likeness], cosine) > (_RANK[best], score):
                best, score = likeness, cosine
        return best, score

    def _cosine(self, one: str, other: str) -> float:
        missing = [text for text in (one, other) if text not in self._vectors]
        for text, vector in zip(missing, self._embedder.embed(missing), strict=True):
            self._vectors[text] = vector
        return float(np.dot(self._vectors[one], self._vectors[other]))


_RANK = {Likeness.OTHER: 0, Likeness.NEAR: 1, Likeness.SAME: 2}


def _texts(known: KnownGap) -> Iterator[str]:
    seen = {known.gap.description} - {""}
    yield from seen
    for trace in known.trail:
        if trace.quote and trace.quote not in seen:
            seen.add(trace.quote)
            yield trace.quote
