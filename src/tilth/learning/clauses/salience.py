"""
How much it is worth to remember what is said, and where each such statement begins and ends.

A logistic regression over `signs`, and over the mean of one number for each word, says how likely
it is that somebody would want to know it in another session. `bench.train_worth` learned it from
labelled transcripts; nothing is learned at run time (ADR 21).
"""

import json
import math
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import resources
from itertools import groupby

from tilth.learning.candidate import Turn
from tilth.learning.clauses.clauses import Clause
from tilth.learning.clauses.signs import Run, signs
from tilth.learning.filter import CONFIDENCE_MIN

# More clauses than these never say one thing.
CLAUSES_MAX = 4
# How likely it must be, of what a person says and of what an agent says; chosen on seven hands,
# each while nothing was learned from it (ADR 21).
LEAST, LEAST_OF_AGENT = 0.4, 0.5
# How likely what is the whole of a short message must be.
LEAST_OF_LONE = 0.15
_WORD = re.compile(r"[a-z][a-z'\N{RIGHT SINGLE QUOTATION MARK}]*")


@dataclass(frozen=True, slots=True)
class Learned:
    """The weights of signs and of words; `bias` is what anything is worth without them."""

    bias: float
    signs: Mapping[str, float]
    words: Mapping[str, float]


@dataclass(frozen=True, slots=True)
class Weighed:
    """A run, and how likely it is worth remembering."""

    run: Run
    worth: float

    @property
    def confidence(self) -> float:
        """How sure it is to be kept: what is barely worth it is barely sure."""
        return round(CONFIDENCE_MIN + (1 - CONFIDENCE_MIN) * min(self.worth, 1.0) ** 2, 2)


def runs_of(said: Iterable[Clause], turn: Turn) -> Iterator[list[Run]]:
    """Yield for each sentence all runs of its clauses."""
    for _, of_sentence in groupby(said, key=lambda clause: clause.sentence.start):
        parts = list(of_sentence)
        yield [
            Run(turn, parts[begin:end], len(parts))
            for begin in range(len(parts))
            for end in range(begin + 1, min(begin + CLAUSES_MAX, len(parts)) + 1)
        ]


def worth_of(run: Run) -> float:
    """Return how likely it is that a run is worth remembering, from 0 to 1."""
    learned = _learned()
    score = learned.bias + sum(learned.signs.get(sign, 0.0) for sign in signs(run))
    words = words_of(run)
    if words:
        score += sum(learned.words.get(word, 0.0) for word in words) / len(words)
    return 1 / (1 + math.exp(-score))


def words_of(run: Run) -> list[str]:
    """Return the words of a run of which each has a weight."""
    return _WORD.findall(run.plain.lower())


def best_of(runs: Sequence[Weighed], least: float) -> list[Weighed]:
    """
    Return those runs of a sentence that are worth most together and share no clause.

    Each counts by how much it is worth above *least* (weighted interval scheduling).
    """
    ending: dict[int, list[Weighed]] = {}
    for one in runs:
        ending.setdefault(one.run.span[1], []).append(one)
    # The best that can be had of what ends so far, by where it ends.
    best: list[tuple[int, float, tuple[Weighed, ...]]] = [(0, 0.0, ())]
    for end in sorted(ending):
        gain, kept = best[-1][1:]
        for one in ending[end]:
            _, before, rest = max(
                (had for had in best if had[0] <= one.run.span[0]), key=lambda had: had[1]
            )
            if before + one.worth - least > gain:
                gain, kept = before + one.worth - least, (*rest, one)
        best.append((end, gain, kept))
    return list(best[-1][2])


@cache
def _learned() -> Learned:
    source = resources.files("tilth.learning.clauses").joinpath("worth.json")
    told = json.loads(source.read_text(encoding="utf-8"))
    words = {
        word: float(weight) for weight, group in told["words"].items() for word in group.split()
    }
    return Learned(told["bias"], told["signs"], words)
