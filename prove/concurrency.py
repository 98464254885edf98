"""
Many writers lose nothing, double nothing, and never hear that the store is busy.

`python -m prove.concurrency [--processes 8] [--threads 4] [--writes 1600] [--races 40]`:
processes with several threads each write and read back, while others
checkpoint, back up and verify without a pause. Then processes race to make
one and the same store.
"""

import argparse
import os
import shutil
import statistics
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, suppress
from dataclasses import dataclass, field, replace
from multiprocessing import get_context
from multiprocessing.connection import Connection
from multiprocessing.synchronize import Barrier, Event
from pathlib import Path
from random import Random  # noqa: TID251 - always seeded

import apsw

from prove.ground import FIRST_TIER, RECORDER, TOKEN_CHARS, Ground, conclude, draft, token_of
from tilth.core.errors import ConflictError, TilthError
from tilth.core.ids import EpisodeId
from tilth.core.scope import Visibility
from tilth.core.text.tokens import query_terms
from tilth.episodes.filters import EpisodeFilter
from tilth.episodes.remember import remember
from tilth.episodes.tables import Episodes
from tilth.ledger.heads import HeadsFile, signing_key
from tilth.ledger.search import Search
from tilth.ledger.sqlite.store import heads_path, restore_store
from tilth.ledger.store import Store

_EVERYTHING = EpisodeFilter(within=Visibility())
# Every process says these too, under the same keys: each must become one episode.
_SHARED = 50
_PROCESSES = get_context("forkserver")


@dataclass(slots=True)
class Heard:
    """What one process came to: its acknowledged episodes, its errors, its waits in seconds."""

    ids: list[EpisodeId] = field(default_factory=list)
    shared: list[EpisodeId] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)
    waits: list[float] = field(default_factory=list)
    turns: int = 0


def main() -> None:
    """Write, race and report."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[1])
    parser.add_argument("--processes", type=int, default=8)
    parser.add_argument("--threads", type=int, default=4)
    parser.add_argument("--writes", type=int, default=1600)
    parser.add_argument("--races", type=int, default=40)
    arguments = parser.parse_args()
    conclude(*run(arguments.processes, arguments.threads, arguments.writes, arguments.races))


def run(
    processes: int, threads: int, writes: int, races: int
) -> tuple[dict[str, object], list[str]]:
    """Run the programme; return the report and what failed."""
    _PROCESSES.set_forkserver_preload(["prove.ground"])
    folder = Path(tempfile.mkdtemp(prefix="tilth-concurrency-"))
    try:
        report, failures = _write_together(Ground(folder), processes, threads, writes)
        failures += _race(folder, races)
    finally:
        shutil.rmtree(folder)
    return {**report, "creation_races": races}, failures


def _write_together(
    ground: Ground, processes: int, threads: int, writes: int
) -> tuple[dict[str, object], list[str]]:
    ground.create()
    started, done = time.monotonic(), _PROCESSES.Event()
    others = {work: _start(work, ground, done) for work in (_checkpoint, _back_up, _verify)}
    writers = [
        _start(_write, ground, number, threads, writes // processes) for number in range(processes)
    ]
    said = [pipe.recv() for pipe in writers]
    seconds = time.monotonic() - started
    done.set()
    beside = {work.__name__.strip("_"): pipe.recv() for work, pipe in others.items()}
    waits = sorted(wait for heard in said for wait in heard.waits)
    report: dict[str, object] = {
        "programme": "concurrency",
        "processes": processes,
        "threads": threads,
        "transactions": len(waits),
        "transactions_per_s": round(len(waits) / seconds),
        "wait_ms_p50": round(statistics.median(waits) * 1000, 1),
        "wait_ms_p99": round(waits[len(waits) * 99 // 100] * 1000, 1),
        "wait_ms_max": round(waits[-1] * 1000, 1),
        "meanwhile": {name: heard.turns for name, heard in beside.items()},
        "seconds": round(seconds, 1),
    }
    failures = [problem for heard in (*said, *beside.values()) for problem in heard.problems]
    return report, failures + _wrong_in(ground, said)


def _start(work: Callable[..., Heard], *arguments: object) -> Connection:
    ours, theirs = _PROCESSES.Pipe(duplex=False)
    _PROCESSES.Process(target=_tell, args=(theirs, work, *arguments), daemon=True).start()
    theirs.close()
    return ours


def _tell(pipe: Connection, work: Callable[..., Heard], *arguments: object) -> None:
    pipe.send(work(*arguments))


def _write(ground: Ground, number: int, threads: int, writes: int) -> Heard:
    """Write from several threads, and read each write back at once."""
    heard, lock = Heard(), threading.Lock()
    with ground.opened() as store, ThreadPoolExecutor(threads) as pool:

        def write(turn: int) -> None:
            try:
                ids, wait, problems = _write_once(store, Random(number * 1_000_003 + turn), turn)
            except TilthError as error:
                with lock:
                    heard.problems.append(f"a caller heard {type(error).__name__}: {error}")
                return
            with lock:
                heard.ids += ids
                heard.waits.append(wait)
                heard.problems += problems

        list(pool.map(write, range(writes)))
        for turn in range(_SHARED):
            said = replace(draft(Random(turn), f"shared{turn}"), idempotency_key=f"shared-{turn}")
            heard.shared += remember(store, FIRST_TIER, [said], recorder=RECORDER)
    return heard


def _write_once(store: Store, rng: Random, turn: int) -> tuple[list[EpisodeId], float, list[str]]:
    drafts = [draft(rng, token_of(rng)) for _ in range(10 if turn % 8 == 0 else 1)]
    started = time.monotonic()
    ids = remember(store, FIRST_TIER, drafts, recorder=RECORDER)
    wait = time.monotonic() - started
    with store.read() as view:
        said = Episodes(view).get(ids[-1], Visibility())
        terms = query_terms(drafts[-1].text[:TOKEN_CHARS])
        found = Search(view).lexical(terms, _EVERYTHING, limit=2)
        (vector,) = FIRST_TIER.embed([drafts[-1].text])
        nearest = Search(view).nearest(FIRST_TIER.space, vector, _EVERYTHING, limit=3)
    problems = []
    if said.text != drafts[-1].text or [one.seq for one in found] != [said.seq]:
        problems.append(f"full text does not find {said.id} at once")
    if said.seq not in {one.seq for one in nearest}:
        problems.append(f"vectors do not find {said.id} at once")
    return ids, wait, problems


def _checkpoint(ground: Ground, done: Event) -> Heard:
    heard = Heard()
    with closing(apsw.Connection(str(ground.path))) as conn:
        conn.set_busy_timeout(30_000)
        while not done.wait(0.02):
            # A connection that has read nothing yet does not know that there is a log.
            conn.execute("SELECT count(*) FROM sqlite_schema").fetchall()
            # Busy is a writer that checkpoints at this moment; it is no caller of ours that waits.
            with suppress(apsw.BusyError):
                _, moved = conn.wal_checkpoint(mode=apsw.SQLITE_CHECKPOINT_PASSIVE)
                heard.turns += moved > 0
    return heard


def _back_up(ground: Ground, done: Event) -> Heard:
    """Back up, and restore what was backed up: every event from before must be in it."""
    heard = Heard()
    with ground.opened() as store:
        while not done.wait(0.1):
            heard.turns += 1
            made = ground.folder / f"backup-{heard.turns}.db"
            restored = ground.folder / f"restored-{heard.turns}.db"
            with store.read() as view:
                before = view.head().seq
            try:
                store.backup(str(made))
                if restore_store(made, restored, ground.around) < before:
                    heard.problems.append(f"{made.name} lacks events from before")
            except TilthError as error:
                heard.problems.append(f"{made.name}: {error}")
    return heard


def _verify(ground: Ground, done: Event) -> Heard:
    heard = Heard()
    with ground.opened() as store:
        while not done.wait(0.1):
            heard.turns += 1
            try:
                heard.problems += [f"verify, meanwhile: {finding}" for finding in store.verify()]
            except TilthError as error:
                heard.problems.append(f"verify, meanwhile: {error}")
    return heard


def _wrong_in(ground: Ground, said: list[Heard]) -> list[str]:
    own = Counter(id_ for heard in said for id_ in heard.ids)
    shared = {tuple(heard.shared) for heard in said}
    wrong = [] if len(shared) == 1 else ["one key gave several episodes"]
    with ground.opened() as store:
        wrong += [str(finding) for finding in store.verify()]
        with store.read() as view:
            last = view.head().seq
            kept = Episodes(view).select(_EVERYTHING, limit=last)
    expected = {*own, *(id_ for ids in shared for id_ in ids)}
    if {one.id for one in kept} != expected or len(kept) != len(expected):
        wrong.append(f"{len(kept)} episodes are there, {len(expected)} were acknowledged")
    if last != len(kept) + 1 or max(own.values()) > 1:
        wrong.append(f"the ledger ends at {last} with {len(kept)} episodes")
    return wrong


def _race(folder: Path, races: int) -> list[str]:
    """Let processes make one store at the same moment: one wins, and all can use it."""
    failures = []
    for number in range(races):
        ground, start = Ground(folder / f"race-{number}"), _PROCESSES.Barrier(3)
        pipes = [_start(_make_and_use, ground, start) for _ in range(3)]
        heard = [pipe.recv() for pipe in pipes]
        failures += [problem for one in heard for problem in one.problems]
        winners = sum(one.turns for one in heard)
        failures += [] if winners == 1 else [f"race {number}: {winners} made the store"]
        with ground.opened() as store:
            failures += [f"race {number}: {finding}" for finding in store.verify()]
            with store.read() as view:
                count = Episodes(view).count(Visibility())
            head = HeadsFile(
                heads_path(ground.path),
                key=signing_key(ground.around.state),
                store_id=store.store_id,
            ).latest()
        failures += [] if count == len(heard) else [f"race {number}: {count} episodes are there"]
        if head is None or head.seq != count + 1:
            failures.append(f"race {number}: the signed head is {head}")
    return failures


def _make_and_use(ground: Ground, start: Barrier) -> Heard:
    heard = Heard()
    start.wait()
    try:
        ground.create()
        heard.turns = 1
    except ConflictError:
        pass
    try:
        with ground.opened() as store:
            rng = Random(os.getpid())
            remember(store, FIRST_TIER, [draft(rng, token_of(rng))], recorder=RECORDER)
    except TilthError as error:
        heard.problems.append(f"the store cannot be used by all who raced: {error!r}")
    return heard


if __name__ == "__main__":
    main()
