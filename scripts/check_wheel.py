"""
Build the wheel, and use it as a stranger does: installed elsewhere, on each supported Python.

    python scripts/check_wheel.py [--python 3.12] [--wheel FILE]

For each supported Python that is found, the wheel is installed into a fresh
environment outside the checkout, with a home of its own. Then every way in is
tried: the command, the library, the hooks, a host's files and back, the MCP
server of the extra `mcp`, and uninstalling. A Python that is not there is
named, and is no failure; the last line is one JSON object.
"""

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from zipfile import ZipFile

ROOT = Path(__file__).parents[1]
PYTHONS = ("3.11", "3.12", "3.13")
# Besides the code, a wheel without these would start and then fail on its first user.
DATA = (
    "tilth/py.typed",
    "tilth/agents/hosts/plugin.js",
    "tilth/embedding/data/minilm-encoder.npz",
    "tilth/embedding/data/minilm-words.npy",
    "tilth/embedding/data/static-256.npy",
    "tilth/embedding/data/vocab.txt",
    "tilth/learning/spoken/salience.json",
    "tilth/runtime/index.json",
    "tilth/runtime/methods.pyi",
    "tilth/runtime/sample/claude-code-payments.jsonl",
)
_HELLO = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "initialize",
    "params": {
        "protocolVersion": "2025-06-18",
        "capabilities": {},
        "clientInfo": {"name": "check-wheel", "version": "1"},
    },
}
_REMEMBERED = "We chose PostgreSQL for the ledger: row-level security settles it."
_LIBRARY = """
import tilth
with tilth.connect("library.db", create=True) as brain:
    brain.remember("The API listens on port 9090 now.", session_id="ops", speaker="Ana")
    assert "9090" in brain.recall("Which port does the API use?").hits[0].text
"""


class WheelError(Exception):
    """The wheel, or what was installed from it, is not what it should be."""


def main() -> int:
    """Check the wheel on every Python that is found, and report."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[1])
    parser.add_argument("--python", action="append", choices=PYTHONS, help="this one only")
    parser.add_argument("--wheel", type=Path, help="a wheel that was built before")
    arguments = parser.parse_args()
    folder = Path(tempfile.mkdtemp(prefix="tilth-wheel-"))
    outcomes = {}
    try:
        wheel = arguments.wheel or built(folder)
        check_contents(wheel)
        for version in arguments.python or PYTHONS:
            python = interpreter(version)
            outcomes[version] = "not there" if python is None else _tried(wheel, python, folder)
            print(f"Python {version}: {outcomes[version]}", flush=True)
    except WheelError as error:
        print(error, file=sys.stderr)
        return 1
    finally:
        shutil.rmtree(folder)
    print(json.dumps({"check": "wheel", "wheel": wheel.name, "pythons": outcomes}))
    # A run that found no Python at all has shown nothing.
    return 0 if set(outcomes.values()) <= {"ok", "not there"} and "ok" in outcomes.values() else 1


def built(folder: Path) -> Path:
    """Build the wheel of this checkout into *folder*."""
    pip = [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--wheel-dir"]
    _run([*pip, str(folder), str(ROOT)], {}, folder)
    return next(folder.glob("tilth-*.whl"))


def check_contents(wheel: Path) -> None:
    """
    Compare what the wheel holds with the sources.

    Raises:
        WheelError: something is missing, or does not belong into it.
    """
    with ZipFile(wheel) as archive:
        held = {name for name in archive.namelist() if ".dist-info/" not in name}
        metadata = next(name for name in archive.namelist() if name.endswith("/METADATA"))
        told = archive.read(metadata).decode()
    expected = set(sources(ROOT / "src"))
    for problem, names in (
        ("is not in the wheel", (expected | set(DATA)) - held),
        ("does not belong into the wheel", held - expected),
    ):
        if names:
            raise WheelError(f"{problem}: {', '.join(sorted(names))}")
    for version in PYTHONS:
        if f"Classifier: Programming Language :: Python :: {version}" not in told:
            raise WheelError(f"no classifier says that Python {version} is supported")


def sources(root: Path) -> Iterator[str]:
    """Yield the files that a wheel of the packages and modules in *root* holds."""
    for path in root.rglob("*"):
        parts = path.relative_to(root).parts
        if path.is_file() and "__pycache__" not in parts and not parts[0].endswith(".egg-info"):
            yield "/".join(parts)


def interpreter(version: str) -> Path | None:
    """Return a Python of that version on this machine, or None."""
    name = f"python{version}"
    pyenv = Path(os.environ.get("PYENV_ROOT") or Path.home() / ".pyenv") / "versions"
    found = [shutil.which(name), *sorted(pyenv.glob(f"{version}.*/bin/{name}"))]
    if sys.version_info[:2] == tuple(map(int, version.split("."))):
        found.insert(0, sys.executable)
    for path in filter(None, found):
        # What is on the path may be a shim for a Python that is not installed.
        asked = [str(path), "-c", "import sys, venv, ensurepip; print(sys.executable)"]
        done = subprocess.run(asked, capture_output=True, text=True, check=False)  # noqa: S603
        if not done.returncode:
            return Path(done.stdout.strip())
    return None


@dataclass(frozen=True)
class Room:
    """A fresh environment, and a home in which nobody has used Tilth."""

    folder: Path

    @property
    def environ(self) -> dict[str, str]:
        """What a process in it is started with: nothing of ours, and nothing of the caller's."""
        home = {"HOME": str(self.folder / "home"), "TILTH_HOME": str(self.folder / "home/tilth")}
        return home | {"PATH": f"{self.folder / 'env/bin'}:/usr/bin:/bin"}

    def run(self, *words: str, stdin: str = "") -> str:
        """Run a program of the environment and return what it prints."""
        program = str(self.folder / "env/bin" / words[0])
        return _run([program, *words[1:]], self.environ, self.folder / "home", stdin)

    def pip(self, *words: str) -> None:
        """Run pip as this machine has set it up."""
        python = str(self.folder / "env/bin/python")
        kept = {k: v for k, v in os.environ.items() if k not in {"PYTHONPATH", "VIRTUAL_ENV"}}
        _run([python, "-m", "pip", *words, "--quiet"], kept, self.folder)


def _tried(wheel: Path, python: Path, folder: Path) -> str:
    room = Room(Path(tempfile.mkdtemp(dir=folder)))
    (room.folder / "home").mkdir()
    try:
        _run([str(python), "-m", "venv", str(room.folder / "env")], {}, folder)
        room.pip("install", str(wheel))
        _check_command(room)
        _check_hosts(room)
        room.pip("install", f"{wheel}[mcp]")
        _check_mcp(room)
        _check_uninstalled(room)
    except WheelError as error:
        return str(error)
    finally:
        shutil.rmtree(room.folder)
    return "ok"


def _check_command(room: Room) -> None:
    _expect(room.run("tilth", "--version").startswith("tilth "), "tilth --version says it")
    room.run("tilth", "init")
    room.run("tilth", "remember", _REMEMBERED, "--session", "planning")
    found = room.run("tilth", "recall", "Which database did we choose?", "--json")
    _expect("PostgreSQL" in found, "recall finds what was remembered")
    room.run("tilth", "verify")
    room.run("tilth", "demo")  # reads the sample, and the weights of what is worth remembering
    room.run("python", "-c", _LIBRARY)


def _check_hosts(room: Room) -> None:
    before = _tree(room.folder / "home")
    for host in ("claude-code", "opencode"):
        room.run("tilth", "init", host, "--yes")
        _expect(_tree(room.folder / "home") != before, f"init {host} writes its files")
        room.run("tilth", "unplug", host)
        _expect(_tree(room.folder / "home") == before, f"unplug {host} leaves no file behind")
    room.run("tilth-hook", "claude-code", "Stop", stdin='{"session_id": "s"}')
    _expect(any(room.folder.rglob("*.spool")), "a hook keeps what it is told")


def _check_mcp(room: Room) -> None:
    answer = json.loads(room.run("tilth", "mcp", stdin=json.dumps(_HELLO) + "\n").splitlines()[0])
    _expect(answer["result"]["serverInfo"]["name"] == "tilth", "the MCP server greets")


def _check_uninstalled(room: Room) -> None:
    room.pip("uninstall", "--yes", "tilth")
    env = room.folder / "env"
    left = [
        str(path.relative_to(env))
        for path in env.rglob("*tilth*")
        if "__pycache__" not in path.parts
    ]
    _expect(not left, f"uninstalling removes every file of ours: {', '.join(left)}")
    _expect((room.folder / "home/tilth/tilth.db").exists(), "uninstalling leaves the memory alone")


def _tree(home: Path) -> frozenset[str]:
    """Return the files of a home that are not of Tilth's own folder."""
    files = (path.relative_to(home) for path in home.rglob("*") if path.is_file())
    return frozenset(str(path) for path in files if path.parts[0] != "tilth")


def _expect(holds: bool, promise: str) -> None:  # noqa: FBT001 - what holds comes first
    if not holds:
        raise WheelError(f"broken: {promise}")


def _run(command: Sequence[str], environ: Mapping[str, str], folder: Path, stdin: str = "") -> str:
    done = subprocess.run(  # noqa: S603 - commands of ours
        command,
        input=stdin,
        capture_output=True,
        text=True,
        check=False,
        cwd=folder,
        env=environ or None,
        timeout=900,
    )
    if done.returncode:
        raise WheelError(f"{' '.join(command)} failed with {done.returncode}:\n{done.stderr}")
    return done.stdout


if __name__ == "__main__":
    sys.exit(main())
