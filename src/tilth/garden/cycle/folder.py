"""
The garden's folder, in which a human reads and writes with nothing but an editor.

    inbox/approvals.json rejections.json requests.md    and inbox/NAME/ for each further reviewer
    inbox/set-aside/                                    files that could not be read
    outbox/candidates/DATE_topic.md  digest.md  alerts.md
    snapshots/                                          a link to the snapshots of the store
    logs/activity.md

This module chooses all names. Files are replaced whole, and never written through a link.
"""

import os
import re
import shlex
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from tilth.core.errors import InvalidInputError, UnavailableError
from tilth.core.io.atomic_file import Disk, make_private
from tilth.core.io.file_lock import try_lock

APPROVALS, REJECTIONS, REQUESTS = "approvals.json", "rejections.json", "requests.md"
# The inbox of the garden's owner; other reviewers have folders inside it.
OWN_INBOX = "inbox"
_ASIDE = "set-aside"
_FOLDERS = (OWN_INBOX, "outbox", "outbox/candidates", "logs")
_SNAPSHOTS = "snapshots"
_REVIEWER = re.compile(r"[a-z0-9][a-z0-9_-]{0,39}")
_NAME = re.compile(
    r"outbox/(?:digest|alerts)\.md|outbox/weekly/\d{4}-W\d\d\.md|outbox/candidates/\d{4}-\d\d-\d\d_[\w-]{1,60}\.md"
    r"|logs/activity\.md|inbox/(?:approvals\.json|rejections\.json|requests\.md)"
)
_BYTES_MAX = 1 << 20
# A hint in the `requests.md` of earlier versions, before every line became a question.
FORMER_HINT = "One in each line that begins with a dash, such as `- how are backups restored?`"
_FIRST = {
    f"{OWN_INBOX}/{APPROVALS}": "[]\n",
    f"{OWN_INBOX}/{REJECTIONS}": "[]\n",
    f"{OWN_INBOX}/{REQUESTS}": "# Questions for the garden\n\n"
    "<!-- One in each line, such as: how are backups restored? -->\n",
    "outbox/digest.md": "# Digest\n\nNo cycle has run yet.\n",
    "outbox/alerts.md": "# Alerts\n\nNone.\n",
    "logs/activity.md": "# Activity\n",
}


class GardenFolder:
    """
    The folder of one garden.

    Args:
        root: Its path; `init` makes it.
        snapshots: The folder with the store's snapshots, to which it links.
    """

    def __init__(self, root: Path, snapshots: Path) -> None:
        self.root = root
        self._snapshots = snapshots
        self._disk = Disk()

    @property
    def _link(self) -> Path:
        return self.root / _SNAPSHOTS

    @property
    def is_there(self) -> bool:
        """Whether the folder exists."""
        return all((self.root / one).is_dir() for one in (*_FOLDERS, _SNAPSHOTS))

    def init(self) -> list[str]:
        """Make missing parts, readable by their owner alone; return their names."""
        self._check_links(self.root)
        made = [name for name in _FOLDERS if not (self.root / name).is_dir()]
        try:
            for name in _FOLDERS:
                make_private(self.root / name)
            make_private(self._snapshots)
            if self._make_link():
                made.append(_SNAPSHOTS)
        except OSError as error:
            raise UnavailableError(f"{str(self.root)!r} cannot be made: {error}") from error
        for name, text in _FIRST.items():
            if not (self.root / name).exists():
                self.write(name, text)
                made.append(name)
        return made

    def _make_link(self) -> bool:
        """Link the snapshots; return whether this call made the link."""
        if self._link.is_symlink() and self._link.readlink() != self._snapshots:
            # The store was moved or copied, and the link leads to its former place.
            self._link.unlink(missing_ok=True)
        elif _is_plain_folder(self._link):
            # A copy of the store followed the link. Its files are kept, since there may be no
            # others.
            self._link.rename(self._link.with_name(f"{_SNAPSHOTS}.copy"))
        try:
            self._link.symlink_to(self._snapshots, target_is_directory=True)
        except FileExistsError:
            if not self._link.is_symlink():
                raise
            return False  # another process may have made it just now
        return True

    def inboxes(self) -> list[str]:
        """Return the inboxes: `inbox`, then those of other reviewers by name."""
        inner = self.root / OWN_INBOX
        found = [one.name for one in inner.iterdir()] if inner.is_dir() else []
        names = [one for one in sorted(found) if _REVIEWER.fullmatch(one) and one != _ASIDE]
        return [OWN_INBOX, *(one for one in names if _is_plain_folder(inner / one))]

    def take(self, inbox: str, name: str) -> bytes | None:
        """
        Return the content of a file in an inbox; None if there is none, or it is empty.

        Raises:
            UnavailableError: it is a link, too large or unreadable, or others may write there.
        """
        path = self._inbox(inbox) / name
        if path.exists():
            _check_owner(self.root / OWN_INBOX)
            _check_owner(path.parent)
        if path.is_symlink():
            raise UnavailableError(f"{name} of {inbox} leads elsewhere", hint="remove the link")
        if path.exists() and path.stat().st_size > _BYTES_MAX:
            raise UnavailableError(f"{name} of {inbox} has more than {_BYTES_MAX} bytes")
        return self._disk.read(str(path)) or None

    def set_aside(self, inbox: str, name: str, digest: str) -> str:
        """Move an unreadable file out of the way, and return its new place."""
        stem, dot, suffix = name.partition(".")
        kept = f"{inbox}-{stem}-{digest[:8]}{dot}{suffix}"
        target = self.root / OWN_INBOX / _ASIDE / kept
        make_private(target.parent)
        source = self._inbox(inbox) / name
        if source.exists():
            source.replace(target)
        return str(target.relative_to(self.root))

    def write(self, name: str, text: str) -> None:
        """
        Write a file whole.

        Raises:
            InvalidInputError: the garden has no file of this name.
            UnavailableError: it cannot be written, or is a link.
        """
        path = self._path(name)
        make_private(path.parent)
        self._disk.write(str(path), text.encode("utf-8", "replace"))

    def read(self, name: str) -> str:
        """Return the content of one of the garden's files; empty if it is missing."""
        content = self._disk.read(str(self._path(name)))
        return "" if content is None else content.decode("utf-8", "replace")

    def candidates(self) -> list[str]:
        """Return the names of the files with candidates, newest first."""
        folder = self.root / "outbox/candidates"
        found = [f"outbox/candidates/{one.name}" for one in folder.glob("*.md")]
        return sorted((one for one in found if _NAME.fullmatch(one)), reverse=True)

    def remove(self, name: str) -> None:
        """Remove one of the garden's files."""
        self._disk.remove(str(self._path(name)), ())

    def forget(self, forms: Sequence[bytes]) -> list[Path]:
        """
        Erase words from the folder; return the files that changed.

        Files of the outbox are removed whole, since the next cycle writes them again. From files of
        people, and from the log, only lines with one of the words are removed.

        Args:
            forms: The encodings in which the words may stand in a file.
        """
        return [path for path in self._files() if self._is_cleaned(path, forms)]

    def _files(self) -> list[Path]:
        every = (one for name in _FOLDERS for one in (self.root / name).rglob("*"))
        return sorted({one for one in every if one.is_file() and not one.is_symlink()})

    def _is_cleaned(self, path: Path, forms: Sequence[bytes]) -> bool:
        """Say whether a file was changed, since it holds, or may hold, words to erase."""
        name, content = str(path.relative_to(self.root)), path.read_bytes()
        lines = content.splitlines(keepends=True)
        kept = b"".join(line for line in lines if not any(form in line for form in forms))
        if name.startswith("outbox/"):
            kept = _FIRST.get(name, "").encode()
        elif kept != content and path.suffix == ".json":
            kept = b"[]\n"
        if kept == content:
            return False
        # Nobody reads files that were set aside, and no cycle does either.
        if not kept or _ASIDE in path.parts:
            path.unlink()
        else:
            self._disk.write(str(path), kept)
        return True

    @contextmanager
    def alone(self) -> Iterator[bool]:
        """Hold the garden's lock in the block, and yield whether it was free."""
        make_private(self.root)
        with try_lock(self.root / ".lock") as is_alone:
            yield is_alone

    def _inbox(self, inbox: str) -> Path:
        if inbox == OWN_INBOX:
            return self.root / OWN_INBOX
        if not _REVIEWER.fullmatch(inbox):
            raise InvalidInputError(f"{inbox[:60]!r} cannot be an inbox")
        return self.root / OWN_INBOX / inbox

    def _path(self, name: str) -> Path:
        if not _NAME.fullmatch(name):
            raise InvalidInputError(f"{name[:60]!r} is no file of a garden")
        path = self.root / name
        self._check_links(path)
        return path

    def _check_links(self, path: Path) -> None:
        inside = [one for one in (path, *path.parents) if one.is_relative_to(self.root)]
        if link := next((one for one in inside if one.is_symlink()), None):
            raise UnavailableError(f"{str(link)!r} leads elsewhere", hint="remove the link")


def _check_owner(folder: Path) -> None:
    """Refuse a folder in which others may write files under anybody's name."""
    found = folder.stat()
    if found.st_uid != os.geteuid() or found.st_mode & 0o022:
        raise UnavailableError(
            f"others than its owner may write into {str(folder)!r}",
            hint=f"own it, and take that from them: chmod go-w {shlex.quote(str(folder))}",
        )


def _is_plain_folder(path: Path) -> bool:
    return path.is_dir() and not path.is_symlink()
