"""
Append-only files of JSON lines outside of the store, for their owner alone.

Each line is durable once it is added. A line that a crash tore is skipped, and harms no other.
"""

import json
import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from tilth.core.io.atomic_file import make_private, sync
from tilth.core.json import JsonObject, object_in


def note_line(path: Path, line: JsonObject) -> None:
    """Append a line to the file at *path*, which is made if missing."""
    make_private(path.parent)
    handle = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
    with os.fdopen(handle, "a", encoding="utf-8") as file:
        # On a line of its own, even after a torn one.
        file.write(f"\n{json.dumps(line)}\n")
        file.flush()
        os.fsync(handle)
    sync(path.parent)


def noted_lines(path: Path) -> Sequence[Mapping[str, Any]]:
    """Return the lines of a file, oldest first; empty if there is no file."""
    if not path.exists():
        return []
    return [line for line in map(object_in, path.read_bytes().splitlines()) if line]
