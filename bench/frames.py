"""
Subject, predicate and value of plain sentences, by what many sentences share.

FactConsolidation states every relation in one wording: "X was born in the city
of Y", "The author of X is Y". Nothing here knows the relations. A frame is a
run of lower-case words that several sentences have in common and behind which
several different words come: where a text branches, a unit ends (Harris 1955,
From phoneme to morpheme). Of all frames in a sentence the longest is its own,
of equal ones that with the most words behind it; what follows is the value,
and what is left is the slot.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

# So many different words must come before and behind a run of words to make it a frame.
BRANCHES_MIN = 3
_ARTICLE = "The"


@dataclass(frozen=True, slots=True)
class Framed:
    """A sentence in its parts; the predicate holds the words on both sides of the subject."""

    text: str
    subject: str
    predicate: str
    value: str


class Frames:
    """The frames of many sentences."""

    def __init__(self, sentences: Sequence[str]) -> None:
        told = [_words(sentence) for sentence in sentences]
        self._openings = _branching(
            (tuple(words[:end]), "", words[end])
            for words in told
            for end in range(2, len(words) - 2)
            if words[0] == _ARTICLE and all(map(str.islower, words[1:end]))
        )
        rests = [(self._opening(words), words) for words in told]
        self._joints = _branching(
            ((opening, *words[begin:end]), words[begin - 1], words[end])
            for opening, words in rests
            for begin, end in _runs(words, len(opening))
        )

    def framed(self, sentence: str) -> Framed | None:
        """Return the parts of *sentence*; None if it has no frame."""
        words = _words(sentence)
        opening = self._opening(words)
        known = [
            (begin, end)
            for begin, end in _runs(words, len(opening))
            if (opening, *words[begin:end]) in self._joints
        ]
        if not known:
            return None
        begin, end = max(
            known,
            key=lambda run: (run[1] - run[0], self._joints[opening, *words[run[0] : run[1]]]),
        )
        return Framed(
            text=sentence,
            subject=" ".join(words[len(opening) : begin]),
            predicate=" ".join([*opening, "…", *words[begin:end]]).strip("… "),
            value=" ".join(words[end:]),
        )

    def _opening(self, words: Sequence[str]) -> tuple[str, ...]:
        """Return the longest opening of the sentence that is a frame: a definite description."""
        ends = (end for end in range(len(words) - 3, 1, -1) if tuple(words[:end]) in self._openings)
        return tuple(words[: next(ends, 0)])


def _branching(
    runs: Iterable[tuple[tuple[object, ...], str, str]],
) -> Mapping[tuple[object, ...], int]:
    """Return the runs with enough words before and behind them, and how many are behind."""
    before: Mapping[tuple[object, ...], set[str]] = defaultdict(set)
    behind: Mapping[tuple[object, ...], set[str]] = defaultdict(set)
    for run, word_before, word_behind in runs:
        before[run].add(word_before)
        behind[run].add(word_behind)
    return {
        run: len(words)
        for run, words in behind.items()
        if len(words) >= BRANCHES_MIN and (before[run] == {""} or len(before[run]) >= BRANCHES_MIN)
    }


def _runs(words: Sequence[str], first: int) -> Iterable[tuple[int, int]]:
    """Yield where runs of lower-case words begin and end, with a word at least on either side."""
    for begin in range(first + 1, len(words) - 1):
        for end in range(begin + 1, len(words)):
            if not words[end - 1].islower():
                break
            yield begin, end


def _words(sentence: str) -> list[str]:
    return sentence.removesuffix(".").split()
