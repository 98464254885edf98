"""Temporary files beside their final place, named after the process that writes them."""

import glob
import os
import re
from pathlib import Path


def temporary_path(target: Path) -> Path:
    """Return the path at which this process writes *target* first; nothing is there."""
    for left in abandoned_files(target):
        left.unlink(missing_ok=True)
    made = target.with_name(f".{target.name}.{os.getpid()}.new")
    made.unlink(missing_ok=True)
    return made


def abandoned_files(target: Path) -> list[Path]:
    """Return the temporary files of *target* whose processes are gone: each may be a whole copy."""
    # Copies nest when a restore copies, so dots add up.
    pattern = re.compile(rf"\.+{re.escape(target.name)}\.(\d+)\.new.*")
    found = target.parent.glob(f".*{glob.escape(target.name)}.*.new*")
    named = ((path, pattern.fullmatch(path.name)) for path in found)
    return [path for path, name in named if name is not None and not _is_alive(int(name[1]))]


def _is_alive(process: int) -> bool:
    try:
        os.kill(process, 0)
    except (ProcessLookupError, OverflowError):
        return False
    except PermissionError:
        return True
    return True
