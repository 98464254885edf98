"""
How well things and memories are found in short texts, in five languages and without any model.

    python -m bench.extraction FOLDER

The folder has `entity_extraction` and `memory_extraction`, each with a `dataset.jsonl`, the same in
other languages (`dataset.de.jsonl` …), and `labels.jsonl`, in English. Things: the name and its
type are right, or the name alone. Memories: as many of each type as labelled, and, in English, ones
that share enough words with the label too. The last line is one JSON object.
"""

import argparse
import json
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from bench.capture import distilled
from bench.machine import surroundings
from bench.transcripts import Transcript
from tilth.core.ids import SessionId
from tilth.episodes.episode import EpisodeDraft
from tilth.learning.text.mentions import mentions

LANGUAGES = ("en", "de", "fr", "es", "zh")
# What these labels call what we tell apart further.
TYPE_OF = {
    "decision": "decision",
    "preference": "preference",
    "opinion": "opinion",
    "commitment": "commitment",
    "goal": "commitment",
    "deferral": "decision",
    "correction": "fact",
    "fact": "fact",
    "relationship": "fact",
    "milestone": "fact",
    "gap": "fact",
}
# From this F1 of words on, two wordings tell the same; the one of SQuAD.
SAME_FROM = 0.5
_WORD = re.compile(r"\w+")
_Rows = Sequence[Mapping[str, Any]]


def main() -> None:
    """Measure the folder named on the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    folder: Path = parser.parse_args().folder
    report: dict[str, object] = {}
    for name, measure in (("entity_extraction", things), ("memory_extraction", memories)):
        for language in LANGUAGES:
            report[f"{name} {language}"] = shares = measure(folder / name, language)
            print(f"{name} {language}:", "  ".join(f"{k} {v}" for k, v in shares.items()))
    print(json.dumps(report | surroundings()))


def things(folder: Path, language: str) -> dict[str, object]:
    """Compare the things in each text with the labels."""
    typed, named = Tally(), Tally()
    by_type: defaultdict[str, Tally] = defaultdict(Tally)
    for text, label in _rows(folder, language):
        gold = {(_folded(one["name"]), _spelt(one["type"])) for one in label["entities"]}
        found = {(_folded(one.name), _spelt(one.type)) for one in mentions(text)}
        typed.add(found, gold)
        named.add({name for name, _ in found}, {name for name, _ in gold})
        for type_ in {type_ for _, type_ in gold | found}:
            by_type[type_].add(_of(found, type_), _of(gold, type_))
    each = {type_: tally.f1 for type_, tally in sorted(by_type.items())}
    return {"name_and_type": typed.shares, "name": named.shares, "f1_of": each}


def memories(folder: Path, language: str) -> dict[str, object]:
    """Compare what is known after each text with the labels."""
    types, told = Tally(), Tally()
    by_type: defaultdict[str, Tally] = defaultdict(Tally)
    for text, label in _rows(folder, language):
        gold = [(one["type"], one["content"]) for one in label["memories"]]
        found = [(TYPE_OF.get(kind, "fact"), words) for kind, words in _known(text)]
        types.add(*(_numbered(type_ for type_, _ in ones) for ones in (found, gold)))
        told.count(_told(found, gold), len(found), len(gold))
        for type_ in {type_ for type_, _ in [*gold, *found]}:
            by_type[type_].add(
                *(_numbered(one for one, _ in ones if one == type_) for ones in (found, gold))
            )
    each = {type_: tally.f1 for type_, tally in sorted(by_type.items())}
    report: dict[str, object] = {"type": types.shares}
    if language == "en":
        report["type_and_words"] = told.shares
    return report | {"f1_of": each}


class Tally:
    """How many were found, labelled and both."""

    def __init__(self) -> None:
        self._both, self._found, self._gold = 0, 0, 0

    def add(self, found: set[Any], gold: set[Any]) -> None:
        """Count the members of one text."""
        self.count(len(found & gold), len(found), len(gold))

    def count(self, both: int, found: int, gold: int) -> None:
        """Count one text."""
        self._both, self._found, self._gold = (
            self._both + both,
            self._found + found,
            self._gold + gold,
        )

    @property
    def f1(self) -> float:
        """The harmonic mean of recall and precision."""
        return _ratio(2 * self._both, self._found + self._gold)

    @property
    def shares(self) -> dict[str, float]:
        """F1, and what it is made of."""
        return {
            "f1": self.f1,
            "precision": _ratio(self._both, self._found),
            "recall": _ratio(self._both, self._gold),
        }


def _rows(folder: Path, language: str) -> Iterator[tuple[str, Mapping[str, Any]]]:
    name = "dataset.jsonl" if language == "en" else f"dataset.{language}.jsonl"
    label_of = {row["id"]: row for row in _read(folder / "labels.jsonl")}
    for row in _read(folder / name):
        yield row["text"], label_of[row["id"]]


def _read(path: Path) -> _Rows:
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


def _known(text: str) -> list[tuple[str, str]]:
    draft = EpisodeDraft(text=text, session_id=SessionId("s"))
    alone = Transcript(id="s", genre="", language="", drafts=[draft], labels=[])
    return [(one.kind, one.words) for one in distilled(alone)]


def _told(found: Sequence[tuple[str, str]], gold: Sequence[tuple[str, str]]) -> int:
    """Return how many labels something was found of, the likest first."""
    alike = sorted(
        (
            (words_f1(ours, theirs), at, to)
            for at, (kind, ours) in enumerate(found)
            for to, (type_, theirs) in enumerate(gold)
            if kind == type_
        ),
        reverse=True,
    )
    taken: set[tuple[str, int]] = set()
    told = 0
    for likeness, at, to in alike:
        if likeness >= SAME_FROM and not taken & {("ours", at), ("theirs", to)}:
            taken |= {("ours", at), ("theirs", to)}
            told += 1
    return told


def words_f1(one: str, other: str) -> float:
    """Return the F1 of words that two texts share, each as often as it is there (SQuAD)."""
    ours, theirs = (Counter(_WORD.findall(text.casefold())) for text in (one, other))
    return _ratio(2 * (ours & theirs).total(), ours.total() + theirs.total())


def _numbered(words: Iterable[str]) -> set[tuple[str, int]]:
    """Make equal words unequal, so that a set counts them."""
    seen: Counter[str] = Counter()
    numbered = set()
    for word in words:
        seen[word] += 1
        numbered.add((word, seen[word]))
    return numbered


def _of(things_: set[tuple[str, str]], type_: str) -> set[str]:
    return {name for name, one in things_ if one == type_}


def _folded(name: str) -> str:
    return name.casefold().removeprefix("the ")


def _spelt(type_: str) -> str:
    return type_.replace("organization", "organisation")


def _ratio(part: float, whole: float) -> float:
    return round(part / whole, 3) if whole else 0.0


if __name__ == "__main__":
    main()
