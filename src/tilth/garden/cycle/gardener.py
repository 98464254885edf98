"""What a cycle works with: who records, where is searched, and where people read and write."""

from collections.abc import Callable, Sequence
from typing import Protocol

from tilth.core.actor import Actor
from tilth.core.clock import Clock
from tilth.core.dataclass import dataclass
from tilth.core.scope import Owner, Scope, Visibility
from tilth.discovery.model import Search, SourceText
from tilth.episodes.episode import Episode, Quote
from tilth.episodes.remember import WriteContext
from tilth.garden.cycle.folder import GardenFolder
from tilth.knowledge.facts.write.write_fact import Writing
from tilth.ledger.store import Store
from tilth.llm.client import ModelClient
from tilth.privacy.exclusion import Exclusion


class Ground(Protocol):
    """Where the questions of a topic go: the brain's own material, and the web if it is set up."""

    @property
    def within(self) -> Visibility:
        """Whose own material is looked at, and of which scopes."""
        ...

    @property
    def all(self) -> Sequence[Search]:
        """The places that are asked, the first one first."""
        ...

    def read(self, address: str) -> SourceText:
        """
        Return what an address holds.

        Raises:
            RefusedError: it may not be read.
            NotFoundError: nothing is there that may be seen.
            UnreachableError: nothing whole came.
        """
        ...

    def pieces(self, address: str) -> Sequence[Episode]:
        """
        Return the episodes that keep what an address holds, in order.

        Raises:
            NotFoundError: nothing is there that may be seen.
        """
        ...

    def located(self, address: str, words: str) -> Quote | None:
        """
        Return words of an address as evidence: the episode in which they stand, verbatim.

        Returns:
            None if they stand in none; then nothing may rest on them.

        Raises:
            NotFoundError: nothing is at *address* that may be seen.
        """
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Gardener:
    """
    What a cycle works with.

    `ground_of` says where the questions of a topic in a scope go. `keep` takes a
    snapshot of the store and returns its name; None where none is taken. `thinker` asks the
    language model that is set up, and is shown nothing `excluded`; None asks none.
    """

    store: Store
    clock: Clock
    writing: Writing
    ground_of: Callable[[Scope], Ground]
    folder: GardenFolder
    excluded: Exclusion
    keep: Callable[[], str] | None = None
    thinker: ModelClient | None = None

    @property
    def recorder(self) -> WriteContext:
        """Who records, and for whom."""
        return self.writing.recorder

    @property
    def by(self) -> Actor:
        """Who acts."""
        return self.recorder.by

    @property
    def owner(self) -> Owner:
        """Whose garden it is."""
        return self.recorder.owner

    @property
    def within(self) -> Visibility:
        """All that its owner has."""
        return Visibility(self.owner)
