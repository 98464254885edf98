"""
What Tilth put before an agent is known again, and never kept as something new.

Each text goes out between markers with a nonce that nobody can guess. The
nonce and the text's hash are written down first. What comes back between such
markers is cut out if either is known; markers that anybody else wrote stay,
with all that is between them.
"""

import hashlib
import os
import re
from pathlib import Path

from tilth.ports import Ids

_TAG = "tilth-context"
_OPENING = re.compile(rf'<{_TAG} id="ctx_([0-9a-f]{{32}})"[^<>\n]{{0,200}}>')
_CLOSING = f"</{_TAG}>"
_REMEMBERED_MAX = 10_000


class Injections:
    """The log of what was injected, a line each: nonce and SHA-256."""

    def __init__(self, path: Path, ids: Ids) -> None:
        self._path = path
        self._ids = ids
        self._known: frozenset[str] = frozenset()
        self._read_at = (0, 0)

    def fenced(self, text: str) -> str:
        """Return *text* between markers, once it is written down that it is ours."""
        safe = text.replace(f"</{_TAG}", f"<\u200b/{_TAG}").strip()
        nonce = self._ids.salt().hex()
        self._path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        fd = os.open(self._path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
        try:
            os.write(fd, f"{nonce} {_digest(safe)}\n".encode())
        finally:
            os.close(fd)
        return f'<{_TAG} id="ctx_{nonce}">\n{safe}\n{_CLOSING}'

    def stripped(self, text: str) -> str:
        """Return *text* without what is ours; anything else between markers stays."""
        if f"<{_TAG} " not in text:
            return text
        known = self._remembered()
        kept: list[str] = []
        begin = at = 0
        while match := _OPENING.search(text, at):
            end = text.find(_CLOSING, match.end())
            if end < 0:
                break
            at = match.end()
            if {match[1], _digest(text[at:end])} & known:
                kept.append(text[begin : match.start()])
                begin = at = end + len(_CLOSING)
        kept.append(text[begin:])
        return text if len(kept) == 1 else "".join(kept).strip()

    def tidy(self) -> None:
        """Forget all but the newest ten thousand."""
        lines = self._lines()
        if len(lines) > 2 * _REMEMBERED_MAX:
            rest = self._path.with_suffix(".new")
            rest.write_text("".join(lines[-_REMEMBERED_MAX:]), encoding="ascii")
            rest.replace(self._path)

    def _remembered(self) -> frozenset[str]:
        found = self._path.stat() if self._path.exists() else None
        written_at = (found.st_mtime_ns, found.st_size) if found else (0, 0)
        if written_at != self._read_at:
            self._known = frozenset(word for line in self._lines() for word in line.split())
            self._read_at = written_at
        return self._known

    def _lines(self) -> list[str]:
        try:
            return self._path.read_text(encoding="ascii", errors="replace").splitlines(True)
        except FileNotFoundError:
            return []


def _digest(text: str) -> str:
    # Hosts re-wrap and indent: what counts is the words and their order.
    return hashlib.sha256(" ".join(text.split()).encode("utf-8", "surrogatepass")).hexdigest()
