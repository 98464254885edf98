"""
What a text says once its encodings are undone: JSON escapes, percent, entities, base64.

Decoding goes at most two levels deep and each level is linear, so no input can make
it expand without bound.
"""

import html
from base64 import b64decode
from collections.abc import Iterator

import re2

from tilth.privacy.families.family import bytes_options
from tilth.privacy.folding import folded
from tilth.privacy.views import View

_DEPTH_MAX = 2

# An escape of JSON, C or a URL, a numeric or common entity, or a terminal colour.
_ESCAPE = re2.compile(
    rb"%[0-9A-Fa-f]{2}"
    rb"|\\u[0-9A-Fa-f]{4}|\\x[0-9A-Fa-f]{2}|\\[\"'\\/bfnrt]"
    rb"|&(?:#[0-9]{1,7}|#[xX][0-9A-Fa-f]{1,6}|amp|lt|gt|quot|apos);"
    rb"|\x1b\[[0-9;:?]*[@-~]",
    bytes_options(),
)
_ESCAPE_STARTS = (b"\\", b"%", b"&", b"\x1b")
_CONTROLS = {ord("b"): b"", ord("f"): b" ", ord("n"): b"\n", ord("r"): b"\r", ord("t"): b"\t"}

# 20 characters hold 15 bytes, the length of the shortest tokens; whole lines of 60 to 76
# are base64 as MIME and PEM wrap it.
_BASE64_RUN = re2.compile(
    rb"(?:[A-Za-z0-9+/_-]{60,76}\r?\n)*[A-Za-z0-9+/_-]{20,}={0,2}",
    bytes_options(),
)
_TO_STANDARD_BASE64 = bytes.maketrans(b"-_", b"+/")


def decoded_views(text: str) -> Iterator[View]:
    """Yield *text* folded, then each further level of decoding that changes it."""
    view = View.of(text)
    yield view
    for _ in range(_DEPTH_MAX):
        if not any(start in view.data for start in _ESCAPE_STARTS):
            return
        edits = [
            (*match.span(), _unescaped(match.group())) for match in _ESCAPE.finditer(view.data)
        ]
        if not edits:
            return
        view = view.rewritten(edits)
        yield view


def base64_runs(data: bytes) -> Iterator[tuple[int, int]]:
    """Yield where *data* may hold base64, standard or URL-safe, wrapped or not."""
    for match in _BASE64_RUN.finditer(data):
        yield match.span()


def base64_readings(run: bytes) -> Iterator[bytes]:
    """
    Yield what *run* may encode.

    The encoding may begin after other characters of the same alphabet, so each of
    the four alignments is one reading.
    """
    letters = run.translate(_TO_STANDARD_BASE64, b"\r\n=")
    for offset in range(4):
        aligned = letters[offset:]
        if len(aligned) % 4 == 1:  # six bits are no byte
            aligned = aligned[:-1]
        yield b64decode(aligned + b"=" * (-len(aligned) % 4))


def _unescaped(escape: bytes) -> bytes:
    kind = escape[:1]
    if kind == b"\x1b":
        return b""
    if kind == b"%":
        return bytes((int(escape[1:], 16),))
    if kind == b"&":
        return _as_data(html.unescape(escape.decode("ascii")))
    letter, digits = escape[1:2], escape[2:]
    if digits and letter in b"ux":
        return _as_data(chr(int(digits, 16)))
    return _CONTROLS.get(escape[1], escape[1:])


def _as_data(text: str) -> bytes:
    return "".join(map(folded, text)).encode("ascii", "replace")
