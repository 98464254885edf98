"""
What both engines do with vectors: spaces, their sums, and rows that show damage.

A vector is rounded to one signed byte a dimension before it is kept, on both engines, so that both
give the same answers. Each space keeps its count and the sum of its vectors, which gives the centre
that scores are taken about.
"""

import itertools
import json
import struct
import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from tilth.core.errors import CorruptionError, InvalidInputError
from tilth.embedding.embedder import Vector
from tilth.ledger.engine import Connection, Finding, Row, SpaceStats

HEAD = struct.Struct("<f")
# As if so many vectors without any common part had been there before.
CENTRE_PRIOR = 20
# So many vectors are checked at once.
_ROWS = 256

_SPACE = "SELECT space_no, vector_count, total FROM spaces WHERE space = ?"
_SPACES = "SELECT space_no, space, vector_count, total FROM spaces ORDER BY space_no"
_NEW_SPACE = "INSERT INTO spaces (space, vector_count, total) VALUES (?, 0, ?)"
_GROWN = "UPDATE spaces SET vector_count = ?, total = ? WHERE space_no = ?"
_WITHOUT = """
SELECT e.seq FROM (
    SELECT seq FROM episodes WHERE seq > ? UNION ALL SELECT fact_no FROM facts WHERE fact_no > ?
) e WHERE NOT EXISTS (
    SELECT 1 FROM vectors v WHERE v.seq = e.seq
    AND v.space_no = (SELECT space_no FROM spaces WHERE space = ?)
) ORDER BY e.seq LIMIT ?
"""


def rounded(vector: Vector) -> bytes:
    """Return *vector* as its scale and one signed byte a dimension."""
    scale = float(np.abs(vector).max()) / 127 or 1.0
    return HEAD.pack(scale) + bytes(np.rint(vector / np.float32(scale)).astype(np.int8).data)


def restored(data: bytes) -> Vector:
    """Return the vector that `rounded` made *data* of."""
    (scale,) = HEAD.unpack_from(data)
    return np.frombuffer(data, np.int8, offset=HEAD.size) * np.float32(scale)


def restored_all(rows: Sequence[bytes]) -> Vector:
    """
    Return the vectors that `rounded` made *rows* of, as the rows of a matrix.

    Raises:
        ValueError: they are not of one length.
    """
    packed = np.frombuffer(b"".join(rows), np.uint8).reshape(len(rows), -1)
    if any(len(row) != packed.shape[1] for row in rows):
        raise ValueError("vectors of one space differ in length")
    scales = packed[:, : HEAD.size].copy().view(np.float32)
    vectors: Vector = packed[:, HEAD.size :].view(np.int8) * scales
    return vectors


def checksum(space: str, seq: int, data: bytes) -> int:
    """Return the CRC-32 of a vector's *data* and of the place that it belongs to."""
    return zlib.crc32(data, zlib.crc32(f"{space}:{seq}".encode()))


def mean_of(total: bytes, count: int) -> Vector:
    """Return the mean of *count* vectors, given the bytes of their sum."""
    return (np.frombuffer(total) / max(count, 1)).astype(np.float32)


def centre_of(total: bytes, count: int) -> Vector:
    """
    Return what cosines are taken about: the mean, drawn to zero while there are few vectors.

    The mean of one vector is the vector itself, and about it nothing is like anything.
    """
    return (np.frombuffer(total) / (count + CENTRE_PRIOR)).astype(np.float32)


class VectorRows(Protocol):
    """How an engine writes one vector into a row."""

    @property
    def columns(self) -> tuple[str, ...]:
        """What a row holds beside its space and place."""
        ...

    def encode(self, space: str, seq: int, data: bytes) -> tuple[object, ...]:
        """Return the columns for the rounded vector *data*."""
        ...

    def decode(self, space: str, seq: int, *columns: Any) -> Vector:  # noqa: ANN401 - a row's
        """
        Return the vector of a row.

        Raises:
            CorruptionError: it is not what was put there.
        """
        ...

    def decode_all(self, space: str, rows: Sequence[Row]) -> Vector:
        """
        Return the vectors of *rows*, each a place with its columns, as those of a matrix.

        Raises:
            CorruptionError: one of them is not what was put there.
            ValueError: they are not of one length.
        """
        ...


def cosines_among(vectors: Vector) -> Vector:
    """Return the cosine of each of *vectors* with each; NaN: one is not there."""
    lengths = np.maximum(np.linalg.norm(vectors, axis=1, keepdims=True), 1e-6)
    units = vectors / lengths
    return np.asarray(units @ units.T, np.float32)


class VectorTables:
    """The part of `tilth.ledger.engine.VectorIndex` that is one for both engines."""

    def __init__(self, rows: VectorRows, integers: str) -> None:
        names = ", ".join(rows.columns)
        marks = ", ".join("?" * len(rows.columns))
        self._rows = rows
        self._put = f"""INSERT INTO vectors (space_no, seq, {names}) VALUES (?, ?, {marks})
            ON CONFLICT (space_no, seq) DO NOTHING RETURNING vector_no"""  # noqa: S608 - names of ours
        self._all = f"SELECT seq, {names} FROM vectors WHERE space_no = ? ORDER BY vector_no"  # noqa: S608 - likewise
        self._some = f"SELECT seq, {names} FROM vectors WHERE space_no = ? AND seq IN {integers}"  # noqa: S608 - likewise

    def put(self, conn: Connection, space: str, vectors: Iterable[tuple[int, Vector]]) -> None:
        """Keep vectors; one that is there stays."""
        fresh = list(vectors)
        if not fresh:
            return
        space_no, count, total = self._space(conn, space, len(fresh[0][1]))
        for seq, vector in fresh:
            if len(vector) != len(total):
                raise InvalidInputError(
                    f"space {space!r} has {len(total)} dimensions, the vector {len(vector)}"
                )
            data = rounded(vector)
            if conn.rows(self._put, (space_no, seq, *self._rows.encode(space, seq, data))):
                count += 1
                total = total + restored(data)
        conn.rows(_GROWN, (count, total.tobytes(), space_no))

    def get(self, conn: Connection, space: str, seqs: Sequence[int]) -> Mapping[int, Vector]:
        """Return stored vectors."""
        found = conn.rows(_SPACE, (space,))
        if not found:
            return {}
        rows = conn.rows(self._some, (found[0][0], json.dumps(list(seqs))))
        return {seq: self._rows.decode(space, seq, *columns) for seq, *columns in rows}

    def spaces(self, conn: Connection) -> list[SpaceStats]:
        """Return the spaces, in the order in which they came."""
        return [
            SpaceStats(space, count, mean_of(total, count))
            for _, space, count, total in conn.rows(_SPACES)
        ]

    def without(self, conn: Connection, space: str, after: int, limit: int) -> list[int]:
        """Return the places of episodes and facts that have no vector in *space*, ascending."""
        return [seq for (seq,) in conn.rows(_WITHOUT, (after, after, space, limit))]

    def drop(self, conn: Connection, space: str) -> None:
        """Forget a space."""
        for space_no, _, _ in conn.rows(_SPACE, (space,)):
            conn.rows("DELETE FROM vectors WHERE space_no = ?", (space_no,))
            conn.rows("DELETE FROM spaces WHERE space_no = ?", (space_no,))

    def drop_all(self, conn: Connection) -> None:
        """Forget every space, whatever is left of it."""
        conn.rows("DELETE FROM vectors")
        conn.rows("DELETE FROM spaces")

    def forget(self, conn: Connection, seqs: Sequence[int]) -> None:
        """
        Forget the vectors of these places, and give every space another number.

        What a process holds of a space in memory is known by its number: it is read again.
        """
        for space_no, space, _, _ in conn.rows(_SPACES):
            for seq in seqs:
                conn.rows("DELETE FROM vectors WHERE space_no = ? AND seq = ?", (space_no, seq))
            conn.rows("DELETE FROM spaces WHERE space_no = ?", (space_no,))
            count, total = self._summed(conn, space_no, space)
            if count:
                conn.rows(_NEW_SPACE, (space, total))
                fresh = conn.rows(_SPACE, (space,))[0][0]
                conn.rows("UPDATE vectors SET space_no = ? WHERE space_no = ?", (fresh, space_no))
                conn.rows(_GROWN, (count, total, fresh))

    def _summed(self, conn: Connection, space_no: int, space: str) -> tuple[int, bytes]:
        """Return how many vectors a space has and the bytes of their sum, added in their order."""
        count, total = 0, np.zeros(0)
        for seq, *columns in conn.stream(self._all, (space_no,)):
            vector = self._rows.decode(space, seq, *columns)
            total = vector.astype(np.float64) if not count else total + vector
            count += 1
        return count, total.tobytes()

    def check(self, conn: Connection) -> Iterator[Finding]:
        """Check each vector by its checksum, and each space by its sum."""
        for space_no, space, count, total in conn.rows(_SPACES):
            if not isinstance(total, bytes):
                yield Finding("vectors", None, f"space {space!r} has no sum")
                continue
            seen, summed = 0, np.zeros(len(total) // 8)
            stream = conn.stream(self._all, (space_no,))
            while rows := list(itertools.islice(stream, _ROWS)):
                try:
                    vectors = self._rows.decode_all(space, rows).astype(np.float64)
                    for vector in vectors:
                        summed += vector
                except (CorruptionError, ValueError):
                    yield from self._damaged(space, rows)
                seen += len(rows)
            if seen != count or summed.tobytes() != total:
                yield Finding("vectors", None, f"the sum of space {space!r} is not its vectors'")

    def _damaged(self, space: str, rows: Sequence[Row]) -> Iterator[Finding]:
        for seq, *columns in rows:
            try:
                self._rows.decode(space, seq, *columns)
            except (CorruptionError, ValueError) as error:
                yield Finding("vectors", seq, str(error))

    def known_space(
        self, conn: Connection, space: str, dimensions: int | None = None
    ) -> tuple[int, int, Vector] | None:
        """
        Return a space's number, count and centre; None if there is none.

        Raises:
            InvalidInputError: it has not as many *dimensions*.
        """
        found = conn.rows(_SPACE, (space,))
        if not found:
            return None
        space_no, count, total = found[0]
        centre = centre_of(total, count)
        if dimensions is not None and len(centre) != dimensions:
            raise InvalidInputError(
                f"space {space!r} has {len(centre)} dimensions, the question {dimensions}"
            )
        return space_no, count, centre

    def _space(
        self, conn: Connection, space: str, dimensions: int
    ) -> tuple[int, int, NDArray[np.float64]]:
        found = conn.rows(_SPACE, (space,))
        if not found:
            conn.rows(_NEW_SPACE, (space, np.zeros(dimensions).tobytes()))
            found = conn.rows(_SPACE, (space,))
        space_no, count, total = found[0]
        return space_no, count, np.frombuffer(total)
