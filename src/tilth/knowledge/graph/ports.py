"""The graph of triples as a snapshot shows it. A triple is a fact; nothing here is kept twice."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

from tilth.core.ids import SessionId
from tilth.core.scope import Visibility
from tilth.knowledge.facts.ports import FactFilter
from tilth.knowledge.graph.stated_triple import End, StatedTriple
from tilth.knowledge.vocabulary.registries import Channel


@dataclass(frozen=True, slots=True)
class Hop:
    """One step: to what is said of things, or with them; at most `fan_out` triples of each."""

    end: End
    depth: int
    fan_out: int
    # Ages are counted to here.
    at: datetime


@dataclass(frozen=True, slots=True)
class PredicateCount:
    """How many triples of a channel use a predicate."""

    channel: Channel
    predicate: str
    count: int


class TripleReader(Protocol):
    """Triples, by the things at their ends."""

    def around(self, names: Sequence[str], which: FactFilter, hop: Hop) -> list[list[StatedTriple]]:
        """
        Return for each of *names* the triples that have it, or a part of it, at that end.

        The last recorded come first, one more than `fan_out` where there are more.
        What may not be seen is neither returned nor counted.
        """
        ...

    def timeline(
        self, name: str, which: FactFilter, at: datetime, *, limit: int
    ) -> list[StatedTriple]:
        """Return the triples about a thing, the one that began last first."""
        ...

    def counts(self, which: FactFilter) -> list[PredicateCount]:
        """Return how many triples use each predicate, the most used first."""
        ...

    def diarists(self, session_id: SessionId, within: Visibility) -> list[str]:
        """Return the keys of those who wrote in the diary of a session."""
        ...
