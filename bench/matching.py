"""
How well names are matched: which are taken for one another at once, and which are suggested.

A set is a folder with `left.csv` (names that are known), `right.csv` (names that are sought) and
`gt.csv` (which belong together). Names are found by blocking keys, as a store would. Beside it
stand equality without case, and the five best of all names by rapidfuzz' WRatio. Since the sets
hold few misspellings, some known names are misspelled and sought as well. Constants were chosen on
every other set, in the order of their names; the rest are `held_out`. The last line printed is one
JSON object.
"""

import argparse
import csv
import json
import time
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from random import Random  # noqa: TID251 - always seeded

import numpy as np
from rapidfuzz import fuzz, process

from tilth.core.text.names import name_key
from tilth.knowledge.entities.blocking import CANDIDATES_MAX, blocking_keys, parts, worth_asking
from tilth.knowledge.entities.match_names import FLOOR, SUGGESTIONS_MAX, Decision, Named, match

_TYPE = "service"  # one that is merged without a human
_BINS = 5
_MISSPELLED = 40  # names of each set
_MISSPELLED_CHARS_MIN = 5
_SEED = 3


@dataclass(slots=True)
class Tally:
    """What was counted of one set, or of several."""

    sought: int = 0
    known: int = 0
    pairs: int = 0
    merged: int = 0
    merged_right: int = 0
    suggested: int = 0  # above the floor
    suggested_right: int = 0
    hits: int = 0
    in_common: int = 0  # pairs that share a word or are joined or initials
    in_common_hits: int = 0
    brought: int = 0  # by blocking
    casefold: int = 0
    casefold_right: int = 0
    wratio_hits: int = 0
    misspelled: int = 0
    misspelled_hits: int = 0
    misspelled_shown: int = 0  # above the floor

    def add(self, other: "Tally") -> None:
        """Add what was counted elsewhere."""
        for one in fields(self):
            setattr(self, one.name, getattr(self, one.name) + getattr(other, one.name))

    def shares(self) -> dict[str, float]:
        """Return the figures that are reported."""
        return {
            "pairs": self.pairs,
            "merge_precision": _share(self.merged_right, self.merged),
            "merge_recall": _share(self.merged_right, self.pairs),
            "hit@5": _share(self.hits, self.pairs),
            "hit@5_in_common": _share(self.in_common_hits, self.in_common),
            "floor_precision": _share(self.suggested_right, self.suggested),
            "brought": _share(self.brought, self.pairs),
            "casefold_precision": _share(self.casefold_right, self.casefold),
            "casefold_recall": _share(self.casefold_right, self.pairs),
            "wratio_hit@5": _share(self.wratio_hits, self.pairs),
            "misspelled_hit@5": _share(self.misspelled_hits, self.misspelled),
            "misspelled_shown": _share(self.misspelled_shown, self.misspelled),
        }


@dataclass(frozen=True, slots=True)
class NameSet:
    """Names that are known, names that are sought, and which of the known each of them means."""

    known: Mapping[str, str]
    sought: Mapping[str, str]
    meant: Mapping[str, str]


class Index:
    """The names of a set by their blocking keys."""

    def __init__(self, known: Mapping[str, str]) -> None:
        self._known = {id_: Named(id=id_, name=name, type=_TYPE) for id_, name in known.items()}
        self._bearers: dict[str, list[str]] = defaultdict(list)
        for id_, name in known.items():
            for key in blocking_keys(name):
                self._bearers[key].append(id_)

    def candidates(self, name: str) -> list[Named]:
        """Return what shares the name's key, and the best of what shares other keys with it."""
        counts = {key: len(self._bearers.get(key, ())) for key in blocking_keys(name)}
        weight: dict[str, float] = defaultdict(float)
        for key, worth in sorted(worth_asking(counts, len(self._known)).items()):
            for id_ in self._bearers[key]:
                weight[id_] += worth
        best = sorted(weight, key=lambda id_: -weight[id_])[:CANDIDATES_MAX]
        same = [id_ for id_ in self._bearers.get(f"={name_key(name)}", ()) if id_ not in best]
        return [self._known[id_] for id_ in same + best]


def main() -> None:
    """Measure the sets in the folder named on the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    folders = sorted(path.parent for path in parser.parse_args().folder.rglob("gt.csv"))
    if not folders:
        parser.error("no folder in there holds a gt.csv")
    started = time.perf_counter()
    tallies, scores = {}, []
    for folder in folders:
        tallies[folder.name], scored = _measure(_read(folder))
        scores += scored
        print(f"{folder.name:30}", _line(tallies[folder.name].shares()))
    halves = {"tuned_on": list(tallies.values())[::2], "held_out": list(tallies.values())[1::2]}
    report: dict[str, object] = {"sets": {name: one.shares() for name, one in tallies.items()}}
    totals = {name: _total(some) for name, some in halves.items()} | {
        "total": _total(tallies.values())
    }
    for name, total in totals.items():
        print(f"{name:30}", _line(total))
    seconds = round(time.perf_counter() - started, 1)
    print(json.dumps(report | totals | {"calibration": _calibration(scores), "seconds": seconds}))


def _read(folder: Path) -> NameSet:
    def column(file: str, key: str, value: str) -> dict[str, str]:
        with (folder / file).open(encoding="utf-8", newline="") as lines:
            return {row[key]: row[value] for row in csv.DictReader(lines)}

    return NameSet(
        column("left.csv", "id", "title"),
        column("right.csv", "id", "title"),
        column("gt.csv", "id_r", "id_l"),
    )


def _measure(names: NameSet) -> tuple[Tally, list[tuple[float, bool]]]:
    tally = Tally(sought=len(names.sought), known=len(names.known), pairs=len(names.meant))
    scores: list[tuple[float, bool]] = []
    index = Index(names.known)
    for id_, name in names.sought.items():
        candidates = index.candidates(name)
        sought = Named(id="sought", name=name, type=_TYPE)
        decision = match(sought, candidates, floor=0.0)
        meant = names.meant.get(id_)
        tally.brought += meant in {one.id for one in candidates}
        _count(tally, decision, meant)
        if meant is not None and _have_in_common(name, names.known[meant]):
            tally.in_common += 1
            tally.in_common_hits += _is_hit(decision, meant)
        scores += [(one.score, one.id == meant) for one in decision.suggestions]
    _count_misspelled(tally, names, index)
    _count_casefold(tally, names)
    _count_wratio(tally, names)
    return tally, scores


def _count(tally: Tally, decision: Decision, meant: str | None) -> None:
    if decision.same:
        tally.merged += 1
        tally.merged_right += decision.same.id == meant
    shown = [one for one in decision.suggestions if one.score >= FLOOR]
    tally.suggested += len(shown)
    tally.suggested_right += meant in {one.id for one in shown}
    tally.hits += _is_hit(decision, meant)


def _is_hit(decision: Decision, meant: str | None) -> bool:
    found = {decision.same.id} if decision.same else {one.id for one in decision.suggestions}
    return meant in found


def _have_in_common(name: str, other: str) -> bool:
    mine, theirs = parts(name), parts(other)
    return bool(
        set(mine.words) & set(theirs.words)
        or mine.joined == theirs.joined
        or mine.joined in theirs.initials
        or theirs.joined in mine.initials
    )


def _count_misspelled(tally: Tally, names: NameSet, index: Index) -> None:
    chance = Random(_SEED)
    long = [(id_, name) for id_, name in names.known.items() if len(name) >= _MISSPELLED_CHARS_MIN]
    for id_, name in chance.sample(long, min(_MISSPELLED, len(long))):
        wrong = _misspelled(name, chance)
        if name_key(wrong) == name_key(name):
            continue
        sought = Named(id="sought", name=wrong, type=_TYPE)
        decision = match(sought, index.candidates(wrong), floor=0.0)
        tally.misspelled += 1
        tally.misspelled_hits += _is_hit(decision, id_)
        shown = {one.id for one in decision.suggestions if one.score >= FLOOR}
        tally.misspelled_shown += id_ in shown


def _misspelled(name: str, chance: Random) -> str:
    """Return *name* with two letters swapped, one left out, one too many, or a wrong one."""
    at = chance.randrange(1, len(name) - 1)
    before, here, after = name[:at], name[at], name[at + 1 :]
    letter = chance.choice("aeiourstln")
    wrongs = (after[0] + here + after[1:], after, letter + here + after, letter + after)
    return before + chance.choice(wrongs)


def _count_casefold(tally: Tally, names: NameSet) -> None:
    bearers = defaultdict(list)
    for id_, name in names.known.items():
        bearers[name.casefold()].append(id_)
    for id_, name in names.sought.items():
        if len(found := bearers[name.casefold()]) == 1:
            tally.casefold += 1
            tally.casefold_right += names.meant.get(id_) == found[0]


def _count_wratio(tally: Tally, names: NameSet) -> None:
    ids, known = list(names.known), list(names.known.values())
    sought = [names.sought[id_] for id_ in names.meant]
    scores = process.cdist(sought, known, scorer=fuzz.WRatio, workers=2)
    best = np.argsort(-scores, axis=1, kind="stable")[:, :SUGGESTIONS_MAX]
    for meant, row in zip(names.meant.values(), best, strict=True):
        tally.wratio_hits += meant in {ids[at] for at in row}


def _total(tallies: Iterable[Tally]) -> dict[str, float]:
    """Return the figures over all pairs, and the mean over the sets of those aimed at."""
    total, hits = Tally(), []
    for tally in tallies:
        total.add(tally)
        hits.append(_share(tally.hits, tally.pairs))
    return total.shares() | {"hit@5_mean_of_sets": _share(sum(hits), len(hits))}


def _calibration(scores: Sequence[tuple[float, bool]]) -> list[dict[str, float]]:
    """Return for scores from 0 to 1, in equal steps, how many of their suggestions are right."""
    bins: list[list[tuple[float, bool]]] = [[] for _ in range(_BINS)]
    for score, is_right in scores:
        bins[min(int(score * _BINS), _BINS - 1)].append((score, is_right))
    return [
        {
            "suggestions": len(some),
            "score": _share(sum(score for score, _ in some), len(some)),
            "right": _share(sum(is_right for _, is_right in some), len(some)),
        }
        for some in bins
    ]


def _share(part: float, whole: float) -> float:
    return round(part / whole, 4) if whole else 0.0


def _line(shares: Mapping[str, float]) -> str:
    return "  ".join(f"{name} {share}" for name, share in shares.items())


if __name__ == "__main__":
    main()
