"""
The files that the hook program reads before it answers: a pause, the worker, a brief.

The program stands outside this package (`tilth_hook`), so the places are said twice; a test holds
the two together.
"""

import hashlib
import os
from collections.abc import Sequence
from datetime import datetime
from pathlib import Path

from tilth.core.instant import to_micros

_SECOND = 1_000_000


class StateFolder:
    """The files between hooks and the rest of Tilth."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    @property
    def worker_address(self) -> Path:
        """Where the worker listens for hooks."""
        return self._folder / "worker.sock"

    @property
    def injected(self) -> Path:
        """Where what was injected is written down; see `tilth.agents.injections`."""
        return self._folder / "injected.log"

    @property
    def receipts(self) -> Path:
        """Where receipts of `init` are; see `tilth.agents.receipt_folder`."""
        return self._folder / "receipts"

    @property
    def lost(self) -> Path:
        """Where hooks count what found no room in the spool: a byte each."""
        return self._folder / "lost"

    def lost_count(self) -> int:
        """Return how many events of hooks were lost; at least one where not even a byte fits."""
        try:
            return max(self.lost.stat().st_size, 1)
        except OSError:
            return 0

    def pause(self, until: datetime | None = None) -> None:
        """Let hooks keep and say nothing, until then or until `resume`."""
        end = "" if until is None else str(to_micros(until) // _SECOND)
        self._write(self._folder / "paused", end)

    def resume(self) -> None:
        """Let hooks go on."""
        (self._folder / "paused").unlink(missing_ok=True)

    def is_paused(self, now: datetime) -> bool:
        """Say whether hooks are to keep and say nothing."""
        try:
            until = (self._folder / "paused").read_bytes().strip()
        except (FileNotFoundError, NotADirectoryError):
            return False
        return not until.isdigit() or to_micros(now) < int(until) * _SECOND

    def let_hooks_wake(self, command: Sequence[str]) -> None:
        """Let hooks start a worker by *command* when something waits for one."""
        self._write(self._folder / "wake", "\n".join(command))

    def may_wake(self) -> bool:
        """Say whether hooks may start a worker: whether any host is plugged in."""
        return (self._folder / "wake").exists()

    def let_nobody_wake(self) -> None:
        """Let hooks start nothing any more."""
        (self._folder / "wake").unlink(missing_ok=True)

    def keep_brief(self, folder: str, text: str) -> None:
        """Keep the brief for sessions in *folder*, for when nobody answers a hook."""
        self._write(self._brief_of(folder), text)

    def forget_brief(self, folder: str) -> None:
        """Say nothing in *folder* any more when nobody answers a hook."""
        self._brief_of(folder).unlink(missing_ok=True)

    def forget_briefs(self) -> None:
        """Say nothing anywhere when nobody answers a hook, until briefs are written again."""
        for brief in (self._folder / "briefs").glob("*.txt"):
            brief.unlink(missing_ok=True)

    def say_current(self, store: str) -> None:
        """Say that the briefs tell of this store, a file, as it is now; nothing if it is open."""
        found = Path(store).stat()
        is_open = Path(f"{store}-wal").exists()
        stamp = "" if is_open else f"{found.st_size} {found.st_mtime_ns}"
        self._write(self._folder / "briefs" / "current", f"{stamp}\n{store}")

    def _brief_of(self, folder: str) -> Path:
        digest = hashlib.sha256(folder.encode("utf-8", "surrogatepass")).hexdigest()
        return self._folder / "briefs" / f"{digest[:32]}.txt"

    def _write(self, path: Path, text: str) -> None:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        new = path.with_suffix(".new")
        fd = os.open(new, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        with os.fdopen(fd, "w", encoding="utf-8") as file:
            file.write(text)
        new.replace(path)
