"""What `doctor` wants to know of the machine it runs on."""

import json
import platform
import shutil
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from stat import S_IMODE
from urllib.parse import unquote, urlsplit

from tilth import bootstrap
from tilth.ports import Source
from tilth.privacy.redaction import scrub
from tilth.surfaces.backups import last_backup
from tilth.system import SystemClock
from tilth.usecases.doctor import Machine, Place, Transcript

# Claude Code removes transcripts after so many days, unless its settings say another number.
_CLEANUP_DAYS = 30
_CLEANUP_SETTING = "cleanupPeriodDays"


def machine_of(environ: Mapping[str, str], where: str, settings_problem: str = "") -> Machine:
    """Gather what can be known before the store at *where* is open."""
    places = bootstrap.folders(environ)
    store = None if "://" in where else Path(where)
    sqlite, sqlite_problem = bootstrap.sqlite_state()
    return Machine(
        now=SystemClock().now(),
        python=platform.python_version(),
        sqlite=sqlite,
        sqlite_problem=sqlite_problem,
        settings_problem=settings_problem,
        store=where if store else scrub(where).text,
        places=[
            _place("data", places.data),
            _place("state", places.state),
            *([_place("store", store)] if store else []),
        ],
        disk_free_bytes=shutil.disk_usage(_existing(store or places.data)).free,
        has_heads=bootstrap.has_heads(where),
        transcripts_kept=timedelta(days=_cleanup_days(environ)),
    )


def backed_up_at(environ: Mapping[str, str], store_id: str) -> datetime | None:
    """Return when the store was backed up last on this machine; None if it never was."""
    backup = last_backup(bootstrap.folders(environ).state, store_id)
    return None if backup is None else backup.made_at


def transcripts_of(sources: Sequence[Source]) -> list[Transcript]:
    """Return when each source was changed last; one that is gone by now is left out."""
    found = ((source, _path_of(source.uri)) for source in sources)
    return [
        Transcript(source.uri, datetime.fromtimestamp(path.stat().st_mtime, UTC))
        for source, path in found
        if path.exists()
    ]


def _place(name: str, path: Path) -> Place:
    return Place(name, str(path), S_IMODE(path.stat().st_mode) if path.exists() else None)


def _existing(path: Path) -> Path:
    return next(folder for folder in (path, *path.absolute().parents) if folder.is_dir())


def _path_of(uri: str) -> Path:
    return Path(unquote(urlsplit(uri).path))


def _cleanup_days(environ: Mapping[str, str]) -> int:
    folder = environ.get("CLAUDE_CONFIG_DIR") or Path("~/.claude").expanduser()
    try:
        settings = json.loads((Path(folder) / "settings.json").read_text(encoding="utf-8"))
        days = settings.get(_CLEANUP_SETTING)
    except (OSError, ValueError, AttributeError):
        return _CLEANUP_DAYS
    return days if isinstance(days, int) and days > 0 else _CLEANUP_DAYS
