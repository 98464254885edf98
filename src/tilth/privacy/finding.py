"""A secret that was found, and what is written in its place."""

from typing import NamedTuple

UNRESOLVED = "unresolved"


class Finding(NamedTuple):
    """A secret of *family* from *start* to *end*; never its value."""

    family: str
    start: int
    end: int


def placeholder(family: str) -> str:
    """Return what is written where a secret of *family* was."""
    return f"[secret:{family}]"
