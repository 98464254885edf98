"""Find a user's files and settings; every command loads this module, so it imports little."""

import hashlib
import logging
import os
from collections.abc import Mapping
from pathlib import Path

from tilth.core.dataclass import dataclass
from tilth.core.errors import InvalidInputError, TilthError
from tilth.core.io.paths import homeless
from tilth.runtime.settings import Loaded, Settings, load

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Folders:
    """The folders for data and state (keys, logs), and the settings file."""

    data: Path
    state: Path
    config: Path


def folders(environ: Mapping[str, str]) -> Folders:
    """
    Return this user's folders; `TILTH_HOME` puts them all in one place.

    Raises:
        InvalidInputError: the user has no home, and no other place is set.
    """
    if home := environ.get("TILTH_HOME"):
        root = Path(home)
        return Folders(root, root / "state", root / "config.toml")
    import platformdirs  # noqa: PLC0415 - who is told where the files are need not look

    told = environ.get("TILTH_CONFIG")
    try:
        config = told or platformdirs.user_config_path("tilth") / "config.toml"
        data, state = platformdirs.user_data_path("tilth"), platformdirs.user_state_path("tilth")
    except RuntimeError as error:
        raise homeless() from error
    return Folders(data, state, Path(config))


def loaded(environ: Mapping[str, str]) -> Loaded:
    """
    Return the settings in force.

    Raises:
        InvalidInputError: a setting is unknown or of the wrong type.
        ForbiddenError: the user may not read the settings file.
    """
    return load(environ, folders(environ).config)


class SettingsWatch:
    """The settings at one moment, and whether they have changed since."""

    def __init__(self, environ: Mapping[str, str]) -> None:
        self._environ = environ
        self._seen = self._stamp()
        self._held = loaded(environ).settings
        self._is_new = False

    def is_new(self) -> bool:
        """Return whether the settings changed since; an unreadable file changes nothing."""
        if (stamp := self._stamp()) != self._seen:
            self._seen = stamp
            try:
                self._is_new = loaded(self._environ).settings != self._held
            except TilthError as error:
                logger.warning("what was set before still holds: %s", error)
        return self._is_new

    def _stamp(self) -> tuple[int, int, int] | None:
        try:
            told = folders(self._environ).config.stat()
        except OSError:
            return None
        return told.st_ino, told.st_size, told.st_mtime_ns


def place(store: str | os.PathLike[str] | None, settings: Settings) -> str:
    """
    Return the path or URL of the chosen store.

    Raises:
        InvalidInputError: the path is empty, or not UTF-8, and SQLite opens no other.
    """
    told = os.fsdecode(store) if store is not None else settings.store
    where = told or str(folders(os.environ).data / "tilth.db")
    if "\0" in where:
        raise InvalidInputError(f"the path of the store holds a zero byte: {where!r}")
    try:
        where.encode()
    except UnicodeEncodeError as error:
        raise InvalidInputError(
            f"the path of the store is not UTF-8: {os.fsencode(where)!r}",
            hint="name another: --store PATH, or TILTH_HOME",
        ) from error
    return where


def shown(where: str) -> str:
    """Return *where* for display: a URL without its password."""
    if "://" not in where:
        return where
    from tilth.privacy.redaction import scrub  # noqa: PLC0415 - few stores have a URL

    return scrub(where).text


def hooks_store(environ: Mapping[str, str]) -> str:
    """
    Return the store that hooks record into: the one in the settings file, or the default.

    The environment of a shell, with `TILTH_STORE`, is unknown to the host that starts the hooks.
    """
    return _hooks_settings(environ).store or str(folders(environ).data / "tilth.db")


def is_of_hooks(environ: Mapping[str, str], where: str, owner: str | None) -> bool:
    """Say whether a worker for the store at *where* reads the hooks' spool, as *owner*."""
    told = owner or loaded(environ).settings.owner
    return where == hooks_store(environ) and told == _hooks_settings(environ).owner


def _hooks_settings(environ: Mapping[str, str]) -> Settings:
    return load({}, folders(environ).config).settings


def worker_lock(where: str) -> Path:
    """Return the file whose lock the worker of the store at *where* holds."""
    return _lock(where, "worker")


def import_lock(where: str) -> Path:
    """Return the file whose lock an import into the store at *where* holds."""
    return _lock(where, "import")


def serve_lock(where: str) -> Path:
    """Return the file whose lock the server of the store at *where* holds; it contains its URL."""
    return state_file(where, "serve")


def _lock(where: str, name: str) -> Path:
    return state_file(where, name) if "://" in where else Path(f"{where}.{name}")


def state_file(where: str, suffix: str) -> Path:
    """Return the file of this user's state for the store at *where*."""
    name = hashlib.sha256(where.encode()).hexdigest()[:16]
    return folders(os.environ).state / f"{name}.{suffix}"
