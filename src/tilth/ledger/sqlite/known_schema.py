"""
A record of checked schemas: the same code need not check the same schema again.

A check compares a store with what every feature declares, so it loads them all, which takes longer
than most commands. The file is this installation's own; without it the check is made.
"""

import hashlib
import json
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

from tilth.core.dataclass import dataclass
from tilth.core.errors import UnavailableError
from tilth.core.io.atomic_file import Disk, make_private


@dataclass(frozen=True, slots=True)
class KnownSchema:
    """
    What *file* says of the schemas of stores that were opened here.

    Args:
        file: Where it is kept.
        code: What is another text for other declarations; empty where that is not known.
    """

    file: Path
    code: str

    def holds(self, shape: str) -> bool:
        """Say whether this code found the schema with this digest to be right."""
        return bool(self.code) and self._read().get(shape) == self.code

    def note(self, shape: str) -> None:
        """Keep that this code found it right; where that cannot be written, it is found again."""
        if not self.code:
            return
        known = {one: code for one, code in self._read().items() if code == self.code}
        with suppress(OSError, UnavailableError):
            make_private(self.file.parent)
            Disk().write(str(self.file), json.dumps(known | {shape: self.code}).encode())

    def _read(self) -> dict[str, str]:
        try:
            found = json.loads(self.file.read_text(encoding="utf-8"))
        except (OSError, ValueError):
            return {}
        return found if isinstance(found, dict) else {}


def shape_of(version: int, rows: Iterable[tuple[object, ...]]) -> str:
    """Return the digest of a schema: its number, and all that SQLite holds of it."""
    return hashlib.sha256(json.dumps([version, *map(list, rows)]).encode()).hexdigest()
