"""The structured tier as a snapshot shows it: facts, entities, edges, proposals, words."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple, Protocol

from tilth.core.actor import Actor, ActorKind
from tilth.core.ids import EntityId, EpisodeId, EventId, FactId, ProposalId
from tilth.core.lifecycle import Lifecycle, Review
from tilth.core.scope import Owner, Scope, Visibility
from tilth.episodes.ports import Passage
from tilth.knowledge.facts.fact import Fact
from tilth.knowledge.facts.life import Authority, Life
from tilth.knowledge.proposals.proposal import Proposal, ProposalKind, ProposalState
from tilth.knowledge.vocabulary.registries import Channel, Registry, Words


@dataclass(frozen=True, slots=True)
class Moment:
    """
    When to look from: at what held at `as_of`, as it was known at `known_at`.

    None is now. Both include their own instant; `known_seq` asks for a place in the
    ledger instead, and tells apart what was recorded in one microsecond.
    """

    as_of: datetime | None = None
    known_at: datetime | None = None
    known_seq: int | None = None


NOW = Moment()


@dataclass(frozen=True, slots=True, kw_only=True)
class FactFilter:
    """
    Which facts a read may return; what is given must all hold.

    Without `lifecycles` these are the facts that hold: current ones, or those that
    held at `moment.as_of`, whatever became of them later. Current ones may not have
    begun, or be over: `now` leaves those out. `began_from` leaves out what began
    before it. Names are compared folded; `about` follows merges, `slot` and `key` are
    exact.
    """

    within: Visibility
    moment: Moment = NOW
    now: datetime | None = None
    began_from: datetime | None = None
    lifecycles: frozenset[Lifecycle] | None = None
    reviews: frozenset[Review] | None = None
    authority: Authority | None = None
    channel: Channel | None = None
    subject: str | None = None
    predicate: str | None = None
    object: str | None = None
    area: str | None = None
    environment: str | None = None
    system: str | None = None
    component: str | None = None
    tags: tuple[str, ...] = ()
    about: EntityId | None = None
    episode_id: EpisodeId | None = None
    slot: str | None = None
    key: str | None = None


class FactPlace(NamedTuple):
    """
    Where a fact stands among others: in which slot of which realm, and what came after it.

    `valid_from` is in µs of 1970; `successor` is the place of a fact, 0 if there is none.
    """

    seq: int
    realm_no: int
    slot: str
    lifecycle: Lifecycle
    review: Review
    valid_from: int
    successor: int


@dataclass(frozen=True, slots=True, kw_only=True)
class PastLife:
    """One life of a fact: from which place in the ledger to which, and who began it by what."""

    fact_id: FactId
    since: int
    until: int | None
    began_at: datetime
    event_id: EventId
    event_kind: str
    by: Actor
    life: Life


@dataclass(frozen=True, slots=True)
class Filed:
    """How many facts are filed under a word: its key, within which system, and one of them."""

    axis: str
    key: str
    system: str
    count: int
    example: int


class FactReader(Protocol):
    """Facts, at any moment."""

    def get(self, fact_id: FactId, within: Visibility, moment: Moment = NOW) -> Fact:
        """
        Return one fact, whatever its lifecycle, as it was known at *moment*.

        Raises:
            NotFoundError: there was none with this ID that may be seen.
        """
        ...

    def at(self, seqs: Sequence[int], within: Visibility, moment: Moment = NOW) -> list[Fact]:
        """Return the facts recorded at these places in ledger order, without what is hidden."""
        ...

    def select(self, which: FactFilter, *, limit: int, offset: int = 0) -> list[Fact]:
        """Return facts, the one that began last first."""
        ...

    def count(self, which: FactFilter) -> int:
        """Return how many facts `select` would return without a limit."""
        ...

    def orphan_count(self, within: Visibility) -> int:
        """Count the facts that are about nothing, or rest on nothing."""
        ...

    def filed(self, which: FactFilter) -> list[Filed]:
        """Return under what facts are filed: areas, environments, systems, components, tags."""
        ...

    def history(self, fact_id: FactId, within: Visibility) -> list[Fact]:
        """Return the chain of supersession through a fact, oldest first."""
        ...

    def lives(self, fact_id: FactId, within: Visibility) -> list[PastLife]:
        """Return everything that a fact was, oldest first."""
        ...

    def changed_by(self, event_id: EventId, within: Visibility) -> list[PastLife]:
        """Return the lives that an event began."""
        ...


class FactPlaceReader(Protocol):
    """What ranking asks of facts: where they stand, what they say, and what they hang on."""

    def at(self, seqs: Sequence[int], which: FactFilter) -> list[FactPlace]:
        """Return where the facts at *seqs* stand."""
        ...

    def passages(self, seqs: Sequence[int], which: FactFilter) -> list[Passage]:
        """Return what the facts at *seqs* say, in ledger order."""
        ...

    def onward(self, seqs: Sequence[int], which: FactFilter) -> list[int]:
        """Return the places of what came after *seqs*, and of what *which* finds in their slots."""
        ...

    def resting_on(self, episode_seqs: Sequence[int], which: FactFilter) -> list[int]:
        """Return the places of the facts that rest on these episodes."""
        ...

    def evidence(self, seqs: Sequence[int]) -> Mapping[int, Sequence[int]]:
        """Return the places of the episodes that the facts at *seqs* rest on."""
        ...

    def rivals(self, seqs: Sequence[int], moment: Moment = NOW) -> Mapping[int, Sequence[int]]:
        """Return what proposals name beside the facts at *seqs*, where they are in doubt."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class ProposalFilter:
    """
    Which proposals a read may return; what is given must all hold.

    `waiting_at` keeps those that need a decision at that moment: open ones that are not
    put off until later, and of contradictions those whose sides still stand.
    """

    within: Visibility
    states: frozenset[ProposalState] | None = None
    kinds: frozenset[ProposalKind] | None = None
    by: frozenset[ActorKind] | None = None
    about: FactId | None = None
    waiting_at: datetime | None = None


class ProposalReader(Protocol):
    """What waits for a human, and what was decided."""

    def get(self, proposal_id: ProposalId, within: Visibility) -> Proposal:
        """
        Return one proposal.

        Raises:
            NotFoundError: there is none with this ID that may be seen.
        """
        ...

    def select(self, which: ProposalFilter, *, limit: int, offset: int = 0) -> list[Proposal]:
        """Return proposals, the oldest first."""
        ...

    def count(self, which: ProposalFilter) -> int:
        """Return how many proposals `select` would return without a limit."""
        ...

    def asked(self, key: str, owner: Owner, scope: Scope) -> Proposal | None:
        """Return the proposal with this key that was opened last; decided ones count."""
        ...

    def touching(self, fact_id: FactId, within: Visibility) -> list[Proposal]:
        """Return the open proposals that are about a fact or would retire it."""
        ...


@dataclass(frozen=True, slots=True)
class UnknownWord:
    """A word that nobody registered, as it was written first, and how often it was met."""

    registry: Registry
    word: str
    count: int


class WordReader(Protocol):
    """What is registered for an owner, and what is not yet."""

    def known(self, owner: Owner) -> Words:
        """Return everything registered for *owner*, and what is built in."""
        ...

    def unknown(self, owner: Owner, *, limit: int) -> list[UnknownWord]:
        """Return words that facts use and nobody registered, the most used first."""
        ...
