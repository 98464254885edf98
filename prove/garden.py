"""
Seven days of a garden, its process killed at random points; a human answers on the third (X-06).

`python -m prove.garden [--answer files|verbs] [--corpus DIR --topic NAME …] [--seed 1]`: each day a
process of its own runs the cycle, with a clock that stands on that day and without a network. It is
killed with SIGKILL after a random time, again and again, and then left alone. On the third day a
human accepts two of three candidates and rejects the third with a reason: by signed files, or by
the verbs of the review queue. On the next day a document says again what was rejected, in other
words. Each snapshot is restored in a copy of the home.

How many candidates there should be, the corpus says: at least one for two of the documents that
were read and name the topic. Of the records of this repository there are fifteen and more.
"""

import argparse
import json
import os
import shutil
import signal
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from multiprocessing import get_context
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from pathlib import Path
from random import Random  # noqa: TID251 - always seeded
from unittest import mock

import tilth
from prove.ground import conclude
from tilth.core.lifecycle import Lifecycle, Review
from tilth.core.scope import GLOBAL
from tilth.garden.extract import is_like, terms_of
from tilth.garden.model import CANDIDATES_MAX, SPENT_MAX, Candidate, Step, Unit
from tilth.garden.tables import Cycles
from tilth.knowledge.likeness.paraphrase import is_contrary
from tilth.runtime import connect as bootstrap
from tilth.runtime.brain import Brain
from tilth.runtime.settings import Settings
from tilth.runtime.system import SystemClock

# What the records of decisions of this repository speak of.
CORPUS, TOPICS = Path("docs/adr"), ("proposals", "events", "pages", "facts", "episodes")
CANDIDATES_LEAST, _DOCUMENTS_A_CANDIDATE = 15, 2
_FIRST = timedelta(days=1)
# How long a cycle is thought to take at first; then, what the longest took.
_CYCLE_S = 1.0
_ANSWERED_ON = 2
_PROCESSES = get_context("forkserver")
_REASON = "that is known to everybody"


class _Clock:
    """Stands on a day."""

    def __init__(self, at: datetime) -> None:
        self._at = at

    def now(self) -> datetime:
        """Return that day."""
        return self._at


@dataclass(frozen=True, kw_only=True)
class Trial:
    """What is tried: a corpus and topics, over so many days with so many kills each."""

    corpus: Path = CORPUS
    topics: Sequence[str] = TOPICS
    days: int = 7
    kills: int = 3
    seed: int = 1
    answer: str = "files"


@dataclass(slots=True)
class Tally:
    """What the days came to."""

    counts: Counter[str] = field(default_factory=Counter)
    killed_in: Counter[str] = field(default_factory=Counter)
    rejected: list[str] = field(default_factory=list)
    confirmed: list[str] = field(default_factory=list)
    failures: list[str] = field(default_factory=list)
    cycle_s: float = _CYCLE_S


def run(trial: Trial, home: Path | None = None) -> tuple[dict[str, object], list[str]]:
    """Run the days, in *home* if it is to be looked at later; return the report and what failed."""
    # What a cycle uses is loaded once for all processes.
    used = ("garden", "discovery", "recall", "snapshots", "knowledge.facts")
    _PROCESSES.set_forkserver_preload([__name__, *(f"tilth.{one}.verbs" for one in used)])
    with tempfile.TemporaryDirectory() as folder:
        place = home or Path(folder)
        with mock.patch.dict(os.environ, TILTH_HOME=str(place)):
            tally = _lived(trial, place / "tilth.db")
    report = {
        "programme": "garden",
        "answer": trial.answer,
        "days": trial.days,
        "seed": trial.seed,
        **tally.counts,
        "killed_in": dict(tally.killed_in),
    }
    return report, tally.failures


def _lived(trial: Trial, store: Path) -> Tally:
    chance, tally, now = Random(trial.seed), Tally(), SystemClock().now()
    _planted(store, now, trial, tally)
    days = [now + _FIRST + timedelta(days=day) for day in range(trial.days)]
    since = 0
    for day, at in enumerate(days):
        _lived_through(store, at, trial.kills, chance, tally)
        with _brain(store, at) as brain:
            tally.failures += [f"day {day}: {one}" for one in _wrong(brain, tally)]
        if day in {_ANSWERED_ON, trial.days - 1}:
            _restored(store, at, day - since + 1, tally)
        if day == _ANSWERED_ON:
            since = day + 1
            with _brain(store, at) as brain:
                _answer(brain, trial.answer, tally)
    with _brain(store, days[-1]) as brain:
        _counted(brain, tally)
    return tally


@contextmanager
def _brain(store: Path, at: datetime, *, create: bool = False) -> Iterator[Brain]:
    """Open the store at another time: that is what is tried here."""
    clock, settings = _Clock(at), Settings(embedder="none")
    with (
        mock.patch.object(bootstrap, "SystemClock", return_value=clock),
        tilth.connect(store, create=create, settings=settings, actor=tilth.Human("ana")) as brain,
    ):
        yield brain


def _planted(store: Path, now: datetime, trial: Trial, tally: Tally) -> None:
    # Within a repository the documents would belong to its project, and the topics do not.
    corpus = shutil.copytree(trial.corpus, store.parent / "corpus")
    with _brain(store, now, create=True) as brain:
        for _ in brain.import_sources(brain.find_sources(str(corpus))):
            tally.counts["documents"] += 1
        for number, name in enumerate(trial.topics):
            brain.topics.add(name, priority=5 - number % 5, freshness_days=2)


def _lived_through(store: Path, at: datetime, kills: int, chance: Random, tally: Tally) -> None:
    """Kill the cycle of a day so often, then let it end; count the steps that the kills hit."""
    for _ in range(kills):
        child, _ = _begun(store, at)
        time.sleep(chance.uniform(0, tally.cycle_s))
        child.kill()
        child.join()
        if child.exitcode == -signal.SIGKILL:
            tally.counts["kills"] += 1
            tally.killed_in[_step_now(store, at)] += 1
    begun = time.monotonic()
    child, told = _begun(store, at)
    _heard(told)
    tally.cycle_s = time.monotonic() - begun
    child.join()
    if child.exitcode:
        tally.failures.append(f"{at:%Y-%m-%d}: the cycle ended with {child.exitcode}")


def _begun(store: Path, at: datetime) -> tuple[BaseProcess, Connection]:
    """Return a process that runs the cycle of a day, as it begins to, and what says when it is."""
    ours, theirs = _PROCESSES.Pipe(duplex=False)
    child = _PROCESSES.Process(target=_cycle_alone, args=(store, at, theirs))
    child.start()
    theirs.close()
    _heard(ours)
    return child, ours


def _heard(told: Connection) -> None:
    with suppress(EOFError):
        told.recv()


def _step_now(store: Path, at: datetime) -> str:
    """Return the step in which a cycle was cut short; 'none' if it had not begun, or was over."""
    with _brain(store, at) as brain, brain.parts.store.read() as view:
        cycle = Cycles(view).open(brain.parts.recorder.owner)
    return str(cycle.next_step) if cycle else "none"


def _every(brain: Brain) -> list[Candidate]:
    return list(brain.garden.candidates(is_all=True, limit=1000))


def _wrong(brain: Brain, tally: Tally) -> list[str]:
    """Return what a day broke: a budget, a double, a lost quote, a rejection, a missing step."""
    with brain.parts.store.read() as view:
        cycle = Cycles(view).last(brain.parts.recorder.owner)[0]
        paid = Counter(one.unit for one in Cycles(view).spent(cycle.id))
        found = Cycles(view).candidate_count(cycle.id)
    wrong = [
        f"{paid[unit]} of {most} {unit}" for unit, most in SPENT_MAX.items() if paid[unit] > most
    ]
    if found > CANDIDATES_MAX:
        wrong.append(f"{found} candidates")
    if list(cycle.ended) != list(Step) or cycle.ended_at is None:
        wrong.append("the cycle is not over")
    every = _every(brain)
    texts = [one.fact.said.text for one in every]
    wrong += [
        f"twice: {one[:60]}"
        for number, one in enumerate(texts)
        if any(_is_double(one, other) for other in texts[:number])
    ]
    wrong += [f"{one.fact.id}: no quote in its source" for one in every if not _quoted(brain, one)]
    tally.counts["quotes_found"] = sum(_quoted(brain, one) for one in every)
    known = {one.fact.id for one in every if one.fact.life.review is Review.REJECTED}
    wrong += [f"{one} is rejected no more" for one in set(tally.rejected) - known]
    return wrong


def _is_double(one: str, other: str) -> bool:
    return is_like(terms_of(one), terms_of(other)) and not is_contrary(one, other)


def _quoted(brain: Brain, one: Candidate) -> bool:
    """Say whether a candidate's words stand in the episode that it rests on, letter by letter."""
    told = (s.episode.text if s.episode else "" for s in brain.facts.why(one.fact.id).supports)
    return bool(one.quote) and any(one.quote in text for text in told)


def _answer(brain: Brain, how: str, tally: Tally) -> None:
    """Answer all that waits: two yes, one no with a reason, and so on; then say the no again."""
    waiting = brain.garden.candidates(limit=1000)
    no = waiting[2::3]
    yes = [one for one in waiting if one not in no]
    if how == "files":
        inbox = brain.parts.gardener.folder.root / "inbox"
        (inbox / "approvals.json").write_text(json.dumps([one.fact.id for one in yes]))
        said = [{"id": one.fact.id, "reason": _REASON} for one in no]
        (inbox / "rejections.json").write_text(json.dumps(said))
        brain.garden.sign()
    else:
        for one in waiting:
            assert one.proposal is not None
            digest = brain.review.show(one.proposal.id).digest
            if one in no:
                brain.review.reject(one.proposal.id, digest=digest, note=_REASON)
            else:
                brain.review.confirm(one.proposal.id, digest=digest)
    tally.rejected = [one.fact.id for one in no]
    tally.confirmed = [one.fact.id for one in yes]
    by_topic = {one.id: one.name for one in brain.topics.list()}
    again = [f"On {by_topic[one.topic_id]}: {_reworded(one.fact.said.text)}" for one in no]
    brain.remember(
        "\n\n".join(["# What others write", *again]), kind="document", session_id="again"
    )


def _reworded(text: str) -> str:
    """Return a sentence that says the same in another order, with words that say nothing."""
    first, comma, rest = text.rstrip(".").partition(", ")
    turned = (
        f"{rest}, {first}" if comma and len(rest) > len(first) else f"it still holds that {text}"
    )
    return f"{turned[0].upper()}{turned[1:].rstrip('.')}, as is well known."


def _restored(store: Path, at: datetime, last: int, tally: Tally) -> None:
    """Go back to each of the *last* days in a copy: what is known then has the snapshot's hash."""
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder) / "home"
        shutil.copytree(store.parent, home, symlinks=True)
        with _brain(home / store.name, at) as brain:
            for one in brain.snapshots.list()[:last]:
                plan = brain.snapshots.restore(one.day)
                if plan.aside or plan.back:
                    brain.snapshots.restore(one.day, confirm=plan.confirm)
                with brain.parts.store.read() as view:
                    is_equal = view.knowledge_digest() == one.digest
                tally.counts["restored"] += is_equal
                tally.failures += [] if is_equal else [f"{one.day} is not what it was"]


def _counted(brain: Brain, tally: Tally) -> None:
    """Count what there is in the end, and look at what the answers did."""
    every, counts = _every(brain), tally.counts
    counts["candidates"] = len(every)
    counts["confirmed"] = sum(one.fact.life.review is Review.CONFIRMED for one in every)
    counts["rejected"] = sum(one.fact.life.review is Review.REJECTED for one in every)
    counts["snapshots"] = len(brain.snapshots.list())
    counts["documents_read"], counts["documents_on_topic"] = _read(brain)
    if len(every) < counts["documents_on_topic"] / _DOCUMENTS_A_CANDIDATE or not every:
        tally.failures.append(f"only {len(every)} candidates: what is read on the topics is lost")
    for one in every:
        if one.fact.id in tally.confirmed:
            is_held = one.fact.life.lifecycle is Lifecycle.CURRENT
            hits = brain.recall(one.fact.said.text, limit=20).hits
            is_recalled = any(hit.id == one.fact.id for hit in hits)
            counts["recalled"] += is_recalled
            if not (is_held and is_recalled):
                tally.failures.append(f"{one.fact.id} is confirmed and not recalled")
        if one.fact.id in tally.rejected and one.reason != _REASON:
            tally.failures.append(f"{one.fact.id} lost why it was rejected")
    again = [one for one in every if "as is well known" in one.fact.said.text]
    tally.failures += [f"rejected, and back: {one.fact.said.text[:80]}" for one in again]
    tally.failures += [f"verify: {one}" for one in brain.parts.store.verify()]


def _read(brain: Brain) -> tuple[int, int]:
    """
    Return how many documents were read, and how many of them name the topic of the read.

    Where none does there is nothing to find, so a number by itself would ask for worse candidates.
    """
    names = {one.id: one.name for one in brain.topics.list()}
    ground, owner = brain.parts.gardener.ground_of(GLOBAL), brain.parts.recorder.owner
    with brain.parts.store.read() as view:
        cycles = Cycles(view).last(owner, limit=100)
        paid = [one for cycle in cycles for one in Cycles(view).spent(cycle.id)]
    read = {(one.topic_id, one.what) for one in paid if one.unit is Unit.READ}
    naming = [
        what
        for topic, what in read
        if topic in names and terms_of(names[topic]) <= terms_of(ground.read(what).text)
    ]
    return len(read), len(naming)


def _cycle_alone(store: Path, at: datetime, told: Connection) -> None:
    """Run the cycle of a day without a network: whoever connects is stopped."""

    def stop(event: str, _: tuple[object, ...]) -> None:
        if event in {"socket.connect", "socket.getaddrinfo"}:
            raise PermissionError("there is no network here")

    os.environ["TILTH_HOME"] = str(store.parent)
    sys.addaudithook(stop)
    with _brain(store, at) as brain:
        told.send("begins")
        brain.garden.run(is_applied=True)
        told.send("is over")


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the programme, and print one JSON object."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[1])
    parser.add_argument("--days", type=int, default=7)
    parser.add_argument("--kills", type=int, default=3, help="tries to kill each day")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--answer", choices=("files", "verbs"), default="files")
    parser.add_argument("--corpus", type=Path, default=CORPUS)
    parser.add_argument("--topic", action="append", help="repeat for each")
    parser.add_argument("--home", type=Path, help="keep everything in this empty folder")
    told = parser.parse_args(arguments)
    trial = Trial(
        corpus=told.corpus,
        topics=told.topic or TOPICS,
        days=told.days,
        kills=told.kills,
        seed=told.seed,
        answer=told.answer,
    )
    conclude(*run(trial, told.home))


if __name__ == "__main__":
    main()
