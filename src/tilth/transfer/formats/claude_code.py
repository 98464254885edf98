"""
Claude Code's transcripts: `~/.claude/projects/SLUG/SESSION.jsonl`.

One JSON object a line. The format is internal to its program, so lines of
types that are not known here are counted and left out. A subagent's lines are
a session of their own.
"""

from collections.abc import Iterator
from dataclasses import replace

from tilth.core.json import Json, JsonObject
from tilth.episodes.episode import Role
from tilth.exchanges.model import is_interruption
from tilth.transfer.model import Item
from tilth.transfer.reading.agent_text import (
    COMPACTION,
    blocks_of,
    content_text,
    is_compaction,
    is_handed_plan,
    users_words,
)
from tilth.transfer.reading.conversation import Conversation, Tally, Utterance, conversation_in
from tilth.transfer.reading.lenient_json import mapping, mappings, sequence, string
from tilth.transfer.reading.records import Record, read_lines
from tilth.transfer.reading.sample import Sample
from tilth.transfer.reading.source_file import SourceFile

HOST = "claude-code"
PROGRAM = "Claude Code"
READS = "`~/.claude/projects/*/*.jsonl`"
SESSION = "a session; a subagent's lines are one of their own, `SESSION/AGENT`"
_TYPES = frozenset(
    {"user", "assistant", "system", "progress", "attachment", "queue-operation", "summary"}
)
_TALK = frozenset({"user", "assistant"})
# Where a prompt of a person's may come from; `sdk` is `claude -p`, and an editor's window. Hooks
# are not told, and what they take for typed is known again by that.
_PERSONS = frozenset({"", "human", "sdk", "unknown"})


def sniff(sample: Sample) -> bool:
    """Say whether these are lines of Claude Code."""
    return any(
        string(record, "type") in _TYPES
        and bool(string(record, "sessionId", "leafUuid"))
        and "projectHash" not in record
        for record in sample.records
    )


def read(source: SourceFile) -> Iterator[Item]:
    """Yield what the transcript holds."""
    transcript = _Transcript(source)
    yield from read_lines(source, transcript.items, transcript.tally)


def _as_first_said(line: JsonObject) -> JsonObject:
    """
    Return a line that a fork copied as the session has it that was forked: said once (I24).

    The last one bears the time of the fork, and so is there twice; older hosts tell nothing.
    """
    first = mapping(line, "forkedFrom")
    if not (string(first, "sessionId") and string(first, "messageUuid")):
        return line
    return {**line, "sessionId": first["sessionId"], "uuid": first["messageUuid"]}


class _Transcript:
    """The state between lines: the sessions, and which prompts were answered."""

    def __init__(self, source: SourceFile) -> None:
        self.tally = Tally()
        self._source = source
        self._conversations: dict[str, Conversation] = {}
        self._prompted: dict[str, str] = {}

    def items(self, record: Record) -> Iterator[Item]:
        """Yield what one line becomes."""
        line = _as_first_said(record.value)
        kind = string(line, "type")
        if line.get("isMeta") is True:
            self.tally.add("lines that the program wrote for itself")
        elif kind in _TALK:
            yield from self._talk(line, record.where)
        elif kind == "summary" and "message" in line:
            yield from self._compaction(line, record.where)
        elif string(mapping(line, "attachment"), "type") == "queued_command":
            yield from self._queued(line, record.where)
        else:
            self.tally.add(f"lines of type {kind[:40]!r}")

    def _talk(self, line: JsonObject, where: str) -> Iterator[Item]:
        conversation = self._conversation(line)
        role = Role(string(line, "type"))
        rewound = {"rewound": True} if self._goes_back(line) else {}
        said = 0
        for index, block in enumerate(blocks_of(_content(line), role, self.tally)):
            utterance = Utterance(
                where=where,
                text=block.text,
                kind=block.kind,
                role=block.role,
                at=line.get("timestamp"),
                id=f"{line['uuid']}/{index}" if string(line, "uuid") else "",
                use=block.tool_use_id,
                is_own=block.is_own,
                # By it a tool's use is known again that a hook told of too.
                metadata=rewound | ({"tool_use_id": use} if (use := block.tool_use_id) else {}),
            )
            if block.role is Role.USER and line.get("isSidechain") is True:
                # The call that sent the subagent has the same words.
                self.tally.add(Tally.SUBAGENT_TASKS)
                continue
            for each in _as_said(utterance, line) if block.role is Role.USER else (utterance,):
                said += bool(each.text.strip())
                yield from conversation.say(each)
        if not said:
            self.tally.add("messages of nothing but thoughts or injected text")

    def _compaction(self, line: JsonObject, where: str) -> Iterator[Item]:
        yield from self._conversation(line).say(
            Utterance(
                where=where,
                text=content_text(mapping(line, "message")),
                role=Role.SYSTEM,
                at=line.get("timestamp"),
                id=string(line, "uuid"),
                metadata=COMPACTION,
            )
        )

    def _queued(self, line: JsonObject, where: str) -> Iterator[Item]:
        yield from self._conversation(line).say(
            Utterance(
                where=where,
                text=users_words(content_text(mapping(line, "attachment"), "prompt")),
                role=Role.USER if _is_persons(mapping(line, "attachment")) else Role.SYSTEM,
                at=line.get("timestamp"),
                id=string(line, "uuid"),
            )
        )

    def _goes_back(self, line: JsonObject) -> bool:
        # A second prompt after one and the same message: the first was rewound.
        parent, own = string(line, "parentUuid"), string(line, "uuid")
        content = mappings(mapping(line, "message"), "content")
        is_result = any(string(block, "type") == "tool_result" for block in content)
        if string(line, "type") != "user" or is_result or not parent:
            return False
        return self._prompted.setdefault(parent, own) != own

    def _conversation(self, line: JsonObject) -> Conversation:
        external_id = string(line, "sessionId") or self._source.stem
        if line.get("isSidechain") is True:
            stem = self._source.stem
            of_file = stem.removeprefix("agent-") if stem.startswith("agent-") else "sidechain"
            external_id = f"{external_id}/{string(line, 'agentId') or of_file}"
        if external_id not in self._conversations:
            self._conversations[external_id] = conversation_in(
                self._source, HOST, external_id, folder=string(line, "cwd")
            )
        return self._conversations[external_id]


def _content(line: JsonObject) -> list[Json]:
    message = mapping(line, "message")
    whole = string(message, "content")
    return [{"type": "text", "text": whole}] if whole else list(sequence(message, "content"))


def _as_said(said: Utterance, line: JsonObject) -> Iterator[Utterance]:
    """Yield a message of the user's side as a person's or a program's."""
    if line.get("isCompactSummary") is True or is_compaction(said.text):
        yield replace(said, role=Role.SYSTEM, metadata=COMPACTION)
    elif is_interruption(said.text):
        yield replace(said, role=Role.SYSTEM)
    elif not _is_persons(line):
        yield replace(said, role=Role.SYSTEM, text=users_words(said.text))
    else:
        yield replace(said, text=users_words(said.text))
        if is_handed_plan(said.text):
            yield replace(said, role=Role.SYSTEM)


def _is_persons(told: JsonObject) -> bool:
    """Say whether a person typed a prompt; newer hosts say where each one comes from."""
    kind = string(mapping(told, "origin"), "kind") or string(told, "turnOrigin")
    return kind in _PERSONS and string(told, "promptSource") != "system"
