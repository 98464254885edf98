"""A terminal at which nobody sits: types into a program, and answers what it asks its screen."""

import fcntl
import os
import pty
import re
import select
import signal
import struct
import termios
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from time import monotonic, sleep

_ROWS, _COLUMNS = 40, 120
_POLL_S = 0.05
_ECHO_CHARS, _ECHO_S = 4, 5.0
# What programs ask their terminal, and what a plain one says.
_QUESTIONS: tuple[tuple[re.Pattern[bytes], bytes], ...] = (
    (re.compile(rb"\x1b\[6n"), b"\x1b[1;1R"),
    (re.compile(rb"\x1b\[0?c"), b"\x1b[?62;22c"),
    (re.compile(rb"\x1b\[>0?q"), b"\x1bP>|xterm(370)\x1b\\"),
    (re.compile(rb"\x1b\[5n"), b"\x1b[0n"),
    (re.compile(rb"\x1b\[\?u"), b"\x1b[?0u"),
    (re.compile(rb"\x1b\]10;\?(?:\x07|\x1b\\)"), b"\x1b]10;rgb:ffff/ffff/ffff\x1b\\"),
    (re.compile(rb"\x1b\]11;\?(?:\x07|\x1b\\)"), b"\x1b]11;rgb:0000/0000/0000\x1b\\"),
)


class Terminal:
    """A program at a terminal of its own."""

    def __init__(self, words: Sequence[str], folder: Path, environ: Mapping[str, str]) -> None:
        told = dict(environ) | {"TERM": "xterm-256color", "COLORTERM": "truecolor"}
        self.shown = b""
        self._child, self._line = pty.fork()
        if self._child == 0:
            fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("HHHH", _ROWS, _COLUMNS, 0, 0))
            os.chdir(folder)
            os.execvpe(words[0], list(words), told)  # noqa: S606 - one of the agent programs

    def wait_until_still(self, still_s: float, seconds: float) -> None:
        """Wait until something was shown, and nothing more was for *still_s*."""
        until, changed, length = monotonic() + seconds, monotonic(), 0
        while monotonic() < until and (not length or monotonic() - changed < still_s):
            self._read()
            if len(self.shown) != length:
                changed, length = monotonic(), len(self.shown)

    def wait_for(self, what: Callable[[], bool], seconds: float) -> bool:
        """Show what is shown until *what* holds; say whether it came to that."""
        until = monotonic() + seconds
        while monotonic() < until:
            self._read()
            if what():
                return True
        return False

    def type(self, text: str) -> None:
        """Type a line, as a hand does: the words, and then the key that ends it."""
        shown, end = len(self.shown), text[-_ECHO_CHARS:].encode()
        self._write(text.encode())
        # A key that comes together with words is taken for a line of something pasted.
        self.wait_for(lambda: end in self.shown[shown:], _ECHO_S)
        self.wait_until_still(0.3, 2)
        self._write(b"\r")

    def end(self, leaving: str, seconds: float) -> None:
        """Leave the program by its own command, or else by its keys, or else by force."""
        self.type(leaving)
        for key in (b"\r", b"\x03", b"\x03\x03", b"\x04"):
            if self.wait_for(self._is_over, seconds):
                return
            self._write(key)
        with suppress(ProcessLookupError):
            os.killpg(self._child, signal.SIGKILL)
        os.waitpid(self._child, 0)
        os.close(self._line)

    def _is_over(self) -> bool:
        ended, _ = os.waitpid(self._child, os.WNOHANG)
        if ended:
            os.close(self._line)
        return bool(ended)

    def _read(self) -> None:
        if not select.select([self._line], [], [], _POLL_S)[0]:
            return
        try:
            chunk = os.read(self._line, 1 << 16)
        except OSError:  # the program has gone
            sleep(_POLL_S)
            return
        self.shown += chunk
        for question, answer in _QUESTIONS:
            self._write(answer * len(question.findall(chunk)))

    def _write(self, keys: bytes) -> None:
        with suppress(OSError):
            os.write(self._line, keys)
