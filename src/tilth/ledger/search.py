"""Reading the indexes."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol, TypeAlias

from tilth.core.scope import Visibility
from tilth.embedding.embedder import Vector
from tilth.episodes.ports import EpisodeFilter
from tilth.knowledge.facts.ports import FactFilter
from tilth.ledger.events import Recorded

# Which index is searched, and what of it may be found.
Searched: TypeAlias = EpisodeFilter | FactFilter


@dataclass(frozen=True, slots=True)
class Scored:
    """The place of an episode or fact in the ledger, and how well it fits; higher is better."""

    seq: int
    score: float


@dataclass(frozen=True, slots=True)
class CorpusStats:
    """
    How many episodes there are, their mean length in terms, and in how many a term occurs.

    `has_facts` says whether there is anything to look for among facts.
    """

    episode_count: int
    mean_terms: float
    frequencies: Mapping[str, int]
    has_facts: bool = False


@dataclass(frozen=True, slots=True)
class SpaceStats:
    """One embedding space as the store knows it: how many vectors, and their mean."""

    space: str
    vector_count: int
    mean: Vector


class SearchReader(Protocol):
    """The derived indexes as one snapshot shows them. They are never behind the ledger."""

    def lexical(self, terms: Sequence[str], which: Searched, *, limit: int) -> list[Scored]:
        """Return what holds any of *terms*, best first. Terms are never syntax."""
        ...

    def corpus(self, terms: Sequence[str], within: Visibility) -> CorpusStats:
        """Return what ranking needs to know of the episodes as a whole."""
        ...

    def nearest(self, space: str, vector: Vector, which: Searched, *, limit: int) -> list[Scored]:
        """Return what has the centred vectors with the largest cosine with *vector*'s."""
        ...

    def cosines(self, space: str, vector: Vector, seqs: Sequence[int]) -> Vector:
        """Return *vector*'s centred cosines with those at *seqs*, unfiltered; NaN: none there."""
        ...

    def vectors(self, space: str, seqs: Sequence[int]) -> Mapping[int, Vector]:
        """Return the stored vectors of *space* at *seqs*, as they were put; some may be missing."""
        ...

    def spaces(self) -> list[SpaceStats]:
        """Return the embedding spaces that the store holds."""
        ...

    def unembedded(self, space: str, *, limit: int, after: int = 0) -> list[Recorded]:
        """Return episodes and facts without a vector in *space*, of every owner, in order."""
        ...
