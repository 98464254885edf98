"""Read an SQLite file of another program; it is never written."""

from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import apsw

from tilth.core.io.paths import under_real_folder

MAGIC = b"SQLite format 3\0"
_FLAGS = apsw.SQLITE_OPEN_READONLY | apsw.SQLITE_OPEN_NOFOLLOW


def is_database(file: Path) -> bool:
    """Say whether *file* begins like an SQLite file."""
    with file.open("rb") as stream:
        return stream.read(len(MAGIC)) == MAGIC


@contextmanager
def opened(file: Path) -> Iterator[apsw.Connection]:
    """Open a database for reading alone, and close it."""
    with closing(apsw.Connection(under_real_folder(file), flags=_FLAGS)) as conn:
        yield conn
