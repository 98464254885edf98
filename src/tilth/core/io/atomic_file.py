"""
Write files of other programs so that nobody ever sees half of one.

A file is replaced by a new one of the same mode and owner, which is made beside it and durable
before it gets the name. A symbolic link stays: its target is written.
"""

import os
import stat
from contextlib import suppress
from pathlib import Path

from tilth.core.errors import ConflictError, ForbiddenError
from tilth.core.io.os_errors import unavailable


class Disk:
    """The files of a user."""

    def read(self, path: str) -> bytes | None:
        """
        Return a file's content; None if there is none.

        Raises:
            ConflictError: something else than a file is there.
            UnavailableError: it cannot be read.
        """
        try:
            return Path(path).read_bytes()
        except FileNotFoundError:
            return None
        except (IsADirectoryError, NotADirectoryError) as error:
            raise ConflictError(f"{path!r} cannot be a file: {error.strerror}") from error
        except OSError as error:
            raise unavailable(error, f"{path!r} cannot be read") from error

    def folders_missing_for(self, path: str) -> tuple[str, ...]:
        """Return the folders that writing a file would make, outermost first."""
        parents = Path(os.path.realpath(path)).parents
        return tuple(str(folder) for folder in reversed(parents) if not folder.exists())

    def check(self, path: str) -> None:
        """
        Check that a file can be written.

        Raises:
            ForbiddenError: it is read-only, or its folder is.
            ConflictError: what is there cannot be replaced.
        """
        target = Path(os.path.realpath(path))
        if target.exists():
            found = target.stat()
            if not found.st_mode & stat.S_IWUSR:
                raise ForbiddenError(f"{path!r} is read-only", hint="make it writable, or edit it")
            if found.st_nlink > 1:
                raise ConflictError(
                    f"{path!r} has other names, which a new file would not", hint="edit it by hand"
                )
        folder = next(folder for folder in target.parents if folder.exists())
        if not folder.is_dir():
            raise ConflictError(f"{str(folder)!r} is not a folder")
        if not folder.stat().st_mode & stat.S_IWUSR or not os.access(folder, os.W_OK):
            raise ForbiddenError(
                f"the folder {str(folder)!r} is read-only", hint="make it writable, or name another"
            )

    def write(self, path: str, content: bytes, *, is_shared: bool = False) -> None:
        """
        Replace a file, whole and durably, or make it.

        A new one is for its owner alone, or *is_shared* as the user's other new files are.

        Raises:
            UnavailableError: it cannot be written; what was there is there.
        """
        target = Path(os.path.realpath(path))
        try:
            # Whoever may write to the folder could replace the file.
            make_private(target.parent)
            _replace(target, content, is_shared=is_shared)
        except OSError as error:
            raise unavailable(error, f"{path!r} cannot be written") from error

    def remove(self, path: str, folders: tuple[str, ...]) -> None:
        """Remove a file, and those of *folders* that are then empty."""
        target = Path(os.path.realpath(path))
        try:
            target.unlink(missing_ok=True)
        except OSError as error:
            raise unavailable(error, f"{path!r} cannot be removed") from error
        for folder in map(Path, reversed(folders)):
            if not folder.is_dir() or any(folder.iterdir()):
                return
            folder.rmdir()


def _replace(target: Path, content: bytes, *, is_shared: bool) -> None:
    found = target.stat() if target.exists() else None
    beside = target.with_name(f".{target.name}.{os.urandom(4).hex()}.tilth")
    mode = 0o600 if found is None else stat.S_IMODE(found.st_mode)
    # The umask decides the mode of a new shared file.
    is_open = is_shared and found is None
    fd = os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o666 if is_open else 0o600)
    try:
        with os.fdopen(fd, "wb") as file:
            file.write(content)
            file.flush()
            if not is_open:
                os.fchmod(fd, mode)
            if found is not None and found.st_uid != os.geteuid():
                os.fchown(fd, found.st_uid, found.st_gid)
            os.fsync(fd)
        beside.replace(target)
    except OSError:
        beside.unlink(missing_ok=True)
        raise
    sync(target.parent)


def make_new(path: Path, content: bytes) -> None:
    """
    Make a file that is missing, durably and for its owner alone.

    Raises:
        FileExistsError: it is there.
    """
    fd = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(fd, "wb") as file:
        file.write(content)
        file.flush()
        os.fsync(fd)


def make_once(path: Path, content: bytes) -> None:
    """Make a file whole or not at all; one from another process stays."""
    make_private(path.parent)
    made = path.with_name(f".{path.name}.{os.urandom(4).hex()}.tilth")
    try:
        # Otherwise a power cut could leave the name with an empty file.
        make_new(made, content)
        # Linking fails if the file has appeared meanwhile.
        with suppress(FileExistsError):
            os.link(made, path)
    finally:
        made.unlink(missing_ok=True)
    sync(path.parent)


def make_private(folder: Path) -> None:
    """Make *folder* and its missing parents, for their owner alone."""
    # `mkdir(parents=True)` would give the parents the umask's mode.
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
