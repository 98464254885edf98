"""
How often two facts that say nearly the same are found, and how often two that do not.

Takes JSON lines of pairs, labelled `same` or `other` (bench/data/doubles.jsonl is ours: half of
it differs in a port, a name, a word). For each threshold it says how many of each are taken for
doubles by the mean cosine of both tiers alone, and where what disagrees is left out. The last
line printed is one JSON object.
"""

import argparse
import json
from collections.abc import Sequence
from pathlib import Path
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from tilth.embedding.embedder import Vector
from tilth.embedding.minilm import MiniLmEmbedder
from tilth.embedding.static import StaticEmbedder
from tilth.knowledge.likeness.conflicts import LIKENESS_MIN, conflicts
from tilth.knowledge.likeness.parse_statement import read_statement

PAIRS = Path(__file__).parent / "data" / "doubles.jsonl"
_Flags: TypeAlias = NDArray[np.bool_]
THRESHOLDS = (0.80, 0.85, 0.88, 0.90, LIKENESS_MIN, 0.94, 0.96)


def main() -> None:
    """Measure, and print what came of it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("file", nargs="?", type=Path, default=PAIRS, help="labelled pairs")
    with parser.parse_args().file.open(encoding="utf-8") as lines:
        pairs = [json.loads(line) for line in lines]
    is_same = np.array([pair["label"] == "same" for pair in pairs])
    agrees = np.array([not _disagree(pair["one"], pair["other"]) for pair in pairs])
    cosines = _cosines([pair["one"] for pair in pairs], [pair["other"] for pair in pairs])
    found = {
        f"{threshold:.2f}": {
            "cosine": _counts(cosines >= threshold, is_same),
            "double": _counts((cosines >= threshold) & agrees, is_same),
        }
        for threshold in THRESHOLDS
    }
    print(json.dumps({"same": int(is_same.sum()), "other": int((~is_same).sum()), "at": found}))


def _disagree(one: str, other: str) -> bool:
    return bool(conflicts(read_statement(one), read_statement(other)))


def _cosines(ones: Sequence[str], others: Sequence[str]) -> Vector:
    tiers = (StaticEmbedder(), MiniLmEmbedder())
    told = [(tier.embed(ones) * tier.embed(others)).sum(axis=1) for tier in tiers]
    mean: Vector = np.mean(told, axis=0)
    return mean


def _counts(taken: _Flags, is_same: _Flags) -> dict[str, int]:
    return {"found": int(taken[is_same].sum()), "wrong": int(taken[~is_same].sum())}


if __name__ == "__main__":
    main()
