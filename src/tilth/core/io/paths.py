"""Paths from callers."""

import os
from collections.abc import Mapping
from pathlib import Path

from tilth.core.errors import InvalidInputError


def users_home(environ: Mapping[str, str]) -> str:
    """
    Return the folder of the user.

    Raises:
        InvalidInputError: there is none, as for a number that a container runs as.
    """
    try:
        return environ.get("HOME") or str(Path.home())
    except RuntimeError as error:
        raise homeless() from error


def homeless() -> InvalidInputError:
    """Return the error for a user without a home, if no folder is named."""
    return InvalidInputError(
        "this user has no home folder", hint="set HOME to a folder that this user may write to"
    )


def whole_path(text: str) -> str:
    """Return an absolute path, with its links; an empty path stays empty."""
    return os.path.abspath(text) if text else ""  # noqa: PTH100 - a path as text


def under_real_folder(path: Path) -> str:
    """
    Return *path* with the links in its folder resolved, since many a home is a link.

    The file itself may be no link, and SQLite, told to follow none, follows none in the folder
    either.
    """
    return os.path.join(os.path.realpath(path.parent), path.name)  # noqa: PTH118 - a path as text
