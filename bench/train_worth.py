"""
Learn what makes a sentence worth telling in another session, from sentences that a reader labelled.

    python -m bench.train_worth STREAMS [--write]

`dev/labels.jsonl` of the streams holds sentences and turns of users and agents, each labelled as
worth keeping or not. A logistic regression over the forms of `tilth.exchanges.worth` is fitted to
what users typed and to what agents reported, with what both share (Daumé 2007, "Frustratingly Easy
Domain Adaptation"). The score told is of each project by the weights of the others: the area under
its ROC curve. `--write` writes the weights of all into the package. The last line is one JSON.
"""

import argparse
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bench.machine import ROOT, store_environment
from tilth.exchanges.worth import all_forms, forms_of

PENALTY = 3.0
_STEPS = 40
_TARGET = ROOT / "src" / "tilth" / "exchanges" / "worth.json"
Floats = NDArray[np.float64]


def main() -> None:
    """Learn, and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("streams", type=Path)
    parser.add_argument("--write", action="store_true", help="write the weights into the package")
    options = parser.parse_args()
    lines = (options.streams / "dev/labels.jsonl").read_text("utf-8").splitlines()
    labels = [json.loads(line) for line in lines]
    labels = [one for one in labels if one["role"] in {"user", "agent"}]
    rows = np.array([_row(one) for one in labels])
    kept = np.array([float(one["label"] == "keep") for one in labels])
    scores = held_out(labels, rows, kept)
    report: dict[str, Any] = {"labels": len(labels), "kept": int(kept.sum())}
    for role in ("user", "agent"):
        which = np.array([one["role"] == role for one in labels])
        report[f"auc {role}"] = round(area(kept[which], scores[which]), 3)
    report["auc"] = round(area(kept, scores), 3)
    if options.write:
        told = json.dumps(_told(fitted(rows, kept)), indent=1, ensure_ascii=False)
        _TARGET.write_text(f"{told}\n", encoding="utf-8")
    print(json.dumps(report | store_environment()))


def _row(label: Mapping[str, str]) -> list[float]:
    found = set(forms_of(label["text"]))
    forms = [1.0, *(float(form in found) for form in all_forms())]
    is_users = float(label["role"] == "user")
    return [*forms, *(form * is_users for form in forms)]


def held_out(labels: Sequence[Mapping[str, str]], rows: Floats, kept: Floats) -> Floats:
    """Return the score of each label by what was learned from the other projects."""
    projects = np.array([one["file"].split("/")[0] for one in labels])
    scores = np.zeros(len(labels))
    for project in sorted(set(projects)):
        own = projects == project
        scores[own] = rows[own] @ fitted(rows[~own], kept[~own])
    return scores


def fitted(rows: Floats, kept: Floats) -> Floats:
    """Return the weights with the largest penalised likelihood, by Newton's method."""
    weights = np.zeros(rows.shape[1])
    penalty = np.full(rows.shape[1], PENALTY)
    penalty[0] = 1e-3
    for _ in range(_STEPS):
        chance = 1 / (1 + np.exp(-rows @ weights))
        slope = rows.T @ (chance - kept) + penalty * weights
        bend = (rows * (chance * (1 - chance))[:, None]).T @ rows + np.diag(penalty)
        weights -= np.linalg.solve(bend, slope)
    return weights


def area(kept: Floats, scores: Floats) -> float:
    """Return the area under the ROC curve: how often a kept one scores above another."""
    ranks = np.empty(len(scores))
    ranks[np.argsort(scores)] = np.arange(1, len(scores) + 1)
    count = kept.sum()
    return float((ranks[kept == 1].sum() - count * (count + 1) / 2) / (count * (len(kept) - count)))


def _told(weights: Floats) -> dict[str, dict[str, float]]:
    names = ["bias", *all_forms()]
    shared, users = weights[: len(names)], weights[len(names) :]
    return {
        "agent": {name: round(float(w), 2) for name, w in zip(names, shared, strict=True)},
        "user": {name: round(float(w), 2) for name, w in zip(names, shared + users, strict=True)},
    }


if __name__ == "__main__":
    main()
