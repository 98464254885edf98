"""Where and on what a bench ran, and how its results are kept."""

import json
import os
import platform
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path

import apsw
import numpy as np

ROOT = Path(__file__).parent.parent
RESULTS = ROOT / "bench" / "results"


def store_environment() -> dict[str, object]:
    """Return the commit and the machine."""
    git = ["git", "-C", str(ROOT), "rev-parse", "--short", "HEAD"]
    commit = subprocess.run(git, capture_output=True, text=True, check=False)  # noqa: S603 - fixed words
    return {
        "commit": commit.stdout.strip() or "unknown",
        "cpu": _cpu(),
        "cores": os.cpu_count(),
        "load_1m": round(os.getloadavg()[0], 1),
        "system": platform.platform(),
        "python": platform.python_version(),
        "sqlite": apsw.sqlite_lib_version(),
    }


def _cpu() -> str:
    info = Path("/proc/cpuinfo")
    if not info.exists():
        return platform.processor()
    names = [line for line in info.read_text().splitlines() if line.startswith("model name")]
    return names[0].partition(":")[2].strip() if names else platform.processor()


def resident_mb() -> float:
    """Return how much memory this process holds now."""
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return round(pages * os.sysconf("SC_PAGE_SIZE") / 1e6, 1)


def percentiles(seconds: Sequence[float]) -> dict[str, float]:
    """Return the median and the 95th percentile, in milliseconds."""
    p50, p95 = np.percentile(np.array(seconds) * 1000, [50, 95])
    return {"p50_ms": round(float(p50), 2), "p95_ms": round(float(p95), 2)}


def keep(name: str, report: Mapping[str, object]) -> None:
    """Write the report to the results folder, and print it on one line, the last."""
    RESULTS.mkdir(parents=True, exist_ok=True)
    whole = {**report, **store_environment()}
    (RESULTS / f"{name}.json").write_text(json.dumps(whole, indent=2) + "\n")
    print(json.dumps(whole))
