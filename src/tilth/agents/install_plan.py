"""
Planned and completed changes to other programs' files.

A plan holds whole contents, before and after, so that it can be shown, checked against what is
there, and taken back to the byte.
"""

import difflib
from datetime import datetime

from tilth.core.dataclass import dataclass
from tilth.core.view import number_of


@dataclass(frozen=True, slots=True)
class Change:
    """One file's content, before and after; None before is a file that is not there yet."""

    path: str
    before: bytes | None
    after: bytes


@dataclass(frozen=True, slots=True)
class Plan:
    """
    What serving a host changes, and what its user should know.

    `warning` says what keeps it from being of use, if anything does. `has_tools` says whether the
    host has the memory's tools then, and `keeps_tools` whether that is part of the plan: it is not
    where its user plugged them in by hand.
    """

    host: str
    changes: tuple[Change, ...]
    notes: tuple[str, ...] = ()
    warning: str = ""
    has_tools: bool = False
    keeps_tools: bool = False

    @property
    def is_done(self) -> bool:
        """Whether everything is as planned already."""
        return not self.changes

    def summary(self) -> str:
        """Say in one line what would happen."""
        created = sum(change.before is None for change in self.changes)
        edited = len(self.changes) - created
        told = (number_of(created, "file"), number_of(edited, "existing file"))
        return f"{self.host}: {told[0]} created, {told[1]} changed"

    def diff(self) -> str:
        """Return the changes as one unified diff."""
        return "".join(_diff(change) for change in self.changes)


@dataclass(frozen=True, slots=True)
class Written:
    """One file that was changed: hashes of its content, and the folders made for it."""

    path: str
    sha256_before: str | None
    sha256_after: str
    folders: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Receipt:
    """What was done for a host, kept with the contents from before."""

    id: str
    host: str
    at: datetime
    files: tuple[Written, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Undone:
    """What became of each file of a receipt that was taken back."""

    receipt_id: str
    restored: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()
    # Edited by others since: our part is out of it, theirs is left.
    trimmed: tuple[str, ...] = ()
    # Wholly ours, and edited by others since: moved to where this says.
    moved: tuple[str, ...] = ()
    # Edited by others since, and nothing of ours is in it any more.
    left: tuple[str, ...] = ()
    # Not there any more: removed, or moved with its folder.
    gone: tuple[str, ...] = ()


def _diff(change: Change) -> str:
    before = _lines(change.before or b"")
    name = change.path.lstrip("/")
    old = "/dev/null" if change.before is None else f"a/{name}"
    lines = difflib.unified_diff(before, _lines(change.after), old, f"b/{name}")
    return "".join(
        line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n" for line in lines
    )


def _lines(content: bytes) -> list[str]:
    return content.decode("utf-8", "replace").splitlines(keepends=True)
