"""
How fast facts are stated and read.

`python -m bench.knowledge [--facts 100000]`: a store of facts in slots, of systems and of text,
with chains of supersession; beside it a plain insert and a plain look-up in the same database, in
the same run. The last line printed is one JSON object.
"""

import argparse
import shutil
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from functools import partial
from itertools import islice
from pathlib import Path
from random import Random  # noqa: TID251 - always seeded

import apsw

from bench import floors
from bench.machine import keep, percentiles, resident_mb
from tilth.core.actor import Actor, ActorKind
from tilth.runtime import connect as bootstrap
from tilth.runtime.brain import Brain

AGENT = Actor("bench", ActorKind.AGENT)
BATCH = 500
SINGLES = 200
READS = 300
_PREDICATES = ("phase", "status", "works_for", "lives_in", "likes", "uses")
_AREAS = ("Network", "Storage", "Compute", "Security")
# How often one place is stated anew, on the average.
_REVISIONS = 4


def main() -> None:
    """Measure, and report."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[1])
    parser.add_argument("--facts", type=int, default=100_000)
    arguments = parser.parse_args()
    folder = Path(tempfile.mkdtemp(prefix="tilth-knowledge-"))
    try:
        keep("knowledge", {"bench": "knowledge", **measured(folder, arguments.facts)})
    finally:
        shutil.rmtree(folder)


def measured(folder: Path, count: int) -> dict[str, object]:
    """Return every figure."""
    path, rng = folder / "tilth.db", Random(1)
    with bootstrap.connect(path, create=True, actor=AGENT) as brain:
        tellings = _tellings(rng, count)
        seconds = 0.0
        while batch := list(islice(tellings, BATCH)):
            seconds += _timed(partial(brain.facts.add_many, batch))
        report: dict[str, object] = {
            "facts": count,
            "add_many_per_s": round(count / seconds),
            "add": _percentiles([partial(_add, brain, one) for one in _tellings(rng, SINGLES)]),
            **_reads(brain, rng, count),
            "resident_mb": resident_mb(),
        }
    texts = [str(one.get("text", "a triple")) for one in _tellings(rng, 1000)]
    report["floor_insert"] = floors.inserts(folder, texts, SINGLES)
    report["floor_lookup"] = _floor(path, rng, count)
    return report


def _tellings(rng: Random, count: int) -> Iterator[dict[str, object]]:
    """Yield statements: six of ten are triples, three tell of a component, one is a text."""
    things = max(count // _REVISIONS // len(_PREDICATES), 10)
    for number in range(count):
        thing, kind = rng.randrange(things), rng.randrange(10)
        if kind < 6:
            yield {
                "subject": f"thing {thing}",
                "predicate": rng.choice(_PREDICATES),
                "object": f"value {rng.randrange(1000)}",
            }
        elif kind < 9:
            yield {
                "text": f"it listens on port {number}",
                "system": f"system {thing}",
                "component": f"part {rng.randrange(9)}",
                "area": rng.choice(_AREAS),
                "environment": "home",
            }
        else:
            yield {
                "text": f"note {number} on what happened to it",
                "about": [f"thing {thing}"],
                "tags": ["durable"],
            }


def _add(brain: Brain, telling: dict[str, object]) -> object:
    return brain.facts.add_many([telling])


def _reads(brain: Brain, rng: Random, count: int) -> dict[str, object]:
    things = max(count // _REVISIONS // len(_PREDICATES), 10)
    superseded = brain.facts.list(lifecycles=["superseded"], limit=1000)
    some = brain.facts.list(limit=1000)

    def names(prefix: str) -> Iterator[str]:
        for _ in range(READS):
            yield f"{prefix} {rng.randrange(things)}"

    reads: dict[str, list[Callable[[], object]]] = {
        "state_by_slot": [
            partial(brain.state, subject=one, predicate="phase") for one in names("thing")
        ],
        "state_by_subject": [partial(brain.state, subject=one) for one in names("thing")],
        "state_by_system": [partial(brain.state, system=one) for one in names("system")],
        "state_by_area": [partial(brain.state, area=rng.choice(_AREAS)) for _ in range(20)],
        "state_now": [brain.state for _ in range(20)],
        "state_as_of": [
            partial(brain.state, subject=f"thing {rng.randrange(things)}", as_of=one.recorded_at)
            for one in some[:READS]
        ],
        "get": [partial(brain.facts.get, rng.choice(some).id) for _ in range(READS)],
        "history": [partial(brain.facts.history, rng.choice(superseded).id) for _ in range(READS)],
        "list_by_object": [
            partial(brain.facts.list, object=f"value {rng.randrange(1000)}", limit=10)
            for _ in range(READS)
        ],
        "list_by_tag": [partial(brain.facts.list, tags=["durable"], limit=10) for _ in range(20)],
        "list_superseded": [
            partial(brain.facts.list, lifecycles=["superseded"], limit=10) for _ in range(20)
        ],
    }
    return {name: _percentiles(calls) for name, calls in reads.items()}


def _floor(path: Path, rng: Random, count: int) -> dict[str, float]:
    """Measure a look-up by key in the same file."""
    with closing(apsw.Connection(str(path))) as conn:
        return _percentiles(
            [
                partial(_look_up, conn, "SELECT payload FROM ledger WHERE seq = ?", one)
                for one in (rng.randrange(1, count) for _ in range(READS))
            ]
        )


def _look_up(conn: apsw.Connection, sql: str, key: int) -> object:
    return conn.execute(sql, (key,)).fetchall()


def _timed(act: Callable[[], object]) -> float:
    started = time.perf_counter()
    act()
    return time.perf_counter() - started


def _percentiles(calls: list[Callable[[], object]]) -> dict[str, float]:
    return percentiles([_timed(call) for call in calls])


if __name__ == "__main__":
    main()
