"""
How soon a command answers, in CPU time over a bare start of Python.

`python -m bench.startup` fills a store with the transcripts of the demo, and
runs each command as a user does: a fresh process, with nothing set but where
its files are. Every round runs each command once, bare Python among them, so
that what else the machine does falls on all alike. A command's CPU time is
that of its process and of those it waited for, user and system together.

`recall` is measured cold, and once more while a worker holds the models warm;
`mcp` from its start to its answer to `initialize`.
"""

import argparse
import json
import os
import statistics
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from bench.machine import ROOT, keep

ROUNDS = 9
QUESTION = "which database did we choose?"
# A project of the sample: a brief of a folder that nobody worked in tells nothing.
BRIEF = ("brief", "--scope", "project:mira/ferrybook")
# What issue 11 allows each command, in milliseconds of CPU time over bare Python.
ALLOWED_MS = {
    "version": 60,
    "help": 250,
    "settings": 250,
    "brief": 250,
    "recall": 600,
    "recall by worker": 150,
    "brief by worker": 150,
    "mcp": 500,
}
_SAMPLE = ROOT / "src" / "tilth" / "runtime" / "sample"
# What a command says with --debug when a running worker answered it.
_SERVED = "answered by the worker"
_WORKER_STARTS_S = 60.0
_INITIALIZE = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "initialize",
    "params": {
        "protocolVersion": "2025-06-18",
        "capabilities": {},
        "clientInfo": {"name": "bench", "version": "1"},
    },
}


@dataclass(frozen=True, slots=True)
class Place:
    """A home with a store, and the Python that has Tilth."""

    python: str
    home: Path

    @property
    def environ(self) -> dict[str, str]:
        """The environment of each command: nothing of whoever measures reaches it."""
        kept = {name: os.environ[name] for name in ("PATH", "HOME") if name in os.environ}
        return kept | {"TILTH_HOME": str(self.home)}

    def tilth(self, *words: str) -> list[str]:
        """Return the command line of `tilth` with *words*, by way of the installed program."""
        beside = Path(self.python).with_name("tilth")
        program = [str(beside)] if beside.exists() else [self.python, "-m", "tilth"]
        return [*program, *words]

    def run(self, words: Sequence[str]) -> str:
        """Run a command that must come through, and return what it said."""
        done = subprocess.run(  # noqa: S603 - our own program
            words, capture_output=True, text=True, check=False, env=self.environ, cwd=self.home
        )
        if done.returncode:
            raise SystemExit(f"{' '.join(words)} failed:\n{done.stderr}")
        return done.stdout

    def told(self, words: Sequence[str]) -> str:
        """Return what a command says beside its answer."""
        done = subprocess.run(  # noqa: S603 - our own program
            words, capture_output=True, text=True, check=True, env=self.environ, cwd=self.home
        )
        return done.stderr

    def cpu_ms(self, words: Sequence[str], tell: bytes = b"") -> float:
        """
        Run a command, and return the milliseconds of CPU time that it took.

        A command that is told something is spoken to until it answers with a line.
        """
        with subprocess.Popen(  # noqa: S603 - our own program
            words,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env=self.environ,
            cwd=self.home,
        ) as child:
            assert child.stdin is not None
            assert child.stdout is not None
            if tell:
                child.stdin.write(tell)
                child.stdin.flush()
                if not child.stdout.readline():
                    raise SystemExit(f"{' '.join(words)} does not answer")
                child.kill()
            child.stdin.close()
            child.stdout.read()
            _, status, used = os.wait4(child.pid, 0)
            child.returncode = os.waitstatus_to_exitcode(status)
        if child.returncode and not tell:
            raise SystemExit(f"{' '.join(words)} failed")
        return (used.ru_utime + used.ru_stime) * 1000


def main() -> None:
    """Fill a store, run every command in turn, and print the medians."""
    parser = argparse.ArgumentParser(description="How soon a command answers.")
    parser.add_argument("--python", default=sys.executable, help="an interpreter that has Tilth")
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    options = parser.parse_args()
    keep("startup", {"bench": "startup", **measured(options.python, options.rounds)})


def measured(python: str, rounds: int = ROUNDS) -> dict[str, object]:
    """Return the medians of each command, run by *python*, and what issue 11 allows."""
    with TemporaryDirectory(prefix="tilth-startup-") as folder:
        place = Place(python, Path(folder))
        place.run([python, "-c", "import tilth; tilth.connect(create=True).close()"])
        place.run(place.tilth("import", "--no-background", str(_SAMPLE)))
        place.run(place.tilth("worker", "--once"))
        if "<tilth-context" not in place.run(place.tilth(*BRIEF)):
            raise SystemExit("the brief tells nothing: is the project still in the sample?")
        spent = _spent(place, _cold(place), rounds)
        with _worker(place):
            recall, brief = place.tilth("recall", QUESTION), place.tilth(*BRIEF)
            warm = {"recall by worker": (recall, b""), "brief by worker": (brief, b"")}
            spent |= _spent(place, warm, rounds)
    floor = statistics.median(spent.pop("python"))
    medians = {name: statistics.median(times) for name, times in spent.items()}
    over = {name: round(one - floor, 1) for name, one in medians.items()}
    return {
        "rounds": rounds,
        "python_ms": round(floor, 1),
        "over_python_ms": over,
        "ratio_to_python": {name: round(one / floor, 1) for name, one in medians.items()},
        "allowed_ms": ALLOWED_MS,
        "too_slow": [name for name, one in over.items() if one > ALLOWED_MS[name]],
    }


def _cold(place: Place) -> dict[str, tuple[Sequence[str], bytes]]:
    """Return each command by its name, with what it is told; MCP only where its extra is."""
    known = "import importlib.util; print(importlib.util.find_spec('mcp') is not None)"
    commands: dict[str, tuple[Sequence[str], bytes]] = {
        "python": ([place.python, "-c", "pass"], b""),
        "version": (place.tilth("--version"), b""),
        "help": (place.tilth("--help"), b""),
        "settings": (place.tilth("settings"), b""),
        "brief": (place.tilth(*BRIEF), b""),
        "recall": (place.tilth("recall", QUESTION), b""),
    }
    if place.run([place.python, "-c", known]).strip() == "True":
        commands["mcp"] = (place.tilth("mcp"), json.dumps(_INITIALIZE).encode() + b"\n")
    return commands


def _spent(
    place: Place, commands: Mapping[str, tuple[Sequence[str], bytes]], rounds: int
) -> dict[str, list[float]]:
    """Return the CPU times of each command, but of the first round, which writes byte code."""
    spent: dict[str, list[float]] = {name: [] for name in commands}
    for number in range(rounds + 1):
        for name, (words, tell) in commands.items():
            took = place.cpu_ms(words, tell)
            if number:
                spent[name].append(took)
    return spent


@contextmanager
def _worker(place: Place) -> Iterator[None]:
    """Keep a worker running, from when it answers."""
    worker = subprocess.Popen(  # noqa: S603 - our own program
        place.tilth("worker"), env=place.environ, stderr=subprocess.DEVNULL
    )
    try:
        until = time.monotonic() + _WORKER_STARTS_S
        while _SERVED not in place.told(place.tilth("--debug", "recall", QUESTION)):
            assert time.monotonic() < until, "the worker never answered"
            time.sleep(0.1)
        yield
    finally:
        worker.kill()
        worker.wait()


if __name__ == "__main__":
    main()
