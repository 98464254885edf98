"""PostgreSQL as an engine of the store: one writer at a time, any number of readers."""

import queue
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from functools import partial
from pathlib import Path

from pgvector.psycopg.vector import register_vector_info
from psycopg.pq import TransactionStatus
from psycopg.types import TypeInfo

from tilth.core.errors import TilthError, UnsupportedError
from tilth.ledger.engine import (
    EPISODES,
    FACTS,
    Connection,
    Finding,
    OwnConnection,
    TextIndex,
    Texts,
    check_schema,
    closed_on_error,
)
from tilth.ledger.postgres.connection import (
    INTEGERS,
    Address,
    PostgresConnection,
    RawConnection,
    connect,
    translated_errors,
)
from tilth.ledger.postgres.open_database import prepare
from tilth.ledger.postgres.schema import WRITING, known_migrations
from tilth.ledger.postgres.text import PostgresText
from tilth.ledger.postgres.vacuum import write_tables_anew
from tilth.ledger.postgres.vectors import PostgresVectors
from tilth.ledger.tables import Migration

# Each thread that reads or writes has a connection of its own; this many are kept for the next.
_IDLE_MAX = 8
# The lock comes before the snapshot, which the first query takes: so no writer sees an old tail.
_WRITE = (
    b"BEGIN ISOLATION LEVEL REPEATABLE READ; LOCK TABLE tilth_store IN EXCLUSIVE MODE; "
    + WRITING.encode()
)
_READ = b"BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"
# Temporary tables are not for those who only read; what is made here is rolled back.
_CHECK = b"BEGIN ISOLATION LEVEL REPEATABLE READ"
# Asked with each of them: what answers in one go costs no second way to the server.
_SCHEMA = b"; SELECT schema_version FROM tilth_store"
_OPEN = {TransactionStatus.INTRANS, TransactionStatus.INERROR}


class PostgresEngine:
    """The store in one schema of a database. See `tilth.ledger.engine.Engine`."""

    integers = INTEGERS
    like = "ILIKE"

    def __init__(
        self,
        address: Address,
        *,
        busy_timeout_s: float,
        migrations: Sequence[Migration] | None = None,
    ) -> None:
        self.address = address
        self.text: Texts[TextIndex] = Texts(PostgresText(EPISODES), PostgresText(FACTS))
        self.vectors = PostgresVectors()
        self._busy_timeout_s = busy_timeout_s
        self._schema = (migrations or known_migrations())[-1].version
        self._idle: queue.LifoQueue[RawConnection] = queue.LifoQueue(_IDLE_MAX)
        self._is_closed = False
        raw = connect(address, busy_timeout_s=busy_timeout_s)
        try:
            prepare(raw, address, migrations=migrations)
            with translated_errors(address):
                self._vector = TypeInfo.fetch(raw, "vector")
                register_vector_info(raw, self._vector)
        except BaseException:
            raw.close()
            raise
        # It takes a while to connect, and whoever opens a store will read it.
        self._put_back(raw)

    @contextmanager
    def writing(self) -> Iterator[PostgresConnection]:
        """
        Open the one write transaction; leaving it commits durably.

        Raises:
            NewerSchemaError: a newer program brought the store to another schema since it was
                opened.
        """
        with self._transaction(_WRITE) as raw:
            conn = PostgresConnection(raw, self.address, is_writing=True)
            yield conn
            conn.check_unbroken()

    @contextmanager
    def reading(self) -> Iterator[PostgresConnection]:
        """
        Open a read-only snapshot.

        Raises:
            NewerSchemaError: as for `writing`.
        """
        with self._transaction(_READ) as raw:
            yield PostgresConnection(raw, self.address, is_still=True)

    @contextmanager
    def checking(self) -> Iterator[PostgresConnection]:
        """Open a snapshot on which temporary tables may be made; they go with it."""
        raw = self._begun(_CHECK)
        try:
            yield PostgresConnection(raw, self.address)
        finally:
            # It is rolled back.
            self._put_back(raw)

    @contextmanager
    def own_connection(self) -> Iterator[OwnConnection]:
        """Open a connection for several transactions; it is closed behind them."""
        with closing(self._connect()) as raw:
            yield OwnConnection(partial(self._own, raw, _CHECK), partial(self._own, raw, _WRITE))

    @contextmanager
    def _own(self, raw: RawConnection, begin: bytes) -> Iterator[PostgresConnection]:
        """Open a transaction on a connection that is nobody else's; it is closed in the end."""
        self._begin(raw, begin)
        conn = PostgresConnection(raw, self.address, is_writing=begin == _WRITE)
        yield conn
        conn.check_unbroken()
        with translated_errors(self.address):
            raw.execute(b"COMMIT")

    def damage(self, conn: Connection) -> Iterator[Finding]:
        """
        Find nothing: PostgreSQL has no check of its own that any role may run.

        It compares each page with its checksum as it is read, and the checks
        of ledger, projections and indexes read them all.
        """
        del conn
        return iter(())

    def purge(self) -> None:
        """
        Write every table anew that holds or held a row, so that no dead one is left in its files.

        The server's own log, its archive and its replicas keep what they keep for as long as
        they do: nobody but the server's keeper can say how long.
        """
        with closing(self._connect()) as raw, translated_errors(self.address):
            write_tables_anew(raw, self.address, wait_s=self._busy_timeout_s)

    def backup(self, target: str, check: Callable[[Path], object]) -> None:
        """
        Name the tool that copies a database.

        Raises:
            UnsupportedError: always.
        """
        del check
        raise UnsupportedError(
            "PostgreSQL makes its own backups",
            hint=f"pg_dump --format=custom --file={target} URL; see docs/howto/postgres.md",
        )

    def close(self) -> None:
        """Close every connection; one that is at work, after that. Calling it twice is no harm."""
        self._is_closed = True
        while not self._idle.empty():
            self._idle.get().close()

    @contextmanager
    def _transaction(self, begin: bytes) -> Iterator[RawConnection]:
        raw = self._begun(begin)
        try:
            yield raw
        except BaseException:
            self._put_back(raw)
            raise
        with translated_errors(self.address):
            try:
                raw.execute(b"COMMIT")
            finally:
                self._put_back(raw)

    def _begun(self, begin: bytes) -> RawConnection:
        """Return a connection inside a transaction; one that died while it lay idle is replaced."""
        while True:
            try:
                raw, is_new = self._idle.get_nowait(), False
            except queue.Empty:
                raw, is_new = self._connect(), True
            try:
                self._begin(raw, begin)
            except TilthError:
                has_died = raw.closed
                self._put_back(raw)
                if is_new or not has_died:
                    raise
            else:
                return raw

    def _begin(self, raw: RawConnection, begin: bytes) -> None:
        with translated_errors(self.address):
            answers = raw.execute(begin + _SCHEMA)
            while answers.nextset():
                pass
            ((now,),) = answers.fetchall()
        check_schema(self.address.name, self._schema, now)

    def _connect(self) -> RawConnection:
        raw = connect(self.address, busy_timeout_s=self._busy_timeout_s)
        with translated_errors(self.address), closed_on_error(raw):
            register_vector_info(raw, self._vector)
        return raw

    def _put_back(self, raw: RawConnection) -> None:
        """Keep a connection for the next, outside of any transaction; a broken one is let go."""
        if raw.pgconn.transaction_status in _OPEN:
            # Not `raw.rollback()`: it forgets what is prepared, and all would be planned anew.
            raw.pgconn.exec_(b"ROLLBACK")
        if raw.pgconn.transaction_status == TransactionStatus.IDLE and not self._is_closed:
            with suppress(queue.Full):
                self._idle.put_nowait(raw)
                return
        raw.close()
