"""The best candidates, read whole, so that what they say of the same thing can be compared."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Self

import numpy as np

from tilth.embedding.embedder import Vector
from tilth.episodes.episode import Place
from tilth.episodes.tables import Episodes
from tilth.ledger.search import Search
from tilth.recall.candidates import Ask, tiers
from tilth.recall.lexicon import Reading
from tilth.recall.order.statement import WORDS_MAX, Said


@dataclass(frozen=True, eq=False)
class Compared:
    """Some of the candidates, read whole, and how alike they are."""

    ask: Ask
    places: Sequence[Place]
    readings: Sequence[Reading]
    said: Mapping[int, Said]

    @classmethod
    def of(
        cls,
        ask: Ask,
        places: Sequence[Place],
        readings: Sequence[Reading],
        chosen: Sequence[int],
    ) -> Self:
        """Read those of *chosen* that are short enough to be one statement."""
        seqs = {places[at].seq: at for at in chosen}
        read = Episodes(ask.view).at(sorted(seqs), ask.which.within)
        short = {seqs[one.seq]: Said(one) for one in read if len(one.text.split()) <= WORDS_MAX}
        return cls(ask, places, readings, short)

    def cosine(self, one: int, other: int) -> float:
        """Return the cosine of two of them, by the best tier in which both have vectors."""
        return self._cosines(one).get(other, 0.0)

    def vectors(self, at: int) -> Vector:
        """Return the vectors of its words, a row each."""
        return self.ask.recaller.lexicon.vectors(self.readings[at].words)

    @cache  # noqa: B019 - it lives as long as one question
    def _cosines(self, one: int) -> Mapping[int, float]:
        search, seq = Search(self.ask.view), self.places[one].seq
        seqs, known = [self.places[at].seq for at in self.said], dict[int, float]()
        for _, embedder in tiers(self.ask.recaller):
            vector = search.vectors(embedder.space, [seq]).get(seq)
            if vector is not None:
                near = zip(self.said, search.cosines(embedder.space, vector, seqs), strict=True)
                known |= {at: float(cosine) for at, cosine in near if not np.isnan(cosine)}
        return known
