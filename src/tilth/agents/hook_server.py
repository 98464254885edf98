"""Answer hooks in the worker, at a Unix socket."""

from collections.abc import Callable
from pathlib import Path
from typing import TypeAlias

from tilth.agents.hook_record import HookRecord
from tilth.agents.worker_socket import SocketReply, WorkerSocket
from tilth.core.clock import Clock
from tilth.core.dataclass import dataclass

GREETING = b"tilth recall 1"
_FIELDS = 5


@dataclass(frozen=True, slots=True)
class HookReply:
    """The text that a hook gets, and what to do once it was sent."""

    text: str = ""
    then: Callable[[], None] = lambda: None


Answer: TypeAlias = Callable[[HookRecord], HookReply]


class HookServer(WorkerSocket):
    """Answers hooks at a Unix socket for as long as it is open."""

    def __init__(self, address: Path, answer: Answer, clock: Clock) -> None:
        def reply(heard: bytes) -> SocketReply | None:
            if (record := _record(heard, clock)) is None:
                return None
            replied = answer(record)
            text = GREETING + b"\n" + replied.text.encode("utf-8", "replace")
            return SocketReply(text, replied.then)

        super().__init__(address, reply, "hooks")


def _record(heard: bytes, clock: Clock) -> HookRecord | None:
    head, _, payload = heard.partition(b"\n")
    fields = head.decode("ascii", "replace").split(" ")
    if len(fields) != _FIELDS or not head.startswith(GREETING + b" "):
        return None
    host, event = fields[-2:]
    return HookRecord(host=host, event=event, at=clock.now(), payload=payload)
