"""A home of its own for agents and Tilth: where they are installed, run and looked at."""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import mkdtemp
from time import monotonic, sleep
from typing import Any

from tilth.episodes.episode import Episode
from tilth.runtime import connect as bootstrap

# Keeps what a hook was told and how long it took, and is out of the way.
_SHIM = """#!/bin/sh
umask 077
told="{folder}/$(date +%s%N)-$$"
begun=$(date +%s%N)
tee "$told.in" | "{program}" "$@" > "$told.out"
cat "$told.out"
ended=$(date +%s%N)
printf '%s %s %s\\n' "$1" "$2" "$(( (ended - begun) / 1000 ))" > "$told.took"
"""
_SETTLE_S = 90.0


@dataclass(frozen=True, slots=True)
class Told:
    """One call of the hook program: when (in ns), what it was told and said, its milliseconds."""

    at_ns: int
    host: str
    event: str
    payload: Mapping[str, Any]
    said: str
    milliseconds: float


@dataclass(frozen=True, slots=True)
class Home:
    """A folder that is the home of agents; `npm` is where those are installed."""

    folder: Path
    npm: Path

    @property
    def project(self) -> Path:
        """The repository in which the agents work."""
        return self.folder / "code" / "ledger"

    @property
    def bin(self) -> Path:
        """Where `tilth` and the hook program are."""
        return self.folder / "venv" / "bin"

    @property
    def calls(self) -> Path:
        """Where calls of the hook program are kept."""
        return self.folder / "calls"

    def environ(self, extra: Mapping[str, str] | None = None) -> dict[str, str]:
        """Return all that agents know of their store_environment."""
        path = f"{self.bin}:{self.npm / 'node_modules' / '.bin'}:{os.environ['PATH']}"
        return {"HOME": str(self.folder), "PATH": path, "LANG": "C.UTF-8", **(extra or {})}

    def tilth(self, *words: str) -> Any:  # noqa: ANN401 - what the command says
        """Run `tilth` and return what it answers as JSON."""
        done = subprocess.run(
            [self.bin / "tilth", *words, "--json"],
            env=self.environ(),
            cwd=self.project,
            capture_output=True,
            text=True,
            check=False,
        )
        if done.returncode:
            raise RuntimeError(f"tilth {' '.join(words)}: {(done.stdout + done.stderr)[-500:]}")
        return json.loads(done.stdout) if done.stdout.strip() else {}

    def settled(self) -> None:
        """Wait until the worker has recorded what hooks kept."""
        until = monotonic() + _SETTLE_S
        spool = self.folder / ".local/share/tilth/spool"
        while monotonic() < until:
            if not list(spool.glob("*.spool")):
                return
            sleep(0.5)
        raise RuntimeError("the worker does not record what hooks kept")

    def told(self) -> list[Told]:
        """Return the calls of the hook program, in order."""
        return [_told(path) for path in sorted(self.calls.glob("*.took"))]

    def episodes(self) -> Sequence[Episode]:
        """Return all that is in the store."""
        with bootstrap.connect(self.folder / ".local/share/tilth/tilth.db") as brain:
            return brain.episodes.list(limit=10_000)


@contextmanager
def made(folder: Path, npm: Path) -> Iterator[Home]:
    """Make a home under *folder*, with Tilth of this repository in it, and remove it after."""
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    home = Home(Path(mkdtemp(prefix="home-", dir=folder)), npm)
    try:
        home.calls.mkdir()
        home.project.mkdir(parents=True)
        (home.project / "README.md").write_text("# ledger\n\nKeeps the books.\n")
        for words in (["init", "-q"], ["add", "."], [*_WHO, "commit", "-qm", "Begin"]):
            git = ["git", *words]
            subprocess.run(git, cwd=home.project, env=home.environ(), check=True)
        _install(home)
        yield home
    finally:
        shutil.rmtree(home.folder, ignore_errors=True)


_WHO = ("-c", "user.name=Ada", "-c", "user.email=ada@example.com")


def _install(home: Home) -> None:
    """Give the home a Python of its own, which runs this repository, and a hook that tells."""
    here = Path(sys.prefix)
    subprocess.run(
        [sys.executable, "-m", "venv", "--without-pip", home.folder / "venv"], check=True
    )
    version = f"python{sys.version_info.major}.{sys.version_info.minor}"
    packages = Path("lib") / version / "site-packages"
    lines = [one for one in sys.path if Path(one).is_dir() and not one.startswith(sys.base_prefix)]
    (home.folder / "venv" / packages / "tilth.pth").write_text("\n".join(lines))
    script = f"#!{home.bin}/python -P\nfrom tilth.interfaces.cli import main\nexit(main())\n"
    shim = _SHIM.format(folder=home.calls, program=here / "bin" / "tilth-hook")
    for name, text in (("tilth", script), ("tilth-hook", shim)):
        (home.bin / name).write_text(text)
        (home.bin / name).chmod(0o700)


def _told(path: Path) -> Told:
    host, event, micros = path.read_text().split()
    raw = path.with_suffix(".in").read_bytes()
    payload = json.loads(raw) if raw.strip() else {}
    said = path.with_suffix(".out").read_text()
    at_ns = int(path.name.partition("-")[0])
    return Told(at_ns, host, event, payload, said, int(micros) / 1000)


def ran(words: Sequence[str], home: Home, environ: Mapping[str, str], seconds: float) -> str:
    """Run a program in the project and return what it printed; errors and all."""
    done = subprocess.run(
        words,
        cwd=home.project,
        env=home.environ(environ),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        errors="replace",
        timeout=seconds,
        check=False,
    )
    return done.stdout
