"""Copilot CLI: the events of a session (`~/.copilot/session-state/…/events.jsonl`)."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import PurePosixPath

from tilth.core.json import JsonObject
from tilth.core.outside.projects import scope_of_folder
from tilth.episodes.episode import EpisodeKind, Role
from tilth.transfer.importing import Item, Skipped
from tilth.transfer.reading.agent_text import call_text, content_text, users_words
from tilth.transfer.reading.conversation import (
    Conversation,
    Tally,
    Utterance,
    session_id_of,
    session_info,
)
from tilth.transfer.reading.own_calls import is_own_call
from tilth.transfer.reading.records import json_lines
from tilth.transfer.reading.sample import Sample
from tilth.transfer.reading.shapes import mapping, string, timestamp_or
from tilth.transfer.reading.shell_reports import reports_failure
from tilth.transfer.reading.source_file import SourceFile

HOST = "copilot-cli"
PROGRAM = "Copilot CLI"
READS = "events of Copilot CLI, `~/.copilot/session-state/**/*.jsonl`"
SESSION = "a session"
_STARTS = frozenset({"session.start", "session.resume"})
# What the program tells itself: no word of anybody, and no deed.
_SILENT = frozenset({"assistant", "hook", "session", "subagent", "system", "skill", "abort"})


def sniff(sample: Sample) -> bool:
    """Say whether these are the events of a session."""
    return any(
        string(one, "type") in _STARTS and "copilotVersion" in mapping(one, "data")
        for one in sample.records
    )


def read(source: SourceFile) -> Iterator[Item]:
    """Yield what the session holds."""
    chat, tally = _begun(source, {}), Tally()
    is_begun = False
    with source.open() as stream:
        for record in json_lines(stream, source.label):
            if isinstance(record, Skipped):
                yield record
                continue
            event = record.value
            kind, data = string(event, "type"), mapping(event, "data")
            if kind in _STARTS and not is_begun:
                chat, is_begun = _begun(source, data), True
                continue
            said = _utterance(kind, data, event, record.where)
            if said is not None:
                yield from chat.say(said)
            elif kind.partition(".")[0] not in _SILENT:
                tally.add(f"lines of type {kind[:40]!r}")
    yield from tally.skipped(source.label)


def _begun(source: SourceFile, data: JsonObject) -> Conversation:
    where = mapping(data, "context")
    folder = string(where, "gitRoot", "cwd")
    host, name = string(where, "repositoryHost"), string(where, "repository")
    return Conversation(
        session_id_of(HOST, string(data, "sessionId") or PurePosixPath(source.name).stem),
        session_info(HOST, source.uri, folder=folder),
        started_at=timestamp_or(data.get("startTime"), source.modified_at),
        scope=scope_of_folder(folder, f"https://{host}/{name}" if host and name else ""),
    )


def _utterance(kind: str, data: JsonObject, event: JsonObject, where: str) -> Utterance | None:
    call_id = string(data, "toolCallId")
    said = Utterance(
        where=where,
        text=string(data, "content"),
        at=event.get("timestamp"),
        id=string(event, "id"),
        use=call_id,
        metadata={"tool_use_id": call_id} if call_id else {},
    )
    if kind == "user.message":
        return replace(said, role=Role.USER, text=users_words(said.text))
    if kind == "assistant.message":
        return replace(said, role=Role.ASSISTANT)
    if kind == "tool.execution_start":
        name, asked = string(data, "toolName"), data.get("arguments")
        return replace(
            said,
            kind=EpisodeKind.TOOL_CALL,
            role=Role.ASSISTANT,
            text=call_text(name, asked),
            is_own=is_own_call(f"{string(data, 'mcpServerName')}.{name}", asked),
        )
    return _result(said, data) if kind == "tool.execution_complete" else None


def _result(said: Utterance, data: JsonObject) -> Utterance:
    told = content_text(mapping(data, "result"))
    text = told or string(mapping(data, "error"), "message")
    has_failed = data.get("success") is False or reports_failure(text)
    kind = EpisodeKind.TOOL_FAILURE if has_failed else EpisodeKind.TOOL_RESULT
    return replace(said, kind=kind, role=Role.TOOL, text=text)
