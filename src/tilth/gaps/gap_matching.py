"""
Which gap that is known somebody tells of in other words.

Words decide what may be one (`tilth.gaps.same_gap`), vectors how alike it is. Texts are
embedded once in the life of a `Likener`, so that little is left to do inside a transaction.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from tilth.embedding.embedder import Embedder, Vector
from tilth.gaps.model import Gap, KnownGap
from tilth.gaps.same_gap import Likeness, are_apart, compare, may_be_one, read_want


@dataclass(frozen=True, slots=True)
class Match:
    """The gap that a want is one with, and the one that it may be one with; None if there is no."""

    same: KnownGap | None = None
    near: Gap | None = None


class Likener:
    """Compares wants with gaps, by the vectors of *embedder*."""

    def __init__(self, embedder: Embedder) -> None:
        self._embedder = embedder
        self._vectors: dict[str, Vector] = {}

    def match(self, words: str, known: Sequence[KnownGap]) -> Match:
        """
        Return what *words* tell of.

        Of several that are the same an open one comes before one that is over, then the
        likest; only what is open is asked about.
        """
        compared = [(*self._likeness(words, one), one) for one in known]
        same = [found for found in compared if found[0] is Likeness.SAME]
        if same:
            return Match(max(same, key=lambda one: (not one[2].gap.is_over, one[1]))[2])
        near = [one for one in compared if one[0] is Likeness.NEAR and not one[2].gap.is_over]
        return Match(near=max(near, key=lambda one: one[1])[2].gap) if near else Match()

    def _likeness(self, words: str, known: KnownGap) -> tuple[Likeness, float]:
        """Return the plainest likeness to a gap: to its description, or to what shows it."""
        want, description = read_want(words), known.gap.description
        if are_apart(want, read_want(description)):
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
