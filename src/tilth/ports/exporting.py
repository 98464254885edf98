"""Writing down what a brain knows, for others to read."""

from collections.abc import Iterable
from typing import Protocol

from tilth.domain.json import JsonObject


class Exporter(Protocol):
    """Writes rows where a caller asks for them."""

    def write(self, path: str, rows: Iterable[JsonObject], *, is_forced: bool = False) -> None:
        """
        Write *rows* to *path*, one JSON object a line: all of them, or nothing is there.

        Raises:
            ConflictError: something is there, and *is_forced* is false.
            UnavailableError: it cannot be written.
        """
        ...
