"""
How well triples are read from what a person says, and, apart from it, how much becomes a fact.

    python -m bench.triples [FILE] [--misses]

Each sentence of a dated fixture is said in a session of its own, on its day, and distilled. In
ours, bench/data/triples.jsonl, the sentences were written before the extractors read them, and
the names that Tilth gives to predicates were added after. A triple is right where its subject,
its predicate and its object are each one of the spellings that the row gives; precision, recall
and F1 are of triples. Coverage is another thing: the share of the sentences that state something
of which any fact comes at all, with a triple or without, and beside it that of those that state
nothing. The last line is one JSON object.
"""

import argparse
import json
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path

import tilth
from bench.machine import store_environment
from tilth.core.text.names import index_key
from tilth.knowledge.facts.statement import Triple

ROWS = Path(__file__).parent / "data" / "triples.jsonl"


@dataclass(frozen=True, slots=True)
class Row:
    """A sentence, when it was said, and its triples: of each part the spellings that are right."""

    at: datetime
    text: str
    triples: Sequence[Sequence[Sequence[str]]]


@dataclass(slots=True)
class Read:
    """What came of a sentence: the triples that were read, and of how many facts."""

    row: Row
    facts: int = 0
    triples: list[Triple] = field(default_factory=list)

    @property
    def right(self) -> int:
        """How many of the row's triples were read."""
        return sum(any(_is(one, told) for one in self.triples) for told in self.row.triples)


def main() -> None:
    """Read the fixture, and print both measures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("file", nargs="?", type=Path, default=ROWS)
    parser.add_argument("--misses", action="store_true", help="show what was missed or is wrong")
    options = parser.parse_args()
    done = read(rows(options.file))
    for one in done if options.misses else ():
        if one.right < max(len(one.row.triples), len(one.triples)):
            print(one.row.text, " read:", [(t.subject, t.predicate, t.object) for t in one.triples])
    print(json.dumps(measured(done) | store_environment()))


def rows(path: Path) -> list[Row]:
    """Read a fixture of JSON lines: `at`, `text`, `triples`."""
    told = [json.loads(line) for line in path.read_text("utf-8").splitlines()]
    return [
        Row(datetime.fromisoformat(f"{one['at']}T09:00:00+00:00"), one["text"], one["triples"])
        for one in told
    ]


def read(said: Sequence[Row]) -> list[Read]:
    """Say each sentence in a session of its own, distil, and return what came of each."""
    done = [Read(row) for row in said]
    with tempfile.TemporaryDirectory() as folder:
        store = Path(folder) / "brain.db"
        with tilth.connect(store, create=True, actor=tilth.Human("ada")) as brain:
            for number, one in enumerate(done):
                scope = f"project:{number}"
                brain.remember(one.row.text, session_id=f"s{number}", at=one.row.at, scope=scope)
            brain.distil(is_asked=True)
            for number, one in enumerate(done):
                facts = brain.facts.list(scope=f"project:{number}", limit=100)
                one.facts = len(facts)
                one.triples = [fact.said.triple for fact in facts if fact.said.triple is not None]
    return done


def measured(done: Sequence[Read]) -> dict[str, object]:
    """Return precision, recall and F1 of triples, and the coverage of sentences."""
    wanted = sum(len(one.row.triples) for one in done)
    found, right = sum(len(one.triples) for one in done), sum(one.right for one in done)
    precision, recall = right / max(1, found), right / max(1, wanted)
    stating = [one for one in done if one.row.triples]
    silent = [one for one in done if not one.row.triples]
    return {
        "bench": "triples",
        "triples": {
            "wanted": wanted,
            "found": found,
            "right": right,
            "precision": round(precision, 3),
            "recall": round(recall, 3),
            "f1": round(2 * precision * recall / max(1e-9, precision + recall), 3),
        },
        "coverage": {
            "stating": round(sum(one.facts > 0 for one in stating) / max(1, len(stating)), 3),
            "silent": round(sum(one.facts > 0 for one in silent) / max(1, len(silent)), 3),
        },
    }


def _is(read: Triple, told: Sequence[Sequence[str]]) -> bool:
    parts = (read.subject, read.predicate, read.object)
    return all(
        index_key(part) in map(index_key, spellings)
        for part, spellings in zip(parts, told, strict=True)
    )


if __name__ == "__main__":
    main()
