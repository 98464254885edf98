"""
Learn what makes a sentence worth telling in another session, from sentences that a reader labelled.

    python -m bench.train_worth STREAMS [--gold FOLDER]… [--write]

`dev/labels.jsonl` of the streams holds sentences and turns of users and agents, each labelled as
worth keeping or not. `--gold` names folders of streams with gold (`dev/PROJECT/gold.jsonl`, as
those streams have): of each project there, a sentence that an agent reported counts as kept if it
holds what the gold wants (of users' sentences this told nothing more). A gold leaves out what
another reader wants, so a project weighs as much as so many labels, and has a bias of its own.

A logistic regression over the forms of `tilth.exchanges.worth` is fitted to what users typed and to
what agents reported, with what both share (Daumé 2007, "Frustratingly Easy Domain Adaptation"). The
score told is of the labels of each project by the weights of the others: the area under its ROC
curve. `--write` writes the weights of all into the package. The last line is one JSON.
"""

import argparse
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

import tilth
from bench import streams
from bench.machine import ROOT, store_environment
from tilth.core.scope import Scope
from tilth.episodes.episode import Role
from tilth.exchanges.model import Exchange
from tilth.exchanges.sentences import own_sentences
from tilth.exchanges.worth import all_forms, forms_of

PENALTY = 3.0
# A project with gold weighs as much as so many labels; see ADR 35.
OF_A_PROJECT = 90
_STEPS = 40
_CHARS = range(25, 401)
_TARGET = ROOT / "src" / "tilth" / "exchanges" / "worth.json"
Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Examples:
    """Sentences of one project, as forms, which of them are kept, and how much each weighs."""

    project: str
    rows: Floats
    kept: Floats
    weight: float = 1.0
    # What a gold keeps is chosen otherwise than what a label says of a sentence.
    is_gold: bool = False


def main() -> None:
    """Learn, and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("streams", type=Path)
    parser.add_argument("--gold", type=Path, action="append", default=[])
    parser.add_argument("--write", action="store_true", help="write the weights into the package")
    options = parser.parse_args()
    lines = (options.streams / "dev/labels.jsonl").read_text("utf-8").splitlines()
    labels = [json.loads(line) for line in lines]
    labels = [one for one in labels if one["role"] in {"user", "agent"}]
    projects = sorted({_project(one) for one in labels})
    known = [
        _of_labels(name, [one for one in labels if _project(one) == name]) for name in projects
    ]
    known += [one for folder in options.gold for one in of_gold(options.streams, folder)]
    scores = held_out(known, labels)
    kept = np.array([float(one["label"] == "keep") for one in labels])
    report: dict[str, Any] = {"labels": len(labels), "kept": int(kept.sum())}
    report["gold"] = {one.project: len(one.kept) for one in known if one.is_gold}
    for role in ("user", "agent"):
        which = np.array([one["role"] == role for one in labels])
        report[f"auc {role}"] = round(area(kept[which], scores[which]), 3)
    report["auc"] = round(area(kept, scores), 3)
    if options.write:
        told = json.dumps(_told(fitted(known)), indent=1, ensure_ascii=False)
        _TARGET.write_text(f"{told}\n", encoding="utf-8")
    print(json.dumps(report | store_environment()))


def _project(label: Mapping[str, str]) -> str:
    return label["file"].split("/")[0]


def _of_labels(project: str, labels: Sequence[Mapping[str, str]]) -> Examples:
    rows = [_row(one["text"], is_users=one["role"] == "user") for one in labels]
    kept = [float(one["label"] == "keep") for one in labels]
    return Examples(project, np.array(rows), np.array(kept))


def of_gold(judging: Path, folder: Path) -> Iterator[Examples]:
    """Yield the sentences of each project of a folder of streams, by what its gold wants."""
    judge = streams.judge(judging)
    for gold in sorted((folder / "dev").glob("*/gold.jsonl")):
        name = gold.parent.name
        wanted, _ = judge.load([str(gold)])
        last = max(one["after"] for one in wanted.values())
        scope = Scope(f"project:{name}")
        store = streams.episodes(streams.Stream(gold.parent), last) / "brain.db"
        with tilth.connect(store) as brain:
            found = brain.exchanges.list(limit=1000, scope=scope)
        said = [text for one in found for text in _reported(one)]
        live = judge.live(wanted, name, last)
        kept = [float(any(judge.holds(text, one) for one in live)) for text in said]
        rows = [_row(text, is_users=False) for text in said]
        weight = OF_A_PROJECT / len(said)
        yield Examples(name, np.array(rows), np.array(kept), weight, is_gold=True)


def _reported(exchange: Exchange) -> Iterator[str]:
    """Yield the sentences of a report that are long enough to tell something."""
    for one in own_sentences(exchange.report, Role.ASSISTANT):
        text = " ".join(one.said.replace("**", "").split())
        if len(text) in _CHARS:
            yield text


def _row(text: str, *, is_users: bool) -> list[float]:
    found = set(forms_of(text))
    forms = [1.0, *(float(form in found) for form in all_forms())]
    return [*forms, *(form * is_users for form in forms)]


def held_out(known: Sequence[Examples], labels: Sequence[Mapping[str, str]]) -> Floats:
    """Return the score of each label by what was learned from the other projects."""
    scores = np.zeros(len(labels))
    for own in (one for one in known if not one.is_gold):
        which = np.array([_project(one) == own.project for one in labels])
        # The gold of a project goes by its name, or by a longer one.
        others = [one for one in known if not one.project.startswith(own.project)]
        scores[which] = own.rows @ fitted(others)
    return scores


def fitted(known: Sequence[Examples]) -> Floats:
    """Return the weights with the largest penalised likelihood, by Newton's method."""
    width = known[0].rows.shape[1]
    rows = np.vstack([_with_own_bias(one) for one in known])
    kept = np.concatenate([one.kept for one in known])
    weighs = np.concatenate([np.full(len(one.kept), one.weight) for one in known])
    weights = np.zeros(rows.shape[1])
    penalty = np.full(rows.shape[1], PENALTY)
    penalty[[0, width]] = 1e-3
    for _ in range(_STEPS):
        chance = 1 / (1 + np.exp(-rows @ weights))
        slope = rows.T @ (weighs * (chance - kept)) + penalty * weights
        bend = (rows * (weighs * chance * (1 - chance))[:, None]).T @ rows + np.diag(penalty)
        weights -= np.linalg.solve(bend, slope)
    return weights[:width]


def _with_own_bias(one: Examples) -> Floats:
    """Return rows with whether they are of a gold, which keeps otherwise, beside their forms."""
    return np.hstack([one.rows, np.full((len(one.rows), 1), float(one.is_gold))])


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
