"""The parts that a brain is made of."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import field, replace
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from tilth.core.actor import GARDENER, Actor
from tilth.core.clock import Clock
from tilth.core.dataclass import dataclass
from tilth.core.errors import ForbiddenError, UnsupportedError
from tilth.core.ids import ConversationId, EntityId
from tilth.core.scope import GLOBAL, Scope, Visibility, parse_scope, seen_from
from tilth.episodes.remember import WriteContext
from tilth.ledger.store import Store
from tilth.privacy.exclusion import Exclusion, parse_exclusion
from tilth.privacy.redaction import scrub_scope
from tilth.runtime.former_scopes import former_scopes
from tilth.runtime.settings import Settings

if TYPE_CHECKING:  # the parts themselves load when a brain is made
    from tilth.context.brief import Fence
    from tilth.context.injection import Injection
    from tilth.context.work.reading_cache import KeptReadings
    from tilth.discovery.model import WebAccess
    from tilth.discovery.places import Places
    from tilth.embedding.embedder import Embedder, FirstTier
    from tilth.erasure.erase import SurroundingFiles
    from tilth.gaps.todos import Outbox, TaskLists
    from tilth.garden.cycle.gardener import Gardener
    from tilth.knowledge.facts.write.write_fact import Writing
    from tilth.learning.extract import Rules
    from tilth.llm.client import ModelClient, ModelPool
    from tilth.recall.recaller import Recaller
    from tilth.snapshots.folder import SnapshotFolder
    from tilth.transfer.export import ExportContext
    from tilth.transfer.model import Importer


@dataclass(frozen=True, slots=True)
class CoveringFence:
    """A fence that also masks excluded terms."""

    fence: Fence
    excluded: Exclusion

    def fenced(self, text: str) -> str:
        """See `tilth.context.brief.Fence.fenced`."""
        return self.fence.fenced(self.excluded.covered(text))


def _no_web_access() -> WebAccess:
    from tilth.discovery.model import WebAccess  # noqa: PLC0415 - for who looks for material

    return WebAccess()


@dataclass(frozen=True, slots=True)
class Dependencies:
    """The parts that a brain is made of; `tilth.runtime.connect` chooses them."""

    store: Store
    clock: Clock
    first: FirstTier
    second: Embedder | None
    importer: Importer
    export_context: ExportContext
    settings: Settings
    recorder: WriteContext
    recaller: Recaller
    fence: Fence
    model_pool: ModelPool
    surrounding_files: SurroundingFiles
    outbox: Outbox
    task_lists: TaskLists
    snapshots: SnapshotFolder
    web_access: WebAccess = field(default_factory=_no_web_access)
    # The folder in which people read and answer what the garden found; None if there is none.
    garden: Path | None = None
    # Readings of exchanges kept from earlier briefs; None keeps none.
    readings: KeptReadings | None = None
    # The only scopes that may be read; None for no limit.
    readable_scopes: frozenset[Scope] | None = None
    # The conversations that a model said go on; see `tilth.people.idle`.
    ongoing_conversations: dict[ConversationId, int] = field(default_factory=dict, init=False)

    @property
    def by(self) -> Actor:
        """The actor."""
        return self.recorder.by

    @property
    def embedders(self) -> Sequence[Embedder]:
        """The embedders of both tiers."""
        return [one for one in (self.first, self.second) if one is not None]

    @property
    def best_embedder(self) -> Embedder:
        """The embedder that compares meanings best."""
        return self.second or self.first

    def setting(self, name: str) -> object:
        """Return the value of a setting."""
        return getattr(self.settings, name)

    def within(self, scope: str | None) -> Visibility:
        """
        Return what the recorder's owner sees from *scope*; None is all that may be read.

        Raises:
            ForbiddenError: *scope* may not be read.
        """
        if scope is None:
            return Visibility(self.recorder.owner, self.readable_scopes)
        place = scrub_scope(parse_scope(scope))
        if self.readable_scopes is not None and place not in self.readable_scopes:
            raise ForbiddenError(
                f"{place} is not served here",
                hint="a person lets agents read other projects: tilth settings set mcp_scopes",
            )
        domains = self.settings.domains_seen.get(place, frozenset())
        former = former_scopes(self.store, self.recorder.owner, place)
        former |= self.settings.former_names.get(place, frozenset())
        return seen_from(self.recorder.owner, place, domains | former)

    def entity_id_of(self, name: str, scope: str | None) -> EntityId:
        """Return the ID of the entity with this name or ID."""
        from tilth.knowledge.entities.resolve_name import resolve_entity_id  # noqa: PLC0415 - few name anybody

        return resolve_entity_id(self.store, name, self.within(scope))

    @property
    def writing(self) -> Writing:
        """What recording a statement needs besides the statement."""
        from tilth.knowledge.facts.write.write_fact import Writing  # noqa: PLC0415 - for who writes

        return Writing(self.first, self.clock, self.recorder)

    @property
    def excluded(self) -> Exclusion:
        """The excluded terms, from the settings; agents cannot change them."""
        return _exclusion(self.settings.excluded_terms)

    @property
    def covering_fence(self) -> CoveringFence:
        """The fence that wraps a brief in markers and masks excluded terms."""
        return CoveringFence(self.fence, self.excluded)

    @property
    def injection(self) -> Injection:
        """What agents may be shown unasked."""
        return self.settings.injected

    @property
    def rules(self) -> Rules:
        """The rules for what is kept of what sessions say."""
        from tilth.learning.extract import Rules  # noqa: PLC0415 - for who distils
        from tilth.llm.client import why_unavailable  # noqa: PLC0415
        from tilth.llm.task import Task  # noqa: PLC0415

        return Rules(
            least=self.settings.confidence_least,
            waits_for_model=why_unavailable(self.model_pool, Task.EXTRACT) is None,
            excluded=self.excluded,
        )

    def places(self, scope: str | None) -> Places:
        """Return the places to search for *scope*, which keep the pages that they fetch."""
        from tilth.discovery.model import PageStore  # noqa: PLC0415 - for who looks for material
        from tilth.discovery.own_material import OwnMaterial  # noqa: PLC0415
        from tilth.discovery.places import GuardedSearch, Places  # noqa: PLC0415

        own = OwnMaterial(self.store, self.recaller, self.within(scope), self.excluded)
        kept = GLOBAL if scope is None else parse_scope(scope)
        page_store = PageStore(self.store, self.first, self.clock, self.recorder, kept)
        web_access = self.web_access
        searches = (*web_access.searches, *(feed(page_store, own) for feed in web_access.feeds))
        return Places(
            own=own,
            searches=tuple(GuardedSearch(one, self.excluded) for one in searches),
            web=web_access.pages(page_store) if web_access.pages else None,
        )

    @property
    def gardener(self) -> Gardener:
        """
        The gardener, which records as the garden, whoever asks.

        Raises:
            UnsupportedError: this brain has no folder for a garden.
        """
        from tilth.garden.cycle.folder import GardenFolder  # noqa: PLC0415 - for who tends
        from tilth.garden.cycle.gardener import Gardener  # noqa: PLC0415
        from tilth.snapshots.rollback import take  # noqa: PLC0415

        if self.garden is None:
            raise UnsupportedError("this brain has no folder for a garden")
        ours = replace(self, recorder=replace(self.recorder, by=GARDENER))
        return Gardener(
            store=self.store,
            clock=self.clock,
            writing=ours.writing,
            ground_of=ours.places,
            folder=GardenFolder(self.garden, self.snapshots.path),
            excluded=self.excluded,
            thinker=ours.thinker,
            keep=lambda: take(self.store, self.snapshots, self.clock, self.recorder.owner).day,
        )

    @property
    def thinker(self) -> ModelClient:
        """The client for language models."""
        from tilth.llm.client import ModelClient  # noqa: PLC0415 - for who asks one

        return ModelClient(self.model_pool, self.store, self.clock, self.recorder)


_exclusion = lru_cache(maxsize=8)(parse_exclusion)
