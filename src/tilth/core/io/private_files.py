"""
Write a file of JSON, for its owner alone, whole or not at all.

It is written beside its place under another name, flushed to the disk, and put in place as the last
step. So whoever reads it never sees half of it, and what was there before stays until then.
"""

import errno
import json
import os
from collections.abc import Iterable
from pathlib import Path

from tilth.core.errors import ConflictError, InvalidInputError
from tilth.core.io.atomic_file import sync
from tilth.core.io.os_errors import refused
from tilth.core.io.temporary_files import beside
from tilth.core.json import JsonObject

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
    made = beside(target)
    try:
        _fill(made, parts)
        _put(made, target, is_forced=is_forced)
    except OSError as error:
        hint = "name a file in a folder that is there, and that you may write to"
        raise refused(error, f"{target} cannot be written", hint=hint) from error
    finally:
        made.unlink(missing_ok=True)


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
