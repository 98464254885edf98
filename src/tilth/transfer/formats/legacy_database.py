"""A database of another store: one of triples, or one of learnings. It is only read."""

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import apsw

from tilth.core.errors import InvalidInputError
from tilth.transfer.formats.learnings_database import has_learnings, learnings_in
from tilth.transfer.formats.triples_database import triples_in
from tilth.transfer.importing import Skipped, Told

_MAGIC = b"SQLite format 3\0"
_FLAGS = apsw.SQLITE_OPEN_READONLY | apsw.SQLITE_OPEN_NOFOLLOW


def is_database(file: Path) -> bool:
    """Say whether *file* begins like an SQLite file."""
    with file.open("rb") as stream:
        return stream.read(len(_MAGIC)) == _MAGIC


def read_database(file: Path) -> Iterator[Told | Skipped]:
    """
    Yield what the database *file* tells, a row that cannot be read as one that was skipped.

    Raises:
        InvalidInputError: it is damaged, or has neither triples nor learnings as they are known.
    """
    try:
        with closing(apsw.Connection(str(file), flags=_FLAGS)) as conn:
            read = learnings_in if has_learnings(conn) else triples_in
            yield from read(conn, file.name)
    except (apsw.Error, UnicodeDecodeError) as error:
        raise InvalidInputError(f"{file.name} cannot be read as a database: {error}") from error
