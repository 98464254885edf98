"""What a brain is made of."""

from dataclasses import dataclass
from functools import lru_cache
from typing import Protocol

from tilth.domain.actor import Actor, ActorKind
from tilth.domain.episode import check_transport
from tilth.domain.scope import Visibility, parse_scope, seen_from
from tilth.domain.task import Task
from tilth.ports import Clock, Embedder, Importer, Store, WordVectors
from tilth.ports.tasks import Outbox, TaskLists
from tilth.privacy.exclusion import Exclusion, parse_exclusion
from tilth.settings import Settings
from tilth.usecases.brief import Fence
from tilth.usecases.candidates import Recaller
from tilth.usecases.erasing import Outside
from tilth.usecases.exporting import Scribe
from tilth.usecases.harvest import Rules
from tilth.usecases.remember import Recorder
from tilth.usecases.stating import Writing
from tilth.usecases.thinking import Staff, Thinker, unfit

# Whatever a source says of itself, what it brings is an import (I22).
IMPORTER = Actor("importer", ActorKind.IMPORT)


class FirstTier(Embedder, WordVectors, Protocol):
    """The embedder that is in step with every write; it knows single words too."""


@dataclass(frozen=True, slots=True)
class CoveringFence:
    """A fence that shows nothing of what is excluded."""

    fence: Fence
    excluded: Exclusion

    def fenced(self, text: str) -> str:
        """See `tilth.usecases.brief.Fence.fenced`."""
        return self.fence.fenced(self.excluded.covered(text))


@dataclass(frozen=True, slots=True)
class Parts:
    """What a brain is made of. `bootstrap` chooses them."""

    store: Store
    clock: Clock
    first: FirstTier
    second: Embedder | None
    importer: Importer
    scribe: Scribe
    settings: Settings
    recorder: Recorder
    recaller: Recaller
    fence: Fence
    staff: Staff
    outside: Outside
    outbox: Outbox
    tasks: TaskLists

    @property
    def writing(self) -> Writing:
        """What every statement needs besides itself."""
        return Writing(self.first, self.clock, self.recorder)

    @property
    def excluded(self) -> Exclusion:
        """The terms that are left out; agents change no settings."""
        return _exclusion(self.settings.excluded_terms)

    @property
    def rules(self) -> Rules:
        """What is kept of what sessions say."""
        return Rules(
            least=self.settings.confidence_least,
            waits_for_model=unfit(self.staff, Task.EXTRACT) is None,
            excluded=self.excluded,
        )

    @property
    def thinker(self) -> Thinker:
        """Whatever asks a language model."""
        return Thinker(self.staff, self.store, self.clock, self.recorder)


@lru_cache(maxsize=8)
def _exclusion(terms: tuple[str, ...]) -> Exclusion:
    return parse_exclusion(terms)


def within(parts: Parts, scope: str | None) -> Visibility:
    """Return what the recorder's owner sees from *scope*; from everywhere, if None."""
    if scope is None:
        return seen_from(parts.recorder.owner, None)
    place = parse_scope(scope)
    domains = parts.settings.domains_seen.get(place, frozenset())
    return seen_from(parts.recorder.owner, place, domains)


def by_transport(parts: Parts, transport: str | None) -> str | None:
    """
    Return the transport that something is narrowed to; None is all of them.

    Raises:
        InvalidInputError: nobody configured it.
    """
    if transport is not None:
        check_transport(transport, parts.recorder.transports)
    return transport
