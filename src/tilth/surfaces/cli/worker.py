"""`tilth worker`, and starting one in the background."""

import os
import signal
import sys
import threading
from argparse import Namespace
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from tilth import bootstrap
from tilth.app import Brain
from tilth.surfaces.cli.opening import open_brain, place_of
from tilth.surfaces.cli.screen import Screen
from tilth.worker import alone, give_way, start, work

# -P: what lies in the current folder is never run.
ONCE = [sys.executable, "-P", "-m", "tilth", "worker", "--once"]


def run(args: Namespace, screen: Screen) -> int:
    """Do what waits, unless another worker does already."""
    where = place_of(args)
    with open_brain(args) as brain, alone(bootstrap.worker_lock(where)) as is_alone:
        if not is_alone:
            screen.answer(
                {"is_alone": False, "embedded_count": 0}, ["another worker has this store"]
            )
            return 0
        give_way()
        with screen.progress("embedding") as advance:
            ingest = _ingesting(brain) if where == bootstrap.hooks_store(os.environ) else int
            with _interruption() as is_stopped:
                count = work(
                    brain,
                    is_once=args.once,
                    ingest=ingest,
                    progress=advance,
                    is_stopped=is_stopped,
                )
    screen.answer({"is_alone": True, "embedded_count": count}, [f"embedded {count:,} episodes"])
    return 0


@contextmanager
def _interruption() -> Iterator[Callable[[], bool]]:
    """
    Tell whether Ctrl-C was pressed, and end with it.

    Python raises it wherever the program stands. In a callback of C code, or while a library
    is imported, it can be swallowed, and a worker would never end.
    """
    pressed = threading.Event()

    def stop(_signal: int, _frame: object) -> None:
        pressed.set()
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGINT, stop)
    try:
        yield pressed.is_set
    finally:
        signal.signal(signal.SIGINT, before)
    if pressed.is_set():
        raise KeyboardInterrupt


def _ingesting(brain: Brain) -> Callable[[], int]:
    hooks = bootstrap.hooks(os.environ)
    return lambda: brain.ingest(hooks.spool, hooks.reading).record_count


def start_in_background(args: Namespace) -> None:
    """Start a worker for the store of *args* that ends when nothing waits."""
    # By the environment, since a URL may hold a password, and commands are seen by everyone.
    told = {"TILTH_STORE": place_of(args)} | ({"TILTH_OWNER": args.owner} if args.owner else {})
    start(ONCE, os.environ | told, bootstrap.folders(os.environ).state / "worker.log")
