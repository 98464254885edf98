"""
Is everything as it should be, and if not, what mends it?

Each check is data. What the machine is like is gathered outside and passed
in; nothing here writes, and the canary is a question about something that is
stored already.
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from enum import StrEnum

from tilth.domain.json import Json
from tilth.domain.scope import Visibility
from tilth.errors import TilthError
from tilth.ports import Embedder, EpisodeFilter, Store

DISK_FREE_LOW_BYTES = 1 << 30
DISK_FREE_LEAST_BYTES = 100 << 20
BACKUP_AGE_MAX = timedelta(days=7)
# A transcript that its agent removes within these days is about to be lost.
EXPIRY_NEAR = timedelta(days=7)
# Below this a whole verification takes a moment (DESIGN §9: 200,000 events a second).
VERIFIED_EVENTS_MAX = 20_000
_BACKLOG_COUNTED_MAX = 10_000
_OTHERS = 0o077
_CANARY_EPISODES = 20
_CANARY_WORDS = 6
_WORD = re.compile(r"\w{4,}")


class Status(StrEnum):
    """How a check went, from good to bad; `skip` means that it could not be made."""

    OK = "ok"
    SKIP = "skip"
    WARN = "warn"
    FAIL = "fail"


@dataclass(frozen=True, slots=True)
class Check:
    """One check: what it looked at, how that is, and what to do about it."""

    id: str
    status: Status
    summary: str
    fix: str = ""
    detail: Mapping[str, Json] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Place:
    """A folder or file: its path, and its mode if it is there."""

    name: str
    path: str
    mode: int | None


@dataclass(frozen=True, slots=True)
class Transcript:
    """A source that lies on this machine, and when it was changed last."""

    uri: str
    modified_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class Machine:
    """What there is to know about the machine. A problem is empty where there is none."""

    now: datetime
    python: str
    sqlite: str
    sqlite_problem: str = ""
    settings_problem: str = ""
    store_problem: str = ""
    store_fix: str = ""
    store: str
    places: Sequence[Place] = ()
    disk_free_bytes: int
    has_heads: bool = False
    last_backup_at: datetime | None = None
    transcripts: Sequence[Transcript] = ()
    transcripts_kept: timedelta = timedelta(days=30)


@dataclass(frozen=True, slots=True, kw_only=True)
class Patient:
    """An open brain, as far as it is examined: *ask* answers a question with texts."""

    store: Store
    first: Embedder
    second: Embedder | None
    within: Visibility
    ask: Callable[[str], Sequence[str]]


def examine_machine(machine: Machine) -> list[Check]:
    """Check what can be checked without opening the store."""
    return [
        Check("runtime.python", Status.OK, f"Python {machine.python}"),
        _verdict("runtime.sqlite", machine.sqlite_problem, f"SQLite {machine.sqlite}"),
        _verdict("settings", machine.settings_problem, "every setting is understood"),
        *(_check_place(place) for place in machine.places),
        _check_disk(machine),
        _verdict(
            "store.opens",
            machine.store_problem,
            f"{machine.store} opens, with the schema of this version",
            fix=machine.store_fix,
        ),
    ]


def examine_store(patient: Patient, machine: Machine) -> list[Check]:
    """Check the open store, its models, and that a question gets an answer."""
    examinations: Mapping[str, Callable[[], Check]] = {
        "store.heads": lambda: _check_heads(machine),
        "store.backup": lambda: _check_backup(machine),
        "store.whole": lambda: _check_whole(patient.store),
        "vectors.first": lambda: _check_embedder("vectors.first", patient.first),
        "vectors.second": lambda: _check_second(patient.second),
        "vectors.spaces": lambda: _check_spaces(patient),
        "vectors.backlog": lambda: _check_backlog(patient),
        "recall.canary": lambda: _check_canary(patient),
        "import.transcripts": lambda: _check_transcripts(patient, machine),
    }
    return [_guarded(name, examine) for name, examine in examinations.items()]


def _guarded(name: str, examine: Callable[[], Check]) -> Check:
    """Turn what goes wrong in a check into its outcome, so that the next one still runs."""
    try:
        return examine()
    except TilthError as error:
        return Check(name, Status.FAIL, str(error), error.hint, {"code": error.code})


def _verdict(name: str, problem: str, summary: str, *, fix: str = "") -> Check:
    return Check(name, Status.FAIL, problem, fix) if problem else Check(name, Status.OK, summary)


def _check_place(place: Place) -> Check:
    name = f"places.{place.name}"
    if place.mode is None:
        return Check(name, Status.SKIP, f"{place.path} is not there yet")
    if place.mode & _OTHERS:
        return Check(
            name,
            Status.WARN,
            f"others may read {place.path}",
            f"chmod go= {place.path}",
            {"mode": f"{place.mode:03o}"},
        )
    return Check(name, Status.OK, f"{place.path} is yours alone", "", {"mode": f"{place.mode:03o}"})


def _check_disk(machine: Machine) -> Check:
    free = machine.disk_free_bytes
    status = Status.WARN if free < DISK_FREE_LOW_BYTES else Status.OK
    if free < DISK_FREE_LEAST_BYTES:
        status = Status.FAIL
    fix = "" if status is Status.OK else "free some disk space"
    return Check("disk", status, f"{free >> 20:,} MiB are free", fix, {"free_bytes": free})


def _check_heads(machine: Machine) -> Check:
    if machine.has_heads:
        return Check("store.heads", Status.OK, "signed heads lie beside the store")
    return Check(
        "store.heads",
        Status.WARN,
        "no signed heads lie beside the store, so a lost tail would not show",
        "tilth verify",
    )


def _check_backup(machine: Machine) -> Check:
    fix = "tilth backup TARGET"
    if machine.last_backup_at is None:
        return Check("store.backup", Status.WARN, "no backup was made on this machine", fix)
    age = machine.now - machine.last_backup_at
    summary = f"the last backup is {age.days} days old"
    if age > BACKUP_AGE_MAX:
        return Check("store.backup", Status.WARN, summary, fix)
    return Check("store.backup", Status.OK, summary)


def _check_whole(store: Store) -> Check:
    with store.read() as view:
        count = view.head().seq
    detail = {"event_count": count}
    if count > VERIFIED_EVENTS_MAX:
        summary = f"{count:,} events take a while to prove"
        return Check("store.whole", Status.SKIP, summary, "tilth verify", detail)
    if finding := next(store.verify(), None):
        summary = f"{finding.part}: {finding.problem}"
        return Check("store.whole", Status.FAIL, summary, "tilth verify", detail)
    return Check("store.whole", Status.OK, f"{count:,} events as they were written", "", detail)


def _check_embedder(name: str, embedder: Embedder) -> Check:
    shape = embedder.embed(["soil that has been tended"]).shape
    if shape != (1, embedder.dimensions):
        summary = f"{embedder.space} gives vectors of shape {shape}"
        return Check(name, Status.FAIL, summary, "see: tilth settings")
    summary = f"{embedder.space} answers with {embedder.dimensions} dimensions"
    return Check(name, Status.OK, summary, "", {"space": embedder.space})


def _check_second(embedder: Embedder | None) -> Check:
    if embedder is None:
        return Check("vectors.second", Status.SKIP, "switched off by embedder = none")
    return _check_embedder("vectors.second", embedder)


def _check_spaces(patient: Patient) -> Check:
    used = {embedder.space for embedder in (patient.first, patient.second) if embedder}
    with patient.store.read() as view:
        counts: dict[str, Json] = {
            stats.space: stats.vector_count for stats in view.search.spaces()
        }
    if strange := sorted(counts.keys() - used):
        summary = f"vectors of a space that is not in use: {', '.join(strange)}"
        return Check("vectors.spaces", Status.WARN, summary, "tilth rebuild", counts)
    return Check(
        "vectors.spaces", Status.OK, "every stored vector is of a model in use", "", counts
    )


def _check_backlog(patient: Patient) -> Check:
    if patient.second is None:
        return Check("vectors.backlog", Status.SKIP, "there is no second tier to fill")
    with patient.store.read() as view:
        count = len(view.search.unembedded(patient.second.space, limit=_BACKLOG_COUNTED_MAX))
    detail = {"episode_count": count}
    if count == 0:
        return Check("vectors.backlog", Status.OK, "no episode waits for its vector", "", detail)
    shown = f"{count:,}{' or more' if count == _BACKLOG_COUNTED_MAX else ''}"
    summary = f"{shown} episodes wait for the second tier"
    return Check("vectors.backlog", Status.WARN, summary, "tilth worker --once", detail)


def _check_canary(patient: Patient) -> Check:
    with patient.store.read() as view:
        episodes = view.episodes.select(
            EpisodeFilter(within=patient.within), limit=_CANARY_EPISODES, newest_first=True
        )
    question = next(filter(None, (_canary(episode.text) for episode in episodes)), None)
    if question is None:
        return Check("recall.canary", Status.SKIP, "nothing is stored yet", "tilth import")
    texts = patient.ask(question)
    if any(text.strip() for text in texts):
        summary = f"a question about a stored episode brings {len(texts)} hits with text"
        return Check("recall.canary", Status.OK, summary)
    summary = "a question about a stored episode brings no text"
    return Check("recall.canary", Status.FAIL, summary, "tilth rebuild")


def _canary(text: str) -> str | None:
    """Return a question in a text's own longest words; None if it has too few."""
    words = sorted(set(_WORD.findall(text)), key=lambda word: (-len(word), word))
    return " ".join(words[:_CANARY_WORDS]) if len(words) >= _CANARY_WORDS // 2 else None


def _check_transcripts(patient: Patient, machine: Machine) -> Check:
    with patient.store.read() as view:
        waiting = [
            transcript
            for transcript in machine.transcripts
            if view.imported(patient.within.owner, transcript.uri) is None
        ]
    near = list(_expiring(waiting, machine))
    detail = {"waiting_count": len(waiting), "expiring_count": len(near)}
    if not waiting:
        summary = f"all {len(machine.transcripts)} transcripts on this machine were imported"
        return Check("import.transcripts", Status.OK, summary, "", detail)
    summary = f"{len(waiting)} transcripts on this machine were never imported"
    if near:
        summary += f"; their agent removes {len(near)} of them within {EXPIRY_NEAR.days} days"
    return Check("import.transcripts", Status.WARN, summary, "tilth import", detail)


def _expiring(transcripts: Sequence[Transcript], machine: Machine) -> Iterator[Transcript]:
    last = machine.now + EXPIRY_NEAR - machine.transcripts_kept
    return (transcript for transcript in transcripts if transcript.modified_at < last)
