"""
Verify finds whatever changes an answer, and nothing in a store that is whole.

`python -m prove.corrupt [--faults 500] [--clean 200] [--seed 1]`: faults are
planted in copies of several stores. Each must be reported, by `verify` or by
the refusal to open; else everything that a reader can get must be the same as
before ("no effect"). Anything but a finding or an error of ours is a failure.
"""

import argparse
import shutil
import tempfile
import time
import traceback
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from pathlib import Path
from random import Random  # noqa: TID251 - always seeded

from prove.faults import FAULTS, OLD_FILE, WEIGHTS
from prove.ground import (
    FIRST_TIER,
    RECORDER,
    SESSIONS,
    Ground,
    SecondTier,
    conclude,
    draft,
    token_of,
)
from prove.reading import everything
from tilth.core.errors import TilthError
from tilth.core.ids import SessionId
from tilth.episodes.events import ImportFinished
from tilth.episodes.remember import remember
from tilth.episodes.session import SessionInfo
from tilth.episodes.sessions import describe
from tilth.ledger.store import Store
from tilth.maintenance.embed import embed_backlog

# How many events each shape has, and how often it is chosen.
SHAPES = {"small": (20, 4), "sessions": (300, 4), "tiers": (300, 4), "large": (5000, 1)}
BATCH = 50


def main() -> None:
    """Plant, look and report."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[1])
    parser.add_argument("--faults", type=int, default=500)
    parser.add_argument("--clean", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    conclude(*run(arguments.faults, arguments.clean, arguments.seed))


def run(
    faults: int, clean: int, seed: int, shapes: Sequence[str] = tuple(SHAPES)
) -> tuple[dict[str, object], list[str]]:
    """Run the programme; return the report and what failed."""
    started, rng = time.monotonic(), Random(seed)
    table: dict[str, Counter[str]] = defaultdict(Counter)
    folder = Path(tempfile.mkdtemp(prefix="tilth-corrupt-"))
    try:
        failures = _check_clean(folder, clean, rng)
        grounds = {name: _shape(folder / name, name, rng) for name in shapes}
        answers = {name: _answers(ground) for name, ground in grounds.items()}
        for kind in _kinds(faults, rng):
            shape = rng.choices(shapes, [SHAPES[name][1] for name in shapes])[0]
            fault_seed = rng.getrandbits(32)
            outcome = _outcome(grounds[shape], kind, Random(fault_seed), answers[shape])
            table[kind][outcome.partition(":")[0]] += 1
            if outcome.startswith(("missed", "crash")):
                failures.append(f"{kind} in {shape} (seed {fault_seed}): {outcome}")
    finally:
        shutil.rmtree(folder)
    return _report(table, clean, failures, time.monotonic() - started), failures


def _kinds(count: int, rng: Random) -> list[str]:
    """Return which faults to plant: each kind at least once, then by weight."""
    weights = [WEIGHTS.get(kind, 1) for kind in FAULTS]
    return [*FAULTS, *rng.choices(list(FAULTS), weights, k=count)][:count]


def _report(
    table: Mapping[str, Counter[str]], clean: int, failures: list[str], seconds: float
) -> dict[str, object]:
    total: Counter[str] = sum(table.values(), Counter())
    return {
        "programme": "corrupt",
        "faults": total.total(),
        "harmful": total.total() - total["no effect"],
        "reported": total["finding"] + total["refused"],
        "by_outcome": dict(total),
        "by_kind": {kind: dict(outcomes) for kind, outcomes in sorted(table.items())},
        "clean_stores": clean,
        "false_alarms": sum(failure.startswith("clean") for failure in failures),
        "seconds": round(seconds, 1),
    }


def _check_clean(folder: Path, count: int, rng: Random) -> list[str]:
    """Verify stores that nothing befell."""
    failures = []
    for number in range(count):
        ground = Ground(folder / f"clean-{number}")
        ground.create()
        with ground.opened() as store:
            _fill(store, rng, rng.randint(0, 80), has_sessions=True)
            if number % 3 == 0:
                embed_backlog(store, [SecondTier()], limit=rng.randint(1, 80))
            failures += [f"clean store {number}: {finding}" for finding in store.verify()]
        shutil.rmtree(ground.folder)
    return failures


def _shape(folder: Path, name: str, rng: Random) -> Ground:
    """Make a store to plant faults in; an older copy of its file lies beside it."""
    ground = Ground(folder)
    ground.create()
    events = SHAPES[name][0]
    with ground.opened() as store:
        _fill(store, rng, events - 6, has_sessions=name != "small")
        store.backup(str(folder / OLD_FILE))
        _fill(store, rng, 6, has_sessions=name != "small")
        if name == "tiers":
            embed_backlog(store, [SecondTier()], limit=events // 2)
    return ground


def _fill(store: Store, rng: Random, events: int, *, has_sessions: bool) -> None:
    for first in range(0, events, BATCH):
        drafts = [draft(rng, token_of(rng)) for _ in range(min(BATCH, events - first))]
        remember(store, FIRST_TIER, drafts, recorder=RECORDER)
        if has_sessions:
            session_id = SessionId(f"session-{rng.randrange(SESSIONS)}")
            describe(store, session_id, SessionInfo(title=token_of(rng)), recorder=RECORDER)
            _finish_import(store, rng)


def _finish_import(store: Store, rng: Random) -> None:
    event = ImportFinished(
        uri=f"file:///{rng.randrange(3)}",
        format="text",
        sha256=f"{rng.getrandbits(256):064x}",
        new_count=1,
        known_count=0,
        skipped_count=0,
    )
    with store.begin() as tx:
        tx.append(event, by=RECORDER.by, owner=RECORDER.owner)


def _outcome(whole: Ground, kind: str, rng: Random, answers: object) -> str:
    """Plant one fault in a copy, and return what became of it."""
    ground = Ground(whole.folder.with_name("faulty"))
    shutil.copytree(whole.folder, ground.folder)
    try:
        FAULTS[kind](ground, rng)
        return _seen(ground) or _effect(ground, answers)
    except Exception:  # noqa: BLE001 - whatever verify does not expect is what we look for
        return f"crash: {traceback.format_exc(limit=-3)}"
    finally:
        shutil.rmtree(ground.folder)


def _seen(ground: Ground) -> str:
    try:
        with ground.opened() as store:
            found = list(store.verify())
    except TilthError as error:
        return f"refused: {error}"
    return f"finding: {found[0]}" if found else ""


def _effect(ground: Ground, answers: object) -> str:
    """Nothing was reported, so every answer must be what it was."""
    try:
        same = _answers(ground) == answers
    except TilthError as error:
        return f"missed: reading it fails: {error}"
    return "no effect" if same else "missed: a reader gets other answers"


def _answers(ground: Ground) -> list[object]:
    with ground.opened() as store:
        return everything(store, ground.path)


if __name__ == "__main__":
    main()
