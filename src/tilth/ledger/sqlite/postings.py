"""
Compute BM25 of SQLite's full-text index for all rows at once.

FTS5 ranks a row at a time, and looks up the length of each. Here the places of a term come in one
go, lengths stay in memory, and numpy does the sums: by FTS5's own formula (fts5_aux.c) and in its
order, so that scores are the same to the last bit.
"""

import threading
from collections.abc import Sequence
from dataclasses import field

import numpy as np
from numpy.typing import NDArray

from tilth.core.dataclass import dataclass
from tilth.core.errors import CorruptionError
from tilth.ledger.engine import Connection, Scored
from tilth.ledger.log import head_of

# So many places of terms are kept: 8 bytes each.
_KEPT_MAX = 500_000
_K1, _B = 1.2, 0.75
# The bit of a byte that is not the last of its number.
_GOES_ON = 0x80
# What a term weighs that more than half of the rows hold.
_COMMON = 1e-6
_PLACES = """
CREATE VIRTUAL TABLE IF NOT EXISTS temp.{index}_places USING fts5vocab(main, {index}, instance)
"""
_DOCS = "SELECT group_concat(doc) FROM temp.{index}_places WHERE term = ?"
_SIZES = "SELECT group_concat(id), group_concat(hex(sz), '') FROM {index}_docsize WHERE id > ?"
# Its first two numbers: how many rows there are, and how many terms in all.
_TOTALS = "SELECT block FROM {index}_data WHERE id = 1"

_Integers = NDArray[np.int64]
_Places = NDArray[np.int32]


@dataclass(slots=True)
class _Kept:
    """
    What is known of terms as long as the ledger ends so.

    `places` are the rows of each in order, and how often it is in each; `size` counts them.
    `frequencies` are how many rows hold each.
    """

    chain: bytes
    frequencies: dict[str, int] = field(default_factory=dict)
    places: dict[str, tuple[_Places, _Places]] = field(default_factory=dict)
    size: int = 0


class Postings:
    """The postings of one index; shared by threads, for connections that write nothing."""

    def __init__(self, index: str, count: str) -> None:
        """
        Make one that has read nothing.

        Args:
            index: The name of the full-text table.
            count: SQL that tells in how many rows a term is, or nothing.
        """
        self._index, self._count = index, count
        self._make, self._docs, self._later, self._totals = (
            sql.format(index=index) for sql in (_PLACES, _DOCS, _SIZES, _TOTALS)
        )
        # By place in the ledger. No place is ever given to another row, so what is erased may stay.
        self._sizes: _Integers = np.zeros(1, np.int64)
        self._kept = _Kept(b"")
        self._lock = threading.Lock()

    def match(self, conn: Connection, terms: Sequence[str], limit: int) -> list[Scored]:
        """
        Return what holds any of *terms*, best first, ties by the newer.

        Raises:
            CorruptionError: the index lacks the length of a row.
        """
        with self._lock:
            sizes, postings = self._caught_up(conn), self._postings(conn, terms)
        totals = _varints(b"".join(block for (block,) in conn.rows(self._totals)))
        if any(len(docs) for docs, _ in postings) and len(totals) < len(("rows", "terms")):
            raise self._damage()
        scores = np.zeros(len(sizes))
        for docs, counts in (one for one in postings if len(one[0])):
            if docs[-1] >= len(sizes) or not (length := sizes[docs]).all():
                raise self._damage()
            weight = np.log((totals[0] - len(docs) + 0.5) / (len(docs) + 0.5))
            damping = _K1 * (1 - _B + _B * length / (totals[1] / totals[0]))
            scores[docs] += max(weight, _COMMON) * (counts * (_K1 + 1.0) / (counts + damping))
        found = np.flatnonzero(scores > 0)
        reached = scores[found]
        if len(found) > limit:
            is_best = reached >= np.partition(reached, -limit)[-limit]
            found, reached = found[is_best], reached[is_best]
        best = np.lexsort((-found, -reached))[:limit]
        return [*map(Scored, found[best].tolist(), reached[best].tolist())]

    def frequencies(self, conn: Connection, terms: Sequence[str]) -> dict[str, int]:
        """Return how many rows hold each of *terms*."""
        with self._lock:
            known = self._kept_by(conn).frequencies
            for term in terms:
                if term not in known:
                    found = conn.rows(self._count, (term,))
                    known[term] = int(found[0][0]) if found else 0
            return {term: known[term] for term in terms}

    def _caught_up(self, conn: Connection) -> _Integers:
        """Return the length of every row that *conn* sees, by its place; 0: there is none."""
        ids, sizes = conn.rows(self._later, (len(self._sizes) - 1,))[0]
        if ids is not None:
            places, lengths = _integers(ids), _varints(bytes.fromhex(sizes))
            if len(lengths) != len(places):
                raise self._damage()
            grown = np.zeros(places[-1] + 1, np.int64)
            grown[: len(self._sizes)] = self._sizes
            grown[places] = lengths
            self._sizes = grown
        return self._sizes

    def _postings(self, conn: Connection, terms: Sequence[str]) -> list[tuple[_Places, _Places]]:
        """Return for each of *terms* its rows in order, and how often it is in each."""
        kept = self._kept_by(conn)
        conn.rows(self._make)
        for term in terms:
            if term not in kept.places:
                kept.places[term] = _counted(_integers(conn.rows(self._docs, (term,))[0][0]))
                kept.size += len(kept.places[term][0])
        return [kept.places[term] for term in terms]

    def _kept_by(self, conn: Connection) -> _Kept:
        """Return what holds for the snapshot of *conn*: the index is made from its ledger."""
        chain = head_of(conn).chain
        if self._kept.chain != chain or self._kept.size > _KEPT_MAX:
            self._kept = _Kept(chain)
        return self._kept

    def _damage(self) -> CorruptionError:
        return CorruptionError(
            f"{self._index} is damaged", hint="`tilth doctor` names what mends it"
        )


def _integers(text: str | None) -> _Integers:
    return np.fromstring(text or "", np.int64, sep=",")


def _counted(ordered: _Integers) -> tuple[_Places, _Places]:
    """Return the distinct numbers of *ordered*, and how often each is in it."""
    begins = np.flatnonzero(np.diff(ordered, prepend=-1))
    counts = np.diff(begins, append=len(ordered))
    return ordered[begins].astype(np.int32), counts.astype(np.int32)


def _varints(data: bytes) -> _Integers:
    """Return the numbers that follow each other in SQLite's own form: seven bits a byte."""
    found = np.frombuffer(data, np.uint8).astype(np.int64)
    ends = np.flatnonzero(found < _GOES_ON)
    if not len(ends):
        return ends
    behind = np.repeat(ends, np.diff(ends, prepend=-1)) - np.arange(ends[-1] + 1)
    begins = np.concatenate([[0], ends[:-1] + 1])
    numbers: _Integers = np.add.reduceat((found[: ends[-1] + 1] % _GOES_ON) << 7 * behind, begins)
    return numbers
