"""The object a program holds."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Self, Unpack, cast

from tilth.agents.ingest import Ingested, Reading, Spool, ingest_spool
from tilth.core.actor import HOOKS, IMPORTER
from tilth.core.errors import InvalidInputError
from tilth.core.ids import EpisodeId, FactId
from tilth.episodes import remember
from tilth.episodes.episode import Episode, EpisodeDraft, Saying, parse_draft
from tilth.knowledge.entities.naming import meant
from tilth.learning.distil import Distilled, distil, reopen
from tilth.learning.read_by_model import ModelRead, read_by_model
from tilth.maintenance import archive as sweeping
from tilth.maintenance import consolidate as consolidating
from tilth.maintenance import dedup
from tilth.maintenance import embed as embedding
from tilth.maintenance import integrity as maintenance
from tilth.maintenance.archive import Swept
from tilth.maintenance.consolidate import Consolidated
from tilth.maintenance.dedup import Deduplicated
from tilth.maintenance.integrity import Verified
from tilth.privacy.exclusion import Exclusion
from tilth.recall import recall
from tilth.recall.model import Recall, Recalling, parse_options
from tilth.runtime import doctor
from tilth.runtime.app.erase import Erase
from tilth.runtime.app.models import Models
from tilth.runtime.app.review import Review
from tilth.runtime.checkup import Check
from tilth.runtime.doctor import Machine, Patient, Transcript
from tilth.runtime.index import index
from tilth.runtime.late import made
from tilth.runtime.methods import Methods
from tilth.runtime.parts import Parts, within
from tilth.transfer import imports
from tilth.transfer.export import Exported, export
from tilth.transfer.exporting import Exporting
from tilth.transfer.importing import Source
from tilth.transfer.imports import SourceReport


class Brain(Methods):
    """
    One brain: a store, its models and a clock, with a method for every use case.

    Methods hold no logic of their own; each calls one use case. It may be used
    from several threads. The core is synchronous: in an async program, run its
    methods in a thread.
    """

    def __init__(self, parts: Parts) -> None:
        self._parts = parts
        self._caller, self._names = parts, index()["modules"]
        # A list of terms that cannot be read is told at once, and not when something is told.
        _ = parts.excluded
        self.review = Review(parts)
        self.models = Models(parts)
        self.erase = Erase(parts)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exc: object) -> None:
        self.close()

    def close(self) -> None:
        """Release the store and the models. Calling it twice does no harm."""
        if (staff := made(self._parts.staff)) is not None:
            staff.cancel()
        if (recaller := made(self._parts.recaller)) is not None:
            recaller.executor.shutdown()
        self._parts.store.close()

    @property
    def parts(self) -> Parts:
        """What it is made of, for the program that holds it."""
        return self._parts

    @property
    def excluded(self) -> Exclusion:
        """The terms that agents are told nothing of; see `tilth.privacy.exclusion`."""
        return self._parts.excluded

    @property
    def store_id(self) -> str:
        """See `tilth.ledger.store.Store.store_id`."""
        return self._parts.store.store_id

    def remember(
        self, text: str, *, entity: str | None = None, **saying: Unpack[Saying]
    ) -> EpisodeId:
        """
        Record one episode; see `tilth.episodes.remember.remember`.

        *entity* is the ID or name of who it is with; see `tilth.knowledge.entities.naming.meant`.
        """
        if entity is not None:
            seen = within(self._parts, saying.get("scope"))
            saying["entity_id"] = meant(self._parts.store, entity, seen)
        return self.remember_many([parse_draft(text, saying)])[0]

    def remember_many(
        self, drafts: Sequence[EpisodeDraft | Mapping[str, object]]
    ) -> list[EpisodeId]:
        """
        Record episodes in one transaction; see `tilth.episodes.remember.remember`.

        A draft may be a mapping with the key `text` and the arguments of `remember`.
        """
        parts = self._parts
        known = [_draft(draft) for draft in drafts]
        return remember.remember(parts.store, parts.first, known, recorder=parts.recorder)

    def examine(self, machine: Machine) -> list[Check]:
        """See `tilth.runtime.doctor.examine_store`."""
        parts = self._parts
        patient = Patient(
            store=parts.store,
            first=parts.first,
            second=parts.second,
            within=within(parts, None),
            ask=lambda question: [hit.text for hit in self.recall(question).hits],
            staff=parts.staff,
        )
        return doctor.examine_store(patient, machine)

    def unimported(self, transcripts: Sequence[Transcript]) -> Sequence[Transcript]:
        """See `tilth.runtime.doctor.unimported`."""
        return doctor.unimported(self._parts.store, self._parts.recorder.owner, transcripts)

    def recall(
        self, question: str, *, scope: str | None = None, **options: Unpack[Recalling]
    ) -> Recall:
        """Answer a question; see `tilth.recall.recall.recall`."""
        parts = self._parts
        seen = within(parts, scope)
        asked = parse_options(
            options, parts.settings.recall_limit, parts.settings.recall_budget_tokens
        )
        found = recall.recall(parts.store, parts.recaller, question, seen, asked)
        return parts.excluded.shown(found)

    def fetch(self, episode_ids: Sequence[str], *, scope: str | None = None) -> list[Episode]:
        """Return whole episodes by ID; see `tilth.recall.recall.fetch`."""
        parts = self._parts
        return parts.excluded.shown(recall.fetch(parts.store, episode_ids, within(parts, scope)))

    def import_sources(
        self,
        sources: Sequence[Source],
        *,
        is_dry_run: bool = False,
        progress: imports.Progress = lambda _source, _bytes: None,
    ) -> Iterator[SourceReport]:
        """See `tilth.transfer.imports.import_sources`."""
        parts = self._parts
        return imports.import_sources(
            parts.store,
            (parts.importer, parts.first),
            sources,
            recorder=replace(parts.recorder, by=IMPORTER),
            is_dry_run=is_dry_run,
            progress=progress,
        )

    def ingest(self, spool: Spool, reading: Reading) -> Ingested:
        """Record what hooks wrote; see `tilth.agents.ingest.ingest_spool`."""
        parts = self._parts
        recorder = replace(parts.recorder, by=HOOKS)
        return ingest_spool(parts.store, parts.first, spool, reading, recorder=recorder)

    def distil(
        self,
        *,
        is_asked: bool = True,
        at_most: int | None = None,
        progress: Callable[[int], None] = lambda _done: None,
    ) -> Distilled:
        """State what sessions say; see `tilth.learning.distil.distil`."""
        parts = self._parts
        return distil(
            parts.store,
            parts.writing,
            parts.rules,
            is_asked=is_asked,
            at_most=at_most,
            progress=progress,
        )

    def read_by_model(self) -> ModelRead:
        """State what a language model finds; see `tilth.learning.read_by_model.read_by_model`."""
        parts = self._parts
        return read_by_model(parts.thinker, parts.writing, parts.rules)

    def reopen_sessions(self) -> None:
        """Have sessions looked through once more; see `tilth.learning.distil.reopen`."""
        reopen(self._parts.store, self._parts.recorder)

    def archive(
        self,
        *,
        is_asked: bool = True,
        is_dry_run: bool = False,
        progress: Callable[[int], None] = lambda _done: None,
    ) -> Swept:
        """Put away what has had its time; see `tilth.maintenance.archive.sweep`."""
        parts = self._parts
        return sweeping.sweep(
            parts.store,
            parts.clock,
            parts.recorder,
            is_asked=is_asked,
            is_dry_run=is_dry_run,
            progress=progress,
        )

    def unarchive(self) -> tuple[FactId, ...]:
        """Bring back what was put away last; see `tilth.maintenance.archive.undo_sweep`."""
        return sweeping.undo_sweep(self._parts.store, self._parts.recorder)

    def consolidate(self, *, is_asked: bool = True, is_dry_run: bool = False) -> Consolidated:
        """Draw facts about one thing together; see `tilth.maintenance.consolidate.consolidate`."""
        parts = self._parts
        return consolidating.consolidate(
            parts.store, parts.writing, parts.thinker, is_asked=is_asked, is_dry_run=is_dry_run
        )

    def dedup(self, *, after: int = 0, is_dry_run: bool = False) -> Deduplicated:
        """Ask about what says nearly the same; see `tilth.maintenance.dedup.dedup`."""
        parts = self._parts
        embedders = [one for one in (parts.first, parts.second) if one is not None]
        return dedup.dedup(
            parts.store, embedders, parts.recorder, after=after, is_dry_run=is_dry_run
        )

    def find_sources(self, path: str) -> list[Source]:
        """See `tilth.transfer.importing.Importer.find`."""
        return self._parts.importer.find(path)

    def embed_backlog(
        self, *, limit: int | None = None, progress: Callable[[int], None] = lambda _done: None
    ) -> int:
        """Give both tiers what they lack; see `tilth.maintenance.embed.embed_backlog`."""
        parts = self._parts
        embedders = [embedder for embedder in (parts.first, parts.second) if embedder is not None]
        return embedding.embed_backlog(parts.store, embedders, limit=limit, progress=progress)

    def verify(self) -> Verified:
        """See `tilth.maintenance.integrity.verify`."""
        return maintenance.verify(self._parts.store)

    def rebuild(self, *, progress: Callable[[int], None] = lambda _done: None) -> int:
        """See `tilth.maintenance.integrity.rebuild`."""
        return maintenance.rebuild(self._parts.store, self._parts.first, progress=progress)

    def export(
        self,
        path: str,
        *,
        is_shared: bool = False,
        is_forced: bool = False,
        scope: str | None = None,
        progress: Callable[[int], None] = lambda _done: None,
    ) -> Exported:
        """Write down what may be seen; see `tilth.transfer.export.export`."""
        parts = self._parts
        told = Exporting(
            path=path, within=within(parts, scope), is_shared=is_shared, is_forced=is_forced
        )
        return export(parts.store, parts.scribe, told, progress=progress)

    def backup(self, target: str) -> None:
        """See `tilth.ledger.store.Store.backup`."""
        self._parts.store.backup(target)


def _draft(draft: EpisodeDraft | Mapping[str, object]) -> EpisodeDraft:
    if isinstance(draft, EpisodeDraft):
        return draft
    text = draft.get("text")
    if not isinstance(text, str):
        raise InvalidInputError("a draft has no text", hint="give it the key 'text'")
    saying = {name: value for name, value in draft.items() if name != "text"}
    return parse_draft(text, cast("Saying", saying))
