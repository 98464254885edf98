"""
How often the newest statement of a fact comes first, where a later one corrects an earlier one.

FactConsolidation, single hop: numbered facts, of which the last in a slot holds, and questions with
its value. Recall knows no slots yet; grouping of nearly equal statements is all that helps it. The
last line printed is one JSON object.
"""

import argparse
import gzip
import json
import re
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import tilth
from tilth.domain.episode import EpisodeDraft

BEGIN = datetime(2024, 1, 1, tzinfo=UTC)
STEP = timedelta(minutes=1)
DEPTH = 10


def main() -> None:
    """Measure the files named on the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("files", nargs="+", type=Path)
    report = {}
    for path in parser.parse_args().files:
        with gzip.open(path, "rt") as file:
            data = json.load(file)
        report[path.name.split(".")[0]] = measured = _measure(data["facts"], data["questions"])
        for name, shares in measured.items():
            print(f"{path.name:44} {name:12}", "  ".join(f"{k} {v}" for k, v in shares.items()))
    print(json.dumps(report))


def _measure(
    facts: Sequence[str], questions: Sequence[dict[str, Any]]
) -> dict[str, dict[str, float]]:
    """Return the share of questions, in percent, that are answered at each depth."""
    with (
        TemporaryDirectory() as folder,
        tilth.connect(Path(folder) / "bench.db", create=True) as brain,
    ):
        brain.remember_many(
            [
                EpisodeDraft(text=fact, occurred_at=BEGIN + at * STEP)
                for at, fact in enumerate(facts)
            ]
        )
        brain.embed_backlog()
        return {
            name: _shares(
                [
                    _place(brain.recall(one["q"], limit=DEPTH, is_grouped=is_grouped).hits, one)
                    for one in questions
                ]
            )
            for name, is_grouped in (("grouped", True), ("not grouped", False))
        }


def _place(hits: Iterable[Any], question: dict[str, Any]) -> int:
    """Return the place of the first hit that holds the value that is in force, from 1."""
    answers = [_plain(answer) for answer in question["answers"]]
    for place, hit in enumerate(hits, 1):
        if any(f" {answer} " in f" {_plain(hit.text)} " for answer in answers):
            return place
    return DEPTH + 1


def _shares(places: Sequence[int]) -> dict[str, float]:
    return {
        f"top{depth}": round(100 * sum(place <= depth for place in places) / len(places), 1)
        for depth in (1, 3, DEPTH)
    }


def _plain(text: str) -> str:
    return re.sub(r"\W+", " ", text.casefold()).strip()


if __name__ == "__main__":
    main()
