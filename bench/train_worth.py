"""
Learn how much it is worth to remember what is said, from labelled transcripts.

    python -m bench.train_worth bench/data/capture/first.jsonl [FILE…] [--to PATH]

Each run of clauses is one example: it is worth remembering if what it tells says what a label
says. A logistic regression with a ridge gives a weight to each feature and, by way of the bundled
static vectors, a number to each common word; the same files give the same weights, but
for the rounding of sums. They are written where `tilth.learning.spoken.salience` reads them.
"""

import argparse
import json
import tempfile
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TypeAlias, TypedDict

import numpy as np
from numpy.typing import NDArray

import tilth
from bench.capture import is_held_out
from bench.labelling import Found, Span, is_told
from bench.transcripts import Transcript, fill, read_transcripts
from tilth.embedding.bundled import FOLDER, VOCABULARY
from tilth.embedding.static import StaticEmbedder
from tilth.learning.candidate import Turn
from tilth.learning.extract import turns_among
from tilth.learning.spoken import salience as worth
from tilth.learning.spoken.features import Run, features
from tilth.learning.spoken.speech import told_of
from tilth.learning.text.clauses import clauses

_TO = Path(worth.__file__).with_name("salience.json")
# A feature that is seen less often says more of the transcripts than of what is said.
_SEEN_MIN = 4
_RIDGE = 4.0
# How freely the weights of a family of features move, and those of words; by cross-validation.
_SCALES = {
    "word": 0.4, "words": 0.3, "form": 0.4, "person": 0.4, "agent": 0.4,
    "ending": 0.25, "around": 0.5, "before": 0.5,
}  # fmt: skip
_OF_VECTORS = 4.0
# What is written: steps of weights, and how many words have one.
_STEP, _STEP_OF_WORDS, _WORDS = 0.1, 0.2, 10_000
# Talk that states nothing stands for far more of it than was written down.
_TALK, _OF_TALK = ".txt", 3
# Past steps that L-BFGS remembers, and how many it takes.
_REMEMBERED, _STEPS = 10, 120
# Where no slope is steeper, there is nothing to gain.
_FLAT = 1e-9

Numbers: TypeAlias = NDArray[np.float64]
Function: TypeAlias = Callable[[Numbers], tuple[float, Numbers]]


@dataclass(frozen=True, slots=True)
class Example:
    """The features and words of a run of clauses, and whether it is worth remembering."""

    features: Sequence[str]
    words: Sequence[str]
    is_worth: bool


class Learned(TypedDict):
    """What is written: the weights of features, and words by their weight."""

    bias: float
    features: dict[str, float]
    words: dict[str, str]


def main(words: Sequence[str] | None = None) -> None:
    """Learn from the files named on the command line, or in *words*."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("files", nargs="+", type=Path)
    parser.add_argument("--to", type=Path, default=_TO)
    options = parser.parse_args(words)
    if closed := [path.name for path in options.files if is_held_out(path)]:
        parser.error(f"nobody looks into {', '.join(closed)}: learn from the other files")
    examples = [
        one
        for path in sorted(options.files)
        for one in examples_in(path)
        for _ in range(_OF_TALK if path.suffix == _TALK else 1)
    ]
    learned = learned_from(examples)
    text = json.dumps(learned, ensure_ascii=False, indent=0, sort_keys=True)
    options.to.write_text(f"{text}\n", encoding="utf-8")
    print(f"{len(examples)} runs, {len(learned['features'])} features: {options.to}")


def examples_in(path: Path) -> Iterator[Example]:
    """Yield each run of clauses in a file."""
    for transcript in _transcripts_in(path):
        for number, turn in enumerate(turns_in(transcript)):
            for run in _runs(turn):
                yield Example(
                    sorted(set(features(run))),
                    worth.words_of(run),
                    _is_worth(transcript, number, run),
                )


def _transcripts_in(path: Path) -> list[Transcript]:
    """Read a file; what states nothing is talk of two, or it would be known by who is silent."""
    transcripts = read_transcripts(path)
    if path.suffix != _TALK:
        return transcripts
    session = transcripts[0].drafts[0].session_id
    drafts = [
        replace(one.drafts[0], session_id=session, speaker=("Ana", "Ben")[number % 2])
        for number, one in enumerate(transcripts)
    ]
    return [replace(transcripts[0], drafts=drafts)]


def turns_in(transcript: Transcript) -> list[Turn]:
    """Return the turns of a transcript as an extractor sees them."""
    with (
        tempfile.TemporaryDirectory() as folder,
        tilth.connect(Path(folder) / "brain.db", create=True) as brain,
    ):
        ids = fill(brain, transcript)
        return turns_among([brain.episodes.get(one) for one in ids])


def _is_worth(transcript: Transcript, number: int, run: Run) -> bool:
    found = Found(words=told_of(run), spans=[Span(number, *run.span)])
    return any(is_told(transcript, label, found) for label in transcript.labels)


def _runs(turn: Turn) -> Iterator[Run]:
    if turn.is_spoken:
        for runs in worth.runs_of(clauses(turn.episode.text), turn):
            yield from runs


def learned_from(examples: Sequence[Example]) -> Learned:
    """Return what `tilth.learning.spoken.salience` reads: weights of features, words by weight."""
    counts = Counter(feature for one in examples for feature in one.features)
    names = sorted(feature for feature, count in counts.items() if count >= _SEEN_MIN)
    scales = np.array([_SCALES.get(name.partition(" ")[0], 1.0) for name in names])
    sparse = _Sparse(examples, names, scales)
    means = _OF_VECTORS * _means(examples)
    worths = np.array([float(one.is_worth) for one in examples])
    weights = _least(_loss(sparse, means, worths), np.zeros(len(names) + means.shape[1] + 1))
    of_features, of_vectors = weights[: len(names)] * scales, weights[len(names) : -1] * _OF_VECTORS
    return {
        "bias": round(float(weights[-1]), 3),
        "features": _kept(names, of_features),
        "words": _by_weight(of_vectors),
    }


class _Sparse:
    """Which example has which features: a matrix of few places that are not zero."""

    def __init__(self, examples: Sequence[Example], names: Sequence[str], scales: Numbers) -> None:
        place = {name: number for number, name in enumerate(names)}
        found = [[place[one] for one in example.features if one in place] for example in examples]
        self.rows = np.repeat(np.arange(len(found)), [len(one) for one in found])
        self.columns = np.array([column for one in found for column in one])
        self.scales = scales[self.columns]
        self.shape = len(examples), len(names)

    def times(self, weights: Numbers) -> Numbers:
        """Return a number for each example."""
        told = self.scales * weights[self.columns]
        return np.bincount(self.rows, told, minlength=self.shape[0]).astype(np.float64)

    def transposed_times(self, numbers: Numbers) -> Numbers:
        """Return a number for each feature."""
        told = self.scales * numbers[self.rows]
        return np.bincount(self.columns, told, minlength=self.shape[1]).astype(np.float64)


def _means(examples: Sequence[Example]) -> Numbers:
    """Return the mean of the vectors of each example's words; zeros where it has none."""
    known = sorted({word for one in examples for word in one.words})
    vectors = StaticEmbedder().word_vectors(known).astype(np.float64)
    place = {word: number for number, word in enumerate(known)}
    means = np.zeros((len(examples), vectors.shape[1]))
    for mean, one in zip(means, examples, strict=True):
        if one.words:
            mean[:] = vectors[[place[word] for word in one.words]].mean(axis=0)
    return means


def _loss(sparse: _Sparse, means: Numbers, worths: Numbers) -> Function:
    count = sparse.shape[1]

    def loss(weights: Numbers) -> tuple[float, Numbers]:
        score = sparse.times(weights[:count]) + means @ weights[count:-1] + weights[-1]
        size = 0.5 * _RIDGE * float(weights[:-1] @ weights[:-1])
        missed = 1 / (1 + np.exp(-score)) - worths
        slope = np.concatenate(
            (sparse.transposed_times(missed), missed @ means, [missed.sum()])
        ) + _RIDGE * np.append(weights[:-1], 0.0)
        return float((np.logaddexp(0, score) - worths * score).sum()) + size, slope

    return loss


def _least(function: Function, start: Numbers) -> Numbers:
    """Return where a convex function is least, by L-BFGS (Nocedal 1980)."""
    at, (value, slope) = start, function(start)
    past: list[tuple[Numbers, Numbers]] = []
    for _ in range(_STEPS):
        if np.abs(slope).max() < _FLAT:
            break
        way, size = -_bent(slope, past), 1.0
        while True:
            there = at + size * way
            found, bent = function(there)
            if found <= value + 1e-4 * size * float(slope @ way):
                break
            size /= 2
        past = [*past, (there - at, bent - slope)][-_REMEMBERED:]
        at, value, slope = there, found, bent
    return at


def _bent(slope: Numbers, past: Sequence[tuple[Numbers, Numbers]]) -> Numbers:
    """Return the slope by the curvature that the last steps showed."""
    shares = []
    for step, change in reversed(past):
        share = float(step @ slope) / float(step @ change)
        slope = slope - share * change
        shares.append(share)
    if past:
        step, change = past[-1]
        slope = slope * float(step @ change) / float(change @ change)
    else:
        slope = slope / max(1.0, float(np.abs(slope).max()))
    for (step, change), share in zip(past, reversed(shares), strict=True):
        slope = slope + step * (share - float(change @ slope) / float(step @ change))
    return slope


def _kept(names: Sequence[str], weights: Numbers) -> dict[str, float]:
    steps = np.rint(weights / _STEP)
    return {
        name: round(float(step) * _STEP, 2) for name, step in zip(names, steps, strict=True) if step
    }


def _by_weight(of_vectors: Numbers) -> dict[str, str]:
    """Return the common words, in order of the alphabet, by what each says for a run."""
    words = _common_words()
    steps = np.rint(StaticEmbedder().word_vectors(words) @ of_vectors / _STEP_OF_WORDS)
    groups: defaultdict[float, list[str]] = defaultdict(list)
    for word, step in zip(words, steps, strict=True):
        if step:
            groups[float(step)].append(word)
    return {
        f"{step * _STEP_OF_WORDS:.1f}": " ".join(sorted(group))
        for step, group in sorted(groups.items())
    }


def _common_words() -> list[str]:
    """Return the commonest words of English: the vocabulary stands in the order of frequency."""
    pieces = (FOLDER / VOCABULARY).read_text(encoding="utf-8").split("\n")
    return [one for one in pieces if one.isalpha() and one.isascii() and len(one) > 1][:_WORDS]


if __name__ == "__main__":
    main()
