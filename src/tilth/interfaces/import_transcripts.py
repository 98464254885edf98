"""
Find and import the transcripts that agents left on this machine, and report the progress.

The command line and the pages share this. A server runs one import at a time, in a thread.
"""

import json
import logging
import os
import re
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import field, replace
from datetime import UTC, datetime
from functools import lru_cache
from itertools import accumulate
from operator import itemgetter
from pathlib import Path
from typing import TypeAlias
from urllib.parse import unquote, urlsplit

from tilth.core.dataclass import dataclass
from tilth.core.errors import ConflictError, NotFoundError, TilthError
from tilth.learning.tables import Distillation
from tilth.runtime import connect as bootstrap
from tilth.runtime.brain import Brain
from tilth.runtime.machine import transcripts_of
from tilth.transfer.import_sources import SourceReport
from tilth.transfer.model import Source

logger = logging.getLogger(__name__)

Advance: TypeAlias = Callable[[int], None]
# Every agent names its folder so, and early.
_FOLDER, _HEAD_BYTES = re.compile(rb'"cwd"\s*:\s*("(?:[^"\\]|\\.)+")'), 65_536
# The worker looks through the rest; so many take some seconds.
_SESSIONS_LOOKED_THROUGH = 100
_END_SECONDS = 4.0
_LONG_BYTES = 256 << 10


@dataclass(slots=True, kw_only=True)
class Tally:
    """The counts of some sources: how many of each kind, and how many of their entries."""

    source_count: int = 0
    unchanged_count: int = 0
    session_count: int = 0
    new_count: int = 0
    known_count: int = 0
    skipped_count: int = 0
    mended_count: int = 0
    gone_count: int = 0
    reasons: Counter[str] = field(default_factory=Counter)
    mended: Counter[str] = field(default_factory=Counter)

    def add(self, report: SourceReport) -> None:
        """Count one more source. Reasons are counted as far as they were kept."""
        self.source_count += 1
        self.unchanged_count += report.is_unchanged
        self.session_count += report.session_count
        self.new_count += report.new_count
        self.known_count += report.known_count
        self.skipped_count += report.skipped_count
        self.gone_count += report.source.is_gone and not report.is_unchanged
        self.mended_count += report.mended_count
        for skipped in report.skipped:
            self.reasons[skipped.reason] += skipped.count
        for mended in report.mended:
            self.mended[mended.reason] += mended.count


@dataclass(slots=True, kw_only=True)
class Summary:
    """A whole import: all of it, and each format by itself."""

    is_dry_run: bool
    total: Tally = field(default_factory=Tally)
    formats: dict[str, Tally] = field(default_factory=dict)
    seconds: float = 0.0

    def add(self, reports: Iterable[SourceReport]) -> None:
        """Count what became of each source."""
        for report in reports:
            self.total.add(report)
            self.formats.setdefault(report.source.format, Tally()).add(report)


def run_import(
    brain: Brain,
    sources: Sequence[Source],
    advance: Advance,
    *,
    is_dry_run: bool = False,
    limit: int | None = None,
    is_enough: Callable[[], bool] = lambda: False,
) -> tuple[Summary, list[SourceReport]]:
    """
    Import *sources*, tell *advance* the bytes read so far, and add up what became of them.

    With *limit*, it ends after so many that were not imported before as they are; and after
    the source behind which *is_enough* holds.
    """
    summary, began = Summary(is_dry_run=is_dry_run), time.monotonic()
    before = _bytes_before(sources)
    reports: list[SourceReport] = []
    taken = 0
    for report in brain.import_sources(
        sources,
        is_dry_run=is_dry_run,
        progress=lambda source, done: advance(before[source.uri] + done),
    ):
        reports.append(report)
        summary.add([report])
        advance(before[report.source.uri] + report.source.size)
        taken += not report.is_unchanged
        if taken == limit or is_enough():
            break
    summary.seconds = round(time.monotonic() - began, 3)
    return summary, reports


def most_telling_first(sources: Iterable[Source]) -> list[Source]:
    """
    Return *sources* so that those which are read first tell of all that there is.

    In turn from each folder that sessions ran in, of each the last changed first; what is long
    comes behind, since in its time a dozen others are read.
    """
    long_ago = datetime.min.replace(tzinfo=UTC)
    known = [(_modified_at(one) or long_ago, one) for one in sources]
    turns, met = [], Counter[tuple[bool, str]]()
    for at, one in sorted(known, key=itemgetter(0), reverse=True):
        is_long, folder = one.size > _LONG_BYTES, _folder(one)
        turns.append(((is_long, met[is_long, folder], long_ago - at), one))
        met[is_long, folder] += 1
    return [one for _, one in sorted(turns, key=itemgetter(0))]


def _bytes_before(sources: Sequence[Source]) -> Mapping[str, int]:
    """Return how many bytes are read before each of *sources*."""
    ends = accumulate(source.size for source in sources)
    return {source.uri: end - source.size for source, end in zip(sources, ends, strict=True)}


def learn(brain: Brain, advance: Advance) -> Counter[str]:
    """Look through sessions at once, the worker the rest; return how many facts of each kind."""
    stated = brain.distil(at_most=_SESSIONS_LOOKED_THROUGH, progress=advance).stated
    return Counter(str(one.fact.metadata.get("kind", "fact")) for one in stated)


def has_more_to_learn(brain: Brain) -> bool:
    """Say whether `learn` left sessions to the worker."""
    if not brain.parts.settings.learning:
        return False
    with brain.parts.store.read() as view:
        return bool(Distillation(view).waiting(brain.parts.within(None), limit=1))


@dataclass(frozen=True, slots=True, kw_only=True)
class TranscriptFolder:
    """
    The transcripts of one host of one project: how many, how large, when they were changed.

    `folder` is where its sessions ran; where a transcript does not tell, where it lies.
    """

    host: str
    folder: str
    count: int
    size: int
    first: datetime
    last: datetime
    waiting_count: int
    expiring_count: int


def transcript_folders(brain: Brain) -> Sequence[TranscriptFolder]:
    """Return what agents left on this machine, by host and project, the last changed first."""
    sources = bootstrap.default_sources(os.environ)
    told = transcripts_of(sources, os.environ)
    waiting = {one.uri for one in brain.unimported(told)}
    expires = {one.uri for one in told if one.expires_at is not None}
    found: dict[tuple[str, str], list[tuple[Source, datetime]]] = {}
    for source in sources:
        if (at := _modified_at(source)) is not None:
            found.setdefault((source.format, _folder(source)), []).append((source, at))
    made = [
        TranscriptFolder(
            host=host,
            folder=folder,
            count=len(ones),
            size=sum(one.size for one, _ in ones),
            first=min(at for _, at in ones),
            last=max(at for _, at in ones),
            waiting_count=sum(one.uri in waiting for one, _ in ones),
            expiring_count=sum(one.uri in waiting & expires for one, _ in ones),
        )
        for (host, folder), ones in found.items()
    ]
    return sorted(made, key=lambda one: one.last, reverse=True)


def sources_in(chosen: Sequence[tuple[str, str]]) -> list[Source]:
    """Return the transcripts of the piles that are named by host and folder."""
    sources = bootstrap.default_sources(os.environ)
    return most_telling_first(one for one in sources if (one.format, _folder(one)) in set(chosen))


def _path(source: Source) -> Path:
    return Path(unquote(urlsplit(source.uri).path))


def _folder(source: Source) -> str:
    """Return where the sessions of a transcript ran; where it lies, if it does not say."""
    path = _path(source)
    try:
        return _folder_in(path, path.stat().st_mtime_ns) or str(path.parent)
    except OSError:  # It is gone, or not ours to read.
        return str(path.parent)


@lru_cache(maxsize=10_000)
def _folder_in(path: Path, changed_at: int) -> str:  # noqa: ARG001 - what is changed is read again
    with path.open("rb") as stream:
        told = _FOLDER.search(stream.read(_HEAD_BYTES))
    try:
        return str(json.loads(told[1])) if told else ""
    except ValueError:
        return ""


def _modified_at(source: Source) -> datetime | None:
    try:
        return datetime.fromtimestamp(_path(source).stat().st_mtime, UTC)
    except FileNotFoundError:
        return None


@dataclass(frozen=True, slots=True, kw_only=True)
class ImportProgress:
    """
    How far an import is.

    `stage` is idle, reading, learning, done, stopped or failed. `done` of `total` are bytes while
    it reads, and sessions while it learns. `sources` of `source_count` are read; with those that
    were read before it began. `skipped` was not read, and `mended` otherwise than it says.
    `problem` says why it failed.
    """

    stage: str = "idle"
    done: int = 0
    total: int = 0
    episodes: int = 0
    sessions: int = 0
    sources: int = 0
    source_count: int = 0
    skipped: int = 0
    mended: int = 0
    learned: Mapping[str, int] = field(default_factory=dict)
    problem: str = ""

    @property
    def is_running(self) -> bool:
        """Whether it goes on."""
        return self.stage in {"reading", "learning"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Remaining:
    """What an import did not come to: the sources, and how many it read before them."""

    sources: Sequence[Source] = ()
    read_count: int = 0


class ImportJob:
    """The one import of a server: begun, watched, and stopped between two transcripts."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._now = ImportProgress()
        self._is_stopped = threading.Event()
        self._thread: threading.Thread | None = None

    @property
    def progress(self) -> ImportProgress:
        """How far the import is."""
        return self._now

    def begin(self, brain: Brain, sources: Sequence[Source], *, read_before: int = 0) -> None:
        """
        Import *sources* in the background, then look through their sessions.

        So many as *read_before* were read already, and are told with these.

        Raises:
            NotFoundError: there is nothing to import.
            ConflictError: an import runs.
        """
        if not sources:
            raise NotFoundError("nothing was chosen, or it is gone", hint="choose what to import")
        with self._lock:
            if self._now.is_running:
                raise ConflictError("an import runs already", hint="it shows how far it is")
            total = sum(one.size for one in sources)
            self._now = ImportProgress(
                stage="reading",
                total=total,
                sources=read_before,
                source_count=read_before + len(sources),
            )
        self._is_stopped.clear()
        self._thread = threading.Thread(target=self._run, args=(brain, sources), daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """End the import after the present transcript; what was read stays."""
        self._is_stopped.set()

    def end(self) -> None:
        """Stop the import, and wait up to 4 seconds for its end, before the store is closed."""
        self.stop()
        if self._thread is not None:
            self._thread.join(_END_SECONDS)

    def _run(self, brain: Brain, sources: Sequence[Source]) -> None:
        try:
            self._import(brain, sources)
            if self._is_stopped.is_set():
                self._update(stage="stopped")
                return
            self._update(stage="learning", done=0, total=self._now.sessions)
            learned = learn(brain, lambda count: self._update(done=count))
            self._update(stage="done", learned=dict(learned))
        except TilthError as error:
            self._update(stage="failed", problem=str(error))
        except Exception as error:  # A thread that ends in silence would look like one at work.
            logger.exception("an import failed: error=%s", type(error).__name__)
            self._update(stage="failed", problem="this is our fault; see the log of the server")

    def _import(self, brain: Brain, sources: Sequence[Source]) -> None:
        before, summary = _bytes_before(sources), Summary(is_dry_run=False)
        read_before = self._now.sources
        for report in brain.import_sources(
            sources, progress=lambda source, done: self._update(done=before[source.uri] + done)
        ):
            summary.add([report])
            told = summary.total
            self._update(
                done=before[report.source.uri] + report.source.size,
                episodes=told.new_count,
                sessions=told.session_count,
                sources=read_before + told.source_count,
                skipped=told.skipped_count,
                mended=told.mended_count,
            )
            if self._is_stopped.is_set():
                return

    def _update(self, **news: object) -> None:
        self._now = replace(self._now, **news)  # type: ignore[arg-type] # as `ImportProgress` has them
