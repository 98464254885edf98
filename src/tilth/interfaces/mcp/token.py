"""The secret that a client over HTTP must know: a file that its user alone can read."""

import os
import secrets
from pathlib import Path
from stat import S_IMODE

from tilth.core.errors import ForbiddenError

# 256 bits, as 43 characters.
_TOKEN_BYTES = 32
_TOKEN_CHARS_MIN = 32


def token_at(path: Path) -> str:
    """
    Return the token in the file *path*, which is made if it is not there.

    Raises:
        ForbiddenError: others may read the file, or what it holds is no secret.
    """
    if not path.exists():
        _make(path)
    found = path.stat()
    if found.st_uid != os.geteuid() or S_IMODE(found.st_mode) & 0o077:
        raise ForbiddenError(
            f"others may read the token in {path}", hint="remove the file to get a new token"
        )
    token = path.read_text(encoding="ascii", errors="replace").strip()
    if len(token) < _TOKEN_CHARS_MIN or not token.isascii() or not token.isprintable():
        raise ForbiddenError(
            f"the token in {path} is too short, or damaged", hint="remove the file to get a new one"
        )
    return token


def _make(path: Path) -> None:
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    new = path.with_name(f"{path.name}.{secrets.token_hex(8)}")
    fd = os.open(new, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    try:
        with os.fdopen(fd, "w", encoding="ascii") as file:
            file.write(secrets.token_urlsafe(_TOKEN_BYTES) + "\n")
            file.flush()
            os.fsync(file.fileno())
        # Whole or not at all, and whoever comes second takes the first one's.
        os.link(new, path)
    except FileExistsError:
        return
    finally:
        new.unlink()
