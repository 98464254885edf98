"""
Codex: rollouts (`~/.codex/sessions/…/rollout-*.jsonl`) and the events of `codex exec --json`.

A rollout has every message twice: as an event, and as the item that went to
the model, which also carries context that nobody said. The events are read
where there are any, and the items elsewhere.
"""

import json
import re
from collections.abc import Iterator
from pathlib import PurePosixPath

from tilth.domain.episode import EpisodeKind, Role
from tilth.domain.json import Json, JsonObject
from tilth.domain.scope import scope_of_folder
from tilth.files.agent_text import call_text, content_text, json_text, users_words
from tilth.files.conversation import (
    Conversation,
    Tally,
    Utterance,
    session_id_of,
    session_info,
)
from tilth.files.records import Record, json_lines
from tilth.files.sample import Sample
from tilth.files.shapes import mapping, string
from tilth.files.source_file import SourceFile
from tilth.ports import Item, Skipped

HOST = "codex"
_ENVELOPES = frozenset({"session_meta", "turn_context", "event_msg", "response_item", "compacted"})
_EVENTS = {"user_message": Role.USER, "agent_message": Role.ASSISTANT}
_ITEM_ROLES = {"user": Role.USER, "assistant": Role.ASSISTANT}
_CALLS = frozenset({"function_call", "custom_tool_call", "local_shell_call", "web_search_call"})
_RESULTS = frozenset({"function_call_output", "custom_tool_call_output"})
_EXIT_CODE = re.compile(r"^(?:Process exited with code|Exit code:) (-?\d+)", re.MULTILINE)
_EXIT_CODE_WITHIN = 300  # the report on the run stands before its output


def sniff(sample: Sample) -> bool:
    """Say whether this is a rollout or a stream of events."""
    return any(
        (string(record, "type") in _ENVELOPES and bool(mapping(record, "payload")))
        or "thread_id" in record
        or {"id", "timestamp", "instructions"} <= record.keys()
        for record in sample.records
    )


def read(source: SourceFile) -> Iterator[Item]:
    """Yield what the rollout holds."""
    rollout = _Rollout(source, _roles_with_events(source))
    with source.open() as stream:
        for record in json_lines(stream, source.label):
            if isinstance(record, Skipped):
                yield record
            else:
                yield from rollout.items(record)
    yield from rollout.tally.skipped(source.label)


def _roles_with_events(source: SourceFile) -> frozenset[Role]:
    marks = {role: f'"{name}"'.encode() for name, role in _EVENTS.items()}
    found: set[Role] = set()
    with source.open() as stream:
        for record in json_lines(stream, ""):
            payload = mapping(record.value, "payload") if isinstance(record, Record) else {}
            role = _EVENTS.get(string(payload, "type"))
            if role and string(payload, "message"):
                found.add(role)
            if len(found) == len(marks):
                break
    return frozenset(found)


class _Rollout:
    """What must be remembered from line to line."""

    def __init__(self, source: SourceFile, roles_with_events: frozenset[Role]) -> None:
        self.tally = Tally()
        self._source = source
        self._roles_with_events = roles_with_events
        self._conversation: Conversation | None = None
        self._external_id = PurePosixPath(source.name).stem
        self._folder = ""
        self._started_at: Json = None

    def items(self, record: Record) -> Iterator[Item]:
        """Yield what one line becomes."""
        line = record.value
        payload = mapping(line, "payload") or mapping(line, "item") or line
        kind = string(payload, "type")
        at = line.get("timestamp") or payload.get("timestamp") or self._started_at
        if string(line, "type") in {"session_meta", "turn_context", "thread.started"}:
            self._meet(payload)
        elif {"id", "timestamp", "instructions"} <= line.keys():
            self._meet(line)
        else:
            said = self._utterances(line, payload, Utterance(where=record.where, text="", at=at))
            if said is None:
                self.tally.add(f"lines of type {(kind or string(line, 'type'))[:40]!r}")
            else:
                for utterance in said:
                    yield from self._session().say(utterance)
