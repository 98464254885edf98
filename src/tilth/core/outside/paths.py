"""Paths that callers name."""

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
    """Return the refusal where a user has no folder and none is named."""
    return InvalidInputError(
        "this user has no home folder", hint="set HOME to a folder that this user may write to"
    )


def whole_path(text: str) -> str:
    """
    Return a path that does not depend on where the caller stands; links in it stay.

    No path stays none.
    """
    return os.path.abspath(text) if text else ""  # noqa: PTH100 - a path as text


def under_real_folder(path: Path) -> str:
    """
    Return *path* as it is opened: its folder may be reached by a link, as many a home is.

    The file itself may be no link, and SQLite, told to follow none, follows none of a folder.
    """
    return os.path.join(os.path.realpath(path.parent), path.name)  # noqa: PTH118 - a path as text
