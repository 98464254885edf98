"""
How long each page takes the server, in a store of 100,000 episodes and 10,000 entities.

`python -m bench.pages [--rounds 20] [--store FILE] [--only KIND]` fills a store with something of
everything (`bench.full_store`), and serves it on loopback by a process of its own. It follows the
links of each page to find every kind of address, takes of each kind the one that cost the server
most, and asks for all of them and their `.json` twins by turns, beside the floor of a page that
looks at nothing. A screen that no link leads to ends it, so a new one is measured by being there.
`cpu` is what the server spent on a request, whatever else the machine had to do; `wall` is what
its reader waited. `--store` fills that file, or asks the one that is there. The last line is JSON.
"""

import argparse
import os
import tempfile
import time
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from multiprocessing import get_context
from multiprocessing.synchronize import Event
from pathlib import Path
from typing import Any

import httpx2

import tilth
from bench.full_store import FULL, fill
from bench.machine import keep, percentiles
from tests.interfaces.http.served import serving
from tests.interfaces.web.crawling import crawl, twin_of
from tilth.core.actor import Human
from tilth.interfaces.cli.program import use_one_thread
from tilth.interfaces.http.tokens import Tokens
from tilth.interfaces.serve_all import freeze_loaded
from tilth.interfaces.web import pages
from tilth.interfaces.web.pages import all_screens
from tilth.runtime.system import SystemClock

_FLOOR = "/login"
_STATIC = Path(pages.__file__).parent / "static"


@dataclass(frozen=True)
class _Process:
    url: str
    tokens: Tokens
    pid: int

    def browser(self) -> httpx2.Client:
        client = httpx2.Client(base_url=self.url, timeout=120)
        answer = client.post("/login", data={"key": self.tokens.add_link("ana")})
        assert answer.status_code == 303, answer.text
        return client

    def cpu_s(self) -> float:
        # As `clock_getcpuclockid` names the clock of another process on Linux.
        return time.clock_gettime(~self.pid << 3 | 2)


@contextmanager
def served_apart(store: Path, folder: Path) -> Iterator[_Process]:
    """Serve a store by another process, so that its CPU time is told from ours."""
    # As the program itself does before it serves; the other process takes it from here.
    use_one_thread()
    fresh = get_context("spawn")
    done, told = fresh.Event(), fresh.Queue()
    process = fresh.Process(target=_serve, args=(store, folder, told, done))
    process.start()
    try:
        url = told.get(timeout=120)
        assert process.pid is not None
        yield _Process(url, Tokens(folder / "tokens.json", SystemClock()), process.pid)
    finally:
        done.set()
        process.join(30)


def _serve(store: Path, folder: Path, told: Any, done: Event) -> None:  # noqa: ANN401 - a queue
    with tilth.connect(store) as brain, serving(brain, folder) as served:
        freeze_loaded()
        told.put(served.url)
        done.wait()


def main() -> None:
    """Fill, serve, find each kind of page, ask, and say how long it took."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[1])
    parser.add_argument("--rounds", type=int, default=20)
    parser.add_argument("--store", type=Path)
    parser.add_argument("--only", default="", help="only pages whose kind holds this")
    arguments = parser.parse_args()
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        os.environ.setdefault("TILTH_HOME", str(folder))
        store = arguments.store or folder / "tilth.db"
        filled_s = 0.0 if store.exists() else _fill(store)
        with tilth.connect(store) as brain:
            counts, begin = _counts(brain), _largest(brain)
        served = stack.enter_context(served_apart(store, folder))
        browser = served.browser()
        wanted = {
            kind: path
            for kind, path in _slowest(served, browser, begin).items()
            if arguments.only in kind
        }
        wall, cpu = _asked(served, browser, wanted, arguments.rounds)
    _report(counts | {"filled_cpu_s": filled_s}, wanted, wall, cpu)


def _fill(store: Path) -> float:
    """Fill a new store at full size; return the seconds of CPU time that it took."""
    began = time.process_time()

    def told(step: str) -> None:
        print(f"{time.process_time() - began:8.1f} s cpu  {step}", flush=True)

    with tilth.connect(store, create=True, actor=Human("ana")) as brain:
        fill(brain, FULL, told)
    return round(time.process_time() - began, 1)


def _counts(brain: Any) -> dict[str, int]:  # noqa: ANN401 - typed by its stub
    """Return how much of each kind the store holds."""
    tables = ("episodes", "sessions", "facts", "entities", "edges", "receipts", "playbooks",
              "skills", "gaps", "pages", "topics", "conversations")  # fmt: skip
    with brain.parts.store.read() as view:
        counts = {
            name: int(view.conn.rows(f"SELECT count(*) FROM {name}")[0][0])  # noqa: S608 - ours
            for name in tables
        }
        counts["events"] = view.head().seq
    return counts | {"waiting": brain.review.list(limit=1).waiting}


def _largest(brain: Any) -> Sequence[str]:  # noqa: ANN401 - typed by its stub
    """Return the addresses of the longest session and its project, which no first page shows."""
    some = [
        one for at in range(0, 5000, 1000) for one in brain.sessions.list(limit=1000, offset=at)
    ]
    longest = max(some, key=lambda one: one.episode_count)
    project = f"/projects/{longest.scope}"
    return [
        f"/sessions/{longest.id}",
        project,
        f"{project}?as_of=2026-06-25",
        f"/practice?scope={longest.scope}",
    ]


def _slowest(served: _Process, browser: httpx2.Client, begin: Sequence[str]) -> dict[str, str]:
    """Return an address of each kind of page, the one that took the server longest."""
    slowest: dict[str, tuple[float, str]] = {}
    spent = served.cpu_s()
    for visit in crawl(browser, *begin):
        took, spent = served.cpu_s() - spent, served.cpu_s()
        _check(visit.path, visit.answer)
        slowest[visit.kind] = max((took, visit.path), slowest.get(visit.kind, (0.0, "")))
    seen = {kind.partition("?")[0] for kind in slowest}
    if unseen := [one.path for one in all_screens() if one.path not in seen]:
        raise SystemExit(f"no link leads to {', '.join(unseen)}; see bench.full_store")
    return {kind: path for kind, (_, path) in slowest.items()}


def _asked(
    served: _Process, browser: httpx2.Client, wanted: Mapping[str, str], rounds: int
) -> tuple[Mapping[str, Sequence[float]], Mapping[str, Sequence[float]]]:
    """Return the seconds of each request by kind, on the wall and of the server's CPU."""
    wall, cpu = defaultdict[str, list[float]](list), defaultdict[str, list[float]](list)
    both = {_FLOOR: _FLOOR, **wanted, **{f"{kind} .json": twin_of(wanted[kind]) for kind in wanted}}
    for number in range(rounds + 1):
        for kind, path in both.items():
            began, spent = time.perf_counter(), served.cpu_s()
            _check(path, browser.get(path))
            # The first round loads models, templates and the database's pages.
            if number:
                wall[kind].append(time.perf_counter() - began)
                cpu[kind].append(served.cpu_s() - spent)
    return wall, cpu


def _check(path: str, answer: httpx2.Response) -> None:
    if answer.status_code != 200:
        raise SystemExit(f"{path}: {answer.status_code} {answer.text[:500]}")


def _report(
    counts: Mapping[str, float],
    wanted: Mapping[str, str],
    wall: Mapping[str, Sequence[float]],
    cpu: Mapping[str, Sequence[float]],
) -> None:
    walls = {kind: percentiles(seconds) for kind, seconds in wall.items()}
    cpus = {kind: percentiles(seconds) for kind, seconds in cpu.items()}
    order = sorted(cpus.keys() - {_FLOOR}, key=lambda kind: -cpus[kind]["p95_ms"])
    for kind in order:
        print(f"{cpus[kind]['p95_ms']:8.1f} cpu {walls[kind]['p95_ms']:8.1f} wall  {kind}")
    keep(
        "pages",
        {
            "bench": "pages",
            "counts": counts,
            "floor": {"wall": walls[_FLOOR], "cpu": cpus[_FLOOR]},
            "screens": {kind: {"wall": walls[kind], "cpu": cpus[kind]} for kind in order},
            "paths": wanted,
            "slowest": order[0],
            "cpu_p95_ms": cpus[order[0]]["p95_ms"],
            "wall_p95_ms": max(walls[kind]["p95_ms"] for kind in order),
            "asset_bytes": sum(one.stat().st_size for one in _STATIC.rglob("*") if one.is_file()),
        },
    )


if __name__ == "__main__":
    main()
