"""The place of an API's key, since settings never hold the key itself."""

import re
from collections.abc import Mapping
from pathlib import Path
from urllib.parse import urlsplit

from tilth.core.errors import InvalidInputError, UnsupportedError

# Characters that distinguish the path of a key's file from the name of a variable.
_FILE_SIGNS = ("/", "~", ".")
_VARIABLE = re.compile(r"[A-Z_][A-Z0-9_]*")
_OTHERS = 0o077


def check_key_place(where: str, hint: str) -> None:
    """
    Check that a setting names a variable of the environment or a file.

    Raises:
        InvalidInputError: it may be the key itself, so nothing of it is repeated.
    """
    if where and not where.startswith(_FILE_SIGNS) and not _VARIABLE.fullmatch(where):
        raise InvalidInputError("key= names a variable of the environment, or a file", hint=hint)


def api_key(where: str, environ: Mapping[str, str]) -> str:
    """
    Return the key that *where* names; empty if it names none.

    Raises:
        UnsupportedError: no key is there, or others may read its file.
    """
    if not where:
        return ""
    if not where.startswith(_FILE_SIGNS):
        if key := environ.get(where, "").strip():
            return key
        raise UnsupportedError(f"the variable {where} holds no key")
    path = Path(where).expanduser()
    try:
        if path.stat().st_mode & _OTHERS:
            raise UnsupportedError(f"others may read the key in {path}", hint=f"chmod go= {path}")
        return path.read_text(encoding="ascii").strip()
    except (OSError, UnicodeDecodeError) as error:
        raise UnsupportedError(f"no key can be read from {path}") from error


def is_http(url: str) -> bool:
    """Say whether *url* is one of http or https, with a host."""
    try:
        parts = urlsplit(url)
        return parts.scheme in {"http", "https"} and bool(parts.hostname) and parts.port != 0
    except ValueError:  # of the host, or of a port that is no number
        return False
