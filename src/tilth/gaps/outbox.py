"""The outbox, a folder beside the store in which drafts are put for people."""

import hashlib
import re
from pathlib import Path

from tilth.core.errors import InvalidInputError, UnavailableError
from tilth.core.outside.atomic_file import Disk
from tilth.core.outside.refusals import refused
from tilth.core.text.pattern import pattern

# What is left of a draft when something is erased, until the next run writes it again.
BLANK = "written again at the next run"
_TICKED = pattern(r"^- \[[xX]\] ", re.MULTILINE)
_NAME = pattern(r"[a-z0-9][a-z0-9-]{0,80}\.md")


def outbox_of(where: str, data: Path) -> Path:
    """Return the outbox of the store at *where*; beside a URL nothing lies, so in *data*."""
    if "://" not in where:
        return Path(f"{where}.outbox")
    return data / f"{hashlib.sha256(where.encode()).hexdigest()[:16]}.outbox"


class OutboxFolder:
    """See `tilth.gaps.todos.Outbox`."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._disk = Disk()

    def put(self, name: str, text: str) -> None:
        """See `tilth.gaps.todos.Outbox.put`."""
        path = self._path(name)
        try:
            self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        except OSError as error:
            raise refused(error, "the outbox cannot be made") from error
        self._disk.write(str(path), text.encode("utf-8", "replace"))

    def read(self, name: str) -> str | None:
        """See `tilth.gaps.todos.Outbox.read`."""
        content = self._disk.read(str(self._path(name)))
        return None if content is None else content.decode("utf-8", "replace")

    def path_of(self, name: str) -> str:
        """See `tilth.gaps.todos.Outbox.path_of`."""
        return str(self._folder / name)

    def remove(self, name: str) -> None:
        """See `tilth.gaps.todos.Outbox.remove`."""
        self._disk.remove(str(self._path(name)), ())

    def blank(self) -> list[Path]:
        """Take the words out of every draft, but not its tick; the next run writes it again."""
        drafts = sorted(one for one in self._folder.glob("*.md") if _NAME.fullmatch(one.name))
        for path in drafts:
            ticked = _TICKED.search(self.read(path.name) or "")
            self.put(path.name, f"- [{'x' if ticked else ' '}] {BLANK}\n")
        return drafts

    def _path(self, name: str) -> Path:
        if not _NAME.fullmatch(name):
            raise InvalidInputError(f"{name[:60]!r} is no name of ours in the outbox")
        path = self._folder / name
        if self._folder.is_symlink() or path.is_symlink():
            raise UnavailableError(f"{str(path)!r} leads elsewhere", hint="remove the link")
        return path
