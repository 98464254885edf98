"""
How fast the ground is: appending, recalling, verifying, rebuilding, and bytes on disk.

`python -m bench.core [--sizes 10000,100000] [--questions 200] [--data FOLDER] [--folder FOLDER]`
fills one store a size through the use cases, full text and both tiers of
vectors on, and measures each figure beside its floor. LoCoMo's turns and real
transcripts are the texts, where the folder of evaluation data has them.
"""

import argparse
import itertools
import json
import shutil
import tempfile
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from random import Random  # noqa: TID251 - always seeded
from threading import RLock

import apsw
import numpy as np

from bench import floors
from bench.floors import BATCH, timed
from bench.machine import keep, percentiles, resident_mb
from bench.texts import Corpus, corpus, evaluation_data
from tilth.core.actor import Actor, ActorKind
from tilth.core.scope import DEFAULT_OWNER, Visibility
from tilth.core.text.tokens import query_terms
from tilth.embedding.embedder import Vector
from tilth.embedding.minilm import MiniLmEmbedder
from tilth.embedding.static import StaticEmbedder
from tilth.embedding.transformer import unit
from tilth.episodes.episode import EpisodeDraft
from tilth.episodes.remember import WriteContext, remember
from tilth.episodes.tables import Episodes
from tilth.ledger import verification
from tilth.ledger.chain import Head
from tilth.ledger.search import Search
from tilth.ledger.sqlite.engine import SqliteEngine
from tilth.ledger.sqlite.store import create_store, open_store
from tilth.ledger.store import Store, StoreEnvironment
from tilth.recall.lexicon import Lexicon
from tilth.recall.model import RecallOptions
from tilth.recall.recall import recall
from tilth.recall.recaller import Recaller
from tilth.runtime.features import load_features
from tilth.runtime.system import SystemClock, SystemIds

SINGLES = 300
# Above this a rebuild takes minutes and tells nothing new.
REBUILT_MAX = 100_000
SECOND_DIMENSIONS = 384
_RECORDER = WriteContext(Actor("bench", ActorKind.AGENT), DEFAULT_OWNER)


class SecondTier:
    """
    Stands for MiniLM: a question costs what MiniLM takes, and its neighbours are partly others.

    To embed every text of a large store by MiniLM takes minutes, and what that costs
    `bench.embed` measures. So the vectors are the first tier's, turned, and half noise.
    """

    space = "bench-384"
    dimensions = SECOND_DIMENSIONS

    def __init__(self, first: StaticEmbedder) -> None:
        self._first = first
        self._model = MiniLmEmbedder()
        self._rng = np.random.default_rng(1)
        self._turn = self._rng.standard_normal((first.dimensions, self.dimensions), np.float32)

    def embed(self, texts: Sequence[str]) -> Vector:
        """Return one unit vector a text, in the time that MiniLM takes."""
        self._model.embed(texts)
        return self.stand_in(self._first.embed(texts))

    def stand_in(self, vectors: Vector) -> Vector:
        """Return one unit vector for each of the first tier's."""
        turned = unit(vectors @ self._turn)
        noise = unit(self._rng.standard_normal(turned.shape, np.float32))
        return np.asarray(unit(turned + noise), np.float32)


@dataclass(frozen=True, slots=True)
class Bench:
    """One store of one size, and what fills it."""

    path: Path
    size: int
    texts: Corpus
    first: StaticEmbedder
    second: SecondTier
    question_count: int

    @property
    def around(self) -> StoreEnvironment:
        """The real clock and chance."""
        return StoreEnvironment(SystemClock(), SystemIds(), self.path.parent / "state")


def main() -> None:
    """Measure every size, and report."""
    load_features()
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[1])
    parser.add_argument("--sizes", default="10000,100000")
    parser.add_argument("--questions", type=int, default=200, help="as many before, to warm up")
    parser.add_argument("--data", type=Path, default=evaluation_data())
    parser.add_argument("--folder", type=Path, help="where the stores go; a temporary one if not")
    arguments = parser.parse_args()
    texts = corpus(arguments.data)
    reports = {}
    for size in map(int, arguments.sizes.split(",")):
        folder = Path(tempfile.mkdtemp(prefix="tilth-bench-", dir=arguments.folder))
        try:
            first, count = StaticEmbedder(), arguments.questions
            bench = Bench(folder / "tilth.db", size, texts, first, SecondTier(first), count)
            reports[str(size)] = measured(bench)
            print(json.dumps({str(size): reports[str(size)]}), flush=True)
        finally:
            shutil.rmtree(folder)
    keep("core", {"bench": "core", "sizes": reports, "questions": len(texts.questions)})


def measured(bench: Bench) -> dict[str, object]:
    """Return every figure of one size."""
    report: dict[str, object] = {}
    create_store(bench.path, bench.around)
    store = open_store(bench.path, bench.around)
    try:
        report |= _append(bench, store)
        report |= _recall(bench, store)
        report |= _disk(bench, store)
        report |= _check(bench, store)
    finally:
        store.close()
    return report | {"resident_mb": resident_mb()}


def _append(bench: Bench, store: Store) -> dict[str, object]:
    drafts = bench.texts.drafts(bench.size + SINGLES, Random(1))
    remember(store, bench.first, [next(drafts)], recorder=_RECORDER)
    texts: list[str] = []
    started = time.perf_counter()
    for batch in _batched(itertools.islice(drafts, bench.size - 1)):
        remember(store, bench.first, batch, recorder=_RECORDER)
        texts += [draft.text for draft in batch[: 20_000 - len(texts)]]
    seconds = time.perf_counter() - started
    singles = [
        timed(partial(remember, store, bench.first, [draft], recorder=_RECORDER))
        for draft in drafts
    ]
    _embed(bench, store)
    return {
        "append_single": percentiles(singles),
        "append_batched_per_s": round(bench.size / seconds),
        "mean_text_bytes": round(float(np.mean([len(text.encode()) for text in texts]))),
        "floor_insert": floors.inserts(bench.path.parent, texts, SINGLES),
    }


def _batched(drafts: Iterator[EpisodeDraft]) -> Iterator[list[EpisodeDraft]]:
    while batch := list(itertools.islice(drafts, BATCH)):
        yield batch


def _embed(bench: Bench, store: Store) -> None:
    """Put the second tier's vectors, without the embedding that the backlog does."""
    with store.read() as view:
        last = view.head().seq
    for first in range(2, last + 1, 4096):
        seqs = range(first, min(first + 4096, last + 1))
        with store.begin() as tx:
            known = Search(tx).vectors(bench.first.space, seqs)
            vectors = bench.second.stand_in(np.stack(list(known.values())))
            tx.put_vectors(bench.second.space, zip(known, vectors, strict=True))


def _recall(bench: Bench, store: Store) -> dict[str, object]:
    warm_up = bench.question_count
    questions = list(itertools.islice(itertools.cycle(bench.texts.questions), 2 * warm_up))
    report: dict[str, object] = {}
    pool = ThreadPoolExecutor()
    for name, second in (("recall_first_tier", None), ("recall_both_tiers", bench.second)):
        recaller = Recaller(bench.first, second, Lexicon(bench.first, RLock()), SystemClock(), pool)
        waits = [
            timed(partial(recall, store, recaller, asked, Visibility(), RecallOptions()))
            for asked in questions
        ]
        report[name] = percentiles(waits[warm_up:])
        report[f"{name}_cold_ms"] = round(waits[0] * 1000, 1)
    terms = [query_terms(asked) for asked in questions]
    report["floor_full_text"] = floors.full_text(bench.path, terms[warm_up:])
    report["floor_scan_256"] = floors.scan(bench.size, bench.first.dimensions, 30)
    report["floor_scan_384"] = floors.scan(bench.size, SECOND_DIMENSIONS, 30)
    return report


def _disk(bench: Bench, store: Store) -> dict[str, object]:
    """Count the bytes of the file by table, beyond those of the texts themselves."""
    with store.read() as view:
        last, texts = view.head().seq, 0
        for first in range(0, last, 5000):
            texts += sum(
                len(one.text.encode())
                for one in Episodes(view).at(range(first + 1, first + 5001), Visibility())
            )
    with closing(apsw.Connection(str(bench.path))) as conn:
        size = conn.pragma("page_count") * conn.pragma("page_size")
        tables = conn.execute(
            "SELECT name, pgsize FROM dbstat WHERE aggregate = TRUE ORDER BY 2 DESC"
        ).fetchall()
    return {
        "bytes_an_event_beyond_text": round((size - texts) / last),
        "bytes_an_event_by_table": {
            str(name): round(int(str(used)) / last, 1)
            for name, used in tables
            if int(str(used)) / last > 1
        },
        "text_bytes_an_event": round(texts / last),
    }


def _check(bench: Bench, store: Store) -> dict[str, object]:
    with store.read() as view:
        head = view.head()
    last = head.seq
    chain = timed(partial(_check_chain, bench.path, head))
    findings: list[object] = []
    whole = timed(lambda: findings.extend(store.verify()))
    report: dict[str, object] = {
        "verify_chain_per_s": round(last / chain),
        "verify_full_per_s": round(last / whole),
        "findings": len(findings),
    }
    if bench.size <= REBUILT_MAX:
        report["rebuild_per_s"] = round(last / timed(store.rebuild))
    return report


def _check_chain(path: Path, head: Head) -> None:
    engine = SqliteEngine(path)
    with engine.checking() as conn:
        for finding in verification.check_ledger(conn, [head]):
            raise SystemExit(f"the store is not whole: {finding}")
    engine.close()


if __name__ == "__main__":
    main()
