"""Folders that only their owner may enter."""

from pathlib import Path


def make_private(folder: Path) -> None:
    """Make *folder* and what it lies in, as far as they are missing, for their owner alone."""
    # `mkdir(parents=True)` would give those in between whatever the umask leaves open.
    for parent in reversed(folder.parents):
        if not parent.exists():
            parent.mkdir(mode=0o700, exist_ok=True)
    folder.mkdir(mode=0o700, exist_ok=True)
