"""
Everything that can happen, as a closed union, and its form in the ledger.

A payload holds what the header does not: no owner, actor, session or time of
recording. Values that equal their default are left out, so a field can be
added later without touching what is already written. A kind whose meaning
changes gets a new name and is read as what it meant when it was written.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, NamedTuple, TypeAlias

from tilth.context import events as contexts
from tilth.context.events import ContextGiven, FeedbackGiven
from tilth.core.actor import Actor
from tilth.core.errors import CorruptionError, InvalidInputError
from tilth.core.ids import EventId, SessionId
from tilth.core.json import canonical
from tilth.core.scope import Owner
from tilth.episodes import events as episodes
from tilth.episodes import import_events as imports
from tilth.episodes.events import EpisodeRecorded, SessionDescribed
from tilth.episodes.import_events import ImportFinished
from tilth.gaps import events as gaps
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
from tilth.knowledge.entities import events as entities
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
from tilth.knowledge.facts import events as facts
from tilth.knowledge.facts.events import (
    ChangeUndone,
    FactArchived,
    FactRecorded,
    FactReinforced,
    FactRetired,
)
from tilth.knowledge.outcomes import events as outcomes
from tilth.knowledge.outcomes.events import OutcomeObserved, OutcomeRevoked
from tilth.knowledge.proposals import events as proposals
from tilth.knowledge.proposals.events import ProposalDecided, ProposalOpened, ProposalSnoozed
from tilth.knowledge.vocabulary import events as registries
from tilth.knowledge.vocabulary.events import WordRegistered
from tilth.learning import events as distillation
from tilth.learning.events import DistillationReopened, SessionRead, SessionsDistilled
from tilth.ledger import erased as erasure
from tilth.ledger import store_created as store
from tilth.ledger.chain import Header
from tilth.ledger.codec import Codec
from tilth.ledger.erased import Basis, Erased, Gone
from tilth.ledger.store_created import StoreCreated
from tilth.llm import events as budgets
from tilth.llm.events import BudgetReserved, BudgetSettled
from tilth.maintenance import events as tending
from tilth.maintenance.events import SweepBegun
from tilth.people import conversation_events as conversations
from tilth.people import events as people
from tilth.people.conversation_events import ConversationBegun, ConversationMoved, SummaryWritten
from tilth.people.events import IdentityLinked, IdentityUnlinked, IdentityVerified, TraitTold

__all__ = [
    "EVENT_KINDS",
    "AliasAdded",
    "AliasRemoved",
    "Basis",
    "BudgetReserved",
    "BudgetSettled",
    "ChangeUndone",
    "ContextGiven",
    "ConversationBegun",
    "ConversationMoved",
    "DistillationReopened",
    "EdgeRecorded",
    "EdgeRetired",
    "EntitiesMerged",
    "EntityRecorded",
    "EntitySplit",
    "EntityTyped",
    "EpisodeRecorded",
    "Erased",
    "Event",
    "FactArchived",
    "FactRecorded",
    "FactReinforced",
    "FactRetired",
    "FeedbackGiven",
    "FilingChosen",
    "FilingEnded",
    "GapDetected",
    "GapEvidenced",
    "GapFiled",
    "GapMoved",
    "GapsMerged",
    "GapsParted",
    "GapsPulsed",
    "Gone",
    "IdentityLinked",
    "IdentityUnlinked",
    "IdentityVerified",
    "ImportFinished",
    "OutcomeObserved",
    "OutcomeRevoked",
    "ProposalDecided",
    "ProposalOpened",
    "ProposalSnoozed",
    "Recorded",
    "Row",
    "SessionDescribed",
    "SessionRead",
    "SessionsDistilled",
    "StoreCreated",
    "SummaryWritten",
    "SweepBegun",
    "TraitTold",
    "WordRegistered",
    "decode",
    "encode",
    "kind_of",
    "session_of",
]

Event: TypeAlias = (
    StoreCreated
    | EpisodeRecorded
    | SessionDescribed
    | ImportFinished
    | FactRecorded
    | FactReinforced
    | FactRetired
    | FactArchived
    | ChangeUndone
    | ProposalOpened
    | ProposalDecided
    | ProposalSnoozed
    | EntityRecorded
    | AliasAdded
    | AliasRemoved
    | EntityTyped
    | EntitiesMerged
    | EntitySplit
    | EdgeRecorded
    | EdgeRetired
    | WordRegistered
    | ContextGiven
    | FeedbackGiven
    | BudgetReserved
    | BudgetSettled
    | SessionsDistilled
    | SessionRead
    | DistillationReopened
    | IdentityLinked
    | IdentityVerified
    | IdentityUnlinked
    | TraitTold
    | ConversationBegun
    | ConversationMoved
    | SummaryWritten
    | GapDetected
    | GapEvidenced
    | GapMoved
    | GapFiled
    | GapsMerged
    | GapsParted
    | GapsPulsed
    | FilingChosen
    | FilingEnded
    | SweepBegun
    | OutcomeObserved
    | OutcomeRevoked
    | Erased
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Recorded:
    """One event with its place in the ledger."""

    seq: int
    event_id: EventId
    recorded_at: datetime
    owner: Owner
    by: Actor
    session_id: SessionId | None
    event: Event


class Row(NamedTuple):
    """One line of the ledger as stored. An erased event has neither payload nor salt."""

    header: Header
    payload: str | None
    salt: bytes | None
    commitment: bytes
    chain: bytes


# In the order in which they came to be.
_CODECS: tuple[Codec[Any], ...] = (
    *store.CODECS,
    *episodes.CODECS,
    *imports.CODECS,
    *facts.CODECS,
    *proposals.CODECS,
    *entities.CODECS,
    *registries.CODECS,
    *contexts.CODECS,
    *budgets.CODECS,
    *distillation.CODECS,
    *people.CODECS,
    *conversations.CODECS,
    *gaps.CODECS,
    *tending.CODECS,
    *outcomes.CODECS,
    *erasure.CODECS,
)
_BY_KIND: Mapping[str, Codec[Any]] = {codec.kind: codec for codec in _CODECS}
_BY_CLASS: Mapping[type, Codec[Any]] = {codec.event: codec for codec in _CODECS}
EVENT_KINDS = tuple(_BY_KIND)
# What reading a value raises that no writer of ours wrote.
_UNREADABLE = (
    KeyError,
    TypeError,
    ValueError,
    AttributeError,
    OverflowError,
    RecursionError,
)


def kind_of(event: Event) -> str:
    """Return the name under which the ledger keeps *event*."""
    return _BY_CLASS[type(event)].kind


def session_of(event: Event) -> SessionId | None:
    """Return the session that *event* belongs to, which the header carries."""
    match event:
        case EpisodeRecorded():
            return event.draft.session_id
        case SessionDescribed():
            return event.session_id
        case ContextGiven():
            return event.context.session_id
        case FeedbackGiven():
            return event.feedback.session_id
        case _:
            return None


def encode(event: Event) -> str:
    """Return the canonical payload of *event*."""
    return canonical(_BY_CLASS[type(event)].write(event))


def decode(kind: str, payload: str, session_id: SessionId | None) -> Event:
    """
    Read a payload back.

    Raises:
        CorruptionError: the kind is unknown, or the payload is not one of its kind.
    """
    try:
        event: Event = _BY_KIND[kind].read(json.loads(payload), session_id)
    except (*_UNREADABLE, InvalidInputError) as error:
        raise CorruptionError(f"a {kind!r} event cannot be read: {error}") from error
    return event
