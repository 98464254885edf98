"""
What a hook costs the agent, beyond the start of Python itself.

The real program is started as a host starts it, with the events of a recorded
session, while the worker is down, while it is up, and while another program
holds the store's write lock. Beside every call Python is started for nothing;
the figures are the differences. After each round all that was told must be in
the store: the number lost is part of the result, which is the last line.
"""

import argparse
import json
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import apsw

import tilth
import tilth_hook
from bench.machine import keep
from tilth.domain.actor import Actor, ActorKind
from tilth.domain.hook import HookRecord
from tilth.domain.scope import DEFAULT_OWNER
from tilth.errors import UnavailableError
from tilth.hosts.answering import Answering
from tilth.hosts.capture import items_of
from tilth.hosts.spool import SpoolFolder
from tilth.hosts.state_folder import StateFolder
from tilth.models.static import StaticEmbedder
from tilth.settings import Settings
from tilth.system import SystemClock
from tilth.usecases.ingest import ingest_spool
from tilth.usecases.remember import Recorder

HOST = "claude-code"
EVENTS = ("SessionStart", "UserPromptSubmit", *("PostToolUse",) * 6, "Stop", "SessionEnd")
RECORDER = Recorder(by=Actor("bench", ActorKind.AGENT), owner=DEFAULT_OWNER)
RESULT = "x" * 2_000


@dataclass(frozen=True, slots=True)
class Round:
    """One way in which the world stands while hooks are called."""

    home: Path

    @property
    def store(self) -> Path:
        """The store that is locked, or not."""
        return self.home / "tilth.db"

    def call(self, number: int) -> float:
        """Run the program for one event; return how long it took, in milliseconds."""
        event = EVENTS[number % len(EVENTS)]
        payload = {
            "session_id": f"s{number // len(EVENTS)}",
            "cwd": "/home/ada/work/kettle",
            "hook_event_name": event,
            "prompt": f"prompt {number}",
            "last_assistant_message": f"answer {number}",
            "tool_name": "Bash",
            "tool_use_id": f"toolu_{number}",
            "tool_input": {"command": f"make {number}"},
            "tool_response": {"stdout": f"{number} {RESULT}", "stderr": ""},
        }
        words = [tilth_hook.__file__, HOST, event, "--home", str(self.home)]
        return _timed(words, json.dumps(payload).encode())

    def ingest(self) -> int:
        """Bring what waits into the store; return how many records that were."""
        store = tilth.bootstrap.open_store(str(self.store), settings=Settings(busy_timeout_s=0.5))
        try:
            spool = SpoolFolder(self.home / "spool")
            done = ingest_spool(store, StaticEmbedder(), spool, items_of, recorder=RECORDER)
        finally:
            store.close()
        return done.record_count


def main() -> None:
    """Measure each round and print the differences."""
    options = _options()
    result: dict[str, Any] = {"count": options.count}
    rounds: Sequence[tuple[str, Callable[[Round], AbstractContextManager[None]]]] = (
        ("worker_down", lambda _: nullcontext()),
        ("worker_up", _worker),
        ("store_locked", partial(_locked, seconds=options.locked_seconds)),
    )
    for name, world in rounds:
        with TemporaryDirectory() as folder:
            result[name] = _measured(Round(Path(folder)), world, options.count)
        print(name, json.dumps(result[name]))
    over = [result[name]["over_python"]["p95_ms"] for name, _ in rounds]
    lost = sum(result[name]["lost"] for name, _ in rounds)
    keep("hook", result | {"p95_over_python_ms": max(over), "lost": lost})


def _measured(
    one: Round, world: Callable[[Round], AbstractContextManager[None]], count: int
) -> dict[str, Any]:
    tilth.connect(one.store, create=True).close()
    hooks: list[float] = []
    floors: list[float] = []
    began = time.monotonic()
    with world(one):
        for number in range(count):
            floors.append(_timed(["-c", "pass"], b""))
            hooks.append(one.call(number))
    seconds = time.monotonic() - began
    told = one.ingest()
    return {
        "hook": _spread(hooks),
        "python": _spread(floors),
        "over_python": {
            name: round(_spread(hooks)[name] - _spread(floors)[name], 2) for name in _spread(hooks)
        },
        "seconds": round(seconds, 1),
        "lost": count - told,
    }


@contextmanager
def _worker(one: Round) -> Iterator[None]:
    brain = tilth.connect(one.store)

    def answer(record: HookRecord) -> str:
        return f"{len(brain.sessions.list())} sessions before {record.event}"

    with Answering(StateFolder(one.home / "state").worker_address, answer, SystemClock()):
        yield
    brain.close()


@contextmanager
def _locked(one: Round, *, seconds: float) -> Iterator[None]:
    until = time.monotonic() + seconds
    writer = apsw.Connection(str(one.store))
    writer.execute("BEGIN IMMEDIATE")
    with _worker(one):
        yield
        try:
            one.ingest()
        except UnavailableError:
            print("the store is locked, and hooks go on")
        time.sleep(max(until - time.monotonic(), 0))
    writer.execute("ROLLBACK")
    writer.close()


def _timed(words: Sequence[str], stdin: bytes) -> float:
    began = time.perf_counter()
    done = subprocess.run(  # noqa: S603 - our own program
        [sys.executable, *words], input=stdin, capture_output=True, check=True
    )
    took = (time.perf_counter() - began) * 1000
    assert not done.stderr, "a hook says nothing but its answer"
    return took


def _spread(times: Sequence[float]) -> dict[str, float]:
    cuts = statistics.quantiles(times, n=100)
    return {
        "p50_ms": round(cuts[49], 2),
        "p95_ms": round(cuts[94], 2),
        "p99_ms": round(cuts[98], 2),
    }


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=1000, help="calls a round")
    parser.add_argument("--locked-seconds", type=float, default=0, help="hold the lock so long")
    return parser.parse_args()


if __name__ == "__main__":
    main()
