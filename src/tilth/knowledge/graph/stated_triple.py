"""Triples as the graph shows them: what a fact says, with where it stands and how old it is."""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from tilth.core.ids import FactId
from tilth.core.lifecycle import Freshness, Lifecycle, Review
from tilth.core.scope import Scope
from tilth.knowledge.vocabulary.registries import Channel


class End(StrEnum):
    """Which end of a triple a thing is at."""

    SUBJECT = "subject"
    OBJECT = "object"


@dataclass(frozen=True, slots=True, kw_only=True)
class StatedTriple:
    """
    A fact, seen as one step of the graph.

    `source` is the session that it came from, or the episode where there was none.
    `depth` is how many hops from the start it was found.
    """

    id: FactId
    channel: Channel
    subject: str
    predicate: str
    object: str
    confidence: float
    source: str
    recorded_at: datetime
    valid_from: datetime
    valid_to: datetime | None
    lifecycle: Lifecycle
    review: Review
    freshness: Freshness
    age_days: int
    scope: Scope
    depth: int
