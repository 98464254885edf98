"""
Receipts of changes to other programs' files, with the files' earlier content.

One folder each, written before anything is changed. They hold copies of users' configuration, so
nobody else may read them.
"""

import json
from dataclasses import asdict
from datetime import datetime
from pathlib import Path

from tilth.agents.install_plan import Receipt, Written
from tilth.core.errors import CorruptionError
from tilth.core.io.atomic_file import make_new

_FILE = "receipt.json"
_DONE = "undone"


class ReceiptFolder:
    """What was done, and what there was before."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def keep(self, receipt: Receipt, contents: tuple[bytes | None, ...]) -> None:
        """Keep a receipt with the contents from before, durably."""
        self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        folder = self._folder / receipt.id
        folder.mkdir(mode=0o700)
        for number, content in enumerate(contents):
            if content is not None:
                make_new(folder / f"{number}.before", content)
        about = {**asdict(receipt), "at": receipt.at.isoformat()}
        make_new(folder / _FILE, json.dumps(about, indent=2).encode())

    def in_force(self, host: str | None = None) -> list[Receipt]:
        """Return the receipts that were not undone, the newest first."""
        found = sorted(self._folder.glob(f"*/{_FILE}"), reverse=True)
        receipts = [_read(path) for path in found if not (path.parent / _DONE).exists()]
        return [receipt for receipt in receipts if host in (None, receipt.host)]

    def content_before(self, receipt: Receipt, number: int) -> bytes | None:
        """Return what the file at that place of the receipt held; None if there was none."""
        path = self._folder / receipt.id / f"{number}.before"
        return path.read_bytes() if path.exists() else None

    def keep_edited(self, receipt: Receipt, number: int, content: bytes) -> str:
        """Keep what others made of a file of ours, and return where."""
        path = self._folder / receipt.id / f"{number}.edited"
        path.unlink(missing_ok=True)
        make_new(path, content)
        return str(path)

    def close(self, receipt: Receipt) -> None:
        """Say that a receipt was undone."""
        path = self._folder / receipt.id / _DONE
        path.unlink(missing_ok=True)
        make_new(path, b"")


def _read(path: Path) -> Receipt:
    try:
        told = json.loads(path.read_bytes())
        files = tuple(
            Written(one["path"], one["sha256_before"], one["sha256_after"], tuple(one["folders"]))
            for one in told["files"]
        )
        return Receipt(told["id"], told["host"], datetime.fromisoformat(told["at"]), files)
    except (ValueError, KeyError, TypeError) as error:
        raise CorruptionError(f"the receipt {str(path)!r} cannot be read: {error}") from error
