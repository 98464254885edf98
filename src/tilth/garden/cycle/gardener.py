"""What a cycle works with: the recorder, the places to search, and the folder for people."""

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
    """The places that answer a topic's questions: the brain's own material, and the web if set."""

    @property
    def within(self) -> Visibility:
        """The owner and the scopes of the own material."""
        ...

    @property
    def all(self) -> Sequence[Search]:
        """The places to search, the first one first."""
        ...

    def read(self, address: str) -> SourceText:
        """
        Return the text at an address.

        Raises:
            RefusedError: it may not be read.
            NotFoundError: nothing visible is there.
            UnreachableError: no whole answer came.
        """
        ...

    def pieces(self, address: str) -> Sequence[Episode]:
        """
        Return the episodes that keep the text of an address, in order.

        Raises:
            NotFoundError: nothing visible is there.
        """
        ...

    def located(self, address: str, words: str) -> Quote | None:
        """
        Return the evidence for words of an address: the episode that contains them verbatim.

        Returns:
            None if no episode contains them; then no fact may rest on them.

        Raises:
            NotFoundError: nothing visible is at *address*.
        """
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Gardener:
    """
    What a cycle works with.

    `ground_of` returns the places that answer questions in a scope. `keep` takes a snapshot of the
    store and returns its name, or None if it takes none. `thinker` is the client of the language
    model, which is shown nothing `excluded`; None uses no model.
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
        """The recorder: its actor, owner and clock."""
        return self.writing.recorder

    @property
    def by(self) -> Actor:
        """The actor."""
        return self.recorder.by

    @property
    def owner(self) -> Owner:
        """The owner of the garden."""
        return self.recorder.owner

    @property
    def within(self) -> Visibility:
        """Everything of the owner."""
        return Visibility(self.owner)
