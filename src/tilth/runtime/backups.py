"""
What this machine remembers of the backups it made, so that `doctor` can tell their age.

One line a backup in the state folder. It names files and counts, no content.
"""

import json
import os
from dataclasses import asdict, dataclass
from datetime import datetime
from pathlib import Path

from tilth.core.errors import InvalidInputError
from tilth.core.instant import parse_instant

_FILE = "backups.jsonl"


@dataclass(frozen=True, slots=True, kw_only=True)
class Backup:
    """One backup that was made and verified."""

    store_id: str
    path: str
    made_at: datetime
    event_count: int


def note_backup(state: Path, backup: Backup) -> None:
    """Add *backup* to what is remembered in the folder *state*."""
    state.mkdir(mode=0o700, parents=True, exist_ok=True)
    line = json.dumps(asdict(backup) | {"made_at": backup.made_at.isoformat()})
    handle = os.open(state / _FILE, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
    with open(handle, "w", encoding="utf-8") as file:  # noqa: PTH123 - a mode from the start
        # A line of its own, whatever a torn one left before it.
        file.write(f"\n{line}\n")


def last_backup(state: Path, store_id: str) -> Backup | None:
    """Return the newest backup of the store that is remembered; None if there is none."""
    if not (state / _FILE).exists():
        return None
    lines = (state / _FILE).read_text(encoding="utf-8").splitlines()
    known = (_parsed(line) for line in reversed(lines))
    return next((one for one in known if one is not None and one.store_id == store_id), None)


def _parsed(line: str) -> Backup | None:
    """Read one line; a torn one is no backup."""
    try:
        values = json.loads(line)
        return Backup(**(values | {"made_at": parse_instant(values["made_at"])}))
    except (ValueError, TypeError, KeyError, InvalidInputError):
        return None
