"""
Cache what ranking reads: the words of episodes, and the vectors of words.

Episodes never change, so a reading stays valid. All caches are bounded and only save time: what was
dropped is read again.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from functools import partial
from itertools import chain
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from tilth.core.dataclass import dataclass
from tilth.core.text.spelling import spelt_like
from tilth.core.text.tokens import runs, stem, words_of_run
from tilth.embedding.embedder import Vector, WordVectors
from tilth.embedding.matmul import multiply_rows
from tilth.episodes.episode import Passage

T = TypeVar("T")

# 100,000 words of 256 dimensions take 100 MB; beyond that, everything is dropped at once.
WORDS_MAX = 100_000
READINGS_MAX = 150_000
# The most kept cosines between asked words and all others, which take 50 MB.
NEAR_MAX = 25_000_000
# The least ratio of shared letters at which words are spelt alike (one slip in five letters), and
# the most suggestions.
_NEAR, _NEAR_MAX = 0.82, 8
_ROWS_AT_ONCE = 4096


@dataclass(frozen=True, slots=True)
class Reading:
    """An episode as ranking reads it: the numbers of its words, in order, with repetitions."""

    words: NDArray[np.int32]
    speaker: str


class _Memo(dict[str, T]):
    """A cache of what *made* returns for a word or text, computed on first use."""

    def __init__(self, made: Callable[[str], T]) -> None:
        super().__init__()
        self._made = made

    def __missing__(self, text: str) -> T:
        made = self[text] = self._made(text)
        return made


class _Runs(dict[str, int]):
    """Numbers runs of text in order of first use, and caches their parts in one row."""

    def __init__(self, made: Callable[[str], Iterable[int]]) -> None:
        super().__init__()
        self._made = made
        self._parts = array("i")
        self._ends = array("i", [0])

    def __missing__(self, run: str) -> int:
        self._parts.extend(self._made(run))
        self._ends.append(len(self._parts))
        number = self[run] = len(self)
        return number

    def parts(self, texts: Sequence[Sequence[str]]) -> tuple[NDArray[np.int32], NDArray[np.int64]]:
        """Return the parts of the runs of *texts* in one row, and where each text ends in it."""
        sizes = np.array([*map(len, texts)], np.int64)
        met = np.fromiter(map(self.__getitem__, chain.from_iterable(texts)), np.int32)
        ends = np.array(self._ends)
        begins, counts = ends[met], np.diff(ends)[met]
        behind = np.concatenate([[0], np.cumsum(counts)])
        at = np.repeat(begins - behind[:-1], counts) + np.arange(behind[-1])
        return np.array(self._parts, np.int32)[at], behind[np.cumsum(sizes)]

    def clear(self) -> None:  # type: ignore[explicit-override] # `typing.override` is of 3.12
        """Forget all of them."""
        super().clear()
        del self._parts[:], self._ends[1:]


def _number_word(spelt: list[str], word: str) -> int:
    spelt.append(word)
    return len(spelt) - 1


class Lexicon:
    """
    Numbers words and terms, and caches readings by these numbers.

    It may be shared between threads; every user holds `lock`, which is reentrant.
    """

    def __init__(
        self,
        vectors: WordVectors,
        lock: AbstractContextManager[object],
        *,
        earlier: Lexicon | None = None,
    ) -> None:
        """
        Make an empty lexicon.

        Args:
            vectors: The vectors of words.
            lock: The lock that every user holds.
            earlier: Another lexicon from which readings are taken, renumbered as if this one had
                read them itself.
        """
        self._vectors = vectors
        self._earlier = earlier
        self.lock = lock
        self._spelt: list[str] = []  # each word, by its number
        # A partial without this lexicon, which would otherwise refer to itself and keep megabytes
        # alive for each question.
        self._words = _Memo(partial(_number_word, self._spelt))
        number = self._words.__getitem__
        self._runs = _Runs(lambda run: map(number, words_of_run(run)))
        self._terms: dict[str, int] = {}
        self._readings: dict[str, dict[int, Reading]] = {}
        # For each asked word its cosine with every other; NaN where it is not computed yet.
        self._near: dict[int, NDArray[np.float16]] = {}
        self._filled = 0
        self._matrix: Vector = np.empty((0, 0), np.float32)
        self._stems: NDArray[np.int32] = np.empty(0, np.int32)

    def readings(
        self, store_id: str, seqs: Sequence[int], load: Callable[[list[int]], Iterable[Passage]]
    ) -> dict[int, Reading]:
        """
        Return the readings of the episodes at *seqs*.

        Args:
            store_id: The store of these places.
            seqs: The places.
            load: Reads the episodes that are not cached. Those that it leaves out are left out.
        """
        self._make_room()
        known = self._readings.setdefault(store_id, {})
        if unknown := [seq for seq in seqs if seq not in known]:
            known.update(self._new_readings(store_id, unknown, load))
        return {seq: known[seq] for seq in seqs if seq in known}

    def word_vectors(self, said: Sequence[str]) -> Vector:
        """Return the vectors of words, which another lexicon can then reuse."""
        with self.lock:
            self._make_room()
            return self.vectors(self.numbers(said))

    def is_known(self, word: str) -> bool:
        """Say whether the vocabulary has *word* itself, and not only its pieces."""
        return self._vectors.is_known(word)

    def corrected(self, word: str) -> str:
        """Return the known word that *word* misspells; empty if there is none."""
        return self._vectors.corrected(word)

    def spelt_like(self, word: str, heard: NDArray[np.int64]) -> NDArray[np.bool_]:
        """Say which of the words *heard* differ from *word* only by a slip."""
        spelt = map(self._spelt.__getitem__, heard.tolist())
        near = spelt_like(word, spelt, ratio=_NEAR, count=_NEAR_MAX)
        return np.isin(heard, [self._words[one] for one in near])

    def numbers(self, said: Iterable[str]) -> list[int]:
        """Return the numbers of words."""
        return list(map(self._words.__getitem__, said))

    def term_number(self, term: str) -> int:
        """Return the number of a term."""
        return self._terms.setdefault(term, len(self._terms))

    def terms_of(self, reading: Reading) -> frozenset[int]:
        """Return the numbers of the distinct terms of an episode."""
        return frozenset(self.stems()[reading.words].tolist())

    def vectors(self, numbers: Sequence[int] | NDArray[np.signedinteger]) -> Vector:
        """Return the vectors of these words, one row each."""
        self._fill()
        return self._matrix.take(numbers, axis=0)

    def cosines(
        self, asked: Sequence[int], said: NDArray[np.int32]
    ) -> tuple[NDArray[np.int64], Vector, NDArray[np.int32]]:
        """
        Return the cosine of each of *asked* (rows) with each distinct word of *said* (columns).

        People ask with the same words again and again, so cosines are cached.

        Returns:
            The distinct words, the cosines, and the column of each of *said*.
        """
        self._fill()
        rows = [self._near_row(number) for number in asked]
        marked = np.zeros(self._filled, np.bool_)
        marked[said] = True
        heard = np.flatnonzero(marked)
        known = np.array([row.take(heard) for row in rows], np.float32)
        lacks = np.isnan(known)
        if len(at := np.flatnonzero(lacks.any(axis=1))):
            new = heard[lacks.any(axis=0)]
            lacking = at.tolist()
            words = self._matrix.take([asked[row] for row in lacking], axis=0)
            fresh = multiply_rows(words, self._matrix, new)
            for row, cosines in zip(lacking, fresh, strict=True):
                rows[row][new] = cosines
                known[row] = rows[row].take(heard)
        column = np.empty(self._filled, np.int32)
        column[heard] = np.arange(len(heard))
        return heard, known, column.take(said)

    def _near_row(self, number: int) -> NDArray[np.float16]:
        """Return the cached row of an asked word, and mark it as used last."""
        row = self._near.pop(number, None)
        if row is None or len(row) < self._filled:
            grown = np.full(len(self._stems), np.nan, np.float16)
            if row is not None:
                grown[: len(row)] = row
            row = grown
        self._near[number] = row
        while len(self._near) * len(row) > NEAR_MAX:
            del self._near[next(iter(self._near))]
        return row

    def stems(self) -> NDArray[np.int32]:
        """Return for each word number the number of its term."""
        self._fill()
        return self._stems[: self._filled]

    def _fill(self) -> None:
        """Look up the words numbered since the last call."""
        known = len(self._spelt)
        if self._filled == known:
            return
        new = self._spelt[self._filled :]
        rows = self._vectors.word_vectors(new)
        if known > len(self._stems):
            matrix = np.empty((known + _ROWS_AT_ONCE, rows.shape[1]), np.float32)
            stems = np.empty(known + _ROWS_AT_ONCE, np.int32)
            if self._filled:
                matrix[: self._filled] = self._matrix[: self._filled]
                stems[: self._filled] = self._stems[: self._filled]
            self._matrix, self._stems = matrix, stems
        self._matrix[self._filled : known] = rows
        self._stems[self._filled : known] = list(map(self.term_number, map(stem, new)))
        self._filled = known

    def _new_readings(
        self, store_id: str, seqs: Sequence[int], load: Callable[[list[int]], Iterable[Passage]]
    ) -> dict[int, Reading]:
        """Return new readings, numbered in the order of *seqs*."""
        if self._earlier is not None:
            with self._earlier.lock:
                return self._renumbered(self._earlier, self._earlier.readings(store_id, seqs, load))
        passages = {one.seq: one for one in load([*seqs])}
        return dict(self._number_passages(passages[seq] for seq in seqs if seq in passages))

    def _renumbered(self, earlier: Lexicon, readings: Mapping[int, Reading]) -> dict[int, Reading]:
        """Return the readings of another lexicon with this one's numbers."""
        said = np.concatenate([np.empty(0, np.int32), *(one.words for one in readings.values())])
        # Assigned backwards, since the last assignment wins: the first occurrence of each word.
        first = np.full(len(earlier._spelt), len(said))
        first[said[::-1]] = np.arange(len(said))[::-1]
        met = np.flatnonzero(first < len(said))
        met = met[np.argsort(first[met])]
        numbers = np.empty(len(first), np.int32)
        numbers[met] = self.numbers(map(earlier._spelt.__getitem__, met.tolist()))
        return {seq: Reading(numbers.take(one.words), one.speaker) for seq, one in readings.items()}

    def _number_passages(self, passages: Iterable[Passage]) -> Iterator[tuple[int, Reading]]:
        """Yield the place and reading of each passage; one array for all takes a third longer."""
        every = [*passages]
        said = (f"{one.speaker}: {one.text}" if one.speaker else one.text for one in every)
        words, ends = self._runs.parts([*map(runs, said)])
        begin = 0
        for passage, end in zip(every, ends.tolist(), strict=True):
            yield passage.seq, Reading(words[begin:end], passage.speaker)
            begin = end

    def _make_room(self) -> None:
        read = sum(map(len, self._readings.values()))
        if len(self._words) <= WORDS_MAX and read <= READINGS_MAX:
            return
        for kept in (self._words, self._spelt, self._runs, self._terms, self._readings):
            kept.clear()
        self._near.clear()
        self._filled = 0
