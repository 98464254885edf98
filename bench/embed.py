"""
How fast each bundled embedder is: texts a second, seconds to load, memory.

Each embedder runs in a process of its own, so that its memory is its own. The last line is one JSON
object. OMP_NUM_THREADS and OPENBLAS_NUM_THREADS bound numpy's threads; onnxruntime takes all cores.
"""

import argparse
import json
import os
import platform
import resource
import subprocess
import sys
import time
from statistics import median
from typing import Any

import numpy as np

from tilth.embedding import bundled
from tilth.embedding.embedder import Embedder
from tilth.embedding.minilm import MiniLmEmbedder
from tilth.embedding.static import StaticEmbedder

EMBEDDERS = ("static", "minilm-numpy", "minilm-onnx")
SHORT_PIECES = 30
LONG_PIECES = 256
ROUNDS = 5


def main() -> None:
    """Measure all embedders, or print what one gave in its own process."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", choices=EMBEDDERS)
    options = parser.parse_args()
    if options.only:
        print(json.dumps(measure(options.only)))
        return
    results = {name: in_its_own_process(name) for name in EMBEDDERS}
    for name, row in results.items():
        print(f"{name:14}", "  ".join(f"{key} {value:,}" for key, value in row.items()))
    print(json.dumps({"machine": machine(), "embedders": results}))


def machine() -> dict[str, Any]:
    """Return what the figures depend on."""
    threads = {name: os.environ.get(name) for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS")}
    load = os.getloadavg()[0]
    return {"cpus": os.cpu_count(), "load": load, "python": platform.python_version(), **threads}


def in_its_own_process(name: str) -> dict[str, float]:
    """Return the measurements of one embedder."""
    command = [sys.executable, __file__, "--only", name]
    run = subprocess.run(command, capture_output=True, text=True, check=True)  # noqa: S603
    result: dict[str, float] = json.loads(run.stdout.splitlines()[-1])
    return result


def measure(name: str) -> dict[str, float]:
    """Measure the embedder *name* in this process."""
    before = memory_mb()
    embedder: Embedder = (
        StaticEmbedder() if name == "static" else MiniLmEmbedder(use_onnx=name == "minilm-onnx")
    )
    started = time.perf_counter()
    embedder.embed(["one text"])
    load_s = time.perf_counter() - started
    loaded = memory_mb()
    count = 5_000 if name == "static" else 100
    return {
        "load_s": round(load_s, 3),
        "short_per_s": rate(embedder, texts(SHORT_PIECES, count)),
        "long_per_s": rate(embedder, texts(LONG_PIECES, max(count // 8, 8))),
        "single_ms": round(1_000 / rate(embedder, texts(SHORT_PIECES, 1)), 2),
        "loaded_mb": round(loaded - before, 1),
        "peak_mb": round(memory_mb(), 1),
    }


def texts(pieces: int, count: int) -> list[str]:
    """Return texts of whole words, each so many pieces long with its two special tokens."""
    words = (bundled.FOLDER / bundled.VOCABULARY).read_text(encoding="utf-8").split()
    usual = [word for word in words[2_000:12_000] if word.isascii() and word.isalpha()]
    chosen = np.random.default_rng(7).choice(usual, size=(count, pieces - 2))
    return [" ".join(row) for row in chosen.tolist()]


def rate(embedder: Embedder, batch: list[str]) -> float:
    """Return how many texts a second were embedded in the median round."""
    seconds = []
    for _ in range(ROUNDS):
        started = time.perf_counter()
        embedder.embed(batch)
        seconds.append(time.perf_counter() - started)
    return round(len(batch) / median(seconds), 1)


def memory_mb() -> float:
    """Return the most memory that this process has held."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


if __name__ == "__main__":
    main()
