"""Texts of this installation's own that it may do without: what cannot be kept is made again."""

from contextlib import suppress
from pathlib import Path

from tilth.core.errors import UnavailableError
from tilth.core.outside.atomic_file import Disk, make_private


class KeptTexts:
    """The texts in a folder that nobody else may read, each by its name."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def read(self, name: str) -> str:
        """Return a text; an empty one where there is none that can be read."""
        try:
            return (self._folder / name).read_text(encoding="utf-8")
        except (OSError, ValueError):
            return ""

    def write(self, name: str, text: str) -> None:
        """Keep a text, if that can be."""
        with suppress(OSError, UnavailableError):
            make_private(self._folder)
            Disk().write(str(self._folder / name), text.encode())

    def remove(self, name: str) -> None:
        """Keep it no more."""
        with suppress(OSError):
            (self._folder / name).unlink(missing_ok=True)
