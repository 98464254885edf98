"""
Learn what makes a sentence worth telling in another session, from sentences that readers labelled.

    python -m bench.train_worth STREAMS [--grades FILE]… [--write ROLE]…

`dev/labels.jsonl` of the streams holds sentences and turns of users and agents, each labelled as
worth keeping or not. `--grades` names files of sentences that readers of whole sessions graded, a
JSON object each line: its `project`, its `role` (user or agent), its `text`, its `grade` (2 where
it should stand before an agent that begins the next session; 2x the same, but overtaken later; 1
where it is of use to who asks; 0), and `picked`: true where sentences of each grade were chosen, as
rare ones must be; false where all of a project were graded. Such files hold what others wrote, so
they stay outside of the repository.

A logistic regression over the forms of `tilth.exchanges.worth` is fitted to what users typed and to
what agents reported, with what both share (Daumé 2007, "Frustratingly Easy Domain Adaptation").
Each source keeps more or fewer sentences than another and has a bias of its own; the labels' is
told. The scores told are of each project by the weights of the others: the area under its ROC
curve. `--write` writes the weights of a role into the package. The last line is one JSON.
"""

import argparse
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bench.machine import ROOT, store_environment
from tilth.exchanges.worth import all_forms, forms_of

PENALTY, _BIAS_PENALTY = 4.0, 0.3
# What a grade says of how likely a sentence is worth telling.
LIKELY = {"2": 1.0, "2x": 0.7, "1": 0.15, "0": 0.0}
# What a sentence weighs by its source: labels are few, and projects are rather many than long.
_WEIGHTS = {"labels": 3.0, "picked": 2.0, "graded": 1.0}
_STEPS = 40
_TARGET = ROOT / "src" / "tilth" / "exchanges" / "worth.json"
Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]


@dataclass(frozen=True)
class Examples:
    """
    Sentences as forms, one a row: how likely each is worth telling, and where it comes from.

    *is_best* marks those that weights are scored by: a label "keep", or grade 2.
    """

    projects: NDArray[np.str_]
    sources: NDArray[np.str_]
    is_users: Flags
    rows: Floats
    likely: Floats
    is_best: Flags


def main() -> None:
    """Learn, and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("streams", type=Path)
    parser.add_argument("--grades", type=Path, action="append", default=[])
    help_ = "write the weights of this role into the package"
    parser.add_argument(
        "--write", choices=("user", "agent"), action="append", default=[], help=help_
    )
    options = parser.parse_args()
    labels = map(_labelled, _lines(options.streams / "dev/labels.jsonl"))
    read = [one for one in labels if one["role"] in {"user", "agent"}]
    for file in options.grades:
        read += map(_graded, _lines(file))
    known = examples(read)
    scores = held_out(known)
    report: dict[str, Any] = {"sentences": len(read), "projects": len({*known.projects})}
    for source in dict.fromkeys(known.sources):
        for role, is_users in (("user", True), ("agent", False)):
            which = (known.sources == source) & (known.is_users == is_users)
            report[f"auc {source} {role}"] = round(area(known.is_best[which], scores[which]), 3)
    if options.write:
        told = _told(fitted(known))
        weights = json.loads(_TARGET.read_text("utf-8")) | {one: told[one] for one in options.write}
        text = json.dumps(weights, indent=1, ensure_ascii=False)
        _TARGET.write_text(f"{text}\n", encoding="utf-8")
    print(json.dumps(report | store_environment()))


def _lines(file: Path) -> Iterable[Mapping[str, Any]]:
    return map(json.loads, file.read_text("utf-8").splitlines())


def _labelled(line: Mapping[str, Any]) -> dict[str, Any]:
    project, _, _ = line["file"].partition("/")
    grade = "2" if line["label"] == "keep" else "0"
    return {**line, "project": project, "grade": grade, "source": "labels"}


def _graded(line: Mapping[str, Any]) -> dict[str, Any]:
    return {**line, "source": "picked" if line["picked"] else "graded"}


def examples(read: Sequence[Mapping[str, Any]]) -> Examples:
    """Return graded sentences as forms."""
    grades = [str(one["grade"]) for one in read]
    return Examples(
        np.array([one["project"] for one in read]),
        np.array([one["source"] for one in read]),
        np.array([one["role"] == "user" for one in read]),
        np.array([_row(one["text"], is_users=one["role"] == "user") for one in read]),
        np.array([LIKELY[grade] for grade in grades]),
        np.array([grade == "2" for grade in grades]),
    )


def _row(text: str, *, is_users: bool) -> list[float]:
    found = set(forms_of(text))
    forms = [1.0, *(float(form in found) for form in all_forms())]
    return [*forms, *(form * is_users for form in forms)]


def held_out(known: Examples) -> Floats:
    """Return the score of each sentence by what was learned from the other projects."""
    scores = np.zeros(len(known.rows))
    for project in dict.fromkeys(known.projects):
        own = known.projects == project
        scores[own] = known.rows[own] @ fitted(known, ~own)
    return scores


def fitted(known: Examples, which: Flags | None = None) -> Floats:
    """Return the weights with the largest penalised likelihood of *which*, by Newton's method."""
    which = np.ones(len(known.rows), dtype=bool) if which is None else which
    width = known.rows.shape[1]
    rows, likely = _with_biases(known)[which], known.likely[which]
    weighs = np.array([_WEIGHTS[source] for source in known.sources[which]])
    weights = np.zeros(rows.shape[1])
    penalty = np.full(rows.shape[1], PENALTY)
    penalty[[0, width // 2]] = 1e-3
    penalty[width:] = _BIAS_PENALTY
    for _ in range(_STEPS):
        chance = 1 / (1 + np.exp(-rows @ weights))
        slope = rows.T @ (weighs * (chance - likely)) + penalty * weights
        bend = (rows * (weighs * chance * (1 - chance))[:, None]).T @ rows + np.diag(penalty)
        weights -= np.linalg.solve(bend, slope)
    return weights[:width]


def _with_biases(known: Examples) -> Floats:
    """Return rows with the sources other than labels beside their forms, for either role."""
    others = [one for one in _WEIGHTS if one != "labels"]
    of = np.stack([known.sources == one for one in others], axis=1).astype(float)
    return np.hstack([known.rows, of, of * known.is_users[:, None]])


def area(kept: Flags, scores: Floats) -> float:
    """Return the area under the ROC curve: how often a kept one scores above another."""
    ranks = np.empty(len(scores))
    ranks[np.argsort(scores)] = np.arange(1, len(scores) + 1)
    count = int(kept.sum())
    return float((ranks[kept].sum() - count * (count + 1) / 2) / (count * (len(kept) - count)))


def _told(weights: Floats) -> dict[str, dict[str, float]]:
    names = ["bias", *all_forms()]
    shared, users = weights[: len(names)], weights[len(names) :]
    return {
        "agent": {name: round(float(w), 2) for name, w in zip(names, shared, strict=True)},
        "user": {name: round(float(w), 2) for name, w in zip(names, shared + users, strict=True)},
    }


if __name__ == "__main__":
    main()
