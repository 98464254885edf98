"""The object a program holds."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Protocol, Self, Unpack, cast

from tilth.domain.actor import Actor, ActorKind
from tilth.domain.episode import Episode, EpisodeDraft, Saying, parse_draft
from tilth.domain.ids import EpisodeId, parse_session_id
from tilth.domain.recall import Recall, Recalling, parse_options
from tilth.domain.scope import GLOBAL, Visibility, parse_scope, seen_from
from tilth.domain.session import Session, SessionInfo
from tilth.errors import InvalidInputError
from tilth.ports import Clock, Embedder, EpisodeFilter, Importer, Source, Store, WordVectors
from tilth.settings import Settings
from tilth.usecases import (
    changes,
    doctor,
    embedding,
    imports,
    maintenance,
    recall,
    remember,
    sessions,
)
from tilth.usecases.candidates import Recaller
from tilth.usecases.changes import Changes
from tilth.usecases.doctor import Check, Machine, Patient
from tilth.usecases.duplicates import LIKENESS_MIN, Duplicate, find_duplicates
from tilth.usecases.imports import SourceReport
from tilth.usecases.ingest import Ingested, Reading, Spool, ingest_spool
from tilth.usecases.maintenance import Verified
from tilth.usecases.remember import Recorder

IMPORTER = Actor("importer", ActorKind.IMPORT)
# Hosts tell hooks what their agents say; that proves nothing about who is there.
HOOKS = Actor("hooks", ActorKind.AGENT)


class FirstTier(Embedder, WordVectors, Protocol):
    """The embedder that is in step with every write; it knows single words too."""


@dataclass(frozen=True, slots=True)
class Parts:
    """What a brain is made of. `bootstrap` chooses them."""

    store: Store
    clock: Clock
    first: FirstTier
    second: Embedder | None
    importer: Importer
    settings: Settings
    recorder: Recorder
    recaller: Recaller


class Sessions:
    """The sessions of a brain."""

    def __init__(self, parts: Parts) -> None:
        self._parts = parts

    def list(
        self, *, limit: int = 20, offset: int = 0, scope: str | None = None
    ) -> Sequence[Session]:
        """See `tilth.usecases.sessions.list_sessions`."""
        within = _within(self._parts, scope)
        return sessions.list_sessions(self._parts.store, within, limit=limit, offset=offset)

    def get(self, session_id: str, *, scope: str | None = None) -> Session:
        """See `tilth.usecases.sessions.get_session`."""
        within = _within(self._parts, scope)
        return sessions.get_session(self._parts.store, parse_session_id(session_id), within)

    def describe(self, session_id: str, info: SessionInfo, *, scope: str = GLOBAL) -> None:
        """See `tilth.usecases.sessions.describe`."""
        sessions.describe(
            self._parts.store,
            parse_session_id(session_id),
            info,
            scope=parse_scope(scope),
            recorder=self._parts.recorder,
        )


class Episodes:
    """The episodes of a brain."""

    def __init__(self, parts: Parts) -> None:
        self._parts = parts

    def list(
        self,
        *,
        session_id: str | None = None,
        limit: int = 100,
        after: int = 0,
        newest: bool = False,
        scope: str | None = None,
    ) -> Sequence[Episode]:
        """See `tilth.usecases.sessions.list_episodes`."""
        which = EpisodeFilter(
            within=_within(self._parts, scope),
            session_id=None if session_id is None else parse_session_id(session_id),
        )
        return sessions.list_episodes(
            self._parts.store, which, limit=limit, after=after, newest=newest
        )

    def get(self, episode_id: str, *, is_masked: bool = False, scope: str | None = None) -> Episode:
        """See `tilth.usecases.sessions.get_episode`."""
        within = _within(self._parts, scope)
        return sessions.get_episode(
            self._parts.store, EpisodeId(episode_id), within, is_masked=is_masked
        )


class Brain:
    """
    One brain: a store, its models and a clock, with a method for every use case.

    Methods hold no logic of their own; each calls one use case. It may be used
    from several threads. The core is synchronous: in an async program, run its
    methods in a thread.
    """

    def __init__(self, parts: Parts) -> None:
        self._parts = parts
        self.sessions = Sessions(parts)
        self.episodes = Episodes(parts)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exc: object) -> None:
        self.close()

    def close(self) -> None:
        """Release the store. Calling it twice does no harm."""
        self._parts.store.close()

    @property
    def store_id(self) -> str:
        """See `tilth.ports.Store.store_id`."""
        return self._parts.store.store_id

    def remember(self, text: str, **saying: Unpack[Saying]) -> EpisodeId:
        """Record one episode; see `tilth.usecases.remember.remember`."""
        return self.remember_many([parse_draft(text, saying)])[0]

    def remember_many(
        self, drafts: Sequence[EpisodeDraft | Mapping[str, object]]
    ) -> list[EpisodeId]:
        """
        Record episodes in one transaction; see `tilth.usecases.remember.remember`.

        A draft may be a mapping with the key `text` and the arguments of `remember`.
        """
        parts = self._parts
        known = [_draft(draft) for draft in drafts]
        return remember.remember(parts.store, parts.first, known, recorder=parts.recorder)

    def examine(self, machine: Machine) -> list[Check]:
        """See `tilth.usecases.doctor.examine_store`."""
        parts = self._parts
        patient = Patient(
            store=parts.store,
            first=parts.first,
            second=parts.second,
            within=_within(parts, None),
            ask=lambda question: [hit.text for hit in self.recall(question).hits],
        )
        return doctor.examine_store(patient, machine)

    def recall(
        self, question: str, *, scope: str | None = None, **options: Unpack[Recalling]
    ) -> Recall:
        """Answer a question; see `tilth.usecases.recall.recall`."""
        parts = self._parts
        within = _within(parts, scope)
        asked = parse_options(
            options, parts.settings.recall_limit, parts.settings.recall_budget_tokens
        )
        return recall.recall(parts.store, parts.recaller, question, within, asked)

    def changes(self, since: str = "", *, limit: int = 100, scope: str | None = None) -> Changes:
        """Return what was recorded since; see `tilth.usecases.changes.changes`."""
        within = _within(self._parts, scope)
        return changes.changes(self._parts.store, since, within, limit=limit)

    def duplicates(
        self, text: str, *, likeness_min: float = LIKENESS_MIN, scope: str | None = None
    ) -> list[Duplicate]:
        """Compare in the first tier; see `tilth.usecases.duplicates.find_duplicates`."""
        parts = self._parts
        within = _within(parts, scope)
        return find_duplicates(parts.store, parts.first, text, within, likeness_min=likeness_min)

    def fetch(self, episode_ids: Sequence[str], *, scope: str | None = None) -> list[Episode]:
        """Return whole episodes by ID; see `tilth.usecases.recall.fetch`."""
        return recall.fetch(self._parts.store, episode_ids, _within(self._parts, scope))

    def import_sources(
        self,
        sources: Sequence[Source],
        *,
        is_dry_run: bool = False,
        progress: imports.Progress = lambda _source, _bytes: None,
    ) -> Iterator[SourceReport]:
        """See `tilth.usecases.imports.import_sources`."""
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
        """Record what hooks wrote; see `tilth.usecases.ingest.ingest_spool`."""
        parts = self._parts
        recorder = replace(parts.recorder, by=HOOKS)
        return ingest_spool(parts.store, parts.first, spool, reading, recorder=recorder)

    def find_sources(self, path: str) -> list[Source]:
        """See `tilth.ports.Importer.find`."""
        return self._parts.importer.find(path)

    def embed_backlog(
        self, *, limit: int | None = None, progress: Callable[[int], None] = lambda _done: None
    ) -> int:
        """Give both tiers what they lack; see `tilth.usecases.embedding.embed_backlog`."""
        parts = self._parts
        embedders = [embedder for embedder in (parts.first, parts.second) if embedder is not None]
        return embedding.embed_backlog(parts.store, embedders, limit=limit, progress=progress)

    def verify(self) -> Verified:
        """See `tilth.usecases.maintenance.verify`."""
        return maintenance.verify(self._parts.store)

    def rebuild(self, *, progress: Callable[[int], None] = lambda _done: None) -> int:
        """See `tilth.usecases.maintenance.rebuild`."""
        return maintenance.rebuild(self._parts.store, self._parts.first, progress=progress)

    def backup(self, target: str) -> None:
        """See `tilth.ports.Store.backup`."""
        self._parts.store.backup(target)


def _draft(draft: EpisodeDraft | Mapping[str, object]) -> EpisodeDraft:
    if isinstance(draft, EpisodeDraft):
        return draft
    text = draft.get("text")
    if not isinstance(text, str):
        raise InvalidInputError("a draft has no text", hint="give it the key 'text'")
    saying = {name: value for name, value in draft.items() if name != "text"}
    return parse_draft(text, cast("Saying", saying))


def _within(parts: Parts, scope: str | None) -> Visibility:
    return seen_from(parts.recorder.owner, None if scope is None else parse_scope(scope))
