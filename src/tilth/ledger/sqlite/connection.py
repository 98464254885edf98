"""One SQLite connection, with its errors turned into Tilth's."""

import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

import apsw

from tilth.core.errors import ConflictError, CorruptionError, TilthError, UnavailableError
from tilth.core.io.paths import under_real_folder
from tilth.ledger.engine import Row, SharedConnection, filled_among, lone_surrogate_error

# What definitions of tables call the engine's types (`tilth.core.table`).
TYPES = {
    "integer": "INTEGER",
    "blob": "BLOB",
    "strict": "STRICT",
    "keyed": "STRICT, WITHOUT ROWID",
    "bytewise": "",
    "aside": "TEMPORARY TABLE",
}
INTEGERS = "(SELECT value FROM json_each(?))"
# A store is read beside a log, which takes that much.
_ROOM_MIN = 1 << 20
# A garden asks 350 different statements in turn, and to prepare one that writes takes longer than
# to run it. They take 100 kB more than the hundred that apsw keeps.
_PREPARED_MAX = 400
MODE = apsw.SQLITE_OPEN_READWRITE | apsw.SQLITE_OPEN_NOFOLLOW
_STILL = apsw.SQLITE_OPEN_READONLY | apsw.SQLITE_OPEN_NOFOLLOW | apsw.SQLITE_OPEN_URI


@contextmanager
def translated_errors(path: Path) -> Iterator[None]:
    """Translate what SQLite raises about the store at *path*."""
    try:
        yield
    except (apsw.Error, UnicodeError) as error:
        raise _translated(error, path) from error


def _translated(error: apsw.Error | UnicodeError, path: Path) -> TilthError:
    match error:
        case UnicodeError():
            return _of_text(error, path)
        case apsw.BusyError() | apsw.LockedError():
            return UnavailableError(
                f"the store {path.name} is busy", hint="another process is writing; try again"
            )
        case apsw.FullError():
            return _no_space(path)
        case apsw.IOError() | apsw.CantOpenError() | apsw.ReadOnlyError() | apsw.PermissionsError():
            return _unopened(error, path)
        case apsw.ConstraintError():
            return ConflictError(f"the database refused it: {error}")
        case _:
            return CorruptionError(
                f"{path.name} is damaged: {error}", hint="`tilth doctor` names what mends it"
            )


def _of_text(error: UnicodeError, path: Path) -> TilthError:
    if isinstance(error, UnicodeEncodeError):
        return lone_surrogate_error(error)
    return CorruptionError(f"{path.name} holds text that is not UTF-8")


def _unopened(error: apsw.Error, path: Path) -> UnavailableError:
    if path.is_symlink():
        return UnavailableError(
            f"{path} is a link, and a store is opened under its own name alone",
            hint=f"name the file: {path.resolve()}",
        )
    if path.is_dir():
        return UnavailableError(f"{path} is a folder", hint=f"name the file: {path / 'tilth.db'}")
    # Its log lies beside it, and is made by whoever reads, too.
    locked = [one for one in (path, path.parent) if one.exists() and not os.access(one, os.W_OK)]
    if locked:
        return UnavailableError(
            f"{locked[0]} cannot be written by this user",
            hint="to record, copy it to where you may write, and name the copy with --store",
        )
    # A log takes room even where somebody only reads, and SQLite says no more than "I/O error".
    if path.parent.is_dir() and _is_full(path.parent):
        return _no_space(path)
    return UnavailableError(f"cannot read or write {path}: {error}")


def _is_full(folder: Path) -> bool:
    room = os.statvfs(folder)
    return room.f_bavail * room.f_frsize < _ROOM_MIN


def _no_space(path: Path) -> UnavailableError:
    return UnavailableError(
        f"no space is left on the disk for {path}", hint="free some and try again"
    )


def connect(path: Path, *, busy_timeout_s: float) -> apsw.Connection:
    """Open an existing file with the settings that our promises rest on."""
    name = under_real_folder(path)
    conn = apsw.Connection(name, flags=MODE, statementcachesize=_PREPARED_MAX)
    conn.set_busy_timeout(int(busy_timeout_s * 1000))
    configure(conn)
    return conn


def connect_read_only(path: Path) -> apsw.Connection:
    """Open an existing file to be read alone; nothing in it changes, and nothing comes beside."""
    # Where no log says more, the file is all there is. Told so, SQLite makes none to read it.
    is_alone = not any(_size(path.with_name(path.name + log)) for log in ("-wal", "-journal"))
    uri = f"{Path(under_real_folder(path)).as_uri()}?immutable={int(is_alone)}"
    return apsw.Connection(uri, flags=_STILL)


def _size(path: Path) -> int:
    try:
        return path.stat().st_size
    except FileNotFoundError:
        return 0


def is_readable_at_most(path: Path) -> bool:
    """Say whether a store can be read at most, since its log has no place beside it."""
    folder = path.parent
    return folder.is_dir() and (not os.access(folder, os.W_OK) or _is_full(folder))


def configure(conn: apsw.Connection) -> None:
    """Set what SQLite forgets between connections."""
    # NORMAL loses acknowledged commits in a power cut (DESIGN §6).
    conn.execute("PRAGMA synchronous = FULL")
    # On macOS a plain fsync leaves a commit in the drive's cache; elsewhere these change nothing.
    conn.execute("PRAGMA fullfsync = ON")
    conn.execute("PRAGMA checkpoint_fullfsync = ON")
    # Without it INSERT OR REPLACE walks past the triggers that keep the ledger append-only.
    conn.execute("PRAGMA recursive_triggers = ON")
    conn.execute("PRAGMA foreign_keys = ON")
    conn.execute("PRAGMA secure_delete = ON")
    # In KiB. A question reads some thousand pages; the default keeps 250.
    conn.execute("PRAGMA cache_size = -32768")


def use_write_ahead_log(conn: apsw.Connection) -> None:
    """
    Let the file have a write-ahead log, so that nobody who reads waits for one who writes.

    The file remembers it. A backup has none, and gets one when it is written to: whoever
    only reads it leaves it as it is, which may be on a medium that cannot be written.
    """
    conn.execute("PRAGMA journal_mode = WAL")


def _aside(table: str) -> str:
    """Return what a temporary table is called while its name means the stored one."""
    return f"{table}_aside"


class SqliteConnection(SharedConnection):
    """A connection inside a transaction. See `tilth.ledger.engine.Connection`."""

    def __init__(
        self, conn: apsw.Connection, path: Path, *, is_writing: bool = False, is_still: bool = False
    ) -> None:
        self.raw = conn
        self.is_writing = is_writing
        self._path = path
        self._behind: frozenset[str] = frozenset()
        super().__init__(is_still=is_still)
        # Making a cursor takes as long as running a small statement; `rows` leaves none open.
        self._cursor = conn.cursor()

    def rows(self, sql: str, params: Sequence[object] = ()) -> list[Row]:
        """Run one statement and return its rows."""
        # Spelt out here: a context manager costs as much as a small statement.
        try:
            return self._cursor.execute(sql, params).fetchall()
        except (apsw.Error, UnicodeError) as error:
            self._has_failed = True
            raise _translated(error, self._path) from error

    def stream(self, sql: str, params: Sequence[object] = ()) -> Iterator[Row]:
        """Run one statement and yield its rows in bounded memory."""
        with self._watched():
            cursor = self.raw.execute(sql, params)
            try:
                # `yield from` would close the cursor of whoever reads no further, and that raises
                # where something is wrong behind.
                for row in cursor:  # noqa: UP028
                    yield row
            finally:
                cursor.close(True)

    @property
    def types(self) -> Mapping[str, str]:
        """What SQLite calls the types in a table's definition."""
        return TYPES

    def stored(self, table: str) -> str:
        """Return the name of the stored table."""
        return f"main.{table}"

    def temporary(self, table: str) -> str:
        """Return the name of the temporary table."""
        return f"temp.{_aside(table)}" if table in self._behind else f"temp.{table}"

    def filled(self, tables: Sequence[str]) -> list[str]:
        """Return which of the stored *tables* hold a row."""
        return filled_among(self, tables)

    def empty(self, tables: Sequence[str]) -> None:
        """Delete every row of *tables*, page by page: a trigger would make it row by row."""
        self.raw.config(apsw.SQLITE_DBCONFIG_ENABLE_TRIGGER, 0)
        try:
            for table in tables:
                self.rows(f"DELETE FROM {self.stored(table)}")  # noqa: S608 - a name of ours
        finally:
            self.raw.config(apsw.SQLITE_DBCONFIG_ENABLE_TRIGGER, 1)

    def unshadow(self, tables: Sequence[str], *, is_kept: bool = False) -> None:
        """Let the names of *tables* mean the stored ones again."""
        for table in tables:
            if is_kept:
                self.rows(f"ALTER TABLE temp.{table} RENAME TO {_aside(table)}")
            else:
                self.rows(f"DROP TABLE temp.{table}")
        self._behind = frozenset(tables) if is_kept else frozenset()

    @contextmanager
    def _watched(self) -> Iterator[None]:
        with translated_errors(self._path):
            try:
                yield
            except apsw.Error:
                self._has_failed = True
                raise
