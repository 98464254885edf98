"""
Recognise text that Tilth showed an agent, which is never recorded as new.

Each text goes out between markers with a nonce that nobody can guess. The nonce and the text's hash
are written down first. What comes back between such markers is cut out if either is known; markers
that anybody else wrote stay, with all that is between them. Where nothing can be written, the nonce
is one that only this installation makes.
"""

import hashlib
import hmac
import logging
import os
from bisect import bisect_left
from functools import cached_property
from pathlib import Path

from tilth.core.clock import Ids
from tilth.core.errors import UnavailableError
from tilth.core.text.pattern import pattern
from tilth.ledger.heads import signing_key

logger = logging.getLogger(__name__)

_TAG = "tilth-context"
# Hosts escape what they pass on: for HTML, as JSON, and what was escaped once more.
_LESS, _GREATER, _QUOTE = (
    rf"(?:{char}|&(?:amp;)*{name};|\\+u00{code})"
    for char, name, code in (("<", "lt", "3[cC]"), (">", "gt", "3[eE]"), (r"\\*\"", "quot", "22"))
)
_OPENING = pattern(
    rf"{_LESS}{_TAG} id={_QUOTE}ctx_([0-9a-f]{{32}}){_QUOTE}[^<>&\n]{{0,200}}?{_GREATER}"
)
_CLOSING = pattern(rf"({_LESS}\\*/)({_TAG}{_GREATER})")
_WORD = pattern(r"\w")
_REMEMBERED_MAX = 10_000


class Injections:
    """
    The log of what was injected, a line each: nonce and SHA-256.

    It is two files, the older of which goes as soon as the newer is full. Who is
    just writing to a file that was renamed writes to one that is still read.
    """

    def __init__(self, path: Path, ids: Ids) -> None:
        self._path = path
        self._older = path.with_suffix(".older")
        self._ids = ids
        self._known: frozenset[str] = frozenset()
        self._read_at: tuple[tuple[int, int], ...] = ()

    def fenced(self, text: str) -> str:
        """Return *text* between markers, once it is written down that it is ours."""
        safe = _CLOSING.sub("\\1\u200b\\2", text).strip()
        nonce = self._ids.salt().hex()
        try:
            self._note(f"{nonce} {_digest(safe)}\n")
        except OSError as error:
            # Nobody waits for room on a disk in order to read: the nonce says that it is ours.
            logger.warning("it was not noted what was told: errno=%s", error.errno)
            nonce = self._signed(nonce)
        return f'<{_TAG} id="ctx_{nonce}">\n{safe}\n</{_TAG}>'

    def _note(self, line: str) -> None:
        self._path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        fd = os.open(self._path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
        try:
            os.write(fd, line.encode())
        finally:
            os.close(fd)

    def _signed(self, nonce: str) -> str:
        """Return the nonce of this installation that begins as *nonce* does."""
        half = nonce[: len(nonce) // 2]
        return half + hmac.digest(self._key, half.encode(), "sha256").hex()[: len(half)]

    @cached_property
    def _key(self) -> bytes:
        try:
            return signing_key(self._path.parent)
        except (OSError, UnavailableError):
            return self._ids.salt()

    def stripped(self, text: str) -> str:
        """
        Return *text* without what is ours, however it was escaped; nothing if no word is left.

        Anything else between markers stays.
        """
        if f"{_TAG} id=" not in text:
            return text
        known = self._remembered()
        closings = [match.span() for match in _CLOSING.finditer(text)]
        kept: list[str] = []
        begin = at = 0
        while match := _OPENING.search(text, at):
            place = bisect_left(closings, (match.end(), 0))
            if place == len(closings):
                break
            at, (end, after) = match.end(), closings[place]
            is_known = {match[1], _digest(text[at:end])} & known
            if is_known or match[1] == self._signed(match[1]):
                kept.append(text[begin : match.start()])
                begin = at = after
        if not kept:
            return text
        rest = "".join([*kept, text[begin:]])
        return rest.strip() if _WORD.search(rest) else ""

    def tidy(self) -> None:
        """Forget the oldest, once there are more than ten thousand; as many are always known."""
        if _read(self._path).count("\n") >= _REMEMBERED_MAX:
            self._path.replace(self._older)

    def _remembered(self) -> frozenset[str]:
        files = (self._older, self._path)
        written_at = tuple(_written_at(path) for path in files)
        if written_at != self._read_at:
            self._known = frozenset(word for path in files for word in _read(path).split())
            self._read_at = written_at
        return self._known


def _read(path: Path) -> str:
    try:
        return path.read_text(encoding="ascii", errors="replace")
    except FileNotFoundError:
        return ""


def _written_at(path: Path) -> tuple[int, int]:
    try:
        found = path.stat()
    except FileNotFoundError:
        return 0, 0
    return found.st_mtime_ns, found.st_size


def _digest(text: str) -> str:
    # Hosts re-wrap and indent: what counts is the words and their order.
    return hashlib.sha256(" ".join(text.split()).encode("utf-8", "surrogatepass")).hexdigest()
