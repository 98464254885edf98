"""SQLite as an engine of the store: one writer at a time, any number of readers."""

import logging
import queue
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from functools import partial
from pathlib import Path

import apsw

from tilth.core.errors import TilthError, UnavailableError
from tilth.ledger.engine import (
    BUSY_TIMEOUT_S,
    EPISODES,
    FACTS,
    Connection,
    Finding,
    OwnConnection,
    TextIndex,
    Texts,
    VectorIndex,
    check_schema,
    closed_error,
)
from tilth.ledger.sqlite.backup import copy_database
from tilth.ledger.sqlite.connection import (
    INTEGERS,
    SqliteConnection,
    connect,
    connect_read_only,
    is_readable_at_most,
    translated_errors,
    use_write_ahead_log,
)
from tilth.ledger.sqlite.known_schema import KnownSchema
from tilth.ledger.sqlite.open_database import prepare
from tilth.ledger.sqlite.text import SqliteText, register_functions
from tilth.ledger.tables import Migration

logger = logging.getLogger(__name__)

_AGAIN_S = 0.02
# What a check of its own turns off, see `checking`, holds for everybody else's rows.
_DAMAGE = """
PRAGMA ignore_check_constraints = OFF;
PRAGMA integrity_check(20);
PRAGMA ignore_check_constraints = ON;
"""


class SqliteEngine:
    """The store in one SQLite file. See `tilth.ledger.engine.Engine`."""

    integers = INTEGERS
    like = "LIKE"

    def __init__(
        self,
        path: Path,
        *,
        busy_timeout_s: float = BUSY_TIMEOUT_S,
        migrations: Sequence[Migration] | None = None,
        known: KnownSchema | None = None,
    ) -> None:
        self.path = path
        self._busy_timeout_s = busy_timeout_s
        # Why nothing is written, where the file can be read and its log has no place.
        self._refusal: UnavailableError | None = None
        prepared = self._prepared(migrations, known)
        self.text: Texts[TextIndex] = Texts(SqliteText(EPISODES), SqliteText(FACTS))
        self._vectors: VectorIndex | None = None
        self._vectors_lock = threading.Lock()
        self._writer: apsw.Connection | None = None
        self._file = _identity(path)
        self._write_lock = threading.Lock()
        self._is_closed = False
        self._readers: queue.LifoQueue[apsw.Connection] = queue.LifoQueue()
        # It has read the schema, which takes longer than all else of opening a file.
        with translated_errors(path):
            self._schema = _schema_of(prepared)
            prepared.set_busy_timeout(int(busy_timeout_s * 1000))
        self._release(prepared)

    def _prepared(
        self, migrations: Sequence[Migration] | None, known: KnownSchema | None
    ) -> apsw.Connection:
        """Return a first connection: one that reads alone where no other can be had."""
        how = partial(prepare, self.path, migrations=migrations, known=known)
        try:
            return how()
        except UnavailableError as error:
            if not is_readable_at_most(self.path):
                raise
            try:
                found = how(connecting=connect_read_only)
            except TilthError:
                raise error from None
            self._refusal = error.with_traceback(None)
        logger.warning("the store is read, and nothing is recorded: %s", self._refusal)
        return found

    @property
    def vectors(self) -> VectorIndex:
        """The vectors. They bring numpy, for who asks."""
        with self._vectors_lock:
            if self._vectors is None:
                from tilth.ledger.sqlite.vectors import SqliteVectors  # noqa: PLC0415 - for who asks

                self._vectors = SqliteVectors()
            return self._vectors

    @contextmanager
    def writing(self, own: apsw.Connection | None = None) -> Iterator[SqliteConnection]:
        """
        Open the one write transaction; leaving it commits durably.

        It takes the write lock at once: a transaction that reads first and
        upgrades later fails as soon as another writer came between.

        Raises:
            UnavailableError: another thread or process is writing for too long, or the file was
                moved, removed or replaced since it was opened: what is written would be lost; or
                its log has no place.
            NewerSchemaError: a newer program brought it to another schema since then.
        """
        if (refusal := self._read_only_reason()) is not None:
            raise UnavailableError(str(refusal), hint=refusal.hint)
        with self._write_locked():
            if self._is_closed:
                raise closed_error()
            if _identity(self.path) != self._file:
                raise UnavailableError(
                    f"{self.path} is no longer the file that was opened",
                    hint="somebody moved, removed or replaced it; start this process again",
                )
            raw = self._writer_connection() if own is None else own
            with self._transaction(raw, is_writing=True) as conn:
                yield conn
                conn.check_unbroken()

    @contextmanager
    def _write_locked(self) -> Iterator[None]:
        """Keep every other thread from writing."""
        if not self._write_lock.acquire(timeout=self._busy_timeout_s):
            raise UnavailableError(
                f"the store {self.path.name} is busy", hint="another thread is writing; try again"
            )
        try:
            yield
        finally:
            self._write_lock.release()

    @contextmanager
    def reading(self) -> Iterator[SqliteConnection]:
        """
        Open a read-only snapshot.

        Raises:
            NewerSchemaError: a newer program brought the store to another schema since it was
                opened.
        """
        self._read_only_reason()
        try:
            raw = self._readers.get_nowait()
        except queue.Empty:
            raw = self._connect()
        try:
            with self._transaction(raw, is_still=True) as conn:
                yield conn
        finally:
            self._release(raw)

    def _release(self, raw: apsw.Connection) -> None:
        """Keep a reader for the next; one that reads a still file may be wrong by then."""
        if raw.open_flags & apsw.SQLITE_OPEN_READWRITE and not self._is_closed:
            self._readers.put(raw)
        else:
            raw.close()

    def _read_only_reason(self) -> UnavailableError | None:
        """Return why the file is read alone; once that is over, it is not any more."""
        if self._refusal is not None and not is_readable_at_most(self.path):
            self._refusal = None
        return self._refusal

    @contextmanager
    def checking(self) -> Iterator[SqliteConnection]:
        """Open a snapshot of its own connection, on which temporary tables may be made."""
        with closing(self._connect()) as raw, self._transaction(raw) as conn:
            # A replayed row that breaks a CHECK is in no stored table, so comparing shows it;
            # SQLite takes as long to check a list of words as to insert the row.
            raw.execute("PRAGMA ignore_check_constraints = ON")
            yield conn

    @contextmanager
    def own_connection(self) -> Iterator[OwnConnection]:
        """Open a connection for several transactions; it is closed behind them."""
        with closing(self._connect()) as raw:
            yield OwnConnection(partial(self._transaction, raw), partial(self.writing, raw))

    def damage(self, conn: Connection) -> Iterator[Finding]:
        """Run SQLite's own integrity check."""
        for (problem,) in conn.stream(_DAMAGE):
            if problem != "ok":
                yield Finding("database", None, str(problem))

    def purge(self) -> None:
        """
        Rewrite the file, and empty its log.

        Deleted content is overwritten where it lay (`secure_delete`), but a page that was split
        may hold a second copy of a row in its unused part: only writing all pages anew is proof.
        """
        with self._write_locked():
            self._close_idle_readers()
            raw = self._writer_connection()
            with translated_errors(self.path):
                raw.execute("VACUUM")
                is_emptied = self._is_log_emptied(raw)
        if not is_emptied:
            raise UnavailableError(
                f"another process still reads the old state of {self.path.name}",
                hint="end it, the worker or an agent's server, then run: tilth worker --once",
            )

    def _is_log_emptied(self, raw: apsw.Connection) -> bool:
        """Write the log into the file and empty it; say whether that was possible."""
        ends_at = time.monotonic() + self._busy_timeout_s
        # SQLite waits for who reads, but not for who writes the log into the file right now.
        while (is_busy := raw.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()[0][0]) != 0:
            if time.monotonic() >= ends_at:
                break
            time.sleep(_AGAIN_S)
        return not is_busy

    def backup(self, target: str, check: Callable[[Path], object]) -> None:
        """Copy one snapshot of the store to the file *target*, unless *check* refuses the copy."""
        with translated_errors(self.path), closing(self._connect()) as raw:
            copy_database(raw, Path(target), check=check)

    def close(self) -> None:
        """Close every connection, after what is being written. Calling it twice does no harm."""
        with self._write_locked(), translated_errors(self.path):
            self._is_closed = True
            self._close_idle_readers()
            if self._writer is not None:
                self._writer.close()

    def _close_idle_readers(self) -> None:
        """Close what waits to be used again; what it keeps in memory goes with it."""
        with translated_errors(self.path):
            while not self._readers.empty():
                self._readers.get().close()

    def _connect(self) -> apsw.Connection:
        with translated_errors(self.path):
            if self._refusal is None:
                raw = connect(self.path, busy_timeout_s=self._busy_timeout_s)
            else:
                raw = connect_read_only(self.path)
            register_functions(raw)
        return raw

    def _writer_connection(self) -> apsw.Connection:
        """Return the connection that writes, made once somebody does."""
        if self._writer is None:
            raw = self._connect()
            with translated_errors(self.path):
                use_write_ahead_log(raw)
            self._writer = raw
        return self._writer

    @contextmanager
    def _transaction(
        self, raw: apsw.Connection, *, is_writing: bool = False, is_still: bool = False
    ) -> Iterator[SqliteConnection]:
        with translated_errors(self.path):
            raw.execute("BEGIN IMMEDIATE" if is_writing else "BEGIN")
        try:
            with translated_errors(self.path):
                now = _schema_of(raw)
            check_schema(self.path.name, self._schema, now)
            yield SqliteConnection(raw, self.path, is_writing=is_writing, is_still=is_still)
        except BaseException:
            with translated_errors(self.path):
                # A full disk or a corrupt page may have rolled back already.
                if raw.in_transaction:
                    raw.execute("ROLLBACK")
            raise
        with translated_errors(self.path):
            self._commit(raw)

    def _commit(self, raw: apsw.Connection) -> None:
        try:
            raw.execute("COMMIT")
        except apsw.Error:
            if raw.in_transaction:
                raw.execute("ROLLBACK")
            raise


def _schema_of(raw: apsw.Connection) -> int:
    ((version,),) = raw.execute("PRAGMA user_version").fetchall()
    assert isinstance(version, int)
    return version


def _identity(path: Path) -> tuple[int, int] | None:
    """Return what tells the file at *path* from any other; None where there is none."""
    try:
        known = path.stat()
    except FileNotFoundError:
        return None
    return known.st_dev, known.st_ino
