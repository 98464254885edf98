"""Read the best candidates whole, and compare what they say."""

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Self

import numpy as np

from tilth.core.dataclass import dataclass
from tilth.embedding.embedder import Vector
from tilth.embedding.matmul import multiply_rows
from tilth.episodes.episode import Place
from tilth.ledger.search import Search
from tilth.recall.candidates import Ask, tiers
from tilth.recall.lexicon import Reading
from tilth.recall.order.statement import WORDS_MAX, Likenesses, Statement

_NONE = np.empty(0, np.int32)


@dataclass(frozen=True, eq=False)
class Compared:
    """Some of the candidates, read whole, with their likeness to each other."""

    ask: Ask
    places: Sequence[Place]
    readings: Sequence[Reading]
    statements: Mapping[int, Statement]

    @classmethod
    def of(
        cls,
        ask: Ask,
        places: Sequence[Place],
        readings: Sequence[Reading],
        chosen: Sequence[int],
    ) -> Self:
        """Read those of *chosen* that are short enough to be a single statement."""
        seqs = {places[at].seq: at for at in chosen}
        read = ask.episodes(seqs)
        short = {
            seqs[one.seq]: Statement(one) for one in read if len(one.text.split()) <= WORDS_MAX
        }
        return cls(ask, places, readings, short)

    @cached_property
    def near(self) -> Likenesses:
        """The likenesses between them."""
        shared, lacked = self._counted
        is_said = np.array([len(self.readings[at].words) > 0 for at in self.statements], np.bool_)
        return Likenesses(self._cosines, self._met, shared, lacked, is_said)

    @cached_property
    def _number(self) -> Mapping[int, int]:
        return {at: number for number, at in enumerate(self.statements)}

    @cached_property
    def _counted(self) -> tuple[Vector, Vector]:
        """Counts of terms beyond the question's that two share, and of its terms that one has."""
        lexicon = self.ask.recaller.lexicon
        stems = lexicon.stems()
        terms = [stems[self.readings[at].words] for at in self.statements]
        known, column = np.unique(np.concatenate([_NONE, *terms]), return_inverse=True)
        holds = np.zeros((len(terms), len(known)), np.float32)
        holds[np.repeat(np.arange(len(terms)), [len(one) for one in terms]), column] = 1
        asked = np.isin(known, [lexicon.term_number(one) for one in self.ask.question.terms])
        own, of_question = holds[:, ~asked], holds[:, asked]
        return own @ own.T, of_question @ (1 - of_question).T

    @cached_property
    def _met(self) -> Vector:
        """
        For each pair, how well the words of one occur in the other: a mean of largest cosines.

        All pairs are computed at once, so a word in several texts is compared once.
        """
        spoken = [at for at in self.statements if len(self.readings[at].words)]
        met = np.zeros((len(self.statements), len(self.statements)), np.float32)
        if not spoken:
            return met
        words, flat = np.unique(
            np.concatenate([self.readings[at].words for at in spoken]), return_inverse=True
        )
        vectors = self.ask.recaller.lexicon.vectors(words)
        sizes = np.array([len(self.readings[at].words) for at in spoken])
        begins = np.cumsum(sizes) - sizes
        nearest = np.maximum.reduceat(multiply_rows(vectors, vectors)[:, flat], begins, axis=1)
        means = np.add.reduceat(nearest[flat], begins, axis=0) / sizes[:, None]
        here = [self._number[at] for at in spoken]
        met[np.ix_(here, here)] = means
        return met

    @cached_property
    def _cosines(self) -> Vector:
        """The cosines of their vectors, in the best tier that has both; 0 where there is none."""
        search, seqs = Search(self.ask.view), [self.places[at].seq for at in self.statements]
        cosines = np.zeros((len(seqs), len(seqs)), np.float32)
        for _, embedder in tiers(self.ask.recaller):
            known = search.alike(embedder.space, seqs)
            cosines = np.where(np.isnan(known), cosines, known)
        return cosines
