"""
An erase that is killed at any moment is done as a whole, or not at all, and leaves no byte.

`python -m prove.erase [--kills 40] [--seed 1]`: a child erases one subject after
the other and says over a pipe which; the parent kills it with SIGKILL at a random
moment, opens the store again, lets it finish and searches every file. A control
that deletes rows instead must be caught by the same search.
"""

import argparse
import contextlib
import shutil
import signal
import tempfile
import time
from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from multiprocessing import get_context
from multiprocessing.connection import Connection
from pathlib import Path
from random import Random  # noqa: TID251 - always seeded

import apsw

from prove.ground import FIRST_TIER, RECORDER, Ground, conclude, draft, token_of
from tilth.core.actor import Actor, ActorKind
from tilth.core.ids import EpisodeId, EventId, ulid_of
from tilth.episodes.remember import WriteContext, remember
from tilth.erasure.erase import Eraser, erase, finish_erasures, plan_erase
from tilth.ledger.store import Store
from tilth.ledger.tables import Tombstones
from tilth.runtime.system import SystemClock
from tilth.transfer.export import ExportContext
from tilth.transfer.export_file import NotedExports

SUBJECTS = 6
EPISODES = 12
_DELAY_S = 2.0
_HUMAN = WriteContext(Actor("prove", ActorKind.HUMAN), RECORDER.owner)
_PROCESSES = get_context("forkserver")


class _Nowhere:
    """No file but the store's own."""

    def forget(self, words: object, skills: object = ()) -> list[str]:
        """Take nothing away."""
        del words, skills
        return []

    def forget_in_snapshots(self, store_id: str, gone: AbstractSet[EventId]) -> list[str]:
        """Take nothing away."""
        del store_id, gone
        return []

    def scan(self, words: object) -> tuple[int, Mapping[str, Sequence[str]]]:
        """Look through nothing: the parent does."""
        del words
        return 0, {}

    def copies(self, store_id: str, words: object) -> list[str]:
        """Name none."""
        del store_id, words
        return []

    def limits(self) -> list[str]:
        """Name none."""
        return []


def main() -> None:
    """Kill, search and report."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[1])
    parser.add_argument("--kills", type=int, default=40)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    conclude(*run(arguments.kills, arguments.seed))


def run(kills: int, seed: int) -> tuple[dict[str, object], list[str]]:
    """Run the programme and its control; return the report and what failed."""
    started, rng = time.monotonic(), Random(seed)
    _PROCESSES.set_forkserver_preload(["prove.ground"])
    failures: list[str] = []
    erased = interrupted = 0
    for number in range(kills):
        folder = Path(tempfile.mkdtemp(prefix="tilth-erase-"))
        try:
            gone, told, wrong = _kill_once(Ground(folder), Random(rng.getrandbits(32)))
        finally:
            shutil.rmtree(folder)
        erased += gone
        interrupted += gone > told
        failures += [f"kill {number} of seed {seed}: {one}" for one in wrong]
    if not _control_is_caught(rng):
        failures.append("control: deleting rows left no byte")
    report = {
        "programme": "erase",
        "kills": kills,
        "subjects_erased": erased,
        "finished_after_the_kill": interrupted,
        "seconds": round(time.monotonic() - started, 1),
    }
    return report, failures


def _kill_once(ground: Ground, rng: Random) -> tuple[int, int, list[str]]:
    """Return how many subjects are gone, how many were said to be, and what is wrong."""
    ground.create()
    tokens = [token_of(rng) for _ in range(SUBJECTS)]
    with ground.opened() as store:
        subjects = {token: _planted(store, rng, token) for token in tokens}
    ours, theirs = _PROCESSES.Pipe(duplex=False)
    child = _PROCESSES.Process(target=_erase_all, args=(ground, subjects, theirs))
    child.start()
    theirs.close()
    ours.recv()
    time.sleep(rng.uniform(0, _DELAY_S))
    child.kill()
    child.join()
    told: set[str] = set()
    with contextlib.suppress(EOFError, OSError):
        while ours.poll():
            told.add(ours.recv())
    wrong = [] if child.exitcode in {0, -signal.SIGKILL} else ["the child died by itself"]
    with ground.opened() as store:
        if not finish_erasures(store).is_clean:
            wrong.append("it is not finished")
        wrong += map(str, store.verify())
        left = {token: _left(store, ids) for token, ids in subjects.items()}
    held = _held(ground.folder, tokens)
    gone = {token for token, count in left.items() if not count}
    wrong += [f"{token} went in part" for token, count in left.items() if 0 < count < EPISODES]
    wrong += [f"{token} was said to be gone" for token in sorted(told - gone)]
    wrong += [f"{token} is in a file" for token in sorted(gone & held)]
    return len(gone), len(told), wrong


def _planted(store: Store, rng: Random, token: str) -> list[EpisodeId]:
    drafts = [draft(rng, f"{token}{number}") for number in range(EPISODES)]
    return remember(store, FIRST_TIER, drafts, recorder=RECORDER)


def _erase_all(ground: Ground, subjects: dict[str, list[EpisodeId]], pipe: Connection) -> None:
    with ground.opened() as store:
        clock = SystemClock()
        context = ExportContext(NotedExports(ground.folder), clock)
        eraser = Eraser(
            store=store,
            surrounding_files=_Nowhere(),
            export_context=context,
            recorder=_HUMAN,
            clock=clock,
        )
        pipe.send("")
        for token, ids in subjects.items():
            erase(eraser, {"episodes": ids}, plan_erase(eraser, {"episodes": ids}).digest)
            pipe.send(token)


def _left(store: Store, ids: list[EpisodeId]) -> int:
    with store.read() as view:
        return len(Tombstones(view).present(map(ulid_of, ids)))


def _held(folder: Path, tokens: list[str]) -> set[str]:
    """Return which of *tokens* any file below *folder* holds."""
    content = b"".join(path.read_bytes() for path in folder.rglob("*") if path.is_file())
    return {token for token in tokens if token.encode() in content}


def _control_is_caught(rng: Random) -> bool:
    """Delete rows as anybody would, and say whether their words are still found."""
    folder, token = Path(tempfile.mkdtemp(prefix="tilth-erase-")), token_of(rng)
    try:
        conn = apsw.Connection(str(folder / "plain.db"))
        conn.pragma("journal_mode", "WAL")
        conn.execute("CREATE TABLE said (text TEXT)")
        conn.executemany("INSERT INTO said VALUES (?)", [(f"{token} {n}",) for n in range(99)])
        conn.execute("DELETE FROM said")
        return token in _held(folder, [token])
    finally:
        shutil.rmtree(folder)


if __name__ == "__main__":
    main()
