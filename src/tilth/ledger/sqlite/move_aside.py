"""Move a store aside: whole, with its heads, and only when nobody uses it."""

from collections.abc import Callable
from contextlib import closing, suppress
from datetime import datetime
from pathlib import Path

import apsw

from tilth.core.errors import ConflictError, CorruptionError, TilthError, UnavailableError
from tilth.core.io.atomic_file import sync
from tilth.core.io.paths import under_real_folder
from tilth.ledger.sqlite.connection import MODE, translated_errors
from tilth.ledger.sqlite.store import heads_path, open_store
from tilth.ledger.store import Store, StoreEnvironment

_COMPANIONS = ("-wal", "-shm", "-journal")


def set_aside(path: Path, at: datetime) -> Path:
    """
    Rename the store at *path*, with everything that belongs to it.

    A damaged store moves too; its write-ahead log then stays beside it.

    Returns:
        Where it is now: `tilth.db.replaced-20261120T140300Z`, for instance.

    Raises:
        ConflictError: another process has it open, or the new name is taken.
    """
    aside = path.with_name(f"{path.name}.replaced-{at:%Y%m%dT%H%M%SZ}")
    if aside.exists():
        raise ConflictError(f"{aside} is there already", hint="try again in a second")
    # What cannot be read cannot be merged; the log moves along under the new name then.
    with suppress(CorruptionError):
        _merge_log(path)
    move_whole(path, aside)
    return aside


def repeat_erasures_in(path: Path, around: StoreEnvironment, again: Callable[[Store], int]) -> bool:
    """Let *again* bring a store that was put aside to where its heir is; say whether it had to."""
    try:
        with closing(open_store(path, around)) as store:
            return again(store) > 0
    except TilthError:
        # What cannot be read stays as it is, and is named among the copies.
        return False


def move_whole(source: Path, target: Path) -> None:
    """Rename a store that nobody has open, and its log and heads with it."""
    for companion in _COMPANIONS:
        if (beside := source.with_name(source.name + companion)).exists():
            beside.replace(target.with_name(target.name + companion))
    if heads_path(source).exists():
        heads_path(source).replace(heads_path(target))
    source.replace(target)
    sync(target.parent)


def _merge_log(path: Path) -> None:
    """Write what the log holds into the file; leaving WAL works for the only connection alone."""
    name = under_real_folder(path)
    try:
        with translated_errors(path), closing(apsw.Connection(name, flags=MODE)) as conn:
            conn.pragma("journal_mode", "DELETE")
    except UnavailableError as error:
        raise ConflictError(
            f"{path} is in use", hint="end what uses it, the worker too, and try again"
        ) from error
