"""
Codex: rollouts (`~/.codex/sessions/…/rollout-*.jsonl`) and the events of `codex exec --json`.

A rollout has every message twice: as an event, and as the item that went to
the model, which also carries context that nobody said. The events are read
where there are any, and the items elsewhere. Of the thread of a subagent, the
tasks are left out: the call that sent it has the same words. So are the lines
that a fork copied, which are its parent's, and messages that were rolled back.
"""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from datetime import datetime, timedelta

from tilth.core.io.projects import scope_of_folder
from tilth.core.json import Json, JsonObject
from tilth.episodes.episode import EpisodeKind, Role
from tilth.transfer.model import Item, Skipped
from tilth.transfer.reading.agent_text import (
    COMPACTION,
    called,
    came_of,
    content_text,
    json_text,
    users_words,
)
from tilth.transfer.reading.conversation import Conversation, Tally, Utterance, conversation_in
from tilth.transfer.reading.lenient_json import mapping, string, timestamp_or, written_object
from tilth.transfer.reading.records import Record, json_lines
from tilth.transfer.reading.sample import Sample
from tilth.transfer.reading.shell_reports import codex_outcome, reports_failure
from tilth.transfer.reading.source_file import SourceFile

HOST = "codex"
PROGRAM = "Codex"
READS = "rollouts `~/.codex/sessions/**/rollout-*.jsonl`, and the events of `codex exec --json`"
SESSION = "a thread"
_ENVELOPES = frozenset({"session_meta", "turn_context", "event_msg", "response_item", "compacted"})
_EVENTS = {"user_message": Role.USER, "agent_message": Role.ASSISTANT}
# As which newer rollouts tell what the user sent, where older ones have `user_message`.
_SENT = "UserMessage"
_ITEM_ROLES = {"user": Role.USER, "assistant": Role.ASSISTANT}
_CALLS = frozenset({"function_call", "custom_tool_call", "local_shell_call", "web_search_call"})
_RESULTS = frozenset({"function_call_output", "custom_tool_call_output"})
# A fork writes all that it copies at once, and its own lines when somebody goes on.
_AT_ONCE = timedelta(milliseconds=500)
_ROLLED_BACK = "thread_rolled_back"


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
    rollout, undone = _Rollout(source, _roles_with_events(source)), _undone(source)
    with source.open() as stream:
        for number, record in enumerate(json_lines(stream, source.label)):
            if isinstance(record, Skipped):
                yield record
            else:
                yield from rollout.items(record, is_undone=number in undone)
    yield from rollout.tally.skipped(source.label)


def _roles_with_events(source: SourceFile) -> frozenset[Role]:
    found: set[Role] = set()
    with source.open() as stream:
        for record in json_lines(stream, ""):
            payload = mapping(record.value, "payload") if isinstance(record, Record) else {}
            role, text = _told(payload)
            if role and text:
                found.add(role)
            if len(found) == len(_EVENTS):
                break
    return frozenset(found)


def _undone(source: SourceFile) -> frozenset[int]:
    """Return the numbers of the lines in turns that were rolled back."""
    with source.open() as stream:
        if not any(_ROLLED_BACK.encode() in line for line in stream):
            return frozenset()
    undone: set[int] = set()
    begins: list[int] = []
    with source.open() as stream:
        for number, record in enumerate(json_lines(stream, "")):
            payload = mapping(record.value, "payload") if isinstance(record, Record) else {}
            if _told(payload)[0] is Role.USER:
                begins.append(number)
            turns = payload.get("num_turns")
            if string(payload, "type") == _ROLLED_BACK and isinstance(turns, int) and turns > 0:
                undone.update(range(begins[-turns:][0], number) if begins else ())
                del begins[-turns:]
    return frozenset(undone)


def _told(event: JsonObject) -> tuple[Role | None, str]:
    """Return the role and the text of a message; no role for any other event."""
    item = mapping(event, "item")
    if string(event, "type") == "item_completed" and string(item, "type") == _SENT:
        return Role.USER, content_text(item)
    return _EVENTS.get(string(event, "type")), string(event, "message")


class _Rollout:
    """The state between lines: the thread, and what a fork copied into it."""

    def __init__(self, source: SourceFile, roles_with_events: frozenset[Role]) -> None:
        self.tally = Tally()
        self._source = source
        self._roles_with_events = roles_with_events
        self._conversation: Conversation | None = None
        self._external_id = self._own_id = ""
        self._folder = self._remote = ""
        self._started_at: Json = None
        self._is_subagents = False
        self._copied_at: datetime | None = None

    def items(self, record: Record, *, is_undone: bool = False) -> Iterator[Item]:
        """Yield what one line becomes."""
        line = record.value
        payload = mapping(line, "payload") or mapping(line, "item") or line
        if string(line, "type") in {"session_meta", "turn_context", "thread.started"}:
            self._follow_fork(line, payload)
            self._meet(payload)
        elif {"id", "timestamp", "instructions"} <= line.keys():
            self._meet(line)
        elif self._is_copied(line):
            self.tally.add("lines that a fork copied")
        else:
            said = self._utterances(line, payload, record.where)
            if said is None:
                kind = string(payload, "type") or string(line, "type")
                self.tally.add(f"lines of type {kind[:40]!r}")
            for utterance in said or []:
                yield from self._say(utterance, is_undone=is_undone)

    def _follow_fork(self, line: JsonObject, payload: JsonObject) -> None:
        """Note that the lines that follow at once are copied, if a parent is named or described."""
        is_parents = self._own_id and string(payload, "id") not in {"", self._own_id}
        if string(line, "type") == "session_meta":
            self._own_id = self._own_id or string(payload, "id")
            if is_parents or string(payload, "forked_from_id"):
                at = self._copied_at or self._source.modified_at
                self._copied_at = timestamp_or(line.get("timestamp"), at)

    def _is_copied(self, line: JsonObject) -> bool:
        if self._copied_at is None:
            return False
        at = timestamp_or(line.get("timestamp"), self._copied_at)
        is_copied = at - self._copied_at <= _AT_ONCE
        self._copied_at = at if is_copied else None
        return is_copied

    def _say(self, said: Utterance, *, is_undone: bool) -> Iterator[Item]:
        if is_undone and said.kind is EpisodeKind.MESSAGE:
            self.tally.add(Tally.REWOUND)
            return
        if said.role is Role.USER and self._is_subagents:
            self.tally.add(Tally.SUBAGENT_TASKS)
            return
        yield from self._session().say(said)

    def _meet(self, payload: JsonObject) -> None:
        # A fork repeats the description of what it was forked from; its own comes first.
        if not self._external_id:
            self._external_id, self._is_subagents = _thread(payload)
        self._folder = self._folder or string(payload, "cwd")
        self._remote = self._remote or string(mapping(payload, "git"), "repository_url")
        self._started_at = self._started_at or payload.get("timestamp")

    def _session(self) -> Conversation:
        if self._conversation is None:
            external_id = self._external_id or self._source.stem
            self._conversation = conversation_in(
                self._source,
                HOST,
                external_id,
                folder=self._folder,
                began=self._started_at,
                scope=scope_of_folder(self._folder, self._remote),
            )
        return self._conversation

    def _utterances(
        self, line: JsonObject, payload: JsonObject, where: str
    ) -> list[Utterance] | None:
        blank = Utterance(
            where=where,
            text="",
            at=line.get("timestamp") or payload.get("timestamp"),
            id=string(payload, "id"),
        )
        if string(line, "type").startswith("item."):
            return _of_stream(line, payload, blank)
        if string(line, "type") == "compacted":
            text = string(payload, "message")
            return [replace(blank, text=text, role=Role.SYSTEM, metadata=COMPACTION)]
        if string(line, "type") == "event_msg":
            role, text = _told(payload)
            return [_spoken(blank, role, text)] if role else None
        if string(payload, "type") == "message":
            return self._of_message(payload, blank)
        return _of_tool(payload, blank)

    def _of_message(self, payload: JsonObject, blank: Utterance) -> list[Utterance] | None:
        role = _ITEM_ROLES.get(string(payload, "role"))
        if role is None:
            return None
        if role in self._roles_with_events:
            return []
        return [_spoken(blank, role, content_text(payload))]


def _thread(meta: JsonObject) -> tuple[str, bool]:
    """Return the ID of a thread, `SESSION/AGENT` if a subagent's, and whether it is one's."""
    id_, source = string(meta, "id", "thread_id"), mapping(meta, "source")
    spawned = mapping(mapping(source, "subagent"), "thread_spawn")
    parent = string(spawned, "parent_thread_id") or string(meta, "parent_thread_id")
    is_subagents = "subagent" in source or string(meta, "thread_source") == "subagent"
    return f"{parent}/{id_}" if is_subagents and parent and id_ else id_, is_subagents


def _spoken(blank: Utterance, role: Role, text: str) -> Utterance:
    return replace(blank, role=role, text=users_words(text) if role is Role.USER else text)


def _of_tool(payload: JsonObject, blank: Utterance) -> list[Utterance] | None:
    kind, call_id = string(payload, "type"), string(payload, "call_id")
    # By it a tool's use is known again that a hook told of too.
    uses: JsonObject = {"tool_use_id": call_id} if call_id else {}
    blank = replace(blank, use=call_id, metadata=uses)
    if kind in _CALLS:
        asked = payload.get("arguments") or payload.get("input") or payload.get("action")
        call = replace(blank, id=blank.id or call_id)
        name = string(payload, "name") or kind
        # Tools of an MCP server have its name beside theirs.
        return [called(call, name, asked, server=string(payload, "namespace"))]
    if kind in _RESULTS:
        text, has_failed = _output(payload)
        own_id = f"{call_id}/output" if call_id else blank.id
        result = replace(blank, id=own_id)
        return [came_of(result, text, has_failed=has_failed)]
    return None


def _output(payload: JsonObject) -> tuple[str, bool]:
    """Return a tool's output, and whether it failed; older rollouts wrap both in JSON."""
    output = payload.get("output")
    if isinstance(output, str) and output.startswith('{"output":'):
        output = written_object(output)
    wrapped = output if isinstance(output, Mapping) else {}
    code = mapping(wrapped, "metadata").get("exit_code")
    text = content_text(payload, "output")
    if wrapped:
        text = string(wrapped, "output", "content") or text or json_text(wrapped)
    has_failed = code not in (None, 0) or wrapped.get("success") is False
    return codex_outcome(text), has_failed or reports_failure(text)


def _of_stream(line: JsonObject, item: JsonObject, blank: Utterance) -> list[Utterance] | None:
    # Its numbers begin anew with each run, so they name a tool's use within one source alone.
    blank = replace(blank, use=blank.id)
    # An item is told when it starts, changes and ends; its end has all of it.
    if string(line, "type") != "item.completed":
        return []
    kind = string(item, "type", "item_type")
    if kind in {"agent_message", "assistant_message"}:
        return [_spoken(blank, Role.ASSISTANT, string(item, "text"))]
    if kind == "command_execution":
        has_failed = item.get("exit_code") not in (None, 0)
        output = string(item, "aggregated_output")
        asked = item.get("command")
        return [called(blank, "shell", asked), came_of(blank, output, has_failed=has_failed)]
    if kind == "mcp_tool_call":
        name = f"{string(item, 'server')}.{string(item, 'tool')}"
        failure, result = item.get("error"), mapping(item, "result")
        output = json_text(failure) if failure else content_text(result) or json_text(result)
        call = called(blank, name, item.get("arguments"))
        return [call, came_of(blank, output, has_failed=bool(failure))]
    if kind in {"web_search", "file_change"}:
        return [called(blank, kind, item.get("query") or item.get("changes"))]
    return None
