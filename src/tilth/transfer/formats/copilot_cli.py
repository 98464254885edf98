"""Copilot CLI: the events of a session (`~/.copilot/session-state/…/events.jsonl`)."""

from collections.abc import Iterator
from dataclasses import replace

from tilth.core.io.projects import scope_of_folder
from tilth.core.json import JsonObject
from tilth.episodes.episode import Role
from tilth.transfer.model import Item
from tilth.transfer.reading.agent_text import called, came_of, content_text, users_words
from tilth.transfer.reading.conversation import Conversation, Tally, Utterance, conversation_in
from tilth.transfer.reading.lenient_json import mapping, string
from tilth.transfer.reading.records import Record, read_lines
from tilth.transfer.reading.sample import Sample
from tilth.transfer.reading.shell_reports import reports_failure
from tilth.transfer.reading.source_file import SourceFile

HOST = "copilot-cli"
PROGRAM = "Copilot CLI"
READS = "events of Copilot CLI, `~/.copilot/session-state/**/*.jsonl`"
SESSION = "a session; a subagent's events are one of their own, `SESSION/AGENT`"
# Who sends prompts besides a person, as the source of a message names them.
_PROGRAMS = ("skill-", "schedule-", "autopilot", "system")
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
    log = _Log(source)
    yield from read_lines(source, log.items, log.tally)


class _Log:
    """The state between events: how the session began, and its subagents'."""

    def __init__(self, source: SourceFile) -> None:
        self.tally = Tally()
        self._source = source
        self._begin: JsonObject = {}
        self._chats: dict[str, Conversation] = {}

    def items(self, record: Record) -> Iterator[Item]:
        """Yield what one event becomes."""
        event = record.value
        kind, data = string(event, "type"), mapping(event, "data")
        if kind in _STARTS:
            self._begin = self._begin or data
            return
        said = _utterance(kind, data, event, record.where)
        if said is None:
            if kind.partition(".")[0] not in _SILENT:
                self.tally.add(f"lines of type {kind[:40]!r}")
        elif said.role is Role.USER and _agent(event, data):
            # The call that sent the subagent has the same words.
            self.tally.add(Tally.SUBAGENT_TASKS)
        else:
            agent = string(event, "agentId")
            if agent not in self._chats:
                self._chats[agent] = _begun(self._source, self._begin, agent)
            yield from self._chats[agent].say(said)


def _agent(event: JsonObject, data: JsonObject) -> str:
    """Return the subagent that a prompt goes to, if it goes to one."""
    source = string(data, "source")
    return string(event, "agentId") or (source if source.startswith("agent-") else "")


def _begun(source: SourceFile, data: JsonObject, agent: str) -> Conversation:
    where = mapping(data, "context")
    folder = string(where, "gitRoot", "cwd")
    host, name = string(where, "repositoryHost"), string(where, "repository")
    id_ = string(data, "sessionId") or source.stem
    return conversation_in(
        source,
        HOST,
        f"{id_}/{agent}" if agent else id_,
        folder=folder,
        began=data.get("startTime"),
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
        role = Role.SYSTEM if string(data, "source").startswith(_PROGRAMS) else Role.USER
        return replace(said, role=role, text=users_words(said.text))
    if kind == "assistant.message":
        return replace(said, role=Role.ASSISTANT)
    if kind == "tool.execution_start":
        name, asked = string(data, "toolName"), data.get("arguments")
        return called(said, name, asked, server=string(data, "mcpServerName"))
    return _result(said, data) if kind == "tool.execution_complete" else None


def _result(said: Utterance, data: JsonObject) -> Utterance:
    told = content_text(mapping(data, "result")) or string(data, "result")
    text = told or string(mapping(data, "error"), "message")
    has_failed = data.get("success") is False or reports_failure(text)
    return came_of(said, text, has_failed=has_failed)
