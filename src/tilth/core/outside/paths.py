"""Paths that callers name."""

import os


def whole_path(text: str) -> str:
    """
    Return a path that does not depend on where the caller stands; links in it stay.

    No path stays none.
    """
    return os.path.abspath(text) if text else ""  # noqa: PTH100 - a path as text
