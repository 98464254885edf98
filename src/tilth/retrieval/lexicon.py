"""
What ranking has read before: the words of episodes, and the vectors of words.

Episodes never change, so a reading holds for ever. Everything kept is bounded
and only saves time: what is forgotten is read again.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tilth.ports import Passage, Vector, WordVectors
from tilth.retrieval.tokens import stem, words

# 60,000 words of 256 dimensions are 60 MB; past that everything is forgotten at once.
WORDS_MAX = 60_000
READINGS_MAX = 150_000
_ROWS_AT_ONCE = 4096


@dataclass(frozen=True, slots=True)
class Reading:
    """
    An episode as ranking reads it.

    `words` are the numbers of its distinct words, `terms` those of its
    distinct terms with their `counts`, `length` all its terms.
    """

    words: NDArray[np.int32]
    terms: NDArray[np.int32]
    counts: NDArray[np.int32]
    length: int
    speaker: str


class Lexicon:
    """
    Numbers words and terms, and keeps what was read under them.

    It may be shared between threads: whatever touches it holds `lock`, a reentrant one.
    """

    def __init__(self, vectors: WordVectors, lock: AbstractContextManager[object]) -> None:
        self._vectors = vectors
        self.lock = lock
        self._words: dict[str, int] = {}
        self._terms: dict[str, int] = {}
        self._readings: dict[tuple[str, int], Reading] = {}
        self._filled = 0
        self._matrix: Vector = np.empty((0, 0), np.float32)
        self._stems: NDArray[np.int32] = np.empty(0, np.int32)

    def readings(
        self, store_id: str, seqs: Sequence[int], load: Callable[[list[int]], Iterable[Passage]]
    ) -> dict[int, Reading]:
        """
        Return the readings of the episodes at *seqs*.

        Args:
            store_id: Whose places these are.
            seqs: The places.
            load: Reads the episodes that are not known yet. What it leaves out is left out.
        """
        if len(self._words) > WORDS_MAX or len(self._readings) > READINGS_MAX:
            self._forget()
        known = self._readings
        if unknown := [seq for seq in seqs if (store_id, seq) not in known]:
            for passage in load(unknown):
                known[store_id, passage.seq] = self._read(passage)
        found = ((seq, known.get((store_id, seq))) for seq in seqs)
        return {seq: reading for seq, reading in found if reading is not None}

    def numbers(self, said: Iterable[str]) -> list[int]:
        """Return the numbers of words."""
        return [self._words.setdefault(word, len(self._words)) for word in said]

    def term_number(self, term: str) -> int:
        """Return the number of a term."""
        return self._terms.setdefault(term, len(self._terms))

    def vectors(self) -> Vector:
        """Return the vectors of all numbered words, a row each."""
        self._fill()
        return self._matrix[: self._filled]

    def stems(self) -> NDArray[np.int32]:
        """Return for each numbered word the number of its term."""
        self._fill()
        return self._stems[: self._filled]

    def _fill(self) -> None:
        """Look up the words that were numbered since the last time."""
        known = len(self._words)
        if self._filled == known:
            return
        new = list(self._words)[self._filled :]
        rows = self._vectors.word_vectors(new)
        if known > len(self._stems):
            matrix = np.empty((known + _ROWS_AT_ONCE, rows.shape[1]), np.float32)
            stems = np.empty(known + _ROWS_AT_ONCE, np.int32)
            if self._filled:
                matrix[: self._filled] = self._matrix[: self._filled]
                stems[: self._filled] = self._stems[: self._filled]
            self._matrix, self._stems = matrix, stems
        self._matrix[self._filled : known] = rows
        self._stems[self._filled : known] = [self.term_number(stem(word)) for word in new]
        self._filled = known

    def _read(self, passage: Passage) -> Reading:
        said = passage.text if not passage.speaker else f"{passage.speaker}: {passage.text}"
        all_words = words(said)
        terms = Counter(self.term_number(stem(word)) for word in all_words)
        return Reading(
            words=np.array(self.numbers(dict.fromkeys(all_words)), np.int32),
            terms=np.fromiter(terms.keys(), np.int32, len(terms)),
            counts=np.fromiter(terms.values(), np.int32, len(terms)),
            length=len(all_words),
            speaker=passage.speaker,
        )

    def _forget(self) -> None:
        for kept in (self._words, self._terms, self._readings):
            kept.clear()
        self._filled = 0
