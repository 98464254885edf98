"""
Erasing: which events go with what is erased, and what may stay of them.

An erase destroys payloads, not events: their places, IDs and headers stay, so the chain holds.
What an event names by ID decides whether it goes; every kind says so here, and nowhere else.
"""

import hashlib
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from tilth.context.events import ContextGiven, FeedbackGiven
from tilth.core.actor import Actor
from tilth.core.ids import (
    CONVERSATION_PREFIX,
    EDGE_PREFIX,
    ENTITY_PREFIX,
    EPISODE_PREFIX,
    FACT_PREFIX,
    GAP_PREFIX,
    PROPOSAL_PREFIX,
    RECEIPT_PREFIX,
    SUMMARY_PREFIX,
    ULID_CHARS,
    EventId,
)
from tilth.core.json import canonical
from tilth.core.lifecycle import Lifecycle
from tilth.core.scope import Owner, Scope
from tilth.episodes.events import EpisodeRecorded, SessionDescribed
from tilth.episodes.import_events import ImportFinished
from tilth.gaps.events import (
    FilingChosen,
    FilingEnded,
    GapDetected,
    GapEvidenced,
    GapFiled,
    GapMoved,
    GapsMerged,
    GapsParted,
    GapsPulsed,
)
from tilth.knowledge.entities.events import (
    AliasAdded,
    AliasRemoved,
    EdgeRecorded,
    EdgeRetired,
    EntitiesMerged,
    EntityRecorded,
    EntitySplit,
    EntityTyped,
)
from tilth.knowledge.facts.events import (
    ChangeUndone,
    FactArchived,
    FactRecorded,
    FactReinforced,
    FactRetired,
)
from tilth.knowledge.outcomes.events import OutcomeObserved, OutcomeRevoked
from tilth.knowledge.proposals.events import ProposalDecided, ProposalOpened, ProposalSnoozed
from tilth.knowledge.vocabulary.events import WordRegistered
from tilth.learning.events import DistillationReopened, SessionRead, SessionsDistilled
from tilth.ledger.erased import Basis, Erased, Gone
from tilth.ledger.events import Event, Recorded, encode, kind_of
from tilth.ledger.store_created import StoreCreated
from tilth.llm.events import BudgetReserved, BudgetSettled
from tilth.maintenance.events import SweepBegun
from tilth.people.conversation_events import ConversationBegun, ConversationMoved, SummaryWritten
from tilth.people.events import IdentityLinked, IdentityUnlinked, IdentityVerified, TraitTold

_ERASED = "(erased)"
# Where a TODO lies that we put there: in the outbox, in a repository's file or among its issues.
# Whatever else stands in its place are somebody's words.
_TODO_REF = re.compile(
    r"outbox:todo-[0-9a-z]{26}\.md|TODO\.md#gap_[0-9A-Z]{26}|https://[\w./-]+/issues/[0-9]+"
)
# What people call what the events of a kind made, and how its IDs begin where it has one.
_MADE: Mapping[str, tuple[str, str]] = {
    "episode_recorded": ("episodes", EPISODE_PREFIX),
    "session_described": ("sessions", ""),
    "fact_recorded": ("facts", FACT_PREFIX),
    "entity_recorded": ("entities", ENTITY_PREFIX),
    "alias_added": ("aliases", ""),
    "edge_recorded": ("edges", EDGE_PREFIX),
    "identity_linked": ("identities", ""),
    "trait_told": ("traits", ""),
    "gap_detected": ("gaps", GAP_PREFIX),
    "conversation_begun": ("conversations", CONVERSATION_PREFIX),
    "summary_written": ("summaries", SUMMARY_PREFIX),
    "proposal_opened": ("proposals", PROPOSAL_PREFIX),
    "context_given": ("receipts", RECEIPT_PREFIX),
    "feedback_given": ("votes", ""),
}
# Whatever else goes: what was decided, merged, moved and taken back.
_OTHERS = "changes"


@dataclass(frozen=True, slots=True, kw_only=True)
class Tombstone:
    """What stands where something was erased: its ID, when, by whom, and where it was seen."""

    id: str
    erased_at: datetime
    by: Actor
    scope: Scope | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """A file that still holds words that were erased, and how often one of them was found."""

    path: str
    count: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Erasure:
    """
    One erasure by reference: which events it took, when, and who said so.

    It is kept outside the store too, so that a store that comes back is erased again.
    """

    event_id: EventId
    repeats: EventId | None
    at: datetime
    by: Actor
    owner: Owner
    basis: Basis
    event_ids: tuple[EventId, ...]

    @property
    def first_id(self) -> EventId:
        """The erasure itself, or the one that it applied again."""
        return self.repeats or self.event_id


def erasure_of(recorded: Recorded, event: Erased) -> Erasure:
    """Return the erasure that *event* records."""
    return Erasure(
        event_id=recorded.event_id,
        repeats=event.repeats,
        at=recorded.recorded_at,
        by=recorded.by,
        owner=recorded.owner,
        basis=event.basis,
        event_ids=tuple(one.event_id for one in event.gone),
    )


def ulid_of(id_: str) -> EventId:
    """Return the ID of the event that made the thing called *id_*."""
    return EventId(id_[-ULID_CHARS:])


def names(gone: AbstractSet[str], *ids: str | None) -> bool:
    """Say whether any of *ids* is of something in *gone*, which holds IDs of events."""
    return any(id_ is not None and id_[-ULID_CHARS:] in gone for id_ in ids)


# The IDs that an event goes with, for every kind: with any of them gone, it goes too. What a fact
# or a trait rests on is weighed apart, since other evidence may hold it up (`rests_on`).
_GOES_WITH: Mapping[type, Callable[[Any], Iterable[str | None]]] = {
    StoreCreated: lambda _: (),
    EpisodeRecorded: lambda event: (event.draft.entity_id, event.draft.conversation_id),
    SessionDescribed: lambda _: (),
    ImportFinished: lambda _: (),
    FactRecorded: lambda event: event.about,
    FactReinforced: lambda event: (event.fact_id,),
    FactRetired: lambda event: (event.fact_id,),
    FactArchived: lambda event: (event.fact_id,),
    ChangeUndone: lambda _: (),
    ProposalOpened: lambda event: (
        *event.draft.facts,
        *event.draft.retires,
        *event.draft.entities,
    ),
    ProposalDecided: lambda event: (
        event.proposal_id,
        event.ruling.edited,
        *event.ruling.facts,
        *event.ruling.retires,
        *event.ruling.rejects,
    ),
    ProposalSnoozed: lambda event: (event.proposal_id,),
    EntityRecorded: lambda _: (),
    AliasAdded: lambda event: (event.entity_id,),
    AliasRemoved: lambda event: (event.entity_id,),
    EntityTyped: lambda event: (event.entity_id,),
    EntitiesMerged: lambda event: (event.winner, event.loser),
    EntitySplit: lambda event: (event.loser,),
    EdgeRecorded: lambda event: (event.draft.source, event.draft.target),
    EdgeRetired: lambda event: (event.edge_id,),
    WordRegistered: lambda _: (),
    ContextGiven: lambda event: (source for _, source in event.context.items),
    FeedbackGiven: lambda event: (event.feedback.target,),
    BudgetReserved: lambda _: (),
    BudgetSettled: lambda _: (),
    SessionsDistilled: lambda _: (),
    IdentityLinked: lambda event: (event.entity_id,),
    IdentityVerified: lambda event: (event.entity_id,),
    IdentityUnlinked: lambda event: (event.entity_id,),
    TraitTold: lambda event: (event.draft.entity_id,),
    ConversationBegun: lambda event: (event.draft.entity_id,),
    ConversationMoved: lambda event: (event.conversation_id,),
    SummaryWritten: lambda event: (event.draft.conversation_id, event.draft.supersedes),
    SessionRead: lambda _: (),
    DistillationReopened: lambda _: (),
    SweepBegun: lambda _: (),
    OutcomeObserved: lambda event: (event.draft.fact_id,),
    OutcomeRevoked: lambda event: (event.outcome_id, event.fact_id),
    GapDetected: lambda _: (),
    # What shows a gap, and what it is one with, are IDs alone: they stay, as tombstones (EM-048).
    GapEvidenced: lambda _: (),
    GapMoved: lambda event: (event.gap_id,),
    GapFiled: lambda event: (event.gap_id,),
    GapsMerged: lambda _: (),
    GapsParted: lambda _: (),
    GapsPulsed: lambda _: (),
    FilingChosen: lambda _: (),
    FilingEnded: lambda _: (),
    Erased: lambda _: (),
}


def goes_with(event: Event) -> list[str]:
    """Return the IDs of which any takes *event* along when it goes."""
    return [id_ for id_ in _GOES_WITH[type(event)](event) if id_ is not None]


def goes(event: Event, gone: AbstractSet[str]) -> bool:
    """Say whether *event* goes because of what it names."""
    return names(gone, *goes_with(event))


def rests_on(event: Event) -> frozenset[EventId]:
    """Return the episodes that a fact, a trait or a gap says it rests on."""
    match event:
        case FactRecorded(evidence=evidence):
            return frozenset(ulid_of(one.episode_id) for one in evidence)
        case TraitTold(draft=told) | OutcomeObserved(draft=told):
            return frozenset(map(ulid_of, told.evidence))
        case GapDetected(draft=gap):
            return frozenset(ulid_of(one.episode_id) for one in gap.evidence)
        case _:
            return frozenset()


def left_of(event: Event, gone: AbstractSet[str]) -> Event | None:
    """
    Return what is read in the place of *event* once its payload is gone; None is nothing.

    What happened to things that stay goes on holding: a fact that was superseded by an erased
    one has ended all the same, and a decision keeps what it did. None of it repeats a word.
    """
    match event:
        case FactRecorded():
            return _ending_left(event, gone)
        case ProposalDecided():
            return _ruling_left(event, gone)
        case GapDetected() | GapMoved() | GapFiled():
            return _gap_left(event)
        case (
            FactRetired()
            | FactArchived()
            | ChangeUndone()
            | EntitiesMerged()
            | EntitySplit()
            | EdgeRetired()
            | OutcomeRevoked()
        ):
            return None if goes(event, gone) else replace(event, reason="")
        case _:
            return None


def _gap_left(event: GapDetected | GapMoved | GapFiled) -> Event:
    if isinstance(event, GapDetected):
        return GapDetected(replace(event.draft, description=_ERASED, model=""))
    is_ours = not event.todo_ref or _TODO_REF.fullmatch(event.todo_ref)
    ref = event.todo_ref if is_ours else _ERASED
    if isinstance(event, GapMoved):
        return replace(event, note="", todo_ref=ref)
    return replace(event, todo_ref=ref)


def _ending_left(event: FactRecorded, gone: AbstractSet[str]) -> FactRetired | None:
    before = event.supersedes
    if before is None or names(gone, before) or event.lifecycle is not Lifecycle.CURRENT:
        return None
    return FactRetired(fact_id=before, reason="", valid_to=event.valid_from)


def _ruling_left(event: ProposalDecided, gone: AbstractSet[str]) -> ProposalDecided | None:
    ruling = event.ruling
    facts, retires, rejects = (
        tuple(id_ for id_ in ids if not names(gone, id_))
        for ids in (ruling.facts, ruling.retires, ruling.rejects)
    )
    edited = None if names(gone, ruling.edited) else ruling.edited
    if names(gone, event.proposal_id) and not (facts or retires or rejects):
        return None
    kept = replace(ruling, facts=facts, retires=retires, rejects=rejects, edited=edited, note="")
    return replace(event, digest="", ruling=kept)


def scope_in(event: Event) -> Scope | None:
    """Return the scope that an event names itself; None if it names none."""
    scope = getattr(event, "scope", None) or getattr(getattr(event, "draft", None), "scope", None)
    return Scope(scope) if isinstance(scope, str) else None


def gone_of(event_id: EventId, event: Event, gone: AbstractSet[str]) -> Gone:
    """Return how an erasure names *event*."""
    left = left_of(event, gone)
    if left is None:
        return Gone(event_id, scope_in(event))
    return Gone(event_id, scope_in(event), kind_of(left), encode(left))


def counted(kinds: Iterable[str]) -> Mapping[str, int]:
    """Count events by what people call what they made, the most frequent first."""
    counts: dict[str, int] = {}
    for kind in kinds:
        noun, _ = _MADE.get(kind, (_OTHERS, ""))
        counts[noun] = counts.get(noun, 0) + 1
    return dict(sorted(counts.items(), key=lambda one: (-one[1], one[0])))


def id_made_by(recorded: Recorded) -> str:
    """Return the ID of what an event made; empty where it made nothing that has one."""
    _, prefix = _MADE.get(kind_of(recorded.event), (_OTHERS, ""))
    return prefix and prefix + recorded.event_id


def erasure_digest(event_ids: Iterable[EventId]) -> str:
    """Return what binds a human's word to exactly these events."""
    return hashlib.sha256(canonical(sorted(event_ids)).encode()).hexdigest()


def strings_in(value: object) -> Iterator[str]:
    """Yield every string that a JSON value holds, without the names of its fields."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for one in value.values():
            yield from strings_in(one)
    elif isinstance(value, list):
        for one in value:
            yield from strings_in(one)
