"""What a cycle works with: the recorder, the places to search, and the folder for people."""

from collections.abc import Callable

from tilth.core.actor import Actor
from tilth.core.clock import Clock
from tilth.core.dataclass import dataclass
from tilth.core.scope import Owner, Scope, Visibility
from tilth.discovery.places import Places
from tilth.episodes.remember import WriteContext
from tilth.garden.cycle.folder import GardenFolder
from tilth.knowledge.facts.write.write_fact import Writing
from tilth.ledger.store import Store
from tilth.llm.client import ModelClient
from tilth.privacy.exclusion import Exclusion


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
    ground_of: Callable[[Scope], Places]
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
