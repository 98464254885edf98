"""Where a store lives in a test: one class an engine, so that no test body names one."""

import shutil
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from copy import deepcopy
from datetime import timedelta
from pathlib import Path
from typing import Any, Protocol, Self

import apsw
import psycopg

from tests.databases import Database, Databases, url_of
from tests.fakes import CountingIds, FixedClock
from tilth.core.clock import Clock, Ids
from tilth.ledger.postgres import schema as postgres_schema
from tilth.ledger.postgres import store as postgres
from tilth.ledger.postgres.schema import WRITING
from tilth.ledger.sqlite import schema as sqlite_schema
from tilth.ledger.sqlite.connection import configure
from tilth.ledger.sqlite.store import create_store, heads_path, open_store
from tilth.ledger.sqlite.text import register_functions
from tilth.ledger.store import Store, StoreEnvironment
from tilth.ledger.tables import Migration
from tilth.runtime.features import load_features

# Here, and not in a fixture: a process that a test starts opens stores too.
load_features()

_REST = (
    "event_id, recorded_at, owner, actor, actor_kind, session_id, kind, NULL, payload, salt, "
    "commitment, chain"
)


# What a newer schema has besides.
_NOVELTIES = "CREATE TABLE novelties (name TEXT NOT NULL)"
# A database that is in use has the schemas for what sessions make for themselves. Where a check
# makes the first one, and takes it back, the session plans anew all that it asks afterwards.
_USED = """
SET allow_system_table_mods = on;
DO $$ BEGIN FOR session IN 0..99 LOOP
    EXECUTE format('CREATE SCHEMA pg_temp_%s', session);
    EXECUTE format('CREATE SCHEMA pg_toast_temp_%s', session);
END LOOP; END $$
"""


class Place(Protocol):
    """Somewhere that holds one store, which may be opened as often as one likes."""

    clock: FixedClock
    state: Path
    heads: Path
    told: Any  # what the story tells that it was made with
    # What the database raises when it refuses, and what SQL it alone understands: ways around
    # the guards of the ledger, edits of its indexes, and 16 bytes of the column `commitment`.
    refusals: type[Exception] | tuple[type[Exception], ...]
    ways_around: Sequence[str]
    text_edits: Sequence[str]
    vector_edits: Sequence[str]
    first_16: str
    has_backups: bool
    # Of how many one stands for a test of size. Size is proven in full on SQLite; where each
    # statement goes over a socket, the same by a tenth, in a third of the time.
    size_share: int

    def create(self) -> None:
        """Make the store."""
        ...

    def copy(self, other: Self) -> None:
        """Make what *other* is, clock and all, which nobody has open: sooner than `create`."""
        ...

    def remove(self) -> None:
        """Remove what lies outside of the folder. Calling it twice does no harm."""
        ...

    def open(
        self, clock: Clock | None = None, ids: Ids | None = None, *, busy_timeout_s: float = 10
    ) -> Store:
        """Open the store."""
        ...

    def bring_to_newer_schema(self) -> int:
        """Migrate the store to a schema that is not known here, and return its version."""
        ...

    def run(self, sql: str, params: Sequence[object] = ()) -> list[Any]:
        """Run SQL past the store, with the rights of whoever owns the database."""
        ...

    def tamper(self, sql: str) -> None:
        """Run SQL past the guards of the ledger too, and leave no trace of that."""
        ...


class SqlitePlace:
    """A store in a file."""

    refusals = apsw.ConstraintError
    ways_around = (
        "INSERT OR REPLACE INTO ledger SELECT * FROM ledger WHERE seq = 3",
        "REPLACE INTO ledger SELECT * FROM ledger WHERE seq = 15",
        """INSERT OR IGNORE INTO ledger SELECT 99, * FROM (
            SELECT zeroblob(16), recorded_at, owner, actor, actor_kind, session_id, kind, NULL,
                   payload, salt, commitment, chain FROM ledger)""",
        # The next place, but the identifier of another line: REPLACE would delete that one.
        f"INSERT OR REPLACE INTO ledger SELECT 16, {_REST} FROM ledger WHERE seq = 3",
        "UPDATE OR IGNORE ledger SET owner = 'mallory'",
        "UPDATE OR REPLACE ledger SET seq = 1 WHERE seq = 3",
    )
    text_edits = (
        "INSERT INTO episode_terms (rowid, terms) VALUES (99, '_2 never')",
        "INSERT INTO episode_terms (episode_terms) VALUES ('delete-all')",
        "DELETE FROM episode_terms_data WHERE id > 10",
    )
    vector_edits = (
        "UPDATE vectors SET vector = zeroblob(length(vector)) WHERE seq = 2",
        "UPDATE vectors SET seq = 3 WHERE seq = 2",
        "UPDATE spaces SET vector_count = vector_count + 1",
        "UPDATE spaces SET space = 'other'",
        "DELETE FROM vectors WHERE seq = 2",
    )
    first_16 = "substr(commitment, 1, 16)"
    has_backups = True
    size_share = 1

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.path = folder / "tilth.db"
        self.state = folder / "state"
        self.heads = heads_path(self.path)
        self.clock = FixedClock(step=timedelta(milliseconds=1))
        self._ids = CountingIds()

    def around(
        self, clock: Clock | None = None, ids: Ids | None = None, busy_timeout_s: float = 10
    ) -> StoreEnvironment:
        return StoreEnvironment(clock or self.clock, ids or self._ids, self.state, busy_timeout_s)

    def create(self) -> None:
        create_store(self.path, self.around())

    def copy(self, other: Self) -> None:
        shutil.copytree(other.folder, self.folder, dirs_exist_ok=True)
        self.clock.at, self._ids = other.clock.at, deepcopy(other._ids)

    def remove(self) -> None:
        pass

    def open(
        self, clock: Clock | None = None, ids: Ids | None = None, *, busy_timeout_s: float = 10
    ) -> Store:
        return open_store(self.path, self.around(clock, ids, busy_timeout_s))

    def bring_to_newer_schema(self) -> int:
        known = sqlite_schema.known_migrations()
        newer = Migration(known[-1].version + 1, f"{_NOVELTIES} STRICT")
        open_store(self.path, self.around(), migrations=(*known, newer)).close()
        return newer.version

    def run(self, sql: str, params: Sequence[object] = ()) -> list[Any]:
        with self._past_the_store() as conn:
            return conn.execute(sql, params).fetchall()

    def tamper(self, sql: str, params: Sequence[object] = ()) -> None:
        # One connection and one transaction: there are hundreds of guards.
        with self._past_the_store() as conn, conn:
            found = conn.execute("SELECT name, sql FROM sqlite_schema WHERE type = 'trigger'")
            guards = found.fetchall()
            for name, _ in guards:
                conn.execute(f"DROP TRIGGER {name}")
            conn.execute(sql, params)
            for _, definition in guards:
                conn.execute(str(definition))

    @contextmanager
    def _past_the_store(self) -> Iterator[apsw.Connection]:
        with closing(apsw.Connection(str(self.path))) as conn:
            # A process beside the test may be migrating.
            conn.set_busy_timeout(10_000)
            configure(conn)
            register_functions(conn)
            yield conn


class PostgresServer:
    """A server of databases, over one connection of whoever owns it."""

    def __init__(self, url: str) -> None:
        self.url = url
        self._conn = psycopg.connect(url, autocommit=True)
        self._left = ""

    def __getstate__(self) -> str:  # type: ignore[explicit-override] # from typing in 3.12 alone
        """Return what another process connects to by itself."""
        return self.url

    def __setstate__(self, url: str) -> None:
        self.__init__(url)  # type: ignore[misc]

    def run(self, sql: str) -> None:
        self._conn.execute(sql)

    def copy(self, name: str, template: str) -> None:
        """Copy a database that nobody is connected to."""
        self.run(f"CREATE DATABASE {name} TEMPLATE {template} STRATEGY file_copy")

    def drop(self, name: str) -> None:
        """
        Drop the database that was to be dropped before, and then this one.

        The server waits a tenth of a second where a connection to it is just being closed.
        """
        if self._left:
            self.run(f"DROP DATABASE {self._left} WITH (FORCE)")
        self._left = name

    def close(self) -> None:
        self._conn.close()


class PostgresPlace:
    """A store in a database of its own, or in one that is lent to it."""

    refusals = (psycopg.IntegrityError, psycopg.errors.GeneratedAlways)
    ways_around = (
        "TRUNCATE ledger",
        "TRUNCATE ledger CASCADE",
        "SET session_replication_role = replica; DELETE FROM ledger",
        """MERGE INTO ledger l USING (SELECT 3 AS seq) s ON l.seq = s.seq
        WHEN MATCHED THEN UPDATE SET owner = 'mallory'""",
        "INSERT INTO ledger SELECT * FROM ledger WHERE seq = 3 ON CONFLICT DO NOTHING",
        f"""INSERT INTO ledger SELECT 16, {_REST} FROM ledger WHERE seq = 3
        ON CONFLICT (event_id) DO UPDATE SET owner = 'mallory'""",
    )
    text_edits = (
        "INSERT INTO episode_terms VALUES (99, 0, $$'_2' 'never'$$)",
        "INSERT INTO episode_terms SELECT seq, 1, terms FROM episode_terms WHERE seq = 3",
        "UPDATE episode_terms SET terms = terms || $$'never'$$ WHERE seq = 3",
        "UPDATE episode_terms SET terms = ts_delete(terms, 'kettl') WHERE seq = 3",
        "UPDATE episode_terms SET terms = $$'_3'$$ WHERE seq = 3",
        "DELETE FROM episode_terms WHERE seq = 3",
    )
    vector_edits = (
        "UPDATE vectors SET vector = vector + vector WHERE seq = 2",
        "UPDATE vectors SET seq = 3 WHERE seq = 2",
        "UPDATE vectors SET crc = crc + 1 WHERE seq = 2",
        "UPDATE spaces SET vector_count = vector_count + 1",
        "UPDATE spaces SET space = 'other'",
        "DELETE FROM vectors WHERE seq = 2",
    )
    first_16 = "substring(commitment FROM 1 FOR 16)"
    has_backups = False
    size_share = 10

    def __init__(
        self, server: PostgresServer, name: str, folder: Path, lender: Databases | None = None
    ) -> None:
        self.name = self._label = name
        self.schema = f"in_{name}"
        self.state = folder / "state"
        self.clock = FixedClock(step=timedelta(milliseconds=1))
        self._ids = CountingIds()
        self._server = server
        self._lender = lender
        self._lent: Database | None = None
        self._has_database = False

    def __getstate__(self) -> dict[str, Any]:  # type: ignore[explicit-override] # from 3.12 alone
        """Return what another process opens it by, which may outlive the test."""
        if self._lent is not None:
            self._lent.is_known_elsewhere = True
        return {**self.__dict__, "_lender": None, "_lent": None}

    @property
    def url(self) -> str:
        """Where the store is."""
        return url_of(self._server.url, self.name, self._label, self.schema)

    @property
    def heads(self) -> Path:
        (path,) = self.state.glob("*.heads")
        return path

    def around(
        self, clock: Clock | None = None, ids: Ids | None = None, busy_timeout_s: float = 10
    ) -> StoreEnvironment:
        return StoreEnvironment(clock or self.clock, ids or self._ids, self.state, busy_timeout_s)

    def create(self) -> None:
        if not self._has_database:
            self._server.run(f"CREATE DATABASE {self.name}")
            self.run(f"CREATE EXTENSION vector SCHEMA public; CREATE SCHEMA {self.schema}")
            self.run(_USED)
            self._has_database = True
        postgres.create_store(self.url, self.around())

    def copy(self, other: Self) -> None:
        if self._lender is None:
            self._server.copy(self.name, other.name)
        else:
            self._lent = self._lender.lend(self.name, other.name, other.schema)
            self.name, self._label = self._lent.name, self._lent.label
        self._has_database, self.schema = True, other.schema
        # Heads are kept by the address of a store: the first that opens the copy signs its own.
        ignored = shutil.ignore_patterns("*.heads")
        if other.state.exists():
            shutil.copytree(other.state, self.state, ignore=ignored)
        self.clock.at, self._ids = other.clock.at, deepcopy(other._ids)

    def remove(self) -> None:
        if self._lender and self._lent:
            self._lender.take_back(self._lent)
        elif self._has_database:
            self._server.drop(self.name)
        self._lent, self._has_database = None, False

    def open(
        self, clock: Clock | None = None, ids: Ids | None = None, *, busy_timeout_s: float = 10
    ) -> Store:
        return postgres.open_store(self.url, self.around(clock, ids, busy_timeout_s))

    def bring_to_newer_schema(self) -> int:
        known = postgres_schema.known_migrations()
        newer = Migration(known[-1].version + 1, _NOVELTIES)
        postgres.open_store(self.url, self.around(), migrations=(*known, newer)).close()
        return newer.version

    def run(self, sql: str, params: Sequence[object] = ()) -> list[Any]:
        with psycopg.connect(self.url, autocommit=True) as conn:
            conn.execute(WRITING.replace("LOCAL", "SESSION"))
            cursor = conn.execute(sql, params or None)
            return cursor.fetchall() if cursor.description else []

    def tamper(self, sql: str) -> None:
        self.run(f"""
            ALTER TABLE ledger DISABLE TRIGGER USER;
            {sql};
            DO $$ DECLARE guard name; BEGIN
                -- An older schema has fewer of them.
                FOR guard IN SELECT tgname FROM pg_trigger
                    WHERE tgrelid = 'ledger'::regclass AND NOT tgisinternal
                LOOP EXECUTE format('ALTER TABLE ledger ENABLE ALWAYS TRIGGER %I', guard);
                END LOOP;
            END $$;
        """)
