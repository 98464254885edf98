"""The store: where everything is kept."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Protocol

from tilth.context.ports import ContextReader
from tilth.core.actor import Actor
from tilth.core.scope import Owner
from tilth.embedding.embedder import Vector
from tilth.episodes.ports import EpisodeReader
from tilth.gaps.ports import GapReader
from tilth.knowledge.entities.ports import EdgeReader, EntityReader
from tilth.knowledge.facts.ports import FactPlaceReader, FactReader, ProposalReader, WordReader
from tilth.knowledge.graph.ports import TripleReader
from tilth.knowledge.outcomes.ports import OutcomeReader
from tilth.learning.ports import DistillationReader
from tilth.ledger.chain import Head
from tilth.ledger.erased import Erased
from tilth.ledger.erasure_ports import ErasureLog, TombstoneReader
from tilth.ledger.events import Event, Recorded
from tilth.ledger.findings import Finding
from tilth.ledger.search import SearchReader
from tilth.llm.ports import BudgetReader
from tilth.maintenance.ports import TendingReader
from tilth.people.conversation_ports import ConversationReader
from tilth.people.ports import PeopleReader


@dataclass(frozen=True, slots=True)
class Appended:
    """
    Where an event stands in the ledger.

    `is_new` is false for a repeated key, `is_erased` says that what it was used for is gone.
    """

    recorded: Recorded
    is_new: bool
    is_erased: bool = False


class Reader(Protocol):
    """One consistent snapshot. Nothing in it changes while it is open."""

    @property
    def episodes(self) -> EpisodeReader:
        """The episodes and sessions."""
        ...

    @property
    def search(self) -> SearchReader:
        """The indexes."""
        ...

    @property
    def facts(self) -> FactReader:
        """The facts."""
        ...

    @property
    def triples(self) -> TripleReader:
        """The graph of triples."""
        ...

    @property
    def fact_places(self) -> FactPlaceReader:
        """What ranking asks of the facts."""
        ...

    @property
    def entities(self) -> EntityReader:
        """The entities and their names."""
        ...

    @property
    def edges(self) -> EdgeReader:
        """The edges."""
        ...

    @property
    def proposals(self) -> ProposalReader:
        """What waits for a human."""
        ...

    @property
    def words(self) -> WordReader:
        """The registries."""
        ...

    @property
    def contexts(self) -> ContextReader:
        """What agents were shown, and what came of it."""
        ...

    @property
    def budgets(self) -> BudgetReader:
        """What language models spent."""
        ...

    @property
    def distillation(self) -> DistillationReader:
        """How far sessions were looked through for what they state."""
        ...

    @property
    def outcomes(self) -> OutcomeReader:
        """What came of putting facts to the test."""
        ...

    @property
    def tending(self) -> TendingReader:
        """What has had its time."""
        ...

    @property
    def tombstones(self) -> TombstoneReader:
        """What was erased."""
        ...

    @property
    def people(self) -> PeopleReader:
        """Who is reached where, and how they are."""
        ...

    @property
    def conversations(self) -> ConversationReader:
        """The threads with entities, and their summaries."""
        ...

    @property
    def gaps(self) -> GapReader:
        """What somebody wanted and nobody could do."""
        ...

    def head(self) -> Head:
        """Return the end of the chain."""
        ...

    def chain_at(self, seq: int) -> bytes | None:
        """Return the chain's value at a place; None where the ledger ends before it."""
        ...

    def events(self, *, after: int = 0, limit: int = 1000) -> list[Recorded]:
        """Return events in ledger order; erased ones are left out."""
        ...

    def by_key(self, owner: Owner, keys: Sequence[str]) -> Mapping[str, int]:
        """Return the places of the events that were appended under these idempotency keys."""
        ...

    def imported(self, owner: Owner, uri: str) -> str | None:
        """Return the SHA-256 of the source *uri* as it was imported last; None if it never was."""
        ...


class Transaction(Reader, Protocol):
    """A snapshot that can be added to. All of it happens, or none."""

    def append(
        self, event: Event, *, by: Actor, owner: Owner, idempotency_key: str | None = None
    ) -> Appended:
        """
        Add *event* to the ledger, and to every projection of it.

        A key that was used before returns what it was used for.

        Raises:
            IdempotencyConflictError: the key was used before, for something else.
        """
        ...

    def erase(self, event: Erased, *, by: Actor, owner: Owner) -> Recorded:
        """
        Add *event*, destroy the payloads that it names, and make every projection again.

        Vectors that are not of them stay. `Store.purge` does the rest, once this is committed.
        """
        ...

    def put_vectors(self, space: str, vectors: Iterable[tuple[int, Vector]]) -> None:
        """Keep one unit vector of *space* for each place; a vector that is there stays."""
        ...

    def drop_space(self, space: str) -> None:
        """Forget every vector of *space*."""
        ...


class Store(Protocol):
    """Holds everything. What was acknowledged is durable, and the next read finds it."""

    @property
    def store_id(self) -> str:
        """The store's own ID, made once."""
        ...

    def begin(self) -> AbstractContextManager[Transaction]:
        """
        Open a transaction; leaving it commits durably, an exception rolls it back.

        Raises:
            UnavailableError: the store does not answer, or is busy for too long.
        """
        ...

    def read(self) -> AbstractContextManager[Reader]:
        """Open a snapshot."""
        ...

    def verify(self) -> Iterator[Finding]:
        """Check chain, heads, projections and indexes; yield what is wrong, or nothing."""
        ...

    def rebuild(self) -> int:
        """Make all projections and text indexes again, drop all vectors, and count the events."""
        ...

    @property
    def erasures(self) -> ErasureLog:
        """What was erased here, kept outside the database: it outlives the store."""
        ...

    def purge(self) -> None:
        """
        Leave nothing in the database's files of what is in no table any more.

        Raises:
            UnavailableError: somebody still reads an older state; try again.
        """
        ...

    def backup(self, target: str) -> None:
        """
        Copy one snapshot of the store to the file *target*, whole or not at all.

        Raises:
            ConflictError: *target* is there already.
            UnsupportedError: this engine has its own tools for that.
        """
        ...

    def digest(self) -> str:
        """Return one digest over all projections; equal histories give equal digests anywhere."""
        ...

    def close(self) -> None:
        """Release what the store holds. Calling it twice does no harm."""
        ...
