"""
Bringing in what others recorded.

Each source is read in batches, each batch in one transaction. What was read
before is known by its key, so an import can be broken off and repeated at
will, and a source that grew adds what is new.
"""

import hashlib
import logging
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

from tilth.domain.episode import EpisodeDraft
from tilth.domain.events import EpisodeRecorded, ImportFinished, SessionDescribed, encode
from tilth.domain.scope import Visibility
from tilth.ports import (
    Appended,
    Described,
    Embedder,
    Importer,
    Item,
    Skipped,
    Source,
    Store,
    Transaction,
)
from tilth.usecases.remember import Recorder, keep_vectors, prepared, scrubbed
from tilth.usecases.sessions import scrubbed_info
from tilth.usecases.twins import without_twins

logger = logging.getLogger(__name__)

BATCH_ITEMS = 256
BATCH_CHARS_MAX = 4_000_000
SKIPS_KEPT_MAX = 1000

Progress: TypeAlias = Callable[[Source, int], None]


@dataclass(slots=True, kw_only=True)
class SourceReport:
    """What became of one source. `skipped` keeps the first thousand, `skipped_count` counts all."""

    source: Source
    new_count: int = 0
    known_count: int = 0
    session_count: int = 0
    skipped_count: int = 0
    skipped: list[Skipped] = field(default_factory=list)
    is_unchanged: bool = False


def import_sources(
    store: Store,
    tools: tuple[Importer, Embedder],
    sources: Sequence[Source],
    *,
    recorder: Recorder,
    is_dry_run: bool = False,
    progress: Progress = lambda _source, _bytes: None,
) -> Iterator[SourceReport]:
    """
    Import *sources* one after the other, and yield what became of each.

    With *is_dry_run* the reports are those of a real run, and nothing is written.

    Args:
        store: Where the episodes go.
        tools: What reads the sources, and the embedder of the first tier.
        sources: What to read, as `Importer.find` named it.
        recorder: Who imports, and for whom.
        is_dry_run: Only count.
        progress: Called with the source and the bytes of it read so far.
    """
    importer, embedder = tools
    seen: set[str] = set()
    for source in sources:
        report = SourceReport(source=source)
        fingerprint = importer.fingerprint(source)
        if _is_known(store, source, fingerprint, recorder):
            report.is_unchanged = True
            yield report
            continue
        for batch in _batches(importer.read(source), source, report, progress):
            if is_dry_run:
                _count(store, batch, report, recorder, seen)
            else:
                _write(store, embedder, batch, report, recorder)
        if not is_dry_run:
            _finish(store, report, fingerprint, recorder)
        yield report


_Batch: TypeAlias = list[EpisodeDraft | Described]


def _batches(
    items: Iterator[tuple[Item, int]], source: Source, report: SourceReport, progress: Progress
) -> Iterator[_Batch]:
    batch: _Batch = []
    chars = 0
    for item, position in items:
        progress(source, position)
        if isinstance(item, Skipped):
            report.skipped_count += item.count
            report.skipped += [item] if len(report.skipped) < SKIPS_KEPT_MAX else []
            continue
        batch.append(item)
        chars += len(item.text) if isinstance(item, EpisodeDraft) else 0
        if len(batch) >= BATCH_ITEMS or chars >= BATCH_CHARS_MAX:
            yield batch
            batch, chars = [], 0
    yield batch


def _write(
    store: Store, embedder: Embedder, batch: _Batch, report: SourceReport, recorder: Recorder
) -> None:
    drafts, vectors = prepared(embedder, _unknown(store, batch, recorder), recorder.transports)
    with store.begin() as tx:
        for session in _described(batch):
            report.session_count += _describe(tx, session, recorder)
        # What a hook has captured already is not brought in a second time.
        single = {id(draft) for draft in without_twins(tx, drafts, Visibility(recorder.owner))}
        rows = [row for row, draft in enumerate(drafts) if id(draft) in single]
        appended = [_record(tx, drafts[row], recorder) for row in rows]
        keep_vectors(tx, embedder.space, appended, vectors[rows])
    new = sum(one.is_new for one in appended)
    report.new_count += new
    report.known_count += len(_drafts(batch)) - new


def _unknown(store: Store, batch: _Batch, recorder: Recorder) -> list[EpisodeDraft]:
    # A key names the words themselves. Where only their line, or the time of their file, has
    # changed since, they are known; nothing new was said.
    drafts = _drafts(batch)
    keys = [draft.idempotency_key for draft in drafts]
    with store.read() as view:
        known = set(view.by_key(recorder.owner, [key for key in keys if key is not None]))
    first = {key: number for number, key in reversed(list(enumerate(keys)))}
    return [
        draft
        for number, (key, draft) in enumerate(zip(keys, drafts, strict=True))
        if key is None or (key not in known and first[key] == number)
    ]


def _record(tx: Transaction, draft: EpisodeDraft, recorder: Recorder) -> Appended:
    return tx.append(
        EpisodeRecorded(draft),
        by=recorder.by,
        owner=recorder.owner,
        idempotency_key=draft.idempotency_key,
    )


def _describe(tx: Transaction, session: Described, recorder: Recorder) -> int:
    event, key = _description(session)
    return tx.append(event, by=recorder.by, owner=recorder.owner, idempotency_key=key).is_new


def _description(session: Described) -> tuple[SessionDescribed, str]:
    info = scrubbed_info(session.info)
    event = SessionDescribed(session_id=session.session_id, info=info, scope=session.scope)
    # Saying the same twice is one event; saying something else is another.
    digest = hashlib.sha256(encode(event).encode()).hexdigest()[:32]
    return event, f"described:{session.session_id}:{digest}"


def _count(
    store: Store, batch: _Batch, report: SourceReport, recorder: Recorder, seen: set[str]
) -> None:
    """Count what `_write` would do, had it written what was *seen* in this run before."""
    drafts = _unknown(store, batch, recorder)
    unseen = [scrubbed(draft) for draft in drafts if draft.idempotency_key not in seen]
    descriptions = {_description(session)[1] for session in _described(batch)}
    with store.read() as view:
        new = without_twins(view, unseen, Visibility(recorder.owner))
        descriptions -= view.by_key(recorder.owner, list(descriptions)).keys() | seen
    report.new_count += len(new)
    report.known_count += len(_drafts(batch)) - len(new)
    report.session_count += len(descriptions)
    seen.update(descriptions, (key for draft in new if (key := draft.idempotency_key) is not None))


def _finish(store: Store, report: SourceReport, fingerprint: str, recorder: Recorder) -> None:
    event = ImportFinished(
        uri=report.source.uri,
        format=report.source.format,
        sha256=fingerprint,
        new_count=report.new_count,
        known_count=report.known_count,
        skipped_count=report.skipped_count,
    )
    with store.begin() as tx:
        tx.append(event, by=recorder.by, owner=recorder.owner)
    logger.info(
        "import finished: format=%s new=%d known=%d skipped=%d",
        report.source.format,
        report.new_count,
        report.known_count,
        report.skipped_count,
    )


def _is_known(store: Store, source: Source, fingerprint: str, recorder: Recorder) -> bool:
    with store.read() as view:
        return view.imported(recorder.owner, source.uri) == fingerprint


def _drafts(batch: Iterable[EpisodeDraft | Described]) -> list[EpisodeDraft]:
    return [item for item in batch if isinstance(item, EpisodeDraft)]


def _described(batch: Iterable[EpisodeDraft | Described]) -> Iterator[Described]:
    return (item for item in batch if isinstance(item, Described))
