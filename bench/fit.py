"""
Choosing a weight of recall on some sets, and reporting it on others.

`python -m bench.fit --choose FILE… --report FILE… --weight second_of_two=0.4,0.6,0.8`: every value,
or every combination of them, is tried on all haystacks. The best mean of turn rec@10 over the files
to choose by wins, each file counting alike; what it gives is printed for the files to report on,
which the choice never saw, as the difference to the recipe as it is, paired by question. The last
line printed is one JSON object.
"""

import argparse
import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import replace
from itertools import product
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import tilth
from bench.haystacks import Haystack, read
from bench.recall import BATCH, interval
from tilth.recall.recaller import DEFAULT, Recipe
from tilth.runtime.brain import Brain

DEPTH = 10


def main() -> None:
    """Try the weights named on the command line."""
    parser = argparse.ArgumentParser(description="Choose a weight of recall.")
    parser.add_argument("--choose", nargs="+", type=Path, required=True)
    parser.add_argument("--report", nargs="+", type=Path, required=True)
    parser.add_argument("--weight", action="append", required=True, metavar="NAME=VALUE,…")
    parser.add_argument("--every", type=int, default=1, help="ask only every so manyth question")
    options = parser.parse_args()
    recipes = {"as it is": DEFAULT} | dict(_recipes(options.weight))
    with ExitStack() as open_:
        chosen_by = [_scores(path, recipes, options.every, open_) for path in options.choose]
        means = {
            name: sum(interval(one[name].values())[0] for one in chosen_by) / len(chosen_by)
            for name in recipes
        }
        best = max(means, key=lambda name: means[name])
        reported = {
            path.name: _difference(_scores(path, recipes, options.every, open_), best)
            for path in options.report
        }
    for name, mean in means.items():
        print(f"{name:40}{mean:8.2f}{'  chosen' if name == best else ''}")
    for name, (mean, low, high) in reported.items():
        print(f"reported on {name}: {mean:+} [{low}, {high}]")
    print(json.dumps({"chosen": best, "means": means, "reported": reported}))


def _recipes(weights: Sequence[str]) -> Iterator[tuple[str, Recipe]]:
    """Yield every combination of the values that are named."""
    named = [one.split("=") for one in weights]
    for values in product(*(listed.split(",") for _, listed in named)):
        changes: dict[str, Any] = {
            name: float(value) for (name, _), value in zip(named, values, strict=True)
        }
        told = ", ".join(f"{name} {value}" for name, value in changes.items())
        yield told, replace(DEFAULT, **changes)


def _scores(
    path: Path, recipes: Mapping[str, Recipe], every: int, open_: ExitStack
) -> dict[str, dict[str, float]]:
    """Return by recipe what each question of a file scores."""
    scores: dict[str, dict[str, float]] = {name: {} for name in recipes}
    for haystack in read(path):
        brain, doc_of = _told(haystack, open_)
        for name, recipe in recipes.items():
            parts = brain.parts
            tried = Brain(replace(parts, recaller=replace(parts.recaller, recipe=recipe)))
            for query in haystack.queries[::every]:
                if query.gold:
                    hits = tried.recall(query.question, limit=DEPTH, as_of=query.at).hits
                    found = query.gold.intersection(doc_of[hit.id] for hit in hits)
                    scores[name][f"{haystack.hid} {query.qid}"] = len(found) / len(query.gold)
    return scores


def _told(haystack: Haystack, open_: ExitStack) -> tuple[Brain, dict[str, str]]:
    """Return a brain that was told *haystack*, and the turn of each episode."""
    folder = open_.enter_context(TemporaryDirectory(prefix="tilth-fit-"))
    brain = open_.enter_context(tilth.connect(Path(folder) / "fit.db", create=True))
    doc_of: dict[str, str] = {}
    for at in range(0, len(haystack.docs), BATCH):
        docs = haystack.docs[at : at + BATCH]
        ids = brain.remember_many([doc.draft() for doc in docs])
        doc_of |= zip(ids, (doc.id for doc in docs), strict=True)
    brain.embed_backlog()
    return brain, doc_of


def _difference(scores: Mapping[str, Mapping[str, float]], best: str) -> tuple[float, ...]:
    before = scores["as it is"]
    return interval(value - before[qid] for qid, value in scores[best].items())


if __name__ == "__main__":
    main()
