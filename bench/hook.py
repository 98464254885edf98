"""
What a hook costs the agent, beyond the start of Python itself.

The real program is started as a host starts it, with the events of a recorded
session, while no worker is there, while the real one is, and while another
program holds the store's write lock besides. Before every call Python is
started for nothing; the figures are the differences. After each round all that
was told must be in the store: the number lost is part of the result, which is
the last line.
"""

import argparse
import json
import os
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
from tilth.agents.state_folder import StateFolder

HOST = "claude-code"
EVENTS = ("SessionStart", "UserPromptSubmit", *("PostToolUse",) * 6, "Stop", "SessionEnd")
RESULT = "x" * 2_000
# Of an empty answer nothing could be said; these are found at every start and prompt.
KNOWN = [f"Decided: kettle number {number} boils at {60 + number} degrees." for number in range(40)]
WORKER_STARTS_S = 60.0


@dataclass(frozen=True, slots=True)
class Round:
    """One way in which the world stands while hooks are called."""

    home: Path

    @property
    def store(self) -> Path:
        """The store that is locked, or not."""
        return self.home / "tilth.db"

    @property
    def environ(self) -> dict[str, str]:
        """The environment of hooks and worker: nothing of whoever measures reaches them."""
        names = ("PATH", "HOME", "PYTHONPATH")
        kept = {name: os.environ[name] for name in names if name in os.environ}
        return kept | {"TILTH_HOME": str(self.home), "TILTH_BUSY_TIMEOUT_S": "0.5"}

    def call(self, number: int) -> tuple[float, bool]:
        """Run the program for one event; return the milliseconds, and whether it said anything."""
        event = EVENTS[number % len(EVENTS)]
        payload = {
            "session_id": f"s{number // len(EVENTS)}",
            "cwd": "/home/ada/work/kettle",
            "hook_event_name": event,
            "prompt": f"At how many degrees does kettle number {number % len(KNOWN)} boil?",
            "prompt_id": f"prompt_{number}",
            "last_assistant_message": f"answer {number}",
            "tool_name": "Bash",
            "tool_use_id": f"toolu_{number}",
            "tool_input": {"command": f"make {number}"},
            "tool_response": {"stdout": f"{number} {RESULT}", "stderr": ""},
        }
        words = [tilth_hook.__file__, HOST, event, "--home", str(self.home)]
        return self.timed(words, json.dumps(payload).encode())

    def timed(self, words: Sequence[str], stdin: bytes = b"") -> tuple[float, bool]:
        """Run Python; return how long it took in milliseconds, and whether it said anything."""
        began = time.perf_counter()
        done = subprocess.run(  # noqa: S603 - our own program
            [sys.executable, *words], input=stdin, capture_output=True, check=True, env=self.environ
        )
        took = (time.perf_counter() - began) * 1000
        assert not done.stderr, "a hook says nothing but its answer"
        return took, bool(done.stdout)

    def work(self) -> None:
        """Run the real worker until nothing waits."""
        subprocess.run(  # noqa: S603 - our own program
            [*_WORKER, "--once"], check=True, env=self.environ, capture_output=True
        )

    def event_count(self) -> int:
        """Return of how many of the calls something is in the store."""
        count = after = 0
        with tilth.connect(self.store) as brain:
            while page := brain.episodes.list(limit=1000, after=after):
                after = page[-1].seq
                count += sum(
                    one.metadata.get("hook") is not None and one.kind != "tool_call" for one in page
                )
        return count


_WORKER = (sys.executable, "-m", "tilth", "worker")


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
    with tilth.connect(one.store, create=True) as brain:
        brain.remember_many([{"text": text, "scope": "project:work/kettle"} for text in KNOWN])
    one.work()
    hooks: list[float] = []
    floors: list[float] = []
    answered = 0
    began = time.monotonic()
    with world(one):
        for number in range(count):
            floors.append(one.timed(["-c", "pass"])[0])
            took, has_said = one.call(number)
            hooks.append(took)
            answered += has_said
        seconds = time.monotonic() - began
    one.work()
    expected = sum(EVENTS[number % len(EVENTS)] in _TELLING for number in range(count))
    hook, floor = _spread(hooks), _spread(floors)
    return {
        "hook": hook,
        "python": floor,
        "over_python": {name: round(hook[name] - floor[name], 2) for name in hook},
        "seconds": round(seconds, 1),
        "answered": answered,
        "lost": expected - one.event_count() + StateFolder(one.home / "state").lost_count(),
    }


# The events that become an episode besides a tool's call.
_TELLING = frozenset({"UserPromptSubmit", "PostToolUse", "Stop"})


@contextmanager
def _worker(one: Round) -> Iterator[None]:
    address = str(StateFolder(one.home / "state").worker_address)
    worker = subprocess.Popen(_WORKER, env=one.environ, stderr=subprocess.DEVNULL)  # noqa: S603
    try:
        until = time.monotonic() + WORKER_STARTS_S
        while tilth_hook.ask_worker(address, b"tilth recall 1 tilth wake\n") is None:
            assert time.monotonic() < until, "the worker never answered"
            time.sleep(0.05)
        yield
    finally:
        worker.kill()
        worker.wait()


@contextmanager
def _locked(one: Round, *, seconds: float) -> Iterator[None]:
    with _worker(one):
        until = time.monotonic() + seconds
        writer = apsw.Connection(str(one.store))
        writer.execute("BEGIN IMMEDIATE")
        yield
        time.sleep(max(until - time.monotonic(), 0))
        writer.execute("ROLLBACK")
        writer.close()


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
    parser.add_argument(
        "--locked-seconds", type=float, default=60, help="hold the lock at least so long"
    )
    return parser.parse_args()


if __name__ == "__main__":
    main()
