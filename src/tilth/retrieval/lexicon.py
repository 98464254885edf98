"""
What ranking has read before: the words of episodes, and the vectors of words.

Episodes never change, so a reading holds for ever. Both caches are bounded
and only save time: what they forget is read again.
"""

import threading
from collections import Counter
from collections.abc import Sequence
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


class Lexicon:
    """Numbers words and terms, and keeps what was read under them. Safe to share."""

    def __init__(self, vectors: WordVectors) -> None:
        self._vectors = vectors
        self.lock = threading.RLock()
        self._words: dict[str, int] = {}
        self._terms: dict[str, int] = {}
        self._stem_of: list[int] = []
        self._readings: dict[tuple[str, int], Reading] = {}
        self._matrix: Vector = np.empty((0, 0), np.float32)
        self._filled = 0

    def readings(self, store_id: str, passages: Sequence[Passage]) -> list[Reading]:
        """Return the reading of each passage. Call it, and what uses it, under `lock`."""
        if len(self._words) > WORDS_MAX or len(self._readings) > READINGS_MAX:
            self._forget()
        return [self._reading(store_id, passage) for passage in passages]

    def numbers(self, said: Sequence[str]) -> list[int]:
        """Return the numbers of words."""
        return [self._number(self._words, word) for word in said]

    def term_number(self, term: str) -> int:
        """Return the number of a term."""
        return self._number(self._terms, term)

    def matrix(self) -> Vector:
        """Return the vectors of all numbered words, a row each."""
        known = len(self._words)
        if self._filled < known:
            new = self._vectors.word_vectors(list(self._words)[self._filled : known])
            if known > len(self._matrix):
                room = np.empty((known + _ROWS_AT_ONCE, new.shape[1]), np.float32)
                if self._filled:
                    room[: self._filled] = self._matrix[: self._filled]
                self._matrix = room
            self._matrix[self._filled : known] = new
            self._filled = known
        return self._matrix[:known]

    def stems(self) -> NDArray[np.int32]:
        """Return for each numbered word the number of its term."""
        new = list(self._words)[len(self._stem_of) :]
        self._stem_of += [self.term_number(stem(word)) for word in new]
        return np.array(self._stem_of, np.int32)

    def _reading(self, store_id: str, passage: Passage) -> Reading:
        key = (store_id, passage.seq)
        known = self._readings.get(key)
        if known is None:
            known = self._readings[key] = self._read(passage)
        return known

    def _read(self, passage: Passage) -> Reading:
        said = passage.text if not passage.speaker else f"{passage.speaker}: {passage.text}"
        all_words = words(said)
        terms = Counter(self.term_number(stem(word)) for word in all_words)
        return Reading(
            words=np.array(self.numbers(list(dict.fromkeys(all_words))), np.int32),
            terms=np.fromiter(terms.keys(), np.int32, len(terms)),
            counts=np.fromiter(terms.values(), np.int32, len(terms)),
            length=len(all_words),
        )

    def _forget(self) -> None:
        for cache in (self._words, self._terms, self._stem_of, self._readings):
            cache.clear()
        self._filled = 0

    @staticmethod
    def _number(known: dict[str, int], word: str) -> int:
        return known.setdefault(word, len(known))
