"""Where a store lives in a test: one class an engine, so that no test body names one."""

from collections.abc import Sequence
from datetime import timedelta
from pathlib import Path
from typing import Any, Protocol

import apsw

from tests.fakes import CountingIds, FixedClock
from tilth.ports import Clock, Ids
from tilth.stores.sqlite.connection import configure
from tilth.stores.sqlite.store import Surroundings, create_store, heads_path, open_store
from tilth.stores.sqlite.text import register_terms
from tilth.stores.store import SqlStore


class Place(Protocol):
    """Somewhere that holds one store, which may be opened as often as one likes."""

    clock: FixedClock

    def create(self) -> None:
        """Make the store."""
        ...

    def open(
        self, clock: Clock | None = None, ids: Ids | None = None, *, busy_timeout_s: float = 10
    ) -> SqlStore:
        """Open the store."""
        ...

    def run(self, sql: str, params: Sequence[object] = ()) -> list[Any]:
        """Run SQL past the store, with the rights of whoever owns the database."""
        ...

    def disarm(self) -> None:
        """Take away what keeps the ledger append-only, as only an intruder would."""
        ...


class SqlitePlace:
    """A store in a file."""

    def __init__(self, folder: Path) -> None:
        self.path = folder / "tilth.db"
        self.state = folder / "state"
        self.heads = heads_path(self.path)
        self.clock = FixedClock(step=timedelta(milliseconds=1))
        self._ids = CountingIds()

    def around(
        self, clock: Clock | None = None, ids: Ids | None = None, busy_timeout_s: float = 10
    ) -> Surroundings:
        return Surroundings(clock or self.clock, ids or self._ids, self.state, busy_timeout_s)

    def create(self) -> None:
        create_store(self.path, self.around())

    def open(
        self, clock: Clock | None = None, ids: Ids | None = None, *, busy_timeout_s: float = 10
    ) -> SqlStore:
        return open_store(self.path, self.around(clock, ids, busy_timeout_s))

    def run(self, sql: str, params: Sequence[object] = ()) -> list[Any]:
        conn = apsw.Connection(str(self.path))
        try:
            configure(conn)
            register_terms(conn)
            return conn.execute(sql, params).fetchall()
        finally:
            conn.close()

    def disarm(self) -> None:
        for name in ("updated", "deleted"):
            self.run(f"DROP TRIGGER ledger_is_never_{name}")
        self.run("DROP TRIGGER ledger_is_gapless")
