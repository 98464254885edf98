"""
Files of text and JSON lines outside of the store, for their owner alone.

A whole file is written beside its place under another name, flushed to the disk, and put in place
as the last step. So nobody ever reads half of it, and what was there before stays until then. A
line that is appended is durable at once; one that a crash tore is skipped, and harms no other.
"""

import errno
import json
import os
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from tilth.core.errors import ConflictError, InvalidInputError
from tilth.core.io.atomic_file import make_private, sync
from tilth.core.io.os_errors import unavailable
from tilth.core.io.temporary_files import temporary_path
from tilth.core.json import JsonObject, parse_line

_MODE = 0o600


def write_rows(path: str, rows: Iterable[JsonObject], *, is_forced: bool = False) -> None:
    """
    Write *rows* to *path*, one JSON object a line: all of them, or nothing.

    Raises:
        ConflictError: the file exists, and *is_forced* is false.
        UnavailableError: it cannot be written.
    """
    told = (f"{json.dumps(row, ensure_ascii=False)}\n" for row in rows)
    write_text(path, told, is_forced=is_forced)


def write_text(path: str, parts: Iterable[str], *, is_forced: bool = False) -> None:
    """Write the parts of a text in sequence, as `write_rows` does rows."""
    target = Path(path)
    if not path or target.is_dir():
        raise InvalidInputError(f"{path[:200]!r} is no file to write", hint="name a file")
    if os.path.lexists(target) and not is_forced:
        raise _occupied(target)
    made = temporary_path(target)
    try:
        _fill(made, parts)
        _put(made, target, is_forced=is_forced)
    except OSError as error:
        hint = "name a file in a folder that is there, and that you may write to"
        raise unavailable(error, f"{target} cannot be written", hint=hint) from error
    finally:
        made.unlink(missing_ok=True)


def append_line(path: Path, line: JsonObject) -> None:
    """Append a line to the file at *path*, which is made if missing."""
    make_private(path.parent)
    handle = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
    with os.fdopen(handle, "a", encoding="utf-8") as file:
        # On a line of its own, even after a torn one.
        file.write(f"\n{json.dumps(line)}\n")
        file.flush()
        os.fsync(handle)
    sync(path.parent)


def read_lines(path: Path) -> Sequence[Mapping[str, Any]]:
    """Return the lines of a file, oldest first; empty if there is no file."""
    if not path.exists():
        return []
    return [line for line in map(parse_line, path.read_bytes().splitlines()) if line]


def _fill(made: Path, parts: Iterable[str]) -> None:
    handle = os.open(made, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, _MODE)
    with open(handle, "w", encoding="utf-8", newline="\n") as file:  # noqa: PTH123 - a mode first
        file.writelines(parts)
        file.flush()
        os.fsync(handle)


def _put(made: Path, target: Path, *, is_forced: bool) -> None:
    if is_forced:
        made.replace(target)
    else:
        try:
            # Unlike a rename, a link fails if the place was taken meanwhile.
            os.link(made, target, follow_symlinks=False)
        except FileExistsError as error:
            raise _occupied(target) from error
        except OSError as error:
            if error.errno not in {errno.EPERM, errno.ENOTSUP, errno.EMLINK}:
                raise
            made.rename(target)
    sync(target.parent)


def _occupied(target: Path) -> ConflictError:
    return ConflictError(f"{target} is there already", hint="name another file, or say --force")
