"""How much is read of a store: statements, rows and steps, never seconds."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

import pytest

from tilth.ledger.postgres.connection import PostgresConnection
from tilth.ledger.sqlite.connection import SqliteConnection


@dataclass
class Reads:
    """How many statements ran, and how many rows came back."""

    statements: int = 0
    rows: int = 0


@contextmanager
def counted() -> Iterator[Reads]:
    """Count what the block has the store read, in this process."""
    reads = Reads()
    with pytest.MonkeyPatch.context() as patch:
        for engine in (SqliteConnection, PostgresConnection):
            patch.setattr(engine, "rows", _counting(reads, engine.rows))
            patch.setattr(engine, "stream", _counting_each(reads, engine.stream))
        yield reads


def _counting(reads, rows):
    def run(self, *asked):
        found = rows(self, *asked)
        reads.statements += 1
        reads.rows += len(found)
        return found

    return run


def _counting_each(reads, stream):
    def run(self, *asked):
        reads.statements += 1
        for row in stream(self, *asked):
            reads.rows += 1
            yield row

    return run


def steps_of(view, ask):
    """
    Return how many hundreds of steps SQLite takes for what *ask* reads of a snapshot of it.

    PostgreSQL tells nothing of the kind: 0.
    """
    taken = 0

    def step():
        nonlocal taken
        taken += 1
        return False

    if not isinstance(view.conn, SqliteConnection):
        ask()
        return 0
    view.conn.raw.set_progress_handler(step, 100)
    try:
        ask()
    finally:
        view.conn.raw.set_progress_handler(None)
    return taken
