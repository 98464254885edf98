"""What a brain is made of."""

from dataclasses import dataclass
from typing import Protocol

from tilth.domain.actor import Actor, ActorKind
from tilth.domain.scope import Visibility, parse_scope, seen_from
from tilth.ports import Clock, Embedder, Exporter, Importer, Store, WordVectors
from tilth.settings import Settings
from tilth.usecases.brief import Fence
from tilth.usecases.candidates import Recaller
from tilth.usecases.erasing import Outside
from tilth.usecases.remember import Recorder
from tilth.usecases.stating import Writing
from tilth.usecases.thinking import Staff, Thinker

# Whatever a source says of itself, what it brings is an import (I22).
IMPORTER = Actor("importer", ActorKind.IMPORT)


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
    exporter: Exporter
    settings: Settings
    recorder: Recorder
    recaller: Recaller
    fence: Fence
    staff: Staff
    outside: Outside

    @property
    def writing(self) -> Writing:
        """What every statement needs besides itself."""
        return Writing(self.first, self.clock, self.recorder)

    @property
    def thinker(self) -> Thinker:
        """Whatever asks a language model."""
        return Thinker(self.staff, self.store, self.clock, self.recorder)


def within(parts: Parts, scope: str | None) -> Visibility:
    """Return what the recorder's owner sees from *scope*; from everywhere, if None."""
    if scope is None:
        return seen_from(parts.recorder.owner, None)
    place = parse_scope(scope)
    domains = parts.settings.domains_seen.get(place, frozenset())
    return seen_from(parts.recorder.owner, place, domains)
