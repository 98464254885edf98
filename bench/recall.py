"""
How much of what answers a question recall finds, on haystacks in the uniform shape.

Everything goes through the public path: connect, remember_many, recall. One store for each
haystack, or one for all of them. Beside it stand SQLite's full text alone and BM25 alone. Each
question's result is kept as a line of JSON. After the tables of each file one is printed over
all of them, with 95 % intervals by bootstrap over questions; with `--against FOLDER`, where another
run kept its results, also the differences, paired by question. The last line is one JSON object.
"""

import argparse
import json
import os
import platform
import subprocess
import sys
import time
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np

import tilth
from bench.baselines import Baseline, Bm25Alone, Fts5Alone
from bench.haystacks import Haystack, Query, pooled, read
from tilth.runtime.settings import Settings

DEPTHS = (1, 3, 5, 10, 20)
UNITS = ("turn", "session")
MEASURES = ("rec", "hit", "all")
BATCH = 1000
OVER_ALL = ("turn rec@10", "session rec@10", "turn hit@1")
RESAMPLES = 2000
SHOWN = ("rec@1", "rec@5", "rec@10", "rec@20", "hit@5", "hit@10", "all@10")


@dataclass(frozen=True, slots=True)
class Setup:
    """In which configuration recall is measured."""

    is_tier1: bool
    is_grouped: bool


@dataclass(frozen=True, slots=True)
class Found:
    """What one method found for one question: turns and sessions, best first."""

    method: str
    turns: Sequence[str]
    sessions: Sequence[str]
    ms: float
    confidence: float | None = None
    answerable: bool | None = None


def main() -> None:
    """Measure the files named on the command line."""
    options = _options()
    setup = Setup(options.tier1, not options.no_grouping)
    report: dict[str, Any] = {"commit": _commit(), "machine": _machine(), **asdict(setup)}
    every: dict[str, list[dict[str, Any]]] = {}
    for path in options.files:
        haystacks = list(read(path))[: options.limit]
        name = path.name.split(".")[0] + ("-pooled" if options.pooled else "")
        if options.pooled:
            haystacks = [pooled(haystacks, name)]
        lines = list(_progress(_results(haystacks, setup), haystacks))
        kept = f"{name}{'-tier1' if setup.is_tier1 else ''}.jsonl"
        every[kept] = lines
        _keep(options.out / kept, lines)
        report[name] = _summary(lines)
        _print_table(name, report[name])
    report["over all"] = over_all(every, options.against)
    _print_over_all(report["over all"])
    print(json.dumps(report))


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("files", nargs="+", type=Path)
    parser.add_argument("--tier1", action="store_true", help="static vectors alone")
    parser.add_argument("--pooled", action="store_true", help="one store for all haystacks")
    parser.add_argument("--limit", type=int, help="only the first haystacks of each file")
    parser.add_argument("--no-grouping", action="store_true", help="leave statements ungrouped")
    parser.add_argument("--against", type=Path, help="compare with the results in this folder")
    parser.add_argument("--out", type=Path, default=Path(__file__).parent / "results")
    return parser.parse_args()


def _results(haystacks: Iterable[Haystack], setup: Setup) -> Iterator[dict[str, Any]]:
    for haystack in haystacks:
        methods = [_recall(haystack, setup), *_baselines(haystack)]
        for query, *found in zip(haystack.queries, *methods, strict=True):
            yield _line(query, found, haystack)


def _recall(haystack: Haystack, setup: Setup) -> Iterator[Found]:
    """Yield what recall finds for each question of *haystack*, in a store of its own."""
    settings = Settings(embedder="none" if setup.is_tier1 else "minilm")
    with (
        TemporaryDirectory() as folder,
        tilth.connect(Path(folder) / "bench.db", create=True, settings=settings) as brain,
    ):
        doc_of: dict[str, str] = {}
        for at in range(0, len(haystack.docs), BATCH):
            docs = haystack.docs[at : at + BATCH]
            ids = brain.remember_many([doc.draft() for doc in docs])
            doc_of |= zip(ids, (doc.id for doc in docs), strict=True)
        brain.embed_backlog()
        for query in haystack.queries:
            started = time.perf_counter()
            answer = brain.recall(
                query.question, limit=DEPTHS[-1], as_of=query.at, is_grouped=setup.is_grouped
            )
            yield Found(
                method="recall",
                turns=[doc_of[hit.id] for hit in answer.hits],
                sessions=answer.sessions[: DEPTHS[-1]],
                ms=(time.perf_counter() - started) * 1000,
                confidence=answer.confidence,
                answerable=answer.answerable,
            )


def _baselines(haystack: Haystack) -> list[Iterator[Found]]:
    turns = {doc.id: f"{doc.speaker}: {doc.text}" for doc in haystack.docs}
    sessions: defaultdict[str, str] = defaultdict(str)
    for doc in haystack.docs:
        sessions[doc.session] += turns[doc.id] + "\n"
    makers: Mapping[str, Callable[[Sequence[str]], Baseline]]
    makers = {"fts5 alone": Fts5Alone, "bm25 alone": Bm25Alone}
    return [
        _asked(
            name,
            (turns, make(list(turns.values()))),
            (sessions, make(list(sessions.values()))),
            haystack,
        )
        for name, make in makers.items()
    ]


_Indexed = tuple[Mapping[str, str], Baseline]


def _asked(name: str, turns: _Indexed, sessions: _Indexed, haystack: Haystack) -> Iterator[Found]:
    for query in haystack.queries:
        started = time.perf_counter()
        best = [_names(indexed, query.question) for indexed in (turns, sessions)]
        yield Found(name, best[0], best[1], (time.perf_counter() - started) * 1000)


def _names(indexed: _Indexed, question: str) -> list[str]:
    texts, index = indexed
    names = list(texts)
    return [names[number] for number in index.best(question, DEPTHS[-1])]


def _line(query: Query, found: Sequence[Found], haystack: Haystack) -> dict[str, Any]:
    sessions = len({doc.session for doc in haystack.docs})
    return {
        "qid": query.qid,
        "category": query.category,
        "question": query.question,
        "gold": sorted(query.gold),
        "methods": {
            one.method: asdict(one) | {"measured": measured(one, query, sessions)} for one in found
        },
    }


def measured(found: Found, query: Query, session_count: int) -> dict[str, float]:
    """
    Return rec, hit and all at each depth; a question without gold turns has none for turns.

    A depth at which every session is found whatever the order says nothing, and is left out.
    """
    values = {}
    for unit, gold, ranked, most in (
        ("turn", query.gold, found.turns, DEPTHS[-1]),
        ("session", query.gold_sessions, found.sessions, session_count - 1),
    ):
        for depth in DEPTHS:
            if gold and depth <= most:
                share = len(gold & set(ranked[:depth])) / len(gold)
                for measure, value in zip(MEASURES, (share, share > 0, share == 1), strict=True):
                    values[f"{unit} {measure}@{depth}"] = float(value)
    return values


def _summary(lines: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """Return the means by method, overall and by category."""
    categories = sorted({line["category"] for line in lines})
    return {
        method: {
            "ms_p50": _quantile([line["methods"][method]["ms"] for line in lines], 0.5),
            "ms_p95": _quantile([line["methods"][method]["ms"] for line in lines], 0.95),
            "all": _means(lines, method),
            **{
                category: _means([line for line in lines if line["category"] == category], method)
                for category in categories
            },
        }
        for method in (lines[0]["methods"] if lines else ())
    }


def _means(lines: Sequence[dict[str, Any]], method: str) -> dict[str, float]:
    values: defaultdict[str, list[float]] = defaultdict(list)
    for line in lines:
        for name, value in line["methods"][method]["measured"].items():
            values[name].append(value)
    means = {name: round(100 * sum(found) / len(found), 1) for name, found in values.items()}
    return {"questions": len(lines), **means}


def over_all(
    every: Mapping[str, Sequence[dict[str, Any]]], against: Path | None = None
) -> dict[str, dict[str, tuple[float, ...]]]:
    """
    Return for each file, by measure, the mean of recall and the ends of its 95 % interval.

    With *against*, the same of the difference to the results kept there, by question.
    """
    table = {}
    for kept, lines in every.items():
        now = {measure: _values(lines, measure) for measure in OVER_ALL}
        table[kept.removesuffix(".jsonl")] = {one: interval(now[one].values()) for one in now}
        if against is not None and (against / kept).exists():
            then = [json.loads(line) for line in (against / kept).read_text().splitlines()]
            for measure, values in now.items():
                old = _values(then, measure)
                both = [value - old[qid] for qid, value in values.items() if qid in old]
                table[kept.removesuffix(".jsonl")][f"{measure} difference"] = interval(both)
    return table


def _values(lines: Sequence[dict[str, Any]], measure: str) -> dict[str, float]:
    """Return what recall scored for each question that the measure applies to."""
    scored = ((line["qid"] + line["question"], line["methods"]["recall"]) for line in lines)
    return {qid: one["measured"][measure] for qid, one in scored if measure in one["measured"]}


def interval(values: Iterable[float]) -> tuple[float, ...]:
    """Return the mean of *values* in percent, and the ends of its 95 % interval by bootstrap."""
    known = 100 * np.fromiter(values, float)
    if not len(known):
        return ()
    drawn = np.random.default_rng(0).integers(0, len(known), (RESAMPLES, len(known)))
    low, high = np.percentile(known[drawn].mean(axis=1), [2.5, 97.5])
    return tuple(round(float(one), 1) for one in (known.mean(), low, high))


def _print_over_all(table: Mapping[str, Mapping[str, Sequence[float]]]) -> None:
    print("\nover all files, with 95 % intervals")
    for name, row in table.items():
        told = (f"{key} {one[0]} [{one[1]}, {one[2]}]" for key, one in row.items() if one)
        print(f"{name:28}" + "  ".join(told))


def _quantile(values: Sequence[float], share: float) -> float:
    return round(sorted(values)[int(share * (len(values) - 1))], 2)


def _print_table(name: str, summary: Mapping[str, Any]) -> None:
    for unit in UNITS:
        print(f"\n{name} · {unit}s\n{'':28}{'n':>6}" + "".join(f"{one:>8}" for one in SHOWN))
        for method, parts in summary.items():
            for part, means in parts.items():
                if isinstance(means, dict):
                    label = method if part == "all" else f"  {method} · {part}"
                    row = "".join(f"{means.get(f'{unit} {one}', float('nan')):8}" for one in SHOWN)
                    print(f"{label[:27]:28}{means['questions']:6}{row}")
    for method, parts in summary.items():
        print(f"{method:28}p50 {parts['ms_p50']} ms  p95 {parts['ms_p95']} ms")


def _progress(
    lines: Iterable[dict[str, Any]], haystacks: Sequence[Haystack]
) -> Iterator[dict[str, Any]]:
    total = sum(len(haystack.queries) for haystack in haystacks)
    for number, line in enumerate(lines, 1):
        if sys.stderr.isatty():
            print(f"\r{number}/{total} questions", end="", file=sys.stderr, flush=True)
        yield line


def _keep(path: Path, lines: Sequence[dict[str, Any]]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines))


def _commit() -> str:
    run = subprocess.run(
        ["git", "describe", "--always", "--dirty"],  # noqa: S607 - whichever git there is
        cwd=Path(__file__).parent,
        capture_output=True,
        text=True,
        check=False,
    )
    return run.stdout.strip()


def _machine() -> dict[str, Any]:
    return {
        "cpus": os.cpu_count(),
        "load": os.getloadavg()[0],
        "python": platform.python_version(),
        "threads": os.environ.get("OMP_NUM_THREADS"),
    }


if __name__ == "__main__":
    main()
