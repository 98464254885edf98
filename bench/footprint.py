"""
How heavy an installation is, and how soon it answers.

`python -m bench.footprint`: builds a wheel, installs it with its dependencies
into a fresh environment (from the package index that pip is set to), and
counts packages and megabytes. What a start of it costs `bench.startup` says.
"""

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
import venv
from collections.abc import Sequence
from pathlib import Path

from bench.machine import ROOT, keep
from bench.startup import measured

# What an environment holds before anything is installed.
_ALREADY_THERE = frozenset({"pip", "setuptools", "wheel"})


def main() -> None:
    """Install, count, time and report."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[1])
    parser.add_argument("--folder", type=Path, help="where to install; a temporary one if not")
    arguments = parser.parse_args()
    folder = Path(tempfile.mkdtemp(prefix="tilth-footprint-", dir=arguments.folder))
    try:
        keep("footprint", {"bench": "footprint", **_measured(folder)})
    finally:
        shutil.rmtree(folder)


def _measured(folder: Path) -> dict[str, object]:
    wheel = _built(folder)
    room = folder / "room"
    venv.create(room, with_pip=True)
    python = room / "bin" / "python"
    before = _bytes_in(room)
    _run([str(python), "-m", "pip", "install", "--quiet", str(wheel)])
    listed = _run([str(python), "-m", "pip", "list", "--format", "json"])
    packages = sorted(
        one["name"] for one in json.loads(listed) if one["name"] not in _ALREADY_THERE
    )
    return {
        "packages": len(packages),
        "package_names": packages,
        "wheel_mb": round(wheel.stat().st_size / 1e6, 1),
        "installed_mb": round((_bytes_in(room) - before) / 1e6, 1),
        "startup": measured(str(python)),
    }


def _built(folder: Path) -> Path:
    command = [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--wheel-dir"]
    _run([*command, str(folder), str(ROOT)])
    return next(folder.glob("tilth-*.whl"))


def _run(command: Sequence[str]) -> str:
    # Away from the checkout, so that only what was installed is found.
    environ = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    done = subprocess.run(  # noqa: S603 - commands of ours
        command, capture_output=True, text=True, check=False, cwd="/", env=environ
    )
    if done.returncode:
        raise SystemExit(f"{' '.join(command)} failed:\n{done.stderr}")
    return done.stdout


def _bytes_in(folder: Path) -> int:
    return sum(path.lstat().st_size for path in folder.rglob("*") if path.is_file())


if __name__ == "__main__":
    main()
