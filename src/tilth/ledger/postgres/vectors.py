"""Vectors in PostgreSQL: pgvector keeps them, and compares them exactly."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from pgvector import Vector as PgVector

from tilth.core.errors import CorruptionError
from tilth.embedding.embedder import Vector
from tilth.ledger.engine import Connection, Row, Scored, Where
from tilth.ledger.postgres.connection import INTEGERS
from tilth.ledger.vectors import VectorTables, checksum, cosines_among, restored

# A vector that is the mean itself has no direction about it, and pgvector says NaN: no likeness.
_NEAREST = """
SELECT seq, CASE WHEN apart = 'NaN' THEN 0 ELSE 1 - apart END AS score
FROM (
    SELECT x.seq, (x.vector - ?) <=> ? AS apart
    FROM vectors x CROSS JOIN {source}
    WHERE x.space_no = ? AND x.seq = {place} AND {where}
) AS compared
ORDER BY score DESC, seq DESC LIMIT ?
"""


class _Rows:
    """A vector as pgvector's own type, and a checksum over its floats and its place."""

    columns = ("vector", "crc")

    def encode(self, space: str, seq: int, data: bytes) -> tuple[object, ...]:
        """Return the columns for the rounded vector *data*."""
        vector = restored(data)
        return PgVector(vector), checksum(space, seq, vector.tobytes())

    def decode(self, space: str, seq: int, *columns: Any) -> Vector:  # noqa: ANN401 - a row's
        """Return the vector of a row."""
        vector: Vector = columns[0].to_numpy().astype(np.float32)
        if checksum(space, seq, vector.tobytes()) != columns[1]:
            raise CorruptionError(f"the vector of place {seq} in {space!r} is damaged")
        return vector

    def decode_all(self, space: str, rows: Sequence[Row]) -> Vector:
        """Return the vectors of *rows* as those of a matrix."""
        return np.stack([self.decode(space, seq, *columns) for seq, *columns in rows])


class PostgresVectors(VectorTables):
    """See `tilth.ledger.engine.VectorIndex`."""

    def __init__(self) -> None:
        super().__init__(_Rows(), INTEGERS)

    def nearest(
        self, conn: Connection, space: str, vector: Vector, where: Where, limit: int
    ) -> list[Scored]:
        """Return what has the largest mean-centred cosine, best first."""
        known = self.known_space(conn, space, len(vector))
        if known is None:
            return []
        space_no, _, mean = known
        asked = (PgVector(mean), PgVector(vector - mean), space_no, *where.params, limit)
        indexed = where.indexed
        sql = _NEAREST.format(source=indexed.source, place=indexed.place, where=where.sql)
        found = conn.rows(sql, asked)
        return [Scored(seq, score) for seq, score in found]

    def alike(self, conn: Connection, space: str, seqs: Sequence[int]) -> Vector:
        """Return the mean-centred cosine of each of *seqs* with each; NaN: one has no vector."""
        known = self.known_space(conn, space)
        if known is None:
            return np.full((len(seqs), len(seqs)), np.nan, np.float32)
        vectors = np.full((len(seqs), len(known[2])), np.nan, np.float32)
        stored = self.get(conn, space, seqs)
        for at, seq in enumerate(seqs):
            if seq in stored:
                vectors[at] = stored[seq]
        return cosines_among(vectors - known[2])

    def cosines(self, conn: Connection, space: str, vector: Vector, seqs: Sequence[int]) -> Vector:
        """Return the mean-centred cosine at each of *seqs*; NaN where there is no vector."""
        cosines = np.full(len(seqs), np.nan, np.float32)
        known = self.known_space(conn, space, len(vector))
        if known is None:
            return cosines
        _, _, mean = known
        stored = self.get(conn, space, seqs)
        here = [at for at, seq in enumerate(seqs) if seq in stored]
        if here:
            about = np.stack([stored[seqs[at]] for at in here]) - mean
            lengths = np.linalg.norm(about, axis=1) * np.linalg.norm(vector - mean)
            cosines[here] = about @ (vector - mean) / np.maximum(lengths, 1e-12)
        return cosines
