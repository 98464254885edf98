"""
Lines of JSON that Tilth notes outside the store, for its owner alone.

Each is durable once it is noted. One that a crash tore says nothing, and harms no other.
"""

import json
import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from tilth.core.json import JsonObject, object_in
from tilth.core.outside.atomic_file import make_private, sync


def note_line(path: Path, line: JsonObject) -> None:
    """Add a line to the file at *path*, which is made if it is missing."""
    make_private(path.parent)
    handle = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
    with os.fdopen(handle, "a", encoding="utf-8") as file:
        # A line of its own, whatever a torn one left before it.
        file.write(f"\n{json.dumps(line)}\n")
        file.flush()
        os.fsync(handle)
    sync(path.parent)


def noted_lines(path: Path) -> Sequence[Mapping[str, Any]]:
    """Return the lines of a file, the oldest first; none if there is no file."""
    if not path.exists():
        return []
    return [line for line in map(object_in, path.read_bytes().splitlines()) if line]
