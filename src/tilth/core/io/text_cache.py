"""A cache of texts in files: what cannot be written is computed again."""

from contextlib import suppress
from pathlib import Path

from tilth.core.errors import UnavailableError
from tilth.core.io.atomic_file import Disk, make_private


class TextCache:
    """Cached texts by name, in a folder that nobody else may read."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def read(self, name: str) -> str:
        """Return a text; empty if there is none or it cannot be read."""
        try:
            return (self._folder / name).read_text(encoding="utf-8")
        except (OSError, ValueError):
            return ""

    def write(self, name: str, text: str) -> None:
        """Write a text, if possible."""
        with suppress(OSError, UnavailableError):
            make_private(self._folder)
            Disk().write(str(self._folder / name), text.encode())

    def remove(self, name: str) -> None:
        """Remove a text."""
        with suppress(OSError):
            (self._folder / name).unlink(missing_ok=True)
