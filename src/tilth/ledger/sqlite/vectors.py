"""
Vectors in SQLite: rows are the truth, a matrix in memory is the index.

A row is a scale, one signed byte a dimension and a checksum, so a damaged row
shows. The matrix catches up by row number; up to `EXACT_MAX` vectors are
scanned exactly, above that their sign bits choose what is scored exactly.
"""

import json
import struct
import threading
from collections.abc import Sequence
from dataclasses import field
from itertools import islice
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tilth.core.dataclass import dataclass
from tilth.core.errors import CorruptionError
from tilth.embedding.embedder import Vector
from tilth.ledger.engine import FACTS, Connection, Row, Scored, Where
from tilth.ledger.sqlite.connection import INTEGERS
from tilth.ledger.vectors import HEAD, VectorTables, checksum, cosines_among, restored, restored_all

# Exact int8 takes some 6 ms for 100,000 vectors; bits and rescore 1.3 ms, at .99 of its recall.
EXACT_MAX = 50_000
RESCORED = 1_000
# What is turned into floats at once stays in the cache of a processor: four times as fast.
_CHUNK = 1_024
# While they are added to a matrix, rows take eight times as much as in it.
_ROWS_AT_ONCE = 4_096
_CRC = struct.Struct("<I")

_NEWEST = "SELECT coalesce(max(vector_no), 0) FROM vectors"
_NEWER = """
SELECT v.vector_no, v.seq, coalesce(e.realm_no, 0), v.vector
FROM vectors v LEFT JOIN episodes e ON e.seq = v.seq
-- The plus keeps the planner from the index on (space_no, seq), which it would read whole.
WHERE +v.space_no = ? AND v.vector_no > ? ORDER BY v.vector_no
"""


@dataclass(slots=True)
class _Matrix:
    """The vectors of one space in memory, in the order of their rows."""

    # Signs are taken about it: the mean that stood when the first row came. It only has to
    # be the same for all rows.
    centre: Vector
    last_no: int = 0
    is_ordered: bool = True
    # Whether there are facts among them. Their realm is 0 here: it may change, so lives say it.
    is_mixed: bool = False
    size: int = 0
    seqs: NDArray[np.int64] = field(default_factory=lambda: np.empty(0, np.int64))
    realms: NDArray[np.int64] = field(default_factory=lambda: np.empty(0, np.int64))
    scales: NDArray[np.float32] = field(default_factory=lambda: np.empty(0, np.float32))
    # Rounding to bytes leaves no vector at exactly one, and an empty text's at zero.
    squares: NDArray[np.float32] = field(default_factory=lambda: np.empty(0, np.float32))
    units: NDArray[np.int8] = field(init=False)
    # A row of 64-bit words for each 64 dimensions, a column for each vector: the way that
    # counting bits over all vectors reads them.
    bits: NDArray[np.uint64] = field(init=False)

    def __post_init__(self) -> None:
        # As wide without a row as with some: a space whose rows are gone is asked too.
        self.units = np.empty((0, self.dimensions), np.int8)
        self.bits = np.empty((self._words, 0), np.uint64)

    @property
    def dimensions(self) -> int:
        """The length of a vector."""
        return len(self.centre)

    @property
    def _words(self) -> int:
        """How many 64-bit words hold the signs of a vector."""
        return -(-self.dimensions // 64)

    def extend(self, rows: Sequence[tuple[int, int, int, bytes]]) -> None:
        """Add rows (number, seq, realm, vector) that came after those in here."""
        if not rows:
            return
        self._reserve(self.size + len(rows))
        packed = np.frombuffer(b"".join(row[3][: -_CRC.size] for row in rows), np.uint8)
        packed = packed.reshape(len(rows), HEAD.size + self.dimensions)
        here = slice(self.size, self.size + len(rows))
        self.seqs[here] = [row[1] for row in rows]
        self.realms[here] = [row[2] for row in rows]
        self.is_mixed |= not self.realms[here].all()
        self.scales[here] = packed[:, : HEAD.size].copy().view(np.float32)[:, 0]
        self.units[here] = packed[:, HEAD.size :].view(np.int8)
        vectors = self.units[here] * self.scales[here, None]
        self.squares[here] = np.einsum("ij,ij->i", vectors, vectors)
        self.bits[:, here] = self._signs(vectors)
        before = max(self.size - 1, 0)
        self.size += len(rows)
        self.is_ordered &= bool((np.diff(self.seqs[before : self.size]) > 0).all())

    def nearest(
        self, vector: Vector, mean: Vector, places: NDArray[np.int64], limit: int
    ) -> list[Scored]:
        """Return the largest centred cosines among the rows at *places*."""
        if len(places) > EXACT_MAX:
            places = self._likely(vector, places, max(RESCORED, 4 * limit))
        # Equal rows may differ in the last bit, by where they stand in a product of matrices.
        scores = np.round(self.cosines(vector - mean, mean, places), 6)
        best = np.lexsort((-self.seqs[places], -scores))[:limit]
        return [Scored(int(self.seqs[places[at]]), float(scores[at])) for at in best]

    def rows_of(self, seqs: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Return which of *seqs* are here, and at which rows."""
        known = self.seqs[: self.size]
        if not self.size:
            return np.empty(0, np.int64), np.empty(0, np.int64)
        # Rows come in the order of the ledger, unless a backlog met newer ones.
        order = None if self.is_ordered else np.argsort(known)
        rows = np.minimum(np.searchsorted(known, seqs, sorter=order), self.size - 1)
        rows = rows if order is None else order[rows]
        here = np.flatnonzero(known[rows] == seqs)
        return here, rows[here]

    def _likely(self, vector: Vector, places: NDArray[np.int64], keep: int) -> NDArray[np.int64]:
        signs, every = self._signs(vector[None])[:, 0], len(places) == self.size
        apart = np.zeros(len(places), np.uint16)
        for row, sign in zip(self.bits[:, : self.size], signs, strict=True):
            apart += np.bitwise_count((row if every else row[places]) ^ sign)
        within = np.partition(apart, keep - 1)[keep - 1]
        likely: NDArray[np.int64] = places[apart <= within]
        return likely

    def cosines(self, centred: Vector, mean: Vector, places: NDArray[np.int64]) -> Vector:
        """
        Return cos(d - mean, q - mean) for the vectors d at *places*.

        |d - mean|² = |d|² - 2 d·mean + |mean|², so two products serve.
        """
        both = np.stack([centred, mean], axis=1)
        out = np.empty(len(places), np.float32)
        for at in range(0, len(places), _CHUNK):
            some = places[at : at + _CHUNK]
            dots = (self.units[some].astype(np.float32) @ both) * self.scales[some, None]
            square = self.squares[some] - 2 * dots[:, 1] + mean @ mean
            length = np.sqrt(np.maximum(square, 1e-12))
            out[at : at + _CHUNK] = (dots[:, 0] - mean @ centred) / length
        return out / max(float(np.linalg.norm(centred)), 1e-12)

    def _signs(self, vectors: Vector) -> NDArray[np.uint64]:
        """Return the sign bits in 64-bit words, a column for each vector."""
        bits = np.packbits(vectors > self.centre, axis=1)
        padded = np.pad(bits, ((0, 0), (0, -bits.shape[1] % 8)))
        return np.ascontiguousarray(padded.view(np.uint64).T)

    def _reserve(self, size: int) -> None:
        if size <= len(self.seqs):
            return
        # A quarter in spare, so that growing row by row copies each row few times.
        room = size + size // 4
        for name, shape in (
            ("seqs", (room,)),
            ("realms", (room,)),
            ("scales", (room,)),
            ("squares", (room,)),
            ("units", (room, self.dimensions)),
            ("bits", (self._words, room)),
        ):
            old = getattr(self, name)
            new = np.zeros(shape, old.dtype)
            if self.size:
                kept = (..., slice(self.size)) if name == "bits" else slice(self.size)
                new[kept] = old[kept]
            setattr(self, name, new)


class _Rows:
    """A vector as one BLOB: its bytes, and a checksum over them and their place."""

    columns = ("vector",)

    def encode(self, space: str, seq: int, data: bytes) -> tuple[object, ...]:
        """Return the row of the rounded vector *data*."""
        return (data + _CRC.pack(checksum(space, seq, data)),)

    def decode(self, space: str, seq: int, *columns: Any) -> Vector:  # noqa: ANN401 - a row's
        """Return the vector of a row."""
        return restored(self._intact(space, seq, columns[0]))

    def decode_all(self, space: str, rows: Sequence[Row]) -> Vector:
        """Return the vectors of *rows* as those of a matrix."""
        return restored_all([self._intact(space, seq, row) for seq, row in rows])

    def _intact(self, space: str, seq: int, row: object) -> bytes:
        data = row[: -_CRC.size] if isinstance(row, bytes) else b""
        if len(data) <= HEAD.size or row != data + _CRC.pack(checksum(space, seq, data)):
            raise CorruptionError(f"the vector of place {seq} in {space!r} is damaged")
        return data


class SqliteVectors(VectorTables):
    """See `tilth.ledger.engine.VectorIndex`. One matrix a space is shared by all threads."""

    def __init__(self) -> None:
        super().__init__(_Rows(), INTEGERS)
        self._matrices: dict[int, _Matrix] = {}
        self._lock = threading.Lock()

    def nearest(
        self, conn: Connection, space: str, vector: Vector, where: Where, limit: int
    ) -> list[Scored]:
        """Return what has the largest mean-centred cosine, best first."""
        known = self.known_space(conn, space, len(vector))
        if known is None:
            return []
        space_no, count, mean = known
        with self._lock:
            matrices = self._caught_up(conn, space_no, mean)
            if where.indexed is FACTS:
                facts = [(one, np.flatnonzero(one.realms[: one.size] == 0)) for one in matrices]
                return _nearest_facts(conn, facts, (vector, mean), where, limit)
            episodes = [(one, _allowed(conn, one, count, where)) for one in matrices]
            return _nearest(episodes, (vector, mean), limit)

    def cosines(self, conn: Connection, space: str, vector: Vector, seqs: Sequence[int]) -> Vector:
        """Return the mean-centred cosine at each of *seqs*; NaN where there is no vector."""
        cosines = np.full(len(seqs), np.nan, np.float32)
        known = self.known_space(conn, space, len(vector))
        if known is None:
            return cosines
        space_no, _, mean = known
        with self._lock:
            for matrix in self._caught_up(conn, space_no, mean):
                here, places = matrix.rows_of(np.array(seqs, np.int64))
                cosines[here] = matrix.cosines(vector - mean, mean, places)
        return cosines

    def alike(self, conn: Connection, space: str, seqs: Sequence[int]) -> Vector:
        """Return the mean-centred cosine of each of *seqs* with each; NaN: one has no vector."""
        known = self.known_space(conn, space)
        if known is None:
            return np.full((len(seqs), len(seqs)), np.nan, np.float32)
        space_no, _, mean = known
        vectors = np.full((len(seqs), len(mean)), np.nan, np.float32)
        with self._lock:
            for matrix in self._caught_up(conn, space_no, mean):
                here, places = matrix.rows_of(np.array(seqs, np.int64))
                vectors[here] = matrix.units[places] * matrix.scales[places, None]
        return cosines_among(vectors - mean)

    def _caught_up(self, conn: Connection, space_no: int, mean: Vector) -> list[_Matrix]:
        """Return what holds every row that *conn* sees; what others see alone is kept."""
        matrix = self._matrices.get(space_no) or _Matrix(mean)
        newest = int(conn.rows(_NEWEST)[0][0])
        # These may yet be rolled back, and their numbers given to others.
        own = _Matrix(mean, matrix.last_no) if conn.is_writing else matrix
        if newest > own.last_no:
            _extend(own, conn, space_no)
        if not conn.is_writing:
            # Rows of other spaces lie in between; they are passed over once.
            matrix.last_no = max(matrix.last_no, newest)
            if space_no not in self._matrices:
                self._forget_dropped_spaces(conn)
            self._matrices[space_no] = matrix
            return [matrix]
        return [matrix, own]

    def _forget_dropped_spaces(self, conn: Connection) -> None:
        """Forget spaces that are no more: an erase gives those that stay another number."""
        there = {space_no for (space_no,) in conn.rows("SELECT space_no FROM spaces")}
        self._matrices = {no: one for no, one in self._matrices.items() if no in there}


def _extend(matrix: _Matrix, conn: Connection, space_no: int) -> None:
    """Add the rows of a space behind those that *matrix* holds; those of a year are many."""
    stream = conn.stream(_NEWER, (space_no, matrix.last_no))
    while rows := list(islice(stream, _ROWS_AT_ONCE)):
        matrix.extend(rows)
        matrix.last_no = rows[-1][0]


def _nearest(
    chosen: Sequence[tuple[_Matrix, NDArray[np.int64]]], asked: tuple[Vector, Vector], limit: int
) -> list[Scored]:
    """Return the largest cosines with what is *asked*, a vector and the mean, among *chosen*."""
    vector, mean = asked
    found = [matrix.nearest(vector, mean, places, limit) for matrix, places in chosen]
    best = [scored for part in found for scored in part]
    return sorted(best, key=lambda scored: (-scored.score, -scored.seq))[:limit]


def _nearest_facts(
    conn: Connection,
    chosen: Sequence[tuple[_Matrix, NDArray[np.int64]]],
    asked: tuple[Vector, Vector],
    where: Where,
    limit: int,
) -> list[Scored]:
    """
    Return the nearest facts that *where* lets through.

    Few are hidden as a rule, so the nearest are looked at first; then those that it lets through.
    """
    total = sum(len(places) for _, places in chosen)
    passing = f"""SELECT {where.indexed.place} FROM {where.indexed.source}
        WHERE {where.sql}"""  # noqa: S608 - bound
    best = _nearest(chosen, asked, 2 * limit)
    among = f"{passing} AND {where.indexed.place} IN {INTEGERS}"
    seen = set(conn.rows(among, (*where.params, json.dumps([scored.seq for scored in best]))))
    kept = [scored for scored in best if (scored.seq,) in seen]
    if len(kept) >= limit or 2 * limit >= total:
        return kept[:limit]
    seqs = np.array([seq for (seq,) in conn.rows(passing, where.params)], np.int64)
    narrowed = [(matrix, places[np.isin(matrix.seqs[places], seqs)]) for matrix, places in chosen]
    return _nearest(narrowed, asked, limit)


def _allowed(conn: Connection, matrix: _Matrix, count: int, where: Where) -> NDArray[np.int64]:
    """Return the places of the rows that may be seen: by *where*, and by the snapshot."""
    # Rows come in the order of their commits, so a snapshot sees the first *count* of them.
    size = min(matrix.size, count)
    if where.sees_all:
        return np.flatnonzero(matrix.realms[:size]) if matrix.is_mixed else np.arange(size)
    if where.is_open:
        return np.flatnonzero(np.isin(matrix.realms[:size], where.realms))
    sql = f"SELECT e.seq FROM episodes e WHERE {where.sql}"  # noqa: S608 - the values are bound
    seqs = np.array([seq for (seq,) in conn.rows(sql, where.params)], np.int64)
    return np.flatnonzero(np.isin(matrix.seqs[:size], seqs))
