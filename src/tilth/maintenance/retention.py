"""
The ages at which facts are archived or judged, and the bounds of one sweep (seed 004, EM-067).

Episodes are never archived, nor are facts that a human, a slot or a rule of its channel backs
(C-09).
"""

from datetime import datetime, timedelta

from tilth.core.actor import Actor, ActorKind
from tilth.core.dataclass import dataclass
from tilth.core.ids import EntityId, EventId, FactId
from tilth.core.scope import Scope
from tilth.knowledge.vocabulary.registries import Channel

# The actor of every archiving by rule, whoever asks for it.
ARCHIVER = Actor("tender", ActorKind.JOB)
# The actor that writes every consolidated fact, whoever asks for it.
CONSOLIDATOR = Actor("consolidator", ActorKind.JOB)
# How long a fact without new evidence stays current, and how long if there is news of an entity
# that it is about.
UNLINKED_LIFE = timedelta(days=90)
LINKED_LIFE = timedelta(days=270)
# The most that one sweep archives.
ROWS_MAX = 10_000
BYTES_MAX = 50 * 2**20
# The time between sweeps that nobody asks for (EM-072).
PAUSE = timedelta(hours=24)
# The age at which a model first judges a fact, and the time between two judgements (KB-121).
JUDGED_FROM = timedelta(hours=24)
JUDGED_AGAIN = timedelta(days=7)
# Facts on these channels, or with this tag, are never outdated.
EVERGREEN = frozenset({Channel.DECISION, Channel.MILESTONE})
EVERGREEN_TAG = "durable"


@dataclass(frozen=True, slots=True)
class Sweep:
    """One sweep: the event that began it, and its instant."""

    event_id: EventId
    began_at: datetime


@dataclass(frozen=True, slots=True)
class ConsolidationGroup:
    """The places of facts about one entity in one scope that are not consolidated yet."""

    about: EntityId
    scope: Scope
    seqs: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class DueFact:
    """A fact that is due for archiving: its place in the ledger, its ID, and its size there."""

    seq: int
    fact_id: FactId
    byte_count: int
