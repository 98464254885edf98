"""A secret that was found, and its replacement."""

from typing import NamedTuple

from tilth.core.text.pattern import pattern

UNRESOLVED = "unresolved"
# As a piece of a pattern.
PLACEHOLDER = r"\[secret:[a-z0-9_-]+\]"
_PLACEHOLDER = pattern(PLACEHOLDER)


class Finding(NamedTuple):
    """A secret of *family* from *start* to *end*; never its value."""

    family: str
    start: int
    end: int


def placeholder(family: str) -> str:
    """Return what is written where a secret of *family* was."""
    return f"[secret:{family}]"


def has_placeholder(text: str) -> bool:
    """Say whether a secret stood in *text*: its placeholder stands there."""
    return _PLACEHOLDER.search(text) is not None
