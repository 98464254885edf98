"""Search the indexes of a snapshot."""

import json
from collections.abc import Mapping, Sequence
from typing import Protocol

from tilth.core.dataclass import dataclass
from tilth.core.event import Recorded
from tilth.core.scope import Visibility
from tilth.core.text.tokens import TERM_CHARS_MAX
from tilth.embedding.embedder import Vector
from tilth.ledger.engine import EPISODES, FACTS, Connection, Scored, SpaceStats, Where
from tilth.ledger.realms import is_every_realm, realm_numbers
from tilth.ledger.records import count_at, records_at
from tilth.ledger.snapshot import Snapshot


class Searched(Protocol):
    """A filter: which index is searched, and which of its records may be found."""

    def searched(self, conn: Connection, integers: str) -> Where:
        """Return the filter as a condition on the index."""
        ...


@dataclass(frozen=True, slots=True)
class CorpusStats:
    """The number of episodes, their mean length in terms, and in how many each term occurs."""

    episode_count: int
    mean_terms: float
    frequencies: Mapping[str, int]


class Search:
    """The indexes of one snapshot, which are never behind the ledger."""

    def __init__(self, view: Snapshot) -> None:
        self._conn = view.conn
        self._engine = view.engine

    def lexical(self, terms: Sequence[str], which: Searched, *, limit: int) -> list[Scored]:
        """Return records with any of *terms*, best first. Terms are never syntax."""
        seen = which.searched(self._conn, self._engine.integers)
        known = _possible(terms)
        if not known or not seen.realms:
            return []
        text = self._engine.text
        index = text.facts if seen.indexed is FACTS else text.episodes
        return index.match(self._conn, known, seen, limit)

    def corpus(self, terms: Sequence[str], within: Visibility) -> CorpusStats:
        """Return the statistics of all episodes that ranking needs."""
        realms = realm_numbers(self._conn, within.owner, within.scopes)
        seen = Where(
            indexed=EPISODES,
            sql=f"e.realm_no IN {self._engine.integers}",
            params=(json.dumps(realms),),
            realms=realms,
            is_open=True,
            sees_all=is_every_realm(self._conn, realms),
        )
        sql = f"""SELECT coalesce(sum(episode_count), 0), coalesce(sum(term_count), 0)
            FROM realms WHERE realm_no IN {self._engine.integers}"""  # noqa: S608 - bound
        episodes, length = self._conn.rows(sql, seen.params)[0]
        known = _possible(terms) if episodes else []
        counts = self._engine.text.episodes.frequencies(self._conn, known, seen)
        every = {term: counts.get(term, 0) for term in terms}
        return CorpusStats(int(episodes), int(length) / max(int(episodes), 1), every)

    def nearest(self, space: str, vector: Vector, which: Searched, *, limit: int) -> list[Scored]:
        """Return the records whose centred vectors have the largest cosine with *vector*."""
        seen = which.searched(self._conn, self._engine.integers)
        return self._engine.vectors.nearest(self._conn, space, vector, seen, limit)

    def cosines(self, space: str, vector: Vector, seqs: Sequence[int]) -> Vector:
        """Return *vector*'s centred cosines with those at *seqs*, unfiltered; NaN: none there."""
        return self._engine.vectors.cosines(self._conn, space, vector, seqs)

    def alike(self, space: str, seqs: Sequence[int]) -> Vector:
        """Return the centred cosine of each of *seqs* with each, unfiltered; NaN: none there."""
        return self._engine.vectors.alike(self._conn, space, seqs)

    def vectors(self, space: str, seqs: Sequence[int]) -> Mapping[int, Vector]:
        """Return the stored vectors of *space* at *seqs*, as they were put; some may be missing."""
        return self._engine.vectors.get(self._conn, space, seqs)

    def spaces(self) -> list[SpaceStats]:
        """Return the embedding spaces that the store holds."""
        return self._engine.vectors.spaces(self._conn)

    def unembedded(self, space: str, *, limit: int, after: int = 0) -> list[Recorded]:
        """Return episodes and facts without a vector in *space*, of every owner, in order."""
        seqs = self._engine.vectors.without(self._conn, space, after, limit)
        return records_at(self._conn, seqs, self._engine.integers)

    def unembedded_count(self, space: str, *, at_most: int) -> int:
        """Return how many those are, counted up to *at_most*."""
        seqs = self._engine.vectors.without(self._conn, space, 0, at_most)
        return count_at(self._conn, seqs, self._engine.integers)


def _possible(terms: Sequence[str]) -> list[str]:
    """Return those of *terms* that an index can hold, each once."""
    return [
        term
        for term in dict.fromkeys(terms)
        if term.isalnum() and term == term.casefold() and len(term) <= TERM_CHARS_MAX
    ]
