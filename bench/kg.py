"""
How fast triples are walked: `kg_query`, two hops deep with reverse hops, beside the same by hand.

`python -m bench.kg [--sizes 10000,100000,1000000] [--questions 500] [--folder FOLDER]`
fills one store a size: each thing has five triples, and 40 % of the objects
are URNs of other things. The use case and the bare SQL answer the same
questions in the same run; the last line is JSON. Filling goes through the
ledger and its projections, without embedding anything.
"""

import argparse
import shutil
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from pathlib import Path
from random import Random  # noqa: TID251 - always seeded
from typing import Any

import apsw

from bench.machine import keep, percentiles
from tilth.core.actor import Actor, ActorKind
from tilth.core.ids import EntityId, EpisodeId
from tilth.core.scope import DEFAULT_OWNER, Visibility
from tilth.episodes.episode import EpisodeDraft
from tilth.episodes.events import EpisodeRecorded
from tilth.knowledge.entities.entity import EntityDraft
from tilth.knowledge.entities.events import EntityRecorded
from tilth.knowledge.facts.events import FactRecorded
from tilth.knowledge.facts.fact import Evidence
from tilth.knowledge.facts.filters import FactFilter
from tilth.knowledge.facts.statement import Statement, Triple, statement_key
from tilth.knowledge.graph.kg import query
from tilth.knowledge.vocabulary.registries import Channel, EntityType
from tilth.ledger.sqlite.connection import configure
from tilth.ledger.sqlite.store import create_store, open_store
from tilth.ledger.store import Store, StoreEnvironment
from tilth.runtime.features import load_features
from tilth.runtime.system import SystemClock, SystemIds

BATCH = 20_000
OF_A_THING = 5
URNS = 0.4
_BENCH = Actor("bench", ActorKind.AGENT)
_ROWS = """
SELECT f.fact_no, f.channel, f.subject, f.predicate, f.object, f.object_node, l.payload
FROM facts f CROSS JOIN lives v CROSS JOIN ledger l
WHERE v.fact_no = f.fact_no AND v.until IS NULL AND v.lifecycle = 'current'
AND l.seq = f.fact_no AND
"""
# The same joins by hand, in one statement: what is said of it, who mentions it, and one hop on.
_BY_HAND = f"""
WITH first AS ({_ROWS} f.subject_node = ?1)
SELECT fact_no, channel, subject, predicate, object, payload FROM first
UNION ALL SELECT fact_no, channel, subject, predicate, object, payload
FROM ({_ROWS} f.object_node = ?1)
UNION ALL SELECT s.fact_no, s.channel, s.subject, s.predicate, s.object, s.payload
FROM (SELECT DISTINCT object_node FROM first WHERE object_node LIKE 'urn:%') n CROSS JOIN
(SELECT f.*, l.payload FROM facts f CROSS JOIN lives v CROSS JOIN ledger l
 WHERE v.fact_no = f.fact_no AND v.until IS NULL AND v.lifecycle = 'current'
 AND l.seq = f.fact_no) s WHERE s.subject_node = n.object_node
"""  # noqa: S608 - constants


def main() -> None:
    """Fill a store a size, measure, and report."""
    load_features()
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[1])
    parser.add_argument("--sizes", default="10000,100000,1000000")
    parser.add_argument("--questions", type=int, default=500)
    parser.add_argument("--folder", type=Path, help="where stores go; a temporary one if not")
    arguments = parser.parse_args()
    sizes = [int(size) for size in arguments.sizes.split(",")]
    rows = [_measured(size, arguments.questions, arguments.folder) for size in sizes]
    growth = round(rows[-1]["query"]["p50_ms"] / rows[0]["query"]["p50_ms"], 2)
    print(f"growth of the median from {sizes[0]} to {sizes[-1]} triples: {growth}")
    keep("kg", {"bench": "kg", "depth": 2, "sizes": rows, "growth": growth})


def _measured(size: int, questions: int, parent: Path | None) -> dict[str, Any]:
    folder = Path(tempfile.mkdtemp(prefix="tilth-bench-", dir=parent))
    around = StoreEnvironment(SystemClock(), SystemIds(), folder / "state")
    try:
        create_store(folder / "tilth.db", around)
        with closing(open_store(folder / "tilth.db", around)) as store:
            began = time.perf_counter()
            fill(store, size)
            filled = time.perf_counter() - began
            report = _asked(store, folder / "tilth.db", size, questions)
        bytes_each = round((folder / "tilth.db").stat().st_size / size)
    finally:
        shutil.rmtree(folder)
    row = {"triples": size, "fill_s": round(filled, 1), "bytes_each": bytes_each, **report}
    print(row, flush=True)
    return row


def _asked(store: Store, path: Path, size: int, questions: int) -> dict[str, object]:
    random = Random(7)
    names = [_urn(random.randrange(size // OF_A_THING)) for _ in range(questions)]
    which = FactFilter(within=Visibility())
    clock = SystemClock()
    with closing(apsw.Connection(str(path))) as raw:
        configure(raw)

        def by_hand(name: str) -> int:
            return len(raw.execute(_BY_HAND, (name,)).fetchall())

        def walked(name: str) -> int:
            return len(query(store, clock, name, which, depth=2).triples)

        for name in names[:50]:
            assert by_hand(name) >= walked(name), name
        floor, _ = _timed(by_hand, names)
        times, counts = _timed(walked, names)
    ours, theirs = percentiles(times), percentiles(floor)
    return {
        "query": ours,
        "by_hand": theirs,
        "ratio": round(ours["p50_ms"] / max(theirs["p50_ms"], 0.01), 1),
        "triples_each": round(sum(counts) / len(counts), 1),
    }


def _timed(ask: Callable[[str], int], names: Sequence[str]) -> tuple[list[float], list[int]]:
    seconds, counts = [], []
    for name in names:
        ask(name)
    for name in names:
        began = time.perf_counter()
        counts.append(ask(name))
        seconds.append(time.perf_counter() - began)
    return seconds, counts


def _urn(number: int) -> str:
    return f"urn:thing:{number}"


def triples(size: int) -> Iterator[Triple]:
    """Yield the triples of a store of that size, the same whenever it is asked."""
    random = Random(size)
    things = size // OF_A_THING
    for number in range(size):
        is_link = random.random() < URNS
        object_ = _urn(random.randrange(things)) if is_link else f"value {number}"
        yield Triple(_urn(number // OF_A_THING), f"says_{number % OF_A_THING}", object_)


def fill(store: Store, size: int) -> None:
    """State the triples of a store of that size, without embedding anything."""
    told = triples(size)
    with store.begin() as tx:
        said = tx.append(
            EpisodeRecorded(EpisodeDraft(text="a table")), by=_BENCH, owner=DEFAULT_OWNER
        )
        draft = EntityDraft(name="everything", type=EntityType.THING)
        thing = tx.append(EntityRecorded(draft), by=_BENCH, owner=DEFAULT_OWNER)
    evidence = (Evidence(EpisodeId.of(said.recorded.event_id)),)
    about = (EntityId.of(thing.recorded.event_id),)
    for start in range(0, size, BATCH):
        with store.begin() as tx:
            for _, triple in zip(range(min(BATCH, size - start)), told, strict=False):
                statement = Statement(text=triple.words, triple=triple, channel=Channel.ENTITY)
                event = FactRecorded(
                    said=statement, key=statement_key(statement), about=about, evidence=evidence
                )
                tx.append(event, by=_BENCH, owner=DEFAULT_OWNER)


if __name__ == "__main__":
    main()
