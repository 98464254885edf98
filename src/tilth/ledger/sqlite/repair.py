"""
Rebuild a store file from its ledger, where something made from that is damaged.

Whatever else is wrong with the file, pages and schema too, the ledger in it is read and proven
against its chain and its signed heads. A second file is made of it, and takes the place of the
first once it is proven too; the first is moved aside as it is, and nothing is written to it.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tilth.core.errors import ConflictError, StoreMissingError
from tilth.ledger.chain import Head, Row
from tilth.ledger.log import head_of, iter_rows, store_id_of
from tilth.ledger.sqlite.connection import SqliteConnection, translated_errors
from tilth.ledger.sqlite.move_aside import move_whole, set_aside
from tilth.ledger.sqlite.open_database import check_ledger_schema, opened_read_only
from tilth.ledger.sqlite.store import create_store, signed_heads
from tilth.ledger.store import StoreEnvironment
from tilth.ledger.verification import refuse_damaged_ledger


def prove_ledger(path: Path, around: StoreEnvironment) -> tuple[str, Head]:
    """
    Return which store is at *path*, and the end of its ledger, which is whole.

    Raises:
        StoreMissingError: nothing is there.
        ForeignStoreError: it is no store of ours.
        NewerSchemaError: a newer version of this program wrote it.
        CorruptionError: the ledger is not what was written.
    """
    if not path.exists():
        raise StoreMissingError(f"there is no store at {path}")
    with _reading(path) as conn:
        check_ledger_schema(conn.raw, path)
        store_id = store_id_of(conn)
        refuse_damaged_ledger(conn, signed_heads(path, around, store_id))
        return store_id, head_of(conn)


def repair_store(path: Path, around: StoreEnvironment) -> Path:
    """
    Make the store at *path* anew from its ledger, and return where the damaged file is now.

    Vectors come back with the backlog.

    Raises:
        ConflictError: another process has it open, or wrote to it meanwhile.
        CorruptionError: the ledger is not what was written; nothing was changed.
        UnavailableError: the folder cannot be written.
    """
    store_id, end = prove_ledger(path, around)
    aside: list[Path] = []

    def make_room() -> None:
        aside.append(set_aside(path, around.clock.now()))
        with _reading(aside[0]) as conn:
            is_unchanged = head_of(conn) == end
        if not is_unchanged:
            move_whole(aside[0], path)
            raise ConflictError(
                f"another process wrote to {path} meanwhile",
                hint="end what uses it, the worker too, and try again",
            )

    create_store(path, around, rows=_rows_of(path), store_id=store_id, make_room=make_room)
    return aside[0]


def _rows_of(path: Path) -> Iterator[Row]:
    """Yield the lines of the ledger; once they are read, the file is closed."""
    with _reading(path) as conn:
        yield from iter_rows(conn)


@contextmanager
def _reading(path: Path) -> Iterator[SqliteConnection]:
    """Open one snapshot of a file in which anything but the ledger may be damaged."""
    with opened_read_only(path) as raw, translated_errors(path):
        raw.execute("PRAGMA writable_schema = ON")
        raw.execute("BEGIN")
        yield SqliteConnection(raw, path)
