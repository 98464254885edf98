"""
Random steps on facts, slots and reviews, equal to a model in plain Python after each.

`python -m prove.facts [--steps 10000] [--seed 1]`: every verb by every kind of
actor, backdated and open times, clocks that go back, names that are added,
merged and split, stale answers. Every 250 steps begin with an empty store; at
the end of each all is replayed and verified.
"""

import argparse
import tempfile
import time
from collections import Counter
from pathlib import Path
from random import Random  # noqa: TID251 - always seeded

from prove.facts.play import Hand, Play
from prove.ground import conclude
from tilth.ledger.sqlite.store import create_store, open_store
from tilth.ledger.store import StoreEnvironment
from tilth.runtime import features  # noqa: F401 - what a brain is made of
from tilth.runtime.system import SystemIds

# Everything is compared after each step, so long runs cost their square.
STEPS_A_STORE = 250


def main() -> None:
    """Play and report."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[1])
    parser.add_argument("--steps", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    conclude(*run(arguments.steps, arguments.seed))


def run(steps: int, seed: int) -> tuple[dict[str, object], list[str]]:
    """Run the programme; return the report and what failed."""
    started, counts, failures = time.monotonic(), Counter[str](), list[str]()
    for number in range(-(-steps // STEPS_A_STORE)):
        length = min(STEPS_A_STORE, steps - number * STEPS_A_STORE)
        with tempfile.TemporaryDirectory(prefix="tilth-facts-") as folder:
            failures += _one_store(Path(folder), seed * 100_003 + number, length, counts)
    report: dict[str, object] = {
        "programme": "facts",
        "steps": counts.total(),
        "verbs": dict(counts),
        "seconds": round(time.monotonic() - started, 1),
    }
    return report, failures


def _one_store(folder: Path, seed: int, steps: int, counts: Counter[str]) -> list[str]:
    hand = Hand()
    around = StoreEnvironment(hand, SystemIds(), folder / "state")
    create_store(folder / "tilth.db", around)
    store = open_store(folder / "tilth.db", around)
    play = Play(store, hand, Random(seed))
    try:
        for _ in range(steps):
            play.step()
        play.replay()
    except AssertionError as error:
        return [f"seed {seed}, step {len(play.log)}: {error}\n" + "\n".join(play.log[-5:])]
    finally:
        counts.update(play.counts)
        store.close()
    return []


if __name__ == "__main__":
    main()
