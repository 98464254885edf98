"""Paths that callers name."""

import os
from pathlib import Path


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
