"""
How often the fact that a new statement contradicts is found, and how often one is flagged wrongly.

Takes JSON lines of facts with a statement that contradicts one of them. The facts of a line and
others up to a thousand are its pool; what BM25 and the vectors find nearest in it is ranked. The
facts of a line agree with each other, so each is asked about too as if it were new: what is flagged
then is a false flag. The weights and the floor were set on every other haystack ("tuned"); the rest
are "held out" of that alone, since which signs to read was chosen with both in view. The last line
printed is one JSON object.
"""

import argparse
import json
import sys
import time
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random  # noqa: TID251 - always seeded
from typing import Any

import numpy as np

from bench.baselines import Bm25Alone
from tilth.embedding.embedder import Embedder, Vector
from tilth.embedding.minilm import MiniLmEmbedder
from tilth.embedding.static import StaticEmbedder
from tilth.knowledge.likeness.conflicts import conflicts
from tilth.knowledge.likeness.contradiction import FLOOR, Contradiction, Near, rank
from tilth.knowledge.likeness.parse_statement import read_statement

POOL = 1000
NEAREST_BY_EACH = 25
DEPTHS = (1, 5)
# The rule that a store without readings of statements would have: a cosine from here on.
COSINE_FLOOR = 0.85


@dataclass(frozen=True, slots=True)
class Haystack:
    """Facts that agree with each other, and statements with the facts that each contradicts."""

    facts: Sequence[str]
    statements: Sequence[tuple[str, frozenset[str]]]


@dataclass(frozen=True, slots=True)
class Answer:
    """What was found for one statement: by each method in its order, and the gold of it."""

    gold: frozenset[str]
    kind: str
    found: Mapping[str, Sequence[str]]
    best: Contradiction | None
    best_cosine: float
    near: Sequence[str]
    ms: float

    def is_found(self, method: str, depth: int) -> bool:
        """Say whether a method has a fact of the gold among its first ones."""
        return not self.gold.isdisjoint(self.found[method][:depth])

    @property
    def is_flagged(self) -> bool:
        """Whether there is anything to ask a human about."""
        return self.best is not None and self.best.score >= FLOOR


def main() -> None:
    """Measure the files named on the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("files", nargs="+", type=Path)
    parser.add_argument("--tier1", action="store_true", help="static vectors alone")
    options = parser.parse_args()
    report: dict[str, Any] = {"tier1": options.tier1, "floor": FLOOR}
    for path in options.files:
        haystacks = _read(path)
        answers = _answers(haystacks, _Vectors(haystacks, is_tier1=options.tier1))
        report[path.stem] = measured = _measured(answers)
        for part, shares in measured.items():
            print(f"{part:9}", "  ".join(f"{k} {v}" for k, v in shares.items() if k != "kinds"))
        for kind, shares in measured["all"]["kinds"].items():
            print(f"  {kind:9}", "  ".join(f"{k} {v}" for k, v in shares.items()))
    print(json.dumps(report))


def _read(path: Path) -> list[Haystack]:
    rows: defaultdict[tuple[str, ...], list[tuple[str, frozenset[str]]]] = defaultdict(list)
    for line in path.read_text(encoding="utf-8").splitlines():
        extra = json.loads(line)["agent_args"]["extra"]
        facts = extra["facts"]
        gold = frozenset(facts[index] for index in extra["supporting_fact_indices"])
        rows[tuple(facts)].append((extra["contradicting_fact"].strip().strip('"'), gold))
    return [Haystack(facts, statements) for facts, statements in rows.items()]


class _Vectors:
    """The vectors of all texts, in one or both tiers."""

    def __init__(self, haystacks: Iterable[Haystack], *, is_tier1: bool) -> None:
        texts = {text for hay in haystacks for text in hay.facts}
        texts |= {text for hay in haystacks for text, _ in hay.statements}
        self._row = {text: row for row, text in enumerate(sorted(texts))}
        embedders: list[Embedder]
        embedders = [StaticEmbedder()] if is_tier1 else [StaticEmbedder(), MiniLmEmbedder()]
        self._tiers: list[Vector] = [embedder.embed(list(self._row)) for embedder in embedders]

    def cosines(self, text: str, others: Sequence[str]) -> Sequence[float]:
        """Return the mean of the tiers' cosines between *text* and each of *others*."""
        rows = [self._row[other] for other in others]
        each = [tier[rows] @ tier[self._row[text]] for tier in self._tiers]
        return [float(cosine) for cosine in np.mean(each, axis=0)]


_Asked = tuple[int, Answer]


def _answers(haystacks: Sequence[Haystack], vectors: _Vectors) -> list[_Asked]:
    """Ask about each statement and each fact; an answer to a fact has no gold."""
    everything = sorted({fact for hay in haystacks for fact in hay.facts})
    rng, answers = Random(0), []
    for number, hay in enumerate(haystacks):
        others = [fact for fact in everything if fact not in set(hay.facts)]
        pool = [*hay.facts, *rng.sample(others, min(len(others), POOL - len(hay.facts)))]
        index = Bm25Alone(pool)
        asked = [*hay.statements, *((fact, frozenset[str]()) for fact in hay.facts)]
        print(f"haystack {number + 1} of {len(haystacks)}", file=sys.stderr, flush=True)
        answers += [(number, _answer(text, gold, (pool, index), vectors)) for text, gold in asked]
    return answers


def _answer(
    text: str, gold: frozenset[str], indexed: tuple[Sequence[str], Bm25Alone], vectors: _Vectors
) -> Answer:
    pool, index = indexed
    # A fact that is asked about is no candidate for itself.
    lexical = [pool[at] for at in index.best(text, NEAREST_BY_EACH + 1) if gold or pool[at] != text]
    cosine_of = dict(zip(pool, vectors.cosines(text, pool), strict=True))
    if not gold:
        del cosine_of[text]
    similar = sorted(cosine_of, key=lambda fact: -cosine_of[fact])
    near = list(dict.fromkeys([*lexical[:NEAREST_BY_EACH], *similar[:NEAREST_BY_EACH]]))
    started = time.perf_counter()
    ranked = rank(text, [Near(fact, cosine_of[fact]) for fact in near], floor=0.0)
    return Answer(
        gold=gold,
        kind=_kind(text, gold),
        found={
            "tilth": [near[one.index] for one in ranked],
            "bm25": lexical,
            "cosine": similar[: DEPTHS[-1]],
        },
        best=ranked[0] if ranked else None,
        best_cosine=cosine_of[similar[0]],
        near=near,
        ms=(time.perf_counter() - started) * 1000,
    )


def _kind(text: str, gold: frozenset[str]) -> str:
    """Return what *text* and its gold disagree in, as far as it can be read."""
    new = read_statement(text)
    found = [one for fact in sorted(gold) for one in conflicts(new, read_statement(fact))]
    return max(found, key=lambda one: one.strength).kind.value if found else "unread"


def _measured(asked: Sequence[_Asked]) -> dict[str, dict[str, Any]]:
    return {
        part: _shares([answer for number, answer in asked if number % 2 in rests])
        for part, rests in (("tuned", {0}), ("held out", {1}), ("all", {0, 1}))
    }


def _shares(answers: Sequence[Answer]) -> dict[str, Any]:
    new = [answer for answer in answers if answer.gold]
    agreeing = [answer for answer in answers if not answer.gold]
    shares: dict[str, Any] = {"statements": len(new), "agreeing": len(agreeing)}
    for method in ("tilth", "bm25", "cosine"):
        for depth in DEPTHS:
            shares[f"{method} found@{depth}"] = _share(
                answer.is_found(method, depth) for answer in new
            )
    shares |= {
        "near": _share(not answer.gold.isdisjoint(answer.near) for answer in new),
        "flagged and found@1": _share(_is_right(answer) for answer in new),
        "false flags": _share(answer.is_flagged for answer in agreeing),
        f"cosine ≥ {COSINE_FLOOR} and found@1": _share(
            answer.best_cosine >= COSINE_FLOOR and answer.is_found("cosine", 1) for answer in new
        ),
        f"cosine ≥ {COSINE_FLOOR} false flags": _share(
            answer.best_cosine >= COSINE_FLOOR for answer in agreeing
        ),
        "ms p50": round(float(np.median([answer.ms for answer in answers])), 2),
        "kinds": _by_kind(new, agreeing),
    }
    return shares


def _by_kind(new: Sequence[Answer], agreeing: Sequence[Answer]) -> dict[str, dict[str, float]]:
    by_kind: defaultdict[str, list[Answer]] = defaultdict(list)
    for answer in new:
        by_kind[answer.kind].append(answer)
    flagged = [answer.best.kind.value for answer in agreeing if answer.best and answer.is_flagged]
    return {
        kind: {
            "statements": len(members),
            "found@1": _share(answer.is_found("tilth", 1) for answer in members),
            "flagged and found@1": _share(map(_is_right, members)),
            "false flags": flagged.count(kind),
        }
        for kind, members in sorted(by_kind.items())
    }


def _is_right(answer: Answer) -> bool:
    return answer.is_flagged and answer.is_found("tilth", 1)


def _share(found: Iterable[bool]) -> float:
    """Return in how many of 100 it is so."""
    marks = list(found)
    return round(100 * sum(marks) / len(marks), 1) if marks else 0.0


if __name__ == "__main__":
    main()
