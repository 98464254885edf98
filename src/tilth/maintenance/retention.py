"""
Tending: which facts are put away by rule, and how much of that at a time.

The ages and the bounds are those of seed 004 (EM-067). What was said is never put away, only
what was concluded from it, and of that nothing that a human, a slot or a rule of its channel
stands behind (C-09).
"""

from datetime import datetime, timedelta

from tilth.core.actor import Actor, ActorKind
from tilth.core.dataclass import dataclass
from tilth.core.ids import EntityId, EventId, FactId
from tilth.core.scope import Scope
from tilth.knowledge.vocabulary.registries import Channel

# Whoever asks for it, what is put away by rule is put away by this one.
TENDER = Actor("tender", ActorKind.JOB)
# Whoever asks for it, what is drawn from several facts is drawn by this one.
CONSOLIDATOR = Actor("consolidator", ActorKind.JOB)
# How long a fact is kept of which nobody has heard since, and how long if it is about something
# of which somebody has.
UNLINKED_LIFE = timedelta(days=90)
LINKED_LIFE = timedelta(days=270)
# What one sweep puts away at most.
ROWS_MAX = 10_000
BYTES_MAX = 50 * 2**20
# How long the next one waits that nobody asks for (EM-072).
PAUSE = timedelta(hours=24)
# How old a fact is before a model reads it over, and how long it is left alone then (KB-121).
JUDGED_FROM = timedelta(hours=24)
JUDGED_AGAIN = timedelta(days=7)
# What never changes is never out of date.
EVERGREEN = frozenset({Channel.DECISION, Channel.MILESTONE})
EVERGREEN_TAG = "durable"


@dataclass(frozen=True, slots=True)
class Sweep:
    """One round of putting away: the event that began it, and when by the clock."""

    event_id: EventId
    began_at: datetime


@dataclass(frozen=True, slots=True)
class ConsolidationGroup:
    """Facts about one thing in one scope that nothing was drawn from yet, by their places."""

    about: EntityId
    scope: Scope
    seqs: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Due:
    """A fact that has had its time: its place in the ledger, its ID, and its bytes there."""

    seq: int
    fact_id: FactId
    byte_count: int
