"""Answer a hook in the worker: find the event, and read the host's payload."""

from collections.abc import Callable
from pathlib import Path
from typing import TypeAlias

from tilth.agents.hook_record import HookRecord
from tilth.agents.worker_socket import Listening, Said
from tilth.core.clock import Clock
from tilth.core.dataclass import dataclass

GREETING = b"tilth recall 1"
_FIELDS = 5


@dataclass(frozen=True, slots=True)
class Answered:
    """What a hook is told, and what there is to do once it was."""

    text: str = ""
    then: Callable[[], None] = lambda: None


Answer: TypeAlias = Callable[[HookRecord], Answered]


class Answering(Listening):
    """Answers hooks at a Unix socket for as long as it is open."""

    def __init__(self, address: Path, answer: Answer, clock: Clock) -> None:
        def said(heard: bytes) -> Said | None:
            if (record := _record(heard, clock)) is None:
                return None
            answered = answer(record)
            text = GREETING + b"\n" + answered.text.encode("utf-8", "replace")
            return Said(text, answered.then)

        super().__init__(address, said, "hooks")


def _record(heard: bytes, clock: Clock) -> HookRecord | None:
    head, _, payload = heard.partition(b"\n")
    fields = head.decode("ascii", "replace").split(" ")
    if len(fields) != _FIELDS or not head.startswith(GREETING + b" "):
        return None
    host, event = fields[-2:]
    return HookRecord(host=host, event=event, at=clock.now(), payload=payload)
