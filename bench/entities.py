"""
How long it takes to say what a name means among many.

    python -m bench.entities --names 100000 [--url postgresql://…]

Fills a store with made-up names, then asks for some of them, for
misspelled ones and for what is near, and walks around a hub. The last line is one JSON object.
"""

import argparse
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random  # noqa: TID251 - always seeded

import tilth
from bench.machine import keep, percentiles
from tilth.core.actor import Actor, ActorKind
from tilth.core.ids import EntityId
from tilth.core.scope import DEFAULT_OWNER
from tilth.knowledge.entities.entity import EntityDraft
from tilth.knowledge.entities.events import EntityRecorded
from tilth.knowledge.graph.edge import EdgeDraft
from tilth.knowledge.graph.events import EdgeRecorded
from tilth.knowledge.vocabulary.registries import EdgeKind, EntityType
from tilth.ledger.store import Store
from tilth.runtime.brain import Brain

_BATCH = 2000
_ASKED = 300
_SYLLABLES = "ba ce di fo gu ka le mi no pu ra se ti vo wu xa ye zi lor mar sol ten"
_KINDS = ("api", "cache", "gateway", "queue", "registry", "proxy", "store", "worker", "monitor")
_BY = Actor("bench", ActorKind.JOB)


def main() -> None:
    """Fill a store, ask, and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[1])
    parser.add_argument("--names", type=int, default=100_000)
    parser.add_argument("--url", help="a PostgreSQL store that is there and empty")
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        where = args.url or str(Path(folder) / "bench.db")
        with tilth.connect(where, create=args.url is None) as brain:
            keep("entities", _measured(brain, args.names))


def _measured(brain: Brain, count: int) -> dict[str, object]:
    rng = Random(7)
    names = list(_names(rng, count))
    began = time.perf_counter()
    ids = _fill(brain._parts.store, names)  # noqa: SLF001 - faster than through use cases
    filled = time.perf_counter() - began
    _lean(brain._parts.store, ids[1 : 1 + count // 10], ids[0])  # noqa: SLF001
    asked = rng.sample(names, _ASKED)
    misspelled = [_misspelled(rng, name) for name in asked]
    return {
        "names": count,
        "filled_per_s": round(count / filled),
        "resolve": _times(asked, lambda name: brain.entities.resolve(name, type="service")),
        "resolve_misspelled": _times(misspelled, brain.entities.resolve),
        "suggest": _times(asked, brain.entities.suggest),
        "search": _times(misspelled, brain.entities.search),
        "get": _times(asked, brain.entities.get),
        "hub_edges": count // 10,
        "around_the_hub": _times(names[:1] * 50, brain.entities.around),
    }


def _fill(store: Store, names: list[str]) -> list[EntityId]:
    ids = []
    for at in range(0, len(names), _BATCH):
        with store.begin() as tx:
            for name in names[at : at + _BATCH]:
                draft = EntityDraft(name=name, type=EntityType.SERVICE)
                event = tx.append(EntityRecorded(draft), by=_BY, owner=DEFAULT_OWNER)
                ids.append(EntityId.of(event.recorded.event_id))
    return ids


def _lean(store: Store, ids: list[EntityId], hub: EntityId) -> None:
    with store.begin() as tx:
        for source in ids:
            draft = EdgeDraft(source=source, kind=EdgeKind.RUNS_ON, target=hub)
            tx.append(EdgeRecorded(draft), by=_BY, owner=DEFAULT_OWNER)


def _names(rng: Random, count: int) -> Iterator[str]:
    made: set[str] = set()
    syllables = _SYLLABLES.split()
    while len(made) < count:
        words = ["".join(rng.choices(syllables, k=rng.randint(2, 4))) for _ in range(2)]
        name = f"{' '.join(words)} {rng.choice(_KINDS)}"
        if name not in made:
            made.add(name)
            yield name


def _misspelled(rng: Random, name: str) -> str:
    at = rng.randrange(1, len(name) - 2)
    return name[:at] + name[at + 1] + name[at] + name[at + 2 :]


def _times(asked: list[str], ask: Callable[[str], object]) -> dict[str, float]:
    spent = []
    for name in asked:
        began = time.perf_counter()
        ask(name)
        spent.append(time.perf_counter() - began)
    return percentiles(spent)


if __name__ == "__main__":
    main()
