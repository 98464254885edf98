"""Folders that only their owner may enter, and getting names in them to the disk."""

import os
from pathlib import Path


def make_private(folder: Path) -> None:
    """Make *folder* and what it lies in, as far as they are missing, for their owner alone."""
    # `mkdir(parents=True)` would give those in between whatever the umask leaves open.
    for parent in reversed(folder.parents):
        if not parent.exists():
            parent.mkdir(mode=0o700, exist_ok=True)
    folder.mkdir(mode=0o700, exist_ok=True)


def sync(path: Path) -> None:
    """Flush a file, or the names in a folder, to the disk."""
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
