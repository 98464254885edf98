"""
Import sources: record what importers read.

Each source is read in batches, each in one transaction. Episodes that were read before are known by
their keys, so an import can be interrupted and repeated, and a source that grew adds what is new.
"""

import hashlib
import logging
from collections.abc import Callable, Iterator, Sequence
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
    The result of one source.

    `skipped` are parts that were not read, and `mended` parts that were read otherwise than they
    say. Each keeps the first thousand, and its count counts all.
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
        """Note a part that was not read, or was mended."""
        if isinstance(skipped, Mended):
            self.mended_count += skipped.count
            self.mended += [skipped] if len(self.mended) < SKIPS_KEPT_MAX else []
            return
        self.skipped_count += skipped.count
        self.skipped += [skipped] if len(self.skipped) < SKIPS_KEPT_MAX else []


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
    Import *sources* one after the other, and yield a report on each.

    In a dry run the reports are those of a real run, and nothing is written. A source that cannot
    be read, or not to its end, does not end the run: its report says so, and the next import reads
    it again.

    Args:
        store: The store to write to.
        tools: The importer, the embedder of the first tier, and the importer of a document's rows.
        sources: The sources, as `Importer.find` returned them.
        recorder: The caller, and the owner of what is imported.
        is_dry_run: Whether to count only.
        progress: Called with the source and the bytes of it read so far.
    """
    run = _Run(store, tools, recorder, progress, _DryRun() if is_dry_run else None)
    yield from map(run.import_source, sources)


_Batch: TypeAlias = list[EpisodeDraft | Described]


@dataclass(slots=True)
class _DryRun:
    """What a dry run would have written by now: keys, hashes by source, and what was said."""

    keys: set[str] = field(default_factory=set)
    fingerprints: dict[str, str] = field(default_factory=dict)
    heard: Heard = field(default_factory=Heard)

    def finish(self, report: SourceReport, fingerprint: str) -> None:
        """Remember a source that was read to its end, as `_Run._finish` does."""
        if report.is_read_through:
            self.fingerprints[report.source.uri] = fingerprint


class _Run:
    """One run over several sources; with *dry* nothing is written."""

    def __init__(
        self,
        store: Store,
        tools: tuple[Importer, Embedder, RowImporter],
        recorder: WriteContext,
        progress: Progress,
        dry: _DryRun | None,
    ) -> None:
        self._store = store
        self._importer, self._embedder, self._row_importer = tools
        self._recorder = recorder
        self._within = Visibility(recorder.owner)
        self._renames = Renames(store, recorder.owner)
        self._progress = progress
        self._dry = dry

    def import_source(self, source: Source) -> SourceReport:
        """Import one source, unless it is unchanged since it was imported last."""
        report, dry = SourceReport(source=source), self._dry
        if source.is_gone:
            if dry is None:
                self._end(report)
            return report
        fingerprint = self._fingerprint(report)
        with self._store.read() as view:
            known = imported(view, self._recorder.owner, source.uri)
        before = None if dry is None else dry.fingerprints.get(source.uri)
        report.is_unchanged = fingerprint in {known, before}
        if report.is_unchanged or not report.is_read_through:
            return report
        report.source = self._renames.followed(source, fingerprint)
        reading = reading_of(report.source)
        for batch in self._batches(source, report):
            if dry is None:
                self._write(batch, report, reading)
            else:
                self._count(batch, report, dry)
        if dry is None:
            self._finish(report, reading, fingerprint)
        else:
            dry.finish(report, fingerprint)
        return report

    def _fingerprint(self, report: SourceReport) -> str:
        """Return the hash of a source; an empty text if it is gone since it was found."""
        try:
            return self._importer.fingerprint(report.source)
        except UnavailableError as error:
            report.is_read_through = False
            report.skip(Skipped(report.source.uri, str(error)))
            return ""

    def _batches(self, source: Source, report: SourceReport) -> Iterator[_Batch]:
        scopes = SessionScopes(self._store, self._recorder.owner)
        batch: _Batch = []
        chars = 0
        for raw, position in self._items(report):
            item = scopes.placed(raw)
            self._progress(source, position)
            if isinstance(item, Skipped):
                report.skip(item)
                continue
            batch.append(item)
            chars += len(item.text) if isinstance(item, EpisodeDraft) else 0
            if len(batch) >= BATCH_ITEMS or chars >= BATCH_CHARS_MAX:
                yield batch
                batch, chars = [], 0
        yield batch

    def _items(self, report: SourceReport) -> Iterator[tuple[Item, int]]:
        """Yield the items of a source as far as it can be read, with the bytes read so far."""
        position = 0
        try:
            for item, position in self._importer.read(report.source):
                yield item, position
        except UnavailableError as error:
            report.is_read_through = False
            yield Skipped(report.source.uri, str(error)), position

    def _write(self, batch: _Batch, report: SourceReport, reading: Reading) -> None:
        drafts, vectors = prepared(self._embedder, self._unknown(batch), self._recorder.transports)
        with self._store.begin() as tx:
            for session in _sessions(batch):
                report.session_count += self._describe(tx, session)
            # Episodes that a hook captured or another program copied are not recorded again.
            single = {id(draft) for draft in without_twins(tx, drafts, self._within)}
            rows = [row for row, draft in enumerate(drafts) if id(draft) in single]
            appended = [
                tx.append(
                    EpisodeRecorded(drafts[row]),
                    by=self._recorder.by,
                    owner=self._recorder.owner,
                    idempotency_key=drafts[row].idempotency_key,
                )
                for row in rows
            ]
            keep_vectors(tx, self._embedder.space, appended, vectors[rows])
            reading.note(tx, _drafts(batch), self._recorder)
        new = sum(one.is_new for one in appended)
        report.new_count += new
        report.known_count += len(_drafts(batch)) - new

    def _count(self, batch: _Batch, report: SourceReport, dry: _DryRun) -> None:
        """Count what `_write` would do, had it written everything before in this run."""
        unseen = [
            scrubbed(one) for one in self._unknown(batch) if one.idempotency_key not in dry.keys
        ]
        descriptions = {_description(session)[1] for session in _sessions(batch)}
        with self._store.read() as view:
            new = without_twins(view, unseen, self._within, also=dry.heard)
            known = view.by_key(self._recorder.owner, list(descriptions)).keys()
            descriptions -= known | dry.keys
        report.new_count += len(new)
        report.known_count += len(_drafts(batch)) - len(new)
        report.session_count += len(descriptions)
        dry.heard.note(new)
        dry.keys.update(
            descriptions, (key for one in new if (key := one.idempotency_key) is not None)
        )

    def _unknown(self, batch: _Batch) -> list[EpisodeDraft]:
        # A key names the words. Episodes of which only the line or the file's time changed are
        # known, since nothing new was said.
        drafts = _drafts(batch)
        keys = [draft.idempotency_key for draft in drafts]
        named = [key for key in keys if key is not None]
        with self._store.read() as view:
            known = set(view.by_key(self._recorder.owner, named))
            known |= {key for key in named if _is_back(view, key, self._within)}
        first = {key: number for number, key in reversed(list(enumerate(keys)))}
        return [
            draft
            for number, (key, draft) in enumerate(zip(keys, drafts, strict=True))
            if key is None or (key not in known and first[key] == number)
        ]

    def _describe(self, tx: Transaction, session: Described) -> bool:
        by, owner = self._recorder.by, self._recorder.owner
        event, key = _description(session)
        is_known = bool(tx.by_key(owner, [key]))
        if not is_known and Tombstones(tx).took_description(session.session_id, owner):
            # A title was erased, and the source still has it.
            event, key = _description(replace(session, info=replace(session.info, title="")))
        return tx.append(event, by=by, owner=owner, idempotency_key=key).is_new

    def _finish(self, report: SourceReport, reading: Reading, fingerprint: str) -> None:
        """Record in one transaction that a source was read, and what its document states."""
        # An interrupted source states nothing, and is read again whatever its bytes.
        if not report.is_read_through:
            return
        rows = list(self._rows(report.source))
        with self._store.begin() as tx:
            told = []
            for one in restate(tx, reading, rows, self._row_importer):
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
            tx.append(event, by=self._recorder.by, owner=self._recorder.owner)
        logger.info(
            "import finished: format=%s new=%d known=%d skipped=%d",
            report.source.format,
            report.new_count,
            report.known_count,
            report.skipped_count,
        )

    def _end(self, report: SourceReport) -> None:
        """Record that a document's file is gone, and end what it alone stated."""
        source = report.source
        with self._store.begin() as tx:
            document = documents_read(tx, self._recorder.owner).get(source.uri)
            if document is None:
                # It was read under another name meanwhile, or another import recorded it as gone.
                report.is_unchanged = True
                return
            told = restate(tx, Reading(document), (), self._row_importer)
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
            tx.append(event, by=self._recorder.by, owner=self._recorder.owner)
        logger.info("a document is gone: format=%s", source.format)

    def _rows(self, source: Source) -> Iterator[Row]:
        try:
            yield from self._importer.rows(source)
        except (OSError, TilthError) as error:
            yield Skipped(source.uri, str(error))


def _is_back(view: Snapshot, key: str, within: Visibility) -> bool:
    """Say whether an export brings back an episode that is of this very store, or was."""
    id_ = key.removeprefix(EXPORTED_KEY)
    return id_ != key and is_there(lambda: Episodes(view).get(EpisodeId(id_), within))


def _description(session: Described) -> tuple[SessionDescribed, str]:
    info = scrubbed_info(session.info)
    session_id = scrubbed_id(session.session_id) or session.session_id
    event = SessionDescribed(session_id=session_id, info=info, scope=scrub_scope(session.scope))
    # The same description twice is one event; another one is another.
    digest = hashlib.sha256(encode(event).encode()).hexdigest()[:32]
    return event, f"described:{session_id}:{digest}"


def _drafts(batch: _Batch) -> list[EpisodeDraft]:
    return [item for item in batch if isinstance(item, EpisodeDraft)]


def _sessions(batch: _Batch) -> Iterator[Described]:
    return (item for item in batch if isinstance(item, Described))
