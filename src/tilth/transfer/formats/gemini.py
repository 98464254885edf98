"""
Gemini CLI's sessions: `~/.gemini/tmp/PROJECT/chats/session-*.json` and `.jsonl`.

A JSON file is one object with all messages. A JSONL file is a log of changes:
a message that is told again replaces itself, `$rewindTo` takes back a message
and all after it, and `$set` changes what is said about the session, or puts
other messages in the place of all. Below a prompt stand the files that it names.
"""

import hashlib
import re
from collections.abc import Iterator
from dataclasses import field, replace
from functools import partial
from itertools import islice
from pathlib import Path

from tilth.core.dataclass import dataclass
from tilth.core.json import JsonObject
from tilth.episodes.episode import Role
from tilth.transfer.model import Item, Skipped
from tilth.transfer.reading.agent_text import called, came_of, content_text, json_text, users_words
from tilth.transfer.reading.conversation import Conversation, Tally, Utterance, conversation_in
from tilth.transfer.reading.lenient_json import mapping, mappings, sequence, string, written_object
from tilth.transfer.reading.records import Record, items_of, json_items, json_lines
from tilth.transfer.reading.sample import Sample
from tilth.transfer.reading.shell_reports import gemini_outcome
from tilth.transfer.reading.source_file import SourceFile, note_at

HOST = "gemini-cli"
PROGRAM = "Gemini CLI"
READS = "`~/.gemini/tmp/*/chats/session-*.json` and `.jsonl`"
SESSION = "a session"
_ROLES = {"user": Role.USER, "gemini": Role.ASSISTANT}
_LINES = 20
_ITSELF = -1
_NOTE_CHARS_MAX = 1 << 20  # of what the program notes of its projects
_FILES = re.compile(r"^--- Content from referenced files ---[^\S\n]*$", re.MULTILINE)
_FAILED = frozenset({"error", "cancelled"})


def sniff(sample: Sample) -> bool:
    """Say whether this is a session of Gemini CLI."""
    return sample.has_keys("sessionId", "projectHash")


def read(source: SourceFile) -> Iterator[Item]:
    """Yield what the session holds."""
    if _is_log(source):
        yield from _read_log(source)
        return
    with source.open() as stream:
        yield from items_of(json_items(stream, source.label), partial(_session_items, source))


def _session_items(source: SourceFile, record: Record) -> Iterator[Item]:
    chat = _Chat(source)
    chat.meet(record.value)
    for number, message in enumerate(mappings(record.value, "messages"), 1):
        yield from chat.items(message, f"{record.where}.messages[{number}]")
    yield from chat.tally.skipped(source.label)


def _is_log(source: SourceFile) -> bool:
    # In a log every line is an object; of a session in one object, no line is, or all of it.
    with source.open() as stream:
        return any(
            isinstance(line, Record) and not sequence(line.value, "messages")
            for line in islice(json_lines(stream, source.label), _LINES)
        )


def _read_log(source: SourceFile) -> Iterator[Item]:
    chat = _Chat(source)
    history = _History(chat.tally)
    with source.open() as stream:
        for number, record in enumerate(json_lines(stream, source.label)):
            if isinstance(record, Record):
                history.follow(number, record.value)
    standing = frozenset(history.standing.values())
    with source.open() as stream:
        for number, record in enumerate(json_lines(stream, source.label)):
            if isinstance(record, Skipped):
                yield record
            elif (number, _ITSELF) in standing:
                yield from chat.items(record.value, record.where)
            else:
                chat.meet(record.value)
                for index, message in enumerate(_put(record.value)):
                    if (number, index) in standing:
                        yield from chat.items(message, f"{record.where}.messages[{index + 1}]")
    yield from chat.tally.skipped(source.label)


def _put(record: JsonObject) -> list[JsonObject]:
    """Return the messages that a record puts in the place of all before it."""
    return list(mappings(mapping(record, "$set"), "messages"))


@dataclass(slots=True)
class _History:
    """The place of each message in a log after all changes: its record, and its index there."""

    tally: Tally
    standing: dict[str, tuple[int, int]] = field(default_factory=dict)

    def follow(self, number: int, record: JsonObject) -> None:
        """Take in one record of the log."""
        if rewound_to := string(record, "$rewindTo"):
            self._rewind(rewound_to)
        elif "type" in record:
            self.standing[_name(record, number)] = (number, _ITSELF)
        elif put := _put(record):
            places = ((_name(one, number, index), index) for index, one in enumerate(put))
            self.standing = {name: (number, index) for name, index in places}

    def _rewind(self, message_id: str) -> None:
        if message_id not in self.standing:
            self.tally.add("rewinds to messages that are not there")
            return
        ids = list(self.standing)
        for taken_back in ids[ids.index(message_id) :]:
            del self.standing[taken_back]
            self.tally.add(Tally.REWOUND)


def _name(message: JsonObject, number: int, index: int = _ITSELF) -> str:
    return string(message, "id") or f"record {number}, {index}"


class _Chat:
    """The state between messages: the description of the session."""

    def __init__(self, source: SourceFile) -> None:
        self.tally = Tally()
        self._source = source
        self._external_id = ""
        self._folder = ""
        self._is_subagent = False
        self._title = ""
        self._conversation: Conversation | None = None

    def meet(self, description: JsonObject) -> None:
        """Take in what is said about the session."""
        told = mapping(description, "$set") or description
        folders = [folder for folder in sequence(told, "directories") if isinstance(folder, str)]
        self._external_id = self._external_id or string(told, "sessionId")
        self._folder = self._folder or next(iter(folders), "")
        self._title = self._title or string(told, "summary")
        self._is_subagent = self._is_subagent or string(told, "kind") == "subagent"

    def items(self, message: JsonObject, where: str) -> Iterator[Item]:
        """Yield what one message becomes."""
        role = _ROLES.get(string(message, "type"))
        if role is None:
            self.tally.add(f"messages of type {string(message, 'type')[:40]!r}")
            return
        if sequence(message, "thoughts"):
            self.tally.add("messages whose thoughts are not kept")
        if role is Role.USER and self._is_subagent:
            self.tally.add(Tally.SUBAGENT_TASKS)
            return
        for utterance in _utterances(message, role, where):
            yield from self._session().say(utterance)

    def _session(self) -> Conversation:
        if self._conversation is None:
            external_id = self._external_id or self._source.stem
            self._folder = self._folder or _project_root(self._source.path)
            self._conversation = conversation_in(
                self._source, HOST, external_id, title=self._title, folder=self._folder
            )
        return self._conversation


def _project_root(path: Path) -> str:
    """
    Return the folder of a session's project, as the program notes it; nothing if it does not.

    `tmp/PROJECT/.project_root` holds the path. `projects.json` has a name for each path, and
    older versions called PROJECT by the path's SHA-256.
    """
    project = next((one for one in path.parents if one.parent.name == "tmp"), None)
    if project is None:
        return ""
    if root := note_at(project / ".project_root", _NOTE_CHARS_MAX).strip():
        return root
    noted = note_at(project.parent.parent / "projects.json", _NOTE_CHARS_MAX)
    named = mapping(written_object(noted), "projects")
    return next(
        (
            folder
            for folder, name in named.items()
            if project.name in (name, hashlib.sha256(folder.encode()).hexdigest())
        ),
        "",
    )


def _utterances(message: JsonObject, role: Role, where: str) -> Iterator[Utterance]:
    text, own = content_text(message), string(message, "id")
    yield Utterance(
        where=where,
        text=users_words(_typed(message, text)) if role is Role.USER else text,
        role=role,
        at=message.get("timestamp"),
        id=own,
    )
    for index, call in enumerate(mappings(message, "toolCalls")):
        yield from _tool_use(call, where, message, f"{own}/{string(call, 'id') or index}")


def _typed(message: JsonObject, text: str) -> str:
    """Return what was typed of a prompt, without the files that it names."""
    shown = content_text(message, "displayContent") or text
    files = _FILES.search(shown)
    return shown[: files.start()].rstrip() if files else shown


def _tool_use(
    call: JsonObject, where: str, message: JsonObject, call_id: str
) -> Iterator[Utterance]:
    name, asked = string(call, "name"), call.get("args")
    output, has_failed = gemini_outcome(name, _output(call))
    has_failed = has_failed or string(call, "status") in _FAILED
    at = message.get("timestamp")
    use = called(Utterance(where=where, text="", at=at, id=call_id, use=call_id), name, asked)
    yield use
    yield came_of(replace(use, at=call.get("timestamp")), output, has_failed=has_failed)


def _output(call: JsonObject) -> str:
    """Return what went back to the model, or else what was shown to the user."""
    parts = []
    for part in mappings(call, "result"):
        response = mapping(mapping(part, "functionResponse"), "response")
        written = string(response, "output", "error") or json_text(response or None)
        parts.append(written or string(part, "text"))
    shown = call.get("resultDisplay")
    return "\n".join(part for part in parts if part) or json_text(shown)
