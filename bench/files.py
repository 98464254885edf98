"""
What it costs to take a large brain out as files, to read it back, and to go back to a day.

`python -m bench.files [--rows 100000] [--store FOLDER]` fills a store with that many rows
(episodes, facts, things), or takes the `tilth.db` of a folder, which it changes. It runs each step
in a process of its own: an export, a vault and the same again, the whole ledger written and a store
made of it, a snapshot, and going back to it after more was learned. Each step tells the CPU time
that it took, whatever else the machine had to do, the wall time, and the most memory that it
held. What must be equal is compared. The last line is JSON.
"""

import argparse
import os
import resource
import tempfile
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from multiprocessing import get_context
from pathlib import Path

import tilth
from bench.machine import keep
from tilth.core.actor import Human
from tilth.runtime.connect import load_store
from tilth.runtime.settings import Settings
from tilth.transfer.ledger_file import opened

_AT_ONCE = 500
# Of ten rows: a thing, three facts with the episodes that they rest on, three episodes besides.
_TENTH = 10
_FACTS, _SAID = 3, 3


@dataclass(frozen=True)
class Room:
    """Where everything lies."""

    folder: Path

    @property
    def store(self) -> Path:
        """The store."""
        return self.folder / "tilth.db"


def fill(room: Room, rows: int) -> None:
    """Fill a new store."""
    things = rows // _TENTH
    with tilth.connect(room.store, create=True, actor=Human("ana")) as brain:
        for at in range(0, things * _FACTS, _AT_ONCE):
            brain.facts.add_many(
                {
                    "text": f"The host-{number % things} answers on port {1024 + number}.",
                    "about": [f"host-{number % things}"],
                }
                for number in range(at, min(at + _AT_ONCE, things * _FACTS))
            )
        for at in range(0, things * _SAID, _AT_ONCE):
            brain.remember_many(
                {"text": f"In step {number} it was restarted.", "session_id": f"s{number // 100}"}
                for number in range(at, at + _AT_ONCE)
            )


def exported(room: Room) -> dict[str, object]:
    """Write everything into one file."""
    with tilth.connect(room.store, actor=Human("ana")) as brain:
        done = brain.export(str(room.folder / "export.jsonl"))
    return {"rows": sum(done.counts.values()), "mb": _mb(room.folder / "export.jsonl")}


def vault(room: Room) -> dict[str, object]:
    """Write a vault, or bring it up to date."""
    with tilth.connect(room.store, actor=Human("ana")) as brain:
        done = brain.vault.export(str(room.folder / "vault"))
    return {"pages": done.page_count, "written": len(done.written)}


def whole(room: Room) -> dict[str, object]:
    """Write the ledger word for word."""
    with tilth.connect(room.store, actor=Human("ana")) as brain:
        brain.export(str(room.folder / "ledger.jsonl"), is_whole=True)
    return {"mb": _mb(room.folder / "ledger.jsonl")}


def loaded(room: Room) -> dict[str, object]:
    """Make a store of it, and compare the digests of all tables."""
    os.environ["TILTH_HOME"] = str(room.folder / "elsewhere")
    file = opened(str(room.folder / "ledger.jsonl"))
    events, is_equal = load_store(file, str(room.folder / "loaded.db"), Settings())
    return {"events": events, "is_equal": is_equal}


def taken(room: Room) -> dict[str, object]:
    """Take a snapshot."""
    with tilth.connect(room.store, actor=Human("ana")) as brain:
        done = brain.snapshots.take()
    return {"operations": sum(done.counts.values()), "mb": _mb(Path(done.path))}


def gone_back(room: Room) -> dict[str, object]:
    """Learn more, and go back to what was known before."""
    with tilth.connect(room.store, actor=Human("ana")) as brain:
        brain.facts.add("The host-1 was moved.", about=["host-1"])
        day = brain.snapshots.list()[0].day
        plan = brain.snapshots.restore(day)
        done = brain.snapshots.restore(day, confirm=plan.confirm)
    return {"aside": len(done.aside), "is_equal": done.is_equal}


STEPS: Sequence[tuple[str, Callable[[Room], dict[str, object]]]] = (
    ("export", exported), ("vault", vault), ("vault_again", vault), ("whole", whole),
    ("load", loaded), ("snapshot", taken), ("rollback", gone_back),
)  # fmt: skip


def measured(step: Callable[[Room], dict[str, object]], room: Room) -> dict[str, object]:
    """Run one step, and say what it cost."""
    begun = time.perf_counter()
    told = step(room)
    used = resource.getrusage(resource.RUSAGE_SELF)
    return {
        **told,
        "cpu_s": round(used.ru_utime + used.ru_stime, 1),
        "wall_s": round(time.perf_counter() - begun, 1),
        "peak_mb": round(used.ru_maxrss / 1024),
    }


def run(folder: Path, rows: int) -> dict[str, object]:
    """Fill a store, if none is there, and take every step, each in a process of its own."""
    room = Room(folder)
    os.environ["TILTH_HOME"] = str(folder / "home")
    if not room.store.exists():
        fill(room, rows)
    report: dict[str, object] = {"bench": "files"}
    for name, step in STEPS:
        with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as alone:
            report[name] = alone.submit(measured, step, room).result()
        print(name, report[name], flush=True)
    return report


def _mb(path: Path) -> float:
    return round(path.stat().st_size / 1e6, 1)


def main() -> None:
    """Measure, and keep what came of it."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[1])
    parser.add_argument("--rows", type=int, default=100_000)
    parser.add_argument("--store", type=Path, help="a folder with a tilth.db")
    told = parser.parse_args()
    if told.store is not None:
        keep("files", run(told.store, told.rows))
        return
    with tempfile.TemporaryDirectory() as folder:
        keep("files", run(Path(folder), told.rows))


if __name__ == "__main__":
    main()
