"""
How long it takes to look through an imported past, and how much memory.

`python -m bench.distil [--episodes 100000] [--store FILE]` fills a store with the sessions of the
evaluation data, over and over, each time as those of other projects, and has them looked through
as the worker does, round by round, without a model; then once more, when nothing is new. Seconds
are those of the CPU: the machine may have other work. `--store` looks through a copy that is there.
"""

import argparse
import resource
import tempfile
import time
from pathlib import Path

import tilth
from bench import sessions
from bench.machine import keep, resident_mb
from bench.texts import evaluation_data
from tilth.core.actor import IMPORTER


def main() -> None:
    """Measure, and report."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[1])
    parser.add_argument("--episodes", type=int, default=100_000)
    parser.add_argument("--store", type=Path)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        store = arguments.store or Path(folder) / "tilth.db"
        if not store.exists():
            with tilth.connect(store, create=True, actor=IMPORTER) as importing:
                sessions.fill(importing, evaluation_data(), arguments.episodes)
        with tilth.connect(store) as brain:
            before_mb, began = resident_mb(), time.process_time()
            windows = stated = 0
            while (done := brain.distil(is_asked=False)).windows:
                windows += len(done.windows)
                stated += len(done.stated)
            seconds, began = time.process_time() - began, time.process_time()
            brain.distil(is_asked=True)
            again = time.process_time() - began
    report = {
        "bench": "distil",
        "episodes": arguments.episodes,
        "windows": windows,
        "stated": stated,
        "cpu_s": round(seconds, 1),
        "again_cpu_s": round(again, 3),
        "episodes_per_cpu_s": round(arguments.episodes / seconds),
        "before_mb": before_mb,
        "peak_mb": round(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1_000, 1),
    }
    keep("distil", report)


if __name__ == "__main__":
    main()
