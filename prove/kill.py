"""
Nothing acknowledged is lost when the process is killed, at whatever point.

`python -m prove.kill [--kills 200] [--seed 1]`: a child works on a store and
says over a pipe what was acknowledged to it; the parent kills it with SIGKILL
at a random moment, opens the store again and checks everything. A control
that acknowledges before the commit must be caught.
"""

import argparse
import shutil
import signal
import tempfile
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from multiprocessing import get_context
from multiprocessing.connection import Connection
from pathlib import Path
from random import Random  # noqa: TID251 - always seeded
from typing import Any

from prove.ground import FIRST_TIER, TOKEN_CHARS, Ground, conclude, content
from prove.work import CONTROL, KILLED_WITHIN_S, WORKS, Job, migrations_up_to
from tilth.core.errors import TilthError
from tilth.core.ids import EpisodeId, FactId
from tilth.core.scope import Visibility
from tilth.core.text.tokens import query_terms
from tilth.episodes.episode import Episode
from tilth.episodes.filters import EpisodeFilter
from tilth.episodes.tables import Episodes
from tilth.knowledge.facts.tables import Facts
from tilth.ledger.search import Search
from tilth.ledger.sqlite.schema import known_migrations
from tilth.ledger.sqlite.store import restore_store
from tilth.ledger.store import Store
from tilth.maintenance.embed import embed_backlog

# A store grows over this many kills, so that most checks meet a history of crashes.
KILLS_A_STORE = 20
_DELAYS_S = {"migration": 0.03, "creation": 0.1, "rebuild": 0.3}
_DELAY_S = 0.15
# The share of kills that wait for a first acknowledgement; the others may come before any.
_HEARD_SHARE = 0.5
_EVERYTHING = EpisodeFilter(within=Visibility())
_PROCESSES = get_context("forkserver")


@dataclass(slots=True)
class Witness:
    """What was acknowledged, as the child told it before it died."""

    contents: dict[EpisodeId, str] = field(default_factory=dict)
    facts: dict[FactId, str] = field(default_factory=dict)
    last_text: str = ""
    backups: dict[str, int] = field(default_factory=dict)
    stores: list[str] = field(default_factory=list)
    died_of: str = ""

    def hear(self, message: dict[str, Any]) -> None:
        """Take one message of the child's down."""
        self.contents |= message.get("episodes", {})
        self.facts |= message.get("facts", {})
        self.last_text = message.get("text", self.last_text)
        self.backups |= message.get("backups", {})
        self.stores += message.get("stores", [])
        self.died_of = message.get("died_of", self.died_of)


@dataclass(slots=True)
class Tally:
    """What the kills came to."""

    kills: Counter[str] = field(default_factory=Counter)
    acked: int = 0
    acked_triples: int = 0
    backups: int = 0
    reopen_s_max: float = 0.0
    failures: list[str] = field(default_factory=list)


def main() -> None:
    """Kill, check and report."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[1])
    parser.add_argument("--kills", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    conclude(*run(arguments.kills, arguments.seed))


def run(kills: int, seed: int) -> tuple[dict[str, object], list[str]]:
    """Run the programme and its control; return the report and what failed."""
    started, rng = time.monotonic(), Random(seed)
    _PROCESSES.set_forkserver_preload(["prove.work"])
    tally, control = Tally(), Tally()
    for first in range(0, kills, KILLS_A_STORE):
        # A backup is restored with our own schema, so its store is not migrated further.
        other = "backup" if first // KILLS_A_STORE % 2 else "migration"
        works = sorted(WORKS.keys() - {other})
        _kill_repeatedly(rng, tally, min(KILLS_A_STORE, kills - first), works)
    _kill_repeatedly(rng, control, 1, [CONTROL])
    failures = list(tally.failures)
    if not tally.acked or (tally.kills["triples"] and not tally.acked_triples):
        failures.append("too little was acknowledged before the kills: more of them are needed")
    if not any("lost" in failure for failure in control.failures):
        failures.append("control: acknowledging before the commit went unnoticed")
    report = {
        "programme": "kill",
        "kills": sum(tally.kills.values()),
        "kills_by_work": dict(sorted(tally.kills.items())),
        "acked_episodes": tally.acked,
        "acked_triples": tally.acked_triples,
        "backups_restored": tally.backups,
        "reopen_ms_max": round(tally.reopen_s_max * 1000, 1),
        "seconds": round(time.monotonic() - started, 1),
    }
    return report, failures


def _kill_repeatedly(rng: Random, tally: Tally, kills: int, works: Sequence[str]) -> None:
    folder = Path(tempfile.mkdtemp(prefix="tilth-kill-"))
    job = Job(work=works[0], ground=Ground(folder), seed=0)
    job.ground.create()
    witness = Witness()
    try:
        for _ in range(kills):
            work = rng.choice(works)
            job = replace(job, work=work, seed=rng.getrandbits(32))
            if work == "migration":
                migrations = migrations_up_to(len(job.ground.migrations or known_migrations()) + 1)
                job = replace(job, ground=replace(job.ground, migrations=migrations))
            _kill_once(rng, job, witness)
            tally.kills[work] += 1
            tally.failures += [
                f"{work} (seed {job.seed}): {why}" for why in _wrong(job, witness, tally)
            ]
        tally.acked += len(witness.contents)
        tally.acked_triples += len(witness.facts)
    finally:
        shutil.rmtree(folder)


def _kill_once(rng: Random, job: Job, witness: Witness) -> None:
    ours, theirs = _PROCESSES.Pipe(duplex=False)
    child = _PROCESSES.Process(target=job.run, args=(theirs,))
    child.start()
    theirs.close()
    _listen(ours, witness, 10.0, is_first=True)
    if job.work == CONTROL or (job.work not in _DELAYS_S and rng.random() < _HEARD_SHARE):
        # It is killed once it has acknowledged something, however long that takes under load.
        _listen(ours, witness, KILLED_WITHIN_S, is_first=True)
    if job.work != CONTROL:
        _listen(ours, witness, rng.uniform(0, _DELAYS_S.get(job.work, _DELAY_S)))
    child.kill()
    child.join()
    _listen(ours, witness, 0)
    ours.close()
    if child.exitcode != -signal.SIGKILL and not witness.died_of:
        witness.died_of = f"exit code {child.exitcode}"


def _listen(pipe: Connection, witness: Witness, seconds: float, *, is_first: bool = False) -> None:
    """Hear what is said for some seconds; with *is_first*, until the first word."""
    deadline = time.monotonic() + seconds
    try:
        while pipe.poll(max(0, deadline - time.monotonic())):
            witness.hear(pipe.recv())
            if is_first:
                return
    except (EOFError, OSError):
        return


def _wrong(job: Job, witness: Witness, tally: Tally) -> list[str]:
    """Open what the killed child left behind, and return what is wrong with it."""
    died_of, witness.died_of = witness.died_of, ""
    wrong = [f"the child died by itself: {died_of}"] if died_of else []
    started = time.monotonic()
    try:
        with job.ground.opened() as store:
            tally.reopen_s_max = max(tally.reopen_s_max, time.monotonic() - started)
            wrong += _wrong_in(store, witness)
        wrong += _wrong_backups(job.ground, witness, tally)
        for path in witness.stores:
            with Ground(Path(path)).opened() as made:
                wrong += [str(finding) for finding in made.verify()]
        witness.stores.clear()
    except TilthError as error:
        wrong.append(f"{type(error).__name__}: {error}")
    return wrong


def _wrong_in(store: Store, witness: Witness) -> list[str]:
    wrong = [str(finding) for finding in store.verify()]
    # What a rebuild had not embedded again when it was killed comes back with the backlog.
    embed_backlog(store, [FIRST_TIER])
    with store.read() as view:
        last = view.head().seq
        kept = {said.id: said for said in Episodes(view).select(_EVERYTHING, limit=last)}
        stated = Facts(view).at(range(1, last + 1), Visibility())
        held = {one.id: one.said.triple.object for one in stated if one.said.triple}
        vectors = Search(view).vectors(FIRST_TIER.space, [said.seq for said in kept.values()])
        if witness.last_text:
            found = Search(view).lexical(
                query_terms(witness.last_text[:TOKEN_CHARS]), _EVERYTHING, limit=2
            )
            wrong += [] if len(found) == 1 else [f"full text finds the last {len(found)} times"]
    lost = [id_ for id_, told in witness.contents.items() if _differs(kept.get(id_), told)]
    wrong += [f"{len(lost)} acknowledged episodes are lost or changed"] if lost else []
    missing = witness.facts.items() - held.items()
    wrong += [f"{len(missing)} acknowledged triples are lost or changed"] if missing else []
    doubles = len(kept) - len({said.text for said in kept.values()})
    wrong += [f"{doubles} episodes are there twice"] if doubles else []
    wrong += ["a vector is missing"] if len(vectors) != len(kept) else []
    return wrong


def _differs(said: Episode | None, told: str) -> bool:
    return said is None or content(said) != told


def _wrong_backups(ground: Ground, witness: Witness, tally: Tally) -> list[str]:
    """Restore every backup: each is whole, and an acknowledged one holds what it promised."""
    wrong = []
    for made in sorted(ground.folder.glob("backup-*.db")):
        target = ground.folder / "restored.db"
        promised = witness.backups.pop(made.name, 0)
        try:
            held = restore_store(made, target, ground.around)
            tally.backups += 1
            wrong += [f"{made.name} holds {held} of {promised}"] if held < promised else []
        except TilthError as error:
            wrong.append(f"{made.name}: {error}")
        for left in ground.folder.glob(f"{target.name}*"):
            left.unlink()
        made.unlink()
    wrong += [f"{name} is missing" for name in witness.backups]
    witness.backups.clear()
    return wrong


if __name__ == "__main__":
    main()
