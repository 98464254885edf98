"""Files in the making, named after the process that makes them, beside their final place."""

import glob
import os
import re
from pathlib import Path


def beside(target: Path) -> Path:
    """Return the path at which this process makes the file *target*."""
    for left in leftovers(target):
        left.unlink(missing_ok=True)
    made = target.with_name(f".{target.name}.{os.getpid()}.new")
    made.unlink(missing_ok=True)
    return made


def leftovers(target: Path) -> list[Path]:
    """Return what killed processes left of files that were to become *target*: whole copies."""
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
