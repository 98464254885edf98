"""Copy a live store as one snapshot, whatever is written meanwhile."""

import os
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import apsw

from tilth.core.errors import ConflictError
from tilth.core.io.atomic_file import make_private, sync
from tilth.core.io.temporary_files import temporary_path


def copy_database(
    source: apsw.Connection,
    target: Path,
    *,
    replace: bool = False,
    check: Callable[[Path], object] = lambda _made: None,
) -> None:
    """
    Copy what *source* sees now to the file *target*, whole or not at all.

    Copying the file itself under load gives a broken copy almost every time;
    SQLite's backup gives none. A copy that *check* refuses never has the name.

    Raises:
        ConflictError: *target* is there, and *replace* is false.
    """
    if target.exists() and not replace:
        raise ConflictError(f"{target} is there already", hint="name another file")
    make_private(target.parent)
    made = temporary_path(target)
    os.close(os.open(made, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
    try:
        with closing(apsw.Connection(str(made))) as copy:
            with copy.backup("main", source, "main") as backup:
                # All pages in one step: one read transaction, so one snapshot.
                backup.step(-1)
            # A copy is a single file: without WAL nothing of it can stay behind.
            copy.pragma("journal_mode", "DELETE")
        sync(made)
        check(made)
        made.replace(target)
        sync(target.parent)
    finally:
        made.unlink(missing_ok=True)
