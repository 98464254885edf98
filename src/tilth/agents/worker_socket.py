"""
The user's Unix socket on which a running worker is asked.

Clients wait a moment at most. So questions are read side by side, and a client that comes when too
many are there is turned away at once. Few questions are answered at a time, in turn: Python runs
one thread after the other, so none of eight at once would be done in time, and each takes tens of
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
class SocketReply:
    """The bytes to send, and what to do once they were sent."""

    text: bytes
    then: Callable[[], None] = lambda: None


# From a question to its reply; None sends nothing at all.
Answer: TypeAlias = Callable[[bytes], SocketReply | None]


class WorkerSocket:
    """Answers this user's programs at an address for as long as it is open."""

    def __init__(self, address: Path, answer: Answer, name: str) -> None:
        self._address = address
        self._answer = answer
        self._asked_at = time.monotonic()
        self._room = threading.BoundedSemaphore(AT_ONCE_MAX)
        # Threads that stay: what one allocated and freed is kept for it, and not for each anew.
        self._turns = ThreadPoolExecutor(TURNS, thread_name_prefix=name)
        self._connections = set[socket.socket]()
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
        return bool(self._connections)

    def _listen(self) -> None:
        while True:
            try:
                connection, _ = self._listener.accept()
            except OSError:  # closed
                return
            self._asked_at = time.monotonic()
            if is_same_user(connection) and self._room.acquire(blocking=False):
                self._connections.add(connection)
                threading.Thread(target=self._serve, args=(connection,), daemon=True).start()
            else:
                connection.close()

    def _serve(self, connection: socket.socket) -> None:
        try:
            with connection:
                connection.settimeout(_SECONDS_MAX)
                asked = _heard(connection)
                said = None if asked is None else self._said(asked, connection)
                if said is None:
                    return
                connection.sendall(said.text)
            said.then()
        except OSError:
            logger.debug("somebody did not wait for an answer")
        except TilthError as error:
            logger.warning("somebody got no answer: code=%s", error.code)
        finally:
            self._connections.discard(connection)
            self._room.release()

    def _said(self, asked: bytes, connection: socket.socket) -> SocketReply | None:
        """Answer in turn; nothing to who had to wait for so long that they are gone."""

        def answered() -> SocketReply | None:
            # A hook waits for a fifth of a second; its answer would only hold up the next ones.
            return None if has_hung_up(connection) else self._answer(asked)

        try:
            answering = self._turns.submit(answered)
        except RuntimeError:  # closed
            return None
        wait([answering], timeout=_TURN_SECONDS_MAX)
        return None if answering.cancel() else answering.result()


def has_hung_up(connection: socket.socket) -> bool:
    """
    Say whether whoever asked hung up, and not only said that the question is over.

    Elsewhere than on Linux the two may look alike, and nobody is taken to be gone.
    """
    if sys.platform != "linux":
        return False
    poller = select.poll()
    poller.register(connection, 0)  # No event is asked for; a dead connection is reported anyway.
    return any(event & select.POLLHUP for _, event in poller.poll(0))


def is_same_user(connection: socket.socket) -> bool:
    """Say whether this user asks; where the system does not tell, the socket's mode has to do."""
    option = getattr(socket, "SO_PEERCRED", None)
    if option is None:
        return True
    peer = connection.getsockopt(socket.SOL_SOCKET, option, _CREDENTIALS.size)
    _, user, _ = _CREDENTIALS.unpack(peer)
    return bool(user == getuid())


def _heard(connection: socket.socket) -> bytes | None:
    heard = b""
    while chunk := connection.recv(1 << 16):
        heard += chunk
        if len(heard) > _QUESTION_BYTES_MAX:
            return None
    return heard
