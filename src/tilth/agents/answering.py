"""
The worker's side of a hook's question.

A hook connects, says which event it is about and what the host told, and waits
a fifth of a second. So questions are answered side by side, few at a time, and
one that comes when all are busy is turned away at once.
"""

import logging
import socket
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Self, TypeAlias

from tilth.agents.hook import HookRecord
from tilth.core.clock import Clock
from tilth.core.errors import TilthError

logger = logging.getLogger(__name__)

GREETING = b"tilth recall 1"
AT_ONCE_MAX = 8
_QUESTION_BYTES_MAX = 300 << 10
_SECONDS_MAX = 2.0
_FIELDS = 5


@dataclass(frozen=True, slots=True)
class Answered:
    """What a hook is told, and what there is to do once it was."""

    text: str = ""
    then: Callable[[], None] = lambda: None


Answer: TypeAlias = Callable[[HookRecord], Answered]


class Answering:
    """Answers hooks at a Unix socket for as long as it is open."""

    def __init__(self, address: Path, answer: Answer, clock: Clock) -> None:
        self._address = address
        self._answer = answer
        self._clock = clock
        self._asked_at = time.monotonic()
        self._room = threading.BoundedSemaphore(AT_ONCE_MAX)
        self._listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self._thread = threading.Thread(target=self._listen, name="hooks", daemon=True)

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

    def asked_at(self) -> float:
        """Return when somebody asked last, by `time.monotonic`."""
        return self._asked_at

    def _listen(self) -> None:
        while True:
            try:
                line, _ = self._listener.accept()
            except OSError:  # closed
                return
            self._asked_at = time.monotonic()
            if self._room.acquire(blocking=False):
                threading.Thread(target=self._serve, args=(line,), daemon=True).start()
            else:
                line.close()

    def _serve(self, line: socket.socket) -> None:
        try:
            with line:
                line.settimeout(_SECONDS_MAX)
                record = self._heard(line)
                if record is None:
                    return
                answered = self._answer(record)
                line.sendall(GREETING + b"\n" + answered.text.encode("utf-8", "replace"))
            answered.then()
        except OSError:
            logger.debug("a hook did not wait for its answer")
        except TilthError as error:
            logger.warning("a hook got no answer: code=%s", error.code)
        finally:
            self._room.release()

    def _heard(self, line: socket.socket) -> HookRecord | None:
        heard = b""
        while chunk := line.recv(1 << 16):
            heard += chunk
            if len(heard) > _QUESTION_BYTES_MAX:
                return None
        head, _, payload = heard.partition(b"\n")
        fields = head.decode("ascii", "replace").split(" ")
        if len(fields) != _FIELDS or not head.startswith(GREETING + b" "):
            return None
        host, event = fields[-2:]
        return HookRecord(host=host, event=event, at=self._clock.now(), payload=payload)
