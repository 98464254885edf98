"""
Read failures of tools from Codex's rollouts, since its hooks do not report them.

Its hook after a tool tells what came out, and not with which code. The rollout has that beside the
same id by then. It is read on from where it was left.
"""

import json
from collections.abc import Iterator
from dataclasses import field, replace
from pathlib import Path
from threading import Lock
from typing import BinaryIO

from tilth.agents.hook_record import HookRecord
from tilth.agents.hosts import codex
from tilth.agents.hosts.claude_code import HAS_FAILED
from tilth.agents.read_record import parse_payload
from tilth.core.dataclass import dataclass
from tilth.core.errors import InvalidInputError
from tilth.transfer.reading.lenient_json import mapping, string, written_object

_ROLLOUTS_KEPT = 16
_LINE_BYTES_MAX = 4 << 20
_MARKS = (b'"exit_code"', b'"failed"')


@dataclass(slots=True)
class _Rollout:
    read_to: int = 0
    failed: set[str] = field(default_factory=set)


class Rollouts:
    """The rollouts of the sessions that hooks told of last."""

    def __init__(self) -> None:
        self._known: dict[str, _Rollout] = {}
        self._lock = Lock()  # hooks are answered while the spool is read

    def completed(self, record: HookRecord) -> HookRecord:
        """Return *record*; of a tool's use that failed in Codex, with the mark that says so."""
        if (record.host, record.event) != (codex.HOST, "PostToolUse") or record.is_cut:
            return record
        try:
            payload = parse_payload(record)
        except InvalidInputError:
            return record  # refused where it is read
        use, path = string(payload, "tool_use_id"), string(payload, "transcript_path")
        with self._lock:
            if not use or use not in self._failed(path):
                return record
        return replace(record, payload=json.dumps({**payload, HAS_FAILED: True}).encode())

    def _failed(self, path: str) -> set[str]:
        there = Path(path)
        if not (there.name.startswith("rollout-") and there.suffix == ".jsonl" and _is_file(there)):
            return set()
        rollout = self._known.pop(path, _Rollout())
        self._known[path] = rollout
        while len(self._known) > _ROLLOUTS_KEPT:
            del self._known[next(iter(self._known))]
        try:
            with there.open("rb") as file:
                file.seek(rollout.read_to)
                rollout.failed.update(_failed_uses(file))
                rollout.read_to = file.tell()
        except OSError:
            return rollout.failed  # moved away meanwhile
        return rollout.failed


def _is_file(path: Path) -> bool:
    try:
        return path.is_absolute() and path.is_file()
    except (OSError, ValueError):
        return False


def _failed_uses(file: BinaryIO) -> Iterator[str]:
    """Yield the ids of the uses that failed, up to the last whole line; the file stands there."""
    while (line := file.readline(_LINE_BYTES_MAX)).endswith(b"\n") or len(line) == _LINE_BYTES_MAX:
        if any(mark in line for mark in _MARKS) and (use := _failed_use(line)):
            yield use
    file.seek(-len(line), 1)


def _failed_use(line: bytes) -> str:
    payload = mapping(written_object(line.decode(errors="replace")), "payload")
    ended = mapping(payload, "item") or payload
    has_failed = ended.get("exit_code") not in (None, 0) or string(ended, "status") == "failed"
    return string(ended, "call_id", "id") if has_failed else ""
