"""What the parts cost alone, in the same run and folder: no store can be faster than these."""

import time
from collections.abc import Callable, Sequence
from contextlib import closing
from functools import partial
from pathlib import Path

import apsw
import numpy as np

from bench.machine import percentiles
from tilth.ledger.sqlite.connection import connect

BATCH = 256
LIMIT = 50
_TABLE = """CREATE TABLE said (
    seq INTEGER PRIMARY KEY, event_id BLOB, recorded_at INTEGER, owner TEXT, actor TEXT,
    payload TEXT, salt BLOB, commitment BLOB, chain BLOB
) STRICT"""
_INSERT = "INSERT INTO said VALUES (NULL, ?, 0, 'local', 'bench', ?, ?, ?, ?)"


def inserts(folder: Path, texts: Sequence[str], singles: int) -> dict[str, object]:
    """Insert rows as wide as the ledger's into one plain table, under the same PRAGMAs."""
    path = folder / "floor.db"
    path.touch()
    with closing(connect(path, busy_timeout_s=5)) as conn:
        conn.execute(_TABLE)
        rows = [(bytes(16), text, bytes(16), bytes(32), bytes(32)) for text in texts]
        waits = [timed(partial(conn.execute, _INSERT, row)) for row in rows[:singles]]
        started = time.perf_counter()
        for first in range(0, len(rows), BATCH):
            with conn:
                conn.executemany(_INSERT, rows[first : first + BATCH])
        seconds = time.perf_counter() - started
    return {"single": percentiles(waits), "batched_per_s": round(len(rows) / seconds)}


def full_text(path: Path, questions: Sequence[Sequence[str]]) -> dict[str, float]:
    """Ask FTS5 alone for the best rows of any of a question's terms."""
    sql = """SELECT rowid FROM episode_terms WHERE episode_terms MATCH ?
        ORDER BY rank LIMIT ?"""
    with closing(connect(path, busy_timeout_s=5)) as conn:
        waits = []
        for terms in questions:
            query = " OR ".join(f'"{term}"' for term in terms) or '""'
            waits.append(timed(partial(_fetched, conn, sql, (query, LIMIT))))
    return percentiles(waits)


def _fetched(conn: apsw.Connection, sql: str, params: tuple[object, ...]) -> list[object]:
    return list(conn.execute(sql, params))


def scan(count: int, dimensions: int, times: int) -> dict[str, float]:
    """Score that many int8 vectors by numpy alone, in chunks that fit the cache."""
    units = np.random.default_rng(1).integers(-127, 127, (count, dimensions), np.int8)
    question = np.ones(dimensions, np.float32)
    scores = np.empty(count, np.float32)

    def score() -> None:
        for at in range(0, count, 16_384):
            np.matmul(
                units[at : at + 16_384].astype(np.float32), question, out=scores[at : at + 16_384]
            )
        np.argpartition(scores, -min(LIMIT, count))

    score()
    return percentiles([timed(score) for _ in range(times)])


def timed(work: Callable[[], object]) -> float:
    """Return the seconds that *work* takes."""
    started = time.perf_counter()
    work()
    return time.perf_counter() - started
