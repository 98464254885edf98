"""
Record what importers read.

Each source is read in batches, each batch in one transaction. What was read before is known by its
key, so an import can be broken off and repeated at will, and a source that grew adds what is new.
"""

import hashlib
import logging
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import field, replace
from typing import TypeAlias

from tilth.core.dataclass import dataclass
from tilth.core.errors import TilthError, UnavailableError
from tilth.core.event import encode
from tilth.core.ids import EpisodeId
from tilth.core.scope import Visibility
from tilth.embedding.embedder import Embedder
from tilth.episodes.capture_dedup import Heard, without_twins
from tilth.episodes.episode import EpisodeDraft
from tilth.episodes.events import EpisodeRecorded, ImportFinished, SessionDescribed
from tilth.episodes.remember import WriteContext, keep_vectors, prepared, scrubbed, scrubbed_id
from tilth.episodes.sessions import scrubbed_info
from tilth.episodes.tables import Episodes
from tilth.ledger.log import Appended
from tilth.ledger.snapshot import Snapshot
from tilth.ledger.store import Store, Transaction
from tilth.ledger.tables import Tombstones
from tilth.privacy.redaction import scrub_name, scrub_scope
from tilth.transfer.import_rows import RowImporter, is_there
from tilth.transfer.model import (
    EXPORTED_KEY,
    Described,
    Importer,
    Item,
    Mended,
    Row,
    Skipped,
    Source,
)
from tilth.transfer.renamed_documents import Renames
from tilth.transfer.restate_document import Reading, reading_of, restate
from tilth.transfer.session_scopes import SessionScopes
from tilth.transfer.tables import documents_read, imported

logger = logging.getLogger(__name__)

BATCH_ITEMS = 256
BATCH_CHARS_MAX = 4_000_000
SKIPS_KEPT_MAX = 1000

Progress: TypeAlias = Callable[[Source, int], None]


@dataclass(slots=True, kw_only=True)
class SourceReport:
    """
    What became of one source.

    `skipped` is what was not read, and `mended` what was read otherwise than it says. Each keeps
    the first thousand, and its count counts all.
    """

    source: Source
    new_count: int = 0
    known_count: int = 0
    session_count: int = 0
    skipped_count: int = 0
    skipped: list[Skipped] = field(default_factory=list)
    mended_count: int = 0
    mended: list[Mended] = field(default_factory=list)
    is_unchanged: bool = False
    is_read_through: bool = True

    def skip(self, skipped: Skipped) -> None:
        """Take note of what was not read, or not as it stands."""
        if isinstance(skipped, Mended):
            self.mended_count += skipped.count
            self.mended += [skipped] if len(self.mended) < SKIPS_KEPT_MAX else []
            return
        self.skipped_count += skipped.count
        self.skipped += [skipped] if len(self.skipped) < SKIPS_KEPT_MAX else []


@dataclass(slots=True)
class _Pretended:
    """What a dry run would have written by now: the keys, the sources' hashes, what was said."""

    keys: set[str] = field(default_factory=set)
    fingerprints: dict[str, str] = field(default_factory=dict)
    heard: Heard = field(default_factory=Heard)

    def finish(self, report: SourceReport, fingerprint: str) -> None:
        """Remember a source that was read to its end, as `_finish` does."""
        if report.is_read_through:
            self.fingerprints[report.source.uri] = fingerprint


def import_sources(
    store: Store,
    tools: tuple[Importer, Embedder, RowImporter],
    sources: Sequence[Source],
    *,
    recorder: WriteContext,
    is_dry_run: bool = False,
    progress: Progress = lambda _source, _bytes: None,
) -> Iterator[SourceReport]:
    """
    Import *sources* one after the other, and yield what became of each.

    With *is_dry_run* the reports are those of a real run, and nothing is written.
    A source that cannot be read, or not to its end, does not end the run: its
    report says so, and the next import reads it again.

    Args:
        store: Where the episodes go.
        tools: What reads the sources, the embedder of the first tier, and what states what a
            document is and links to.
        sources: What to read, as `Importer.find` named it.
        recorder: Who imports, and for whom.
        is_dry_run: Only count.
        progress: Called with the source and the bytes of it read so far.
    """
    importer, embedder, taker = tools
    pretended, renames = _Pretended(), Renames(store, recorder.owner)
    for source in sources:
        report = SourceReport(source=source)
        if source.is_gone:
            if not is_dry_run:
                _end(store, report, taker, recorder)
            yield report
            continue
        fingerprint = _fingerprint(importer, report)
        known = (pretended.fingerprints.get(source.uri), _known(store, source, recorder))
        report.is_unchanged = fingerprint in known
        if report.is_unchanged or not report.is_read_through:
            yield report
            continue
        report.source = renames.followed(source, fingerprint)
        reading = reading_of(report.source)
        scopes = SessionScopes(store, recorder.owner)
        items = ((scopes.placed(item), at) for item, at in _items(importer, report))
        for batch in _batches(items, source, report, progress):
            if is_dry_run:
                _count(store, batch, report, recorder, pretended)
            else:
                _write(store, embedder, batch, (report, reading), recorder)
        if is_dry_run:
            pretended.finish(report, fingerprint)
        else:
            _finish(store, (report, reading), fingerprint, (importer, taker), recorder)
        yield report


def _fingerprint(importer: Importer, report: SourceReport) -> str:
    """Return the hash of a source; of one that is gone since it was found, nothing."""
    try:
        return importer.fingerprint(report.source)
    except UnavailableError as error:
        report.is_read_through = False
        report.skip(Skipped(report.source.uri, str(error)))
        return ""


def _items(importer: Importer, report: SourceReport) -> Iterator[tuple[Item, int]]:
    """Yield what a source holds, as far as it can be read."""
    position = 0
    try:
        for item, position in importer.read(report.source):
            yield item, position
    except UnavailableError as error:
        report.is_read_through = False
        yield Skipped(report.source.uri, str(error)), position


_Batch: TypeAlias = list[EpisodeDraft | Described]


def _batches(
    items: Iterator[tuple[Item, int]], source: Source, report: SourceReport, progress: Progress
) -> Iterator[_Batch]:
    batch: _Batch = []
    chars = 0
    for item, position in items:
        progress(source, position)
        if isinstance(item, Skipped):
            report.skip(item)
            continue
        batch.append(item)
        chars += len(item.text) if isinstance(item, EpisodeDraft) else 0
        if len(batch) >= BATCH_ITEMS or chars >= BATCH_CHARS_MAX:
            yield batch
            batch, chars = [], 0
    yield batch


def _write(
    store: Store,
    embedder: Embedder,
    batch: _Batch,
    notes: tuple[SourceReport, Reading],
    recorder: WriteContext,
) -> None:
    report, reading = notes
    drafts, vectors = prepared(embedder, _unknown(store, batch, recorder), recorder.transports)
    with store.begin() as tx:
        for session in _described(batch):
            report.session_count += _describe(tx, session, recorder)
        # What a hook has captured, or another program retold, is not brought in a second time.
        single = {id(draft) for draft in without_twins(tx, drafts, Visibility(recorder.owner))}
        rows = [row for row, draft in enumerate(drafts) if id(draft) in single]
        appended = [_record(tx, drafts[row], recorder) for row in rows]
        keep_vectors(tx, embedder.space, appended, vectors[rows])
        reading.note(tx, _drafts(batch), recorder)
    new = sum(one.is_new for one in appended)
    report.new_count += new
    report.known_count += len(_drafts(batch)) - new


def _unknown(store: Store, batch: _Batch, recorder: WriteContext) -> list[EpisodeDraft]:
    # A key names the words themselves. Where only their line, or the time of their file, has
    # changed since, they are known; nothing new was said.
    drafts = _drafts(batch)
    keys = [draft.idempotency_key for draft in drafts]
    with store.read() as view:
        known = set(view.by_key(recorder.owner, [key for key in keys if key is not None]))
        within = Visibility(recorder.owner)
        known |= {key for key in keys if key is not None and _is_back(view, key, within)}
    first = {key: number for number, key in reversed(list(enumerate(keys)))}
    return [
        draft
        for number, (key, draft) in enumerate(zip(keys, drafts, strict=True))
        if key is None or (key not in known and first[key] == number)
    ]


def _is_back(view: Snapshot, key: str, within: Visibility) -> bool:
    """Say whether an export brings back an episode that is of this very store, or was."""
    id_ = key.removeprefix(EXPORTED_KEY)
    return id_ != key and is_there(lambda: Episodes(view).get(EpisodeId(id_), within))


def _record(tx: Transaction, draft: EpisodeDraft, recorder: WriteContext) -> Appended:
    return tx.append(
        EpisodeRecorded(draft),
        by=recorder.by,
        owner=recorder.owner,
        idempotency_key=draft.idempotency_key,
    )


def _describe(tx: Transaction, session: Described, recorder: WriteContext) -> int:
    event, key = _description(session)
    is_known = bool(tx.by_key(recorder.owner, [key]))
    if not is_known and Tombstones(tx).took_description(session.session_id, recorder.owner):
        # A title was erased; the source still has it, beside something that is new.
        event, key = _description(replace(session, info=replace(session.info, title="")))
    return tx.append(event, by=recorder.by, owner=recorder.owner, idempotency_key=key).is_new


def _description(session: Described) -> tuple[SessionDescribed, str]:
    info = scrubbed_info(session.info)
    session_id = scrubbed_id(session.session_id) or session.session_id
    event = SessionDescribed(session_id=session_id, info=info, scope=scrub_scope(session.scope))
    # Saying the same twice is one event; saying something else is another.
    digest = hashlib.sha256(encode(event).encode()).hexdigest()[:32]
    return event, f"described:{session_id}:{digest}"


def _count(
    store: Store, batch: _Batch, report: SourceReport, recorder: WriteContext, pretended: _Pretended
) -> None:
    """Count what `_write` would do, had it written what was *pretended* in this run before."""
    drafts, seen = _unknown(store, batch, recorder), pretended.keys
    unseen = [scrubbed(draft) for draft in drafts if draft.idempotency_key not in seen]
    descriptions = {_description(session)[1] for session in _described(batch)}
    with store.read() as view:
        new = without_twins(view, unseen, Visibility(recorder.owner), also=pretended.heard)
        descriptions -= view.by_key(recorder.owner, list(descriptions)).keys() | seen
    report.new_count += len(new)
    report.known_count += len(_drafts(batch)) - len(new)
    report.session_count += len(descriptions)
    pretended.heard.note(new)
    seen.update(descriptions, (key for draft in new if (key := draft.idempotency_key) is not None))


def _finish(
    store: Store,
    notes: tuple[SourceReport, Reading],
    fingerprint: str,
    tools: tuple[Importer, RowImporter],
    recorder: WriteContext,
) -> None:
    """State what a source is, and that it was read, at once: what was broken off states nothing."""
    (report, reading), (importer, taker) = notes, tools
    # What broke off is read again next time, whatever its bytes.
    if not report.is_read_through:
        return
    rows = list(_rows(importer, report.source))
    with store.begin() as tx:
        told = []
        for one in restate(tx, reading, rows, taker):
            if isinstance(one, Skipped):
                report.skip(one)
            else:
                told.append(one)
        event = ImportFinished(
            uri=scrub_name(report.source.uri),
            format=report.source.format,
            sha256=fingerprint,
            new_count=report.new_count,
            known_count=report.known_count,
            skipped_count=report.skipped_count,
            document=reading.document,
            contents=tuple(reading.contents),
            told=tuple(told),
        )
        tx.append(event, by=recorder.by, owner=recorder.owner)
    logger.info(
        "import finished: format=%s new=%d known=%d skipped=%d",
        report.source.format,
        report.new_count,
        report.known_count,
        report.skipped_count,
    )


def _end(store: Store, report: SourceReport, taker: RowImporter, recorder: WriteContext) -> None:
    """Show a document no more whose file is gone, and end what it alone stated."""
    source = report.source
    with store.begin() as tx:
        document = documents_read(tx, recorder.owner).get(source.uri)
        if document is None:
            # It was read under another name meanwhile, or somebody else saw that it is gone.
            report.is_unchanged = True
            return
        told = restate(tx, Reading(document), (), taker)
        event = ImportFinished(
            uri=source.uri,
            format=source.format,
            sha256="",
            new_count=0,
            known_count=0,
            skipped_count=0,
            document=document,
            told=tuple(one for one in told if isinstance(one, str)),
            is_gone=True,
        )
        tx.append(event, by=recorder.by, owner=recorder.owner)
    logger.info("a document is gone: format=%s", source.format)


def _rows(importer: Importer, source: Source) -> Iterator[Row]:
    try:
        yield from importer.rows(source)
    except (OSError, TilthError) as error:
        yield Skipped(source.uri, str(error))


def _known(store: Store, source: Source, recorder: WriteContext) -> str | None:
    with store.read() as view:
        return imported(view, recorder.owner, source.uri)


def _drafts(batch: Iterable[EpisodeDraft | Described]) -> list[EpisodeDraft]:
    return [item for item in batch if isinstance(item, EpisodeDraft)]


def _described(batch: Iterable[EpisodeDraft | Described]) -> Iterator[Described]:
    return (item for item in batch if isinstance(item, Described))
