"""
How often the newest statement of a fact comes first, where a later one corrects an earlier one.

FactConsolidation, single hop: numbered facts, of which the last in a slot holds, and questions with
its value. They are told as episodes, where grouping of nearly equal statements is all that helps,
and stated as facts: triples that `bench.frames` reads from them, under predicates that have one
value. The last line printed is one JSON object.
"""

import argparse
import gzip
import json
import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import tilth
from bench.frames import Frames
from bench.machine import keep
from tilth.core.actor import Actor, ActorKind
from tilth.episodes.episode import EpisodeDraft
from tilth.knowledge.vocabulary.events import WordRegistered
from tilth.knowledge.vocabulary.registries import Cardinality, Entry, Registry

BEGIN = datetime(2024, 1, 1, tzinfo=UTC)
STEP = timedelta(minutes=1)
DEPTH = 10
OPERATOR = Actor("operator", ActorKind.HUMAN)


def main() -> None:
    """Measure the files named on the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("files", nargs="+", type=Path)
    report: dict[str, dict[str, dict[str, float]]] = {}
    for path in parser.parse_args().files:
        with gzip.open(path, "rt") as file:
            data = json.load(file)
        measured = report[path.name.split(".")[0]] = {}
        for name, shares in _measured(data["facts"], data["questions"]):
            measured[name] = shares
            line = "  ".join(f"{k} {v}" for k, v in shares.items())
            print(f"{path.name:44} {name:18} {line}", flush=True)
    keep("currency", {"bench": "currency", "files": report})


def _measured(
    told: Sequence[str], questions: Sequence[dict[str, Any]]
) -> Iterator[tuple[str, dict[str, float]]]:
    """Yield the share of questions, in percent, that are answered at each depth, by each way."""
    for name, way in (("facts", _state), ("", _tell)):
        with (
            TemporaryDirectory() as folder,
            tilth.connect(Path(folder) / "bench.db", create=True) as brain,
        ):
            way(told, brain)
            brain.embed_backlog()
            for how, is_grouped in (("grouped", True), ("not grouped", False)):
                shares = _shares([_found(brain, one, is_grouped=is_grouped) for one in questions])
                yield f"{name}, {how}" if name else how, shares


def _found(brain: tilth.Brain, asked: dict[str, Any], *, is_grouped: bool) -> int:
    return _place(brain.recall(asked["q"], limit=DEPTH, is_grouped=is_grouped).hits, asked)


def _tell(told: Sequence[str], brain: tilth.Brain) -> None:
    brain.remember_many(
        [EpisodeDraft(text=fact, occurred_at=BEGIN + at * STEP) for at, fact in enumerate(told)]
    )


def _state(told: Sequence[str], brain: tilth.Brain) -> None:
    """State what is *told* as triples, in order; what has no frame is an episode alone."""
    frames = Frames(told)
    framed = [frames.framed(sentence) for sentence in told]
    _register(brain, {one.predicate for one in framed if one is not None})
    brain.facts.add_many(
        [
            {
                "text": one.text,
                "subject": one.subject,
                "predicate": one.predicate,
                "object": one.value,
                "valid_from": BEGIN + at * STEP,
            }
            for at, one in enumerate(framed)
            if one is not None
        ]
    )
    _tell([sentence for sentence, one in zip(told, framed, strict=True) if one is None], brain)


def _register(brain: tilth.Brain, predicates: Collection[str]) -> None:
    """Let a human say that each of *predicates* has one value, which agents may change."""
    recorder = brain._parts.recorder  # noqa: SLF001 - no use case registers many
    with brain._parts.store.begin() as tx:  # noqa: SLF001 - likewise
        for name in sorted(predicates):
            entry = Entry(registry=Registry.PREDICATE, name=name, cardinality=Cardinality.SINGLE)
            tx.append(WordRegistered(entry), by=OPERATOR, owner=recorder.owner)


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
