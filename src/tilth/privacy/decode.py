"""
Decode a text: JSON escapes, percent encoding, entities, base64.

Decoding goes at most two levels deep and each level is linear, so no input can make it expand
without bound.
"""

import html
from binascii import a2b_base64
from collections.abc import Iterator
from functools import lru_cache

import re2

from tilth.core.text.pattern import pattern
from tilth.privacy.families.family import bytes_options
from tilth.privacy.text_views import View, folded

_DEPTH_MAX = 2

# "Password" where it is not written in Latin letters, and what is said until its value: patterns
# are of ASCII, so it is put into English.
_PASSWORD_ABROAD = pattern(
    "(?:Парол[ьяю]|парол[ьяю]|密[码碼]|口令|パスワード|暗証番号|비밀번호|암호|Κωδικός|κωδικός|סיסמ[הא]"
    "|كلمة (?:المرور|السر)|पासवर्ड)"
    r"[^!-~]{0,40}[:=]?\s*"
)

# A run of equal escapes of JSON, C or a URL, an entity, a terminal colour, or the place where a
# line goes on or two strings are joined. The standard library is fast for many short matches,
# and linear here: each repeat has one way to match. Branches that begin with a literal let it
# skip ahead.
_ESCAPE = pattern(
    rb"%[0-9A-Fa-f]{2}(?:%[0-9A-Fa-f]{2})*"
    rb"|\\u[0-9A-Fa-f]{4}(?:\\u[0-9A-Fa-f]{4})*"
    rb"|\\x[0-9A-Fa-f]{2}(?:\\x[0-9A-Fa-f]{2})*"
    rb"|\\\r?\n[ \t]*"
    rb"|\"[ \t]*(?:\r?\n[ \t]*)?[+.][ \t]*(?:\r?\n[ \t]*)?\""
    rb"|'[ \t]*(?:\r?\n[ \t]*)?[+.][ \t]*(?:\r?\n[ \t]*)?'"
    rb"|\"(?<=[\w-]{6}\")\s+\"(?=[\w-]{4})"
    rb"|'(?<=[\w-]{6}')\s+'(?=[\w-]{4})"
    rb"|\\\\(?:\\\\)*"
    rb"|\\[\"'/bfnrt]"
    rb"|&(?:#[0-9]{1,7}|#[xX][0-9A-Fa-f]{1,6}|amp|lt|gt|quot|apos);"
    rb"|\x1b\[[0-9;:?]{0,32}[@-~]"
)
_ESCAPE_STARTS = (b"\\", b"%", b"&", b"\x1b", b"+")
# Two strings side by side, or with a dot between: quotes are everywhere, so this is looked for.
_SIDE_BY_SIDE = re2.compile(rb"[\w-]{6}[\"']\s*[\s.]\s*[\"'][\w-]{4}", bytes_options())
_LETTERS = {
    b"b": b"",
    b"f": b" ",
    b"n": b"\n",
    b"r": b"\r",
    b"t": b"\t",
    b"\r": b"",
    b"\n": b"",  # the line goes on
}

# 20 characters hold 15 bytes, the length of the shortest tokens; whole lines of 60 to 76
# are base64 as MIME and PEM wrap it.
_BASE64_RUN = re2.compile(
    rb"(?:[A-Za-z0-9+/_-]{60,76}\r?\n)*[A-Za-z0-9+/_-]{20,}={0,2}", bytes_options()
)
_TO_STANDARD_BASE64 = bytes.maketrans(b"-_", b"+/")


def decoded_views(text: str) -> Iterator[View]:
    """Yield *text* folded, then each further level of decoding that changes it."""
    view = View.of(text)
    yield view
    if not text.isascii():
        edits = [(*match.span(), b"password: ") for match in _PASSWORD_ABROAD.finditer(text)]
        if edits:
            yield View(text.encode("ascii", "replace")).rewritten(edits)
    for _ in range(_DEPTH_MAX):
        data = view.data
        if not (any(start in data for start in _ESCAPE_STARTS) or _SIDE_BY_SIDE.search(data)):
            return
        edits = [(*match.span(), _unescaped(match.group())) for match in _ESCAPE.finditer(data)]
        if not edits:
            return
        view = view.rewritten(edits)
        yield view


def base64_runs(data: bytes) -> Iterator[tuple[int, int]]:
    """Yield where *data* may hold base64, standard or URL-safe, wrapped or not."""
    for match in _BASE64_RUN.finditer(data):
        yield match.span()


def base64_readings(run: bytes) -> bytes:
    """
    Return all that *run* may encode, a reading a line.

    The encoding may begin after other characters of the same alphabet, so each of
    the four alignments is one reading.
    """
    letters = run.translate(_TO_STANDARD_BASE64, b"\r\n=")
    return b"\n".join(_base64_decoded(letters[offset:]) for offset in range(4))


def _base64_decoded(letters: bytes) -> bytes:
    if len(letters) % 4 == 1:  # six bits are no byte
        letters = letters[:-1]
    return a2b_base64(letters + b"=" * (-len(letters) % 4))


def _unescaped(escapes: bytes) -> bytes:
    if escapes.startswith((b"\x1b", b'"', b"'")):
        return b""
    if escapes.startswith(b"%"):
        return bytes.fromhex(escapes.decode("ascii").replace("%", ""))
    if escapes.startswith(b"&"):
        return _entity(escapes)
    return _without_backslashes(escapes)


@lru_cache(maxsize=1024)
def _entity(escape: bytes) -> bytes:
    return _as_data(html.unescape(escape.decode("ascii")))


def _without_backslashes(escapes: bytes) -> bytes:
    letter = escapes[1:2]
    if letter == b"\\":
        return escapes[::2]
    if letter == b"x":
        return bytes.fromhex(escapes.decode("ascii").replace("\\x", ""))
    if letter == b"u":
        codes = escapes.decode("ascii").split("\\u")[1:]
        return _as_data("".join(chr(int(code, 16)) for code in codes))
    return _LETTERS.get(letter, letter)


def _as_data(text: str) -> bytes:
    return b"".join(folded(character).encode("ascii", "replace") for character in text)
