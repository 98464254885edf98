"""
Two processes state into one slot at once, and never leave two current facts in it.

`python -m prove.slots [--tries 10000]`: each writes half of the tries as fast as it can, while a
third process looks at the slot without a pause.
"""

import argparse
import shutil
import tempfile
import time
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from multiprocessing import get_context
from multiprocessing.connection import Connection
from multiprocessing.synchronize import Barrier, Event
from pathlib import Path
from typing import NamedTuple

from prove.ground import FIRST_TIER, Ground, conclude
from tilth.core.actor import Actor, ActorKind
from tilth.core.errors import TilthError
from tilth.core.lifecycle import Lifecycle
from tilth.core.scope import DEFAULT_OWNER, Visibility
from tilth.episodes.remember import WriteContext
from tilth.knowledge.facts.fact import parse_fact
from tilth.knowledge.facts.facts import state_fact
from tilth.knowledge.facts.filters import FactFilter
from tilth.knowledge.facts.tables import Facts
from tilth.knowledge.facts.write.write_fact import Writing
from tilth.ledger.store import Store
from tilth.runtime.system import SystemClock

_PROCESSES = get_context("forkserver")
_EVERYTHING = Visibility()
_WRITERS = 2


class Heard(NamedTuple):
    """What a writer came to: the facts that it stated, those that they replaced, and errors."""

    stated: list[str]
    retired: list[str]
    problems: list[str]


def main() -> None:
    """Race and report."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[1])
    parser.add_argument("--tries", type=int, default=10_000)
    conclude(*run(parser.parse_args().tries))


def run(tries: int) -> tuple[dict[str, object], list[str]]:
    """Run the programme; return the report and what failed."""
    _PROCESSES.set_forkserver_preload(["prove.ground"])
    folder = Path(tempfile.mkdtemp(prefix="tilth-slots-"))
    started = time.monotonic()
    try:
        ground = Ground(folder)
        ground.create()
        looks, failures = race(ground.opened, tries)
        with ground.opened() as store:
            failures += [str(finding) for finding in store.verify()]
    finally:
        shutil.rmtree(folder)
    seconds = time.monotonic() - started
    report: dict[str, object] = {
        "programme": "slots",
        "tries": tries,
        "tries_per_s": round(tries / seconds),
        "looks": looks,
        "seconds": round(seconds, 1),
    }
    return report, failures


def race(opened: Callable[[], AbstractContextManager[Store]], tries: int) -> tuple[int, list[str]]:
    """Let two processes state into one slot; return how often a third looked, and what is wrong."""
    start, done = _PROCESSES.Barrier(_WRITERS), _PROCESSES.Event()
    writers = [
        _started(_write, opened, start, f"writer-{number}", tries // _WRITERS)
        for number in range(_WRITERS)
    ]
    watcher = _started(_watch, opened, done)
    heard: list[Heard] = [pipe.recv() for pipe in writers]
    done.set()
    looks, problems = watcher.recv()
    problems += [problem for one in heard for problem in one.problems]
    with opened() as store:
        return looks, problems + _wrong_in(store, heard)


def _started(work: Callable[..., object], *arguments: object) -> Connection:
    ours, theirs = _PROCESSES.Pipe(duplex=False)
    _PROCESSES.Process(target=_tell, args=(theirs, work, *arguments), daemon=True).start()
    theirs.close()
    return ours


def _tell(pipe: Connection, work: Callable[..., object], *arguments: object) -> None:
    pipe.send(work(*arguments))


def _write(
    opened: Callable[[], AbstractContextManager[Store]], start: Barrier, name: str, tries: int
) -> Heard:
    heard = Heard([], [], [])
    recorder = WriteContext(Actor(name, ActorKind.AGENT), DEFAULT_OWNER)
    writing = Writing(FIRST_TIER, SystemClock(), recorder)
    with opened() as store:
        start.wait()
        for number in range(tries):
            value = f"{name} {number}"
            told = parse_fact("", {"subject": "Acme", "predicate": "phase", "object": value})
            try:
                stated = state_fact(store, told, writing)
            except TilthError as error:
                heard.problems.append(f"{name} heard {type(error).__name__}: {error}")
                continue
            heard.stated.append(stated.fact.id)
            heard.retired.extend([stated.retired] if stated.retired else [])
    return heard


def _watch(
    opened: Callable[[], AbstractContextManager[Store]], done: Event
) -> tuple[int, list[str]]:
    """Look at the slot until the writers are done."""
    looks, problems = 0, list[str]()
    with opened() as store:
        while not done.wait(0.001):
            looks += 1
            if (count := len(_current(store))) > 1:
                problems.append(f"{count} facts were current at once")
    return looks, problems


def _current(store: Store) -> Sequence[str]:
    with store.read() as view:
        found = Facts(view).select(FactFilter(within=_EVERYTHING, predicate="phase"), limit=10)
        return [fact.id for fact in found]


def _wrong_in(store: Store, heard: Sequence[Heard]) -> list[str]:
    """Say what is wrong at the end: one is current, and each other was replaced once."""
    stated = [fact for one in heard for fact in one.stated]
    retired = [fact for one in heard for fact in one.retired]
    current = _current(store)
    wrong = [] if len(current) == 1 else [f"{len(current)} facts are current"]
    if len(set(retired)) != len(retired) or {*retired, *current} != set(stated):
        wrong.append(f"{len(stated)} were stated, {len(set(retired))} of them replaced")
    superseded = frozenset({Lifecycle.SUPERSEDED})
    with store.read() as view:
        kept = Facts(view).count(FactFilter(within=_EVERYTHING, lifecycles=superseded))
    return wrong if kept == len(retired) else [*wrong, f"{kept} are superseded"]


if __name__ == "__main__":
    main()
