"""
How long a page takes the server, in a store of 100,000 episodes and 10,000 entities.

`python -m bench.pages [--episodes 100000] [--entities 10000] [--rounds 20]` fills a store,
serves it on loopback, and asks for each screen by turns, beside the floor of a page that looks at
nothing. The last line is JSON.
"""

import argparse
import tempfile
import time
from collections import defaultdict
from pathlib import Path
from random import Random  # noqa: TID251 - always seeded
from typing import Any

import tilth
from bench.machine import keep, percentiles
from bench.texts import corpus, evaluation_data
from tests.interfaces.http.served import Served, serving
from tilth.core.actor import Human
from tilth.core.ids import parse_session_id
from tilth.interfaces.web.pages import all_screens

_SESSIONS = 1000
_BATCH = 2000
_FACTS = 5000
_WAITING = 200


def _fill(person: Any, episodes: int, entities: int, rng: Random) -> None:  # noqa: ANN401 - typed by its stub
    names = [f"{rng.choice(_KINDS)}-{number}" for number in range(entities)]
    for name in names:
        person.entities.add(name, type="service")
    for at in range(0, _FACTS, 500):
        person.facts.add_many(
            [
                {
                    "text": f"The {names[number % entities]} listens on {2000 + number}.",
                    "about": [names[number % entities]],
                    "system": f"s{number}",
                    "component": "port",
                }
                for number in range(at, at + 500)
            ]
        )
    drafts = list(corpus(evaluation_data()).drafts(episodes, rng))
    for at in range(0, episodes, _BATCH):
        person.remember_many(
            [
                {
                    "text": one.text,
                    "role": one.role,
                    "session_id": parse_session_id(f"s{(at + number) * _SESSIONS // episodes}"),
                    "scope": f"project:p{(at + number) % 7}",
                }
                for number, one in enumerate(drafts[at : at + _BATCH])
            ]
        )


_KINDS = ("api", "cache", "queue", "index", "relay", "store")


def _paths(served: Served) -> dict[str, str]:
    """Return an address for each screen that this store can show."""
    fact = served.brain.facts.list(limit=1)[0]
    paths = {one.path: one.path for one in all_screens() if "{" not in one.path}
    return paths | {
        "/ask?q": "/ask?q=why+did+the+backup+fail+on+the+server",
        "/sessions/{session:path}": "/sessions/s500",
        "/facts/{fact}": f"/facts/{fact.id}",
        "/things/{name:path}": f"/things/{served.brain.entities.list(limit=1)[0].name}",
        "/inbox/{proposal}": f"/inbox/{served.brain.review.list(limit=1).proposals[0].id}",
        "/projects/{scope:path}": "/projects/project:p3",
    }


def main() -> None:
    """Fill, serve, ask, and say how long it took."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[1])
    parser.add_argument("--episodes", type=int, default=100_000)
    parser.add_argument("--entities", type=int, default=10_000)
    parser.add_argument("--rounds", type=int, default=20)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        store = Path(folder) / "tilth.db"
        with tilth.connect(store, create=True, actor=Human("ana")) as person:
            _fill(person, arguments.episodes, arguments.entities, Random(1))
        with tilth.connect(store) as agent:
            for number in range(_WAITING):
                text = f"The s{number} listens on {9000 + number}."
                agent.facts.add(text, system=f"s{number}", component="port")
        with tilth.connect(store) as brain, serving(brain, Path(folder)) as served:
            spent = _asked(served, arguments.rounds)
    floor = percentiles(spent.pop("/login"))
    screens = {path: percentiles(seconds) for path, seconds in sorted(spent.items())}
    slowest = max(screens, key=lambda path: screens[path]["p95_ms"])
    keep(
        "pages",
        {
            "bench": "pages",
            "episodes": arguments.episodes,
            "entities": arguments.entities,
            "floor": floor,
            "screens": screens,
            "slowest": slowest,
            "p95_ms": screens[slowest]["p95_ms"],
        },
    )


def _asked(served: Served, rounds: int) -> dict[str, list[float]]:
    browser, spent = served.browser(), defaultdict[str, list[float]](list)
    paths = {"/login": "/login", **_paths(served)}
    for number in range(rounds + 1):
        for name, path in paths.items():
            began = time.perf_counter()
            answer = browser.get(path)
            if answer.status_code != 200:
                raise SystemExit(f"{path}: {answer.status_code}")
            # The first round loads models, templates and the database's pages.
            if number:
                spent[name].append(time.perf_counter() - began)
    return spent


if __name__ == "__main__":
    main()
