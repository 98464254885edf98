"""
The user's Unix socket on which a running worker is asked.

Whoever asks waits a moment at most. So what is asked is heard side by side, and one that comes when
too many are there is turned away at once. Few are answered at a time, in their turn: Python runs
one thread after the other, so of eight at once none would be done in time, and each takes tens of
megabytes.
"""

import logging
import select
import socket
import struct
import sys
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor, wait
from os import getuid
from pathlib import Path
from typing import Self, TypeAlias

from tilth.core.dataclass import dataclass
from tilth.core.errors import TilthError

logger = logging.getLogger(__name__)

AT_ONCE_MAX = 8
TURNS = 2
_QUESTION_BYTES_MAX = 300 << 10
_SECONDS_MAX = 2.0
# Nobody who asks waits longer.
_TURN_SECONDS_MAX = 1.0
_CREDENTIALS = struct.Struct("3i")  # of the peer: process, user, group


@dataclass(frozen=True, slots=True)
class Said:
    """What is answered, and what there is to do once it was."""

    text: bytes
    then: Callable[[], None] = lambda: None


# What is said to what was asked; None says nothing at all.
Answer: TypeAlias = Callable[[bytes], Said | None]


class Listening:
    """Answers this user's programs at an address for as long as it is open."""

    def __init__(self, address: Path, answer: Answer, name: str) -> None:
        self._address = address
        self._answer = answer
        self._asked_at = time.monotonic()
        self._room = threading.BoundedSemaphore(AT_ONCE_MAX)
        # Threads that stay: what one allocated and freed is kept for it, and not for each anew.
        self._turns = ThreadPoolExecutor(TURNS, thread_name_prefix=name)
        self._lines = set[socket.socket]()
        self._listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self._thread = threading.Thread(target=self._listen, name=name, daemon=True)

    def __enter__(self) -> Self:
        """
        Begin to answer. The caller holds the worker's lock, so an old socket is nobody's.

        Raises:
            OSError: the address cannot be listened at; it may be too long.
        """
        self._address.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        self._address.unlink(missing_ok=True)
        try:
            self._listener.bind(str(self._address))
        except OSError:
            self._listener.close()
            raise
        self._address.chmod(0o600)
        self._listener.listen(AT_ONCE_MAX)
        self._thread.start()
        return self

    def __exit__(self, *exc: object) -> None:
        self._address.unlink(missing_ok=True)
        # Wakes the thread, which closing alone does not.
        self._listener.shutdown(socket.SHUT_RDWR)
        self._thread.join(_SECONDS_MAX)
        self._listener.close()
        self._turns.shutdown(wait=False, cancel_futures=True)

    def asked_at(self) -> float:
        """Return when somebody asked last, by `time.monotonic`."""
        return self._asked_at

    def is_asked(self) -> bool:
        """Say whether somebody waits for an answer."""
        return bool(self._lines)

    def _listen(self) -> None:
        while True:
            try:
                line, _ = self._listener.accept()
            except OSError:  # closed
                return
            self._asked_at = time.monotonic()
            if is_own(line) and self._room.acquire(blocking=False):
                self._lines.add(line)
                threading.Thread(target=self._serve, args=(line,), daemon=True).start()
            else:
                line.close()

    def _serve(self, line: socket.socket) -> None:
        try:
            with line:
                line.settimeout(_SECONDS_MAX)
                asked = _heard(line)
                said = None if asked is None else self._said(asked, line)
                if said is None:
                    return
                line.sendall(said.text)
            said.then()
        except OSError:
            logger.debug("somebody did not wait for an answer")
        except TilthError as error:
            logger.warning("somebody got no answer: code=%s", error.code)
        finally:
            self._lines.discard(line)
            self._room.release()

    def _said(self, asked: bytes, line: socket.socket) -> Said | None:
        """Answer in turn; nothing to who had to wait for so long that they are gone."""

        def answered() -> Said | None:
            # A hook waits for a fifth of a second; its answer would only hold up the next ones.
            return None if is_gone(line) else self._answer(asked)

        try:
            answering = self._turns.submit(answered)
        except RuntimeError:  # closed
            return None
        wait([answering], timeout=_TURN_SECONDS_MAX)
        return None if answering.cancel() else answering.result()


def is_gone(line: socket.socket) -> bool:
    """
    Say whether whoever asked hung up, and not only said that the question is over.

    Elsewhere than on Linux the two may look alike, and nobody is taken to be gone.
    """
    if sys.platform != "linux":
        return False
    told = select.poll()
    told.register(line, 0)  # What is asked for is nothing; that a line is dead is told anyway.
    return any(event & select.POLLHUP for _, event in told.poll(0))


def is_own(line: socket.socket) -> bool:
    """Say whether this user asks; where the system does not tell, the socket's mode has to do."""
    option = getattr(socket, "SO_PEERCRED", None)
    if option is None:
        return True
    told = line.getsockopt(socket.SOL_SOCKET, option, _CREDENTIALS.size)
    _, user, _ = _CREDENTIALS.unpack(told)
    return bool(user == getuid())


def _heard(line: socket.socket) -> bytes | None:
    heard = b""
    while chunk := line.recv(1 << 16):
        heard += chunk
        if len(heard) > _QUESTION_BYTES_MAX:
            return None
    return heard
