"""
Open a store file: check that SQLite is safe, the file is Tilth's, the schema is known.

Whatever is not as expected is refused with the reason. Nothing is created where a store was
expected, and nothing is repaired silently.
"""

import os
from collections.abc import Callable, Iterator, Sequence
from collections.abc import Set as AbstractSet
from contextlib import closing, contextmanager
from functools import lru_cache
from pathlib import Path
from typing import TypeAlias

import apsw

from tilth.core.errors import (
    CorruptionError,
    ForeignStoreError,
    NewerSchemaError,
    StoreMissingError,
    UnavailableError,
    UnsafeSqliteError,
)
from tilth.core.io.atomic_file import make_private
from tilth.core.io.os_errors import unavailable
from tilth.ledger.engine import (
    BUSY_TIMEOUT_S,
    REMAKING,
    RESTORING,
    closed_on_error,
    listed,
)
from tilth.ledger.sqlite.backup import copy_database
from tilth.ledger.sqlite.connection import (
    configure,
    connect,
    connect_read_only,
    translated_errors,
    use_write_ahead_log,
)
from tilth.ledger.sqlite.known_schema import KnownSchema, shape_of
from tilth.ledger.sqlite.schema import APPLICATION_ID, PAGE_BYTES, known_migrations
from tilth.ledger.sqlite.text import register_functions
from tilth.ledger.tables import Migration

# The WAL-reset race loses committed transactions; fixed in these (sqlite.org, 2026-03-13).
_FIXED = (3, 51, 3)
_FIXED_BRANCHES = {(3, 44): 6, (3, 50): 7}
_Row: TypeAlias = tuple[object, ...]
# What else a store has is made from it.
_LEDGER_TABLES = frozenset({"ledger"})
_SCHEMA = """
SELECT type, name, tbl_name, sql FROM sqlite_schema
WHERE name NOT LIKE 'sqlite_%' ORDER BY type, name
"""


def check_sqlite(version: str) -> None:
    """
    Refuse a SQLite that can lose what it committed.

    Raises:
        UnsafeSqliteError: *version* is one of those.
    """
    major, minor, patch = (int(part) for part in version.split(".")[:3])
    if (major, minor, patch) >= _FIXED or patch >= _FIXED_BRANCHES.get((major, minor), patch + 1):
        return
    raise UnsafeSqliteError(
        f"SQLite {version} can lose committed transactions (the WAL-reset race)",
        hint="install apsw 3.51.3 or later, which brings its own SQLite",
    )


def creation_error(path: Path, error: OSError) -> UnavailableError:
    """Return the refusal to make a store at *path*, and what to do."""
    hint = "give it a folder that you may write to: TILTH_HOME, or --store PATH"
    return unavailable(error, f"cannot make a store in {path.parent}", hint=hint)


def make_file(path: Path, *, migrations: Sequence[Migration] | None = None) -> None:
    """
    Make a file with our tables and nothing in them, readable by its owner alone.

    Raises:
        UnsafeSqliteError: this SQLite can lose commits.
        UnavailableError: the folder cannot be written.
    """
    check_sqlite(apsw.sqlite_lib_version())
    try:
        make_private(path.parent)
        # The mode is set before SQLite writes; -wal and -shm take it over.
        os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
    except OSError as error:
        raise creation_error(path, error) from error
    with translated_errors(path), closing(apsw.Connection(str(path))) as conn:
        # It cannot change once there is a table, nor in WAL, so it comes first.
        conn.execute(f"PRAGMA page_size = {PAGE_BYTES}")
        use_write_ahead_log(conn)
        configure(conn)
        register_functions(conn)
        with conn:
            conn.execute(f"PRAGMA application_id = {APPLICATION_ID}")
            for migration in migrations or known_migrations():
                _apply(conn, migration)
        # What one schema makes and a later one makes anew leaves pages of nothing.
        conn.execute("VACUUM")


def _connect_first(path: Path) -> apsw.Connection:
    return connect(path, busy_timeout_s=5)


def prepare(
    path: Path,
    *,
    connecting: Callable[[Path], apsw.Connection] = _connect_first,
    migrations: Sequence[Migration] | None = None,
    known: KnownSchema | None = None,
) -> apsw.Connection:
    """
    Check the store at *path*, bring its schema up to date after a backup, and return it opened.

    *connecting* opens it, to be written or to be read alone.

    Raises:
        UnsafeSqliteError: this SQLite can lose commits.
        StoreMissingError: nothing is there.
        ForeignStoreError: it is something else than a store of ours.
        NewerSchemaError: a newer version of this program wrote it.
        CorruptionError: its tables are not those of its version.
    """
    check_sqlite(apsw.sqlite_lib_version())
    if not path.exists():
        raise StoreMissingError(
            f"there is no store at {path}", hint=f"make one with: tilth init --store {path}"
        )
    with (
        _foreign_if_no_database(path),
        closed_on_error(conn := connecting(path)),
    ):
        register_functions(conn)
        _check_ours(conn, path)
        # Without a text for its code, nothing is known and nothing kept.
        kept = known if known and known.code and migrations is None else None
        if kept and kept.holds(_shape(conn)):
            return conn
        steps = migrations or known_migrations()
        _migrate(conn, path, steps)
        _check_schema(conn, path, steps)
        if kept:
            kept.note(_shape(conn))
        return conn


def _shape(conn: apsw.Connection) -> str:
    return shape_of(conn.pragma("user_version"), conn.execute(_SCHEMA).fetchall())


@contextmanager
def opened_read_only(path: Path) -> Iterator[apsw.Connection]:
    """
    Open a store's file to read it alone; nothing in it changes, and nothing comes beside it.

    Raises:
        ForeignStoreError: it is something else than a store of ours.
    """
    with _foreign_if_no_database(path), closing(connect_read_only(path)) as conn:
        _check_ours(conn, path)
        yield conn


@contextmanager
def _foreign_if_no_database(path: Path) -> Iterator[None]:
    try:
        with translated_errors(path):
            yield
    except CorruptionError as error:
        if isinstance(error.__cause__, apsw.NotADBError):
            raise ForeignStoreError(
                f"{path} is not a Tilth store", hint="point --store at another file"
            ) from error
        raise


def _check_ours(conn: apsw.Connection, path: Path) -> None:
    if conn.pragma("application_id") != APPLICATION_ID:
        raise ForeignStoreError(
            f"{path} is a database, but not a Tilth store", hint="point --store at another file"
        )


def _migrate(conn: apsw.Connection, path: Path, migrations: Sequence[Migration]) -> None:
    newest = migrations[-1].version
    if _version_of(conn, path, migrations) == newest:
        return
    conn.set_busy_timeout(int(BUSY_TIMEOUT_S * 1000))
    conn.execute("BEGIN IMMEDIATE")
    try:
        # Read again: another process may have migrated meanwhile, and kept what was before.
        version = int(conn.pragma("user_version"))
        if version < newest:
            with closing(_connect_first(path)) as reading:
                kept = path.with_name(f"{path.name}.before-schema-{newest}")
                copy_database(reading, kept, replace=True)
        for migration in migrations:
            if migration.version > version:
                _apply(conn, migration)
    except BaseException:
        conn.execute("ROLLBACK")
        raise
    conn.execute("COMMIT")


def _version_of(conn: apsw.Connection, path: Path, migrations: Sequence[Migration]) -> int:
    version, newest = int(conn.pragma("user_version")), migrations[-1].version
    if version > newest:
        raise NewerSchemaError(
            f"{path.name} has schema {version}, this program knows up to {newest}",
            hint="install a newer tilth",
        )
    return version


def _apply(conn: apsw.Connection, migration: Migration) -> None:
    conn.execute(migration.script)
    for filling in migration.fillings:
        conn.executemany(filling.insert, filling.rows(conn.execute(filling.read)))
    conn.execute(f"PRAGMA user_version = {migration.version}")


def check_ledger_schema(conn: apsw.Connection, path: Path) -> None:
    """
    Refuse a store whose ledger is not the table that it was made as, whatever became of the others.

    Raises:
        NewerSchemaError: a newer version of this program wrote it.
        CorruptionError: the ledger, an index or a guard of it is gone or another.
    """
    # What is wrong with another table keeps nobody from reading this one.
    conn.execute("PRAGMA writable_schema = ON")
    migrations = known_migrations()
    version = _version_of(conn, path, migrations)
    known = _schema_after(tuple(migrations[:version]))
    if wrong := _LEDGER_TABLES & _differing(set(conn.execute(_SCHEMA)), set(known)):
        raise _schema_error(path, version, wrong)


def _check_schema(conn: apsw.Connection, path: Path, migrations: Sequence[Migration]) -> None:
    found, known = tuple(conn.execute(_SCHEMA)), _schema_after(tuple(migrations))
    if found != known:
        raise _schema_error(path, migrations[-1].version, _differing(set(found), set(known)))


def _differing(found: AbstractSet[_Row], known: AbstractSet[_Row]) -> AbstractSet[str]:
    """Return the tables of which something is there that is not known, or the reverse."""
    return {str(table) for _type, _name, table, _sql in found ^ known}


def _schema_error(path: Path, version: int, wrong: AbstractSet[str]) -> CorruptionError:
    told = f"the tables of {path.name} are not those of schema {version}: {listed(wrong)}"
    return CorruptionError(told, hint=RESTORING if _LEDGER_TABLES & wrong else REMAKING)


@lru_cache(maxsize=2)
def _schema_after(migrations: tuple[Migration, ...]) -> tuple[_Row, ...]:
    """Return what SQLite holds of the schema that *migrations* make, as `_SCHEMA` selects it."""
    with closing(apsw.Connection(":memory:")) as model:
        register_functions(model)
        for migration in migrations:
            _apply(model, migration)
        return tuple(model.execute(_SCHEMA))
