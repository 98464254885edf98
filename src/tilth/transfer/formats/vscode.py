"""
VS Code's chats: `workspaceStorage/*/chatSessions/*.json` and `.jsonl`, and what it exports.

A chat is a list of requests, each with the parts of its response: words, references, uses of
tools, edits. `workspace.json` two folders above says which folder was open. What was attached to a
request stands beside its words.

A JSONL file is a log of changes of that object. A line is `{"kind": 0, "v": OBJECT}`, or a change
at the way `k` into the object: 1 sets `v` there, 2 adds the values `v` to an array, once it is cut
to its first `i`, and 3 takes away what is there.
"""

import io
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path, PurePosixPath

from tilth.core.errors import InvalidInputError
from tilth.core.json import Json, JsonObject
from tilth.episodes.episode import Role
from tilth.transfer.model import Item, Skipped
from tilth.transfer.reading.agent_text import called, came_of, users_words
from tilth.transfer.reading.conversation import Conversation, Tally, Utterance, conversation_in
from tilth.transfer.reading.lenient_json import mapping, mappings, sequence, string, written_object
from tilth.transfer.reading.limits import RECORD_BYTES_MAX
from tilth.transfer.reading.records import Parsed, Record, json_items, json_lines
from tilth.transfer.reading.sample import Sample
from tilth.transfer.reading.shell_reports import or_silence
from tilth.transfer.reading.source_file import SourceFile, note_at, path_of

HOST = "vscode"
PROGRAM = "VS Code"
READS = (
    "chats of VS Code, `User/workspaceStorage/*/chatSessions/*.json` and `.jsonl`, and exported "
    "ones (`chat.json`)"
)
SESSION = "a chat"
_CHATS = "chatSessions"
_NOTE_CHARS_MAX = 1 << 16  # of what the program notes of a workspace
_TOOL = "toolInvocationSerialized"
_EDITS = frozenset({"textEditGroup", "notebookEditGroup"})
_MARKDOWN = frozenset({"markdownContent", "markdownVuln", "text"})
# What the program shows besides, and does for itself: no word of anybody.
_SILENT = frozenset(
    {
        "codeblockUri",
        "command",
        "confirmation",
        "mcpServersStarting",
        "prepareToolInvocation",
        "progressMessage",
        "progressTask",
        "progressTaskSerialized",
        "undoStop",
        "warning",
    }
)
WHOLE, _SET, _ADD, _TAKE = 0, 1, 2, 3


def sniff(sample: Sample) -> bool:
    """Say whether this is a chat of VS Code."""
    named = ("responderUsername", "initialLocation", "creationDate")
    return any(sample.has_keys("requests", name) for name in named)


def read(source: SourceFile) -> Iterator[Item]:
    """
    Yield what the chat holds.

    Raises:
        LimitExceededError: it is longer than a record may be.
    """
    told, broken = _chat(source)
    yield from broken
    tally = Tally()
    chat = _begun(source, told)
    for number, request in enumerate(mappings(told, "requests"), 1):
        where = f"{source.label}: requests[{number}]"
        yield from chat.say(_asked(request, where))
        for said in _answered(request, where, tally):
            yield from chat.say(said)
    yield from tally.skipped(source.label)


def _chat(source: SourceFile) -> tuple[JsonObject, list[Skipped]]:
    """Return the chat as it stands at last, and what is broken."""
    content = source.content(RECORD_BYTES_MAX)
    first = next(json_lines(io.BytesIO(content), source.label), None)
    if isinstance(first, Record) and first.value.get("kind") == WHOLE:
        return replayed(json_lines(io.BytesIO(content), source.label))
    read = list(json_items(io.BytesIO(content), source.label))
    told = [one.value for one in read if isinstance(one, Record)]
    return (told[0] if told else {}), [one for one in read if isinstance(one, Skipped)]


def _begun(source: SourceFile, told: JsonObject) -> Conversation:
    folder = _folder(source.path, told)
    # An exported chat has no name but that of its first request.
    named = [told, *mappings(told, "requests")[:1]]
    id_ = next(filter(None, (string(one, "sessionId", "requestId") for one in named)), "")
    return conversation_in(
        source,
        HOST,
        id_ or source.stem,
        title=string(told, "customTitle"),
        folder=folder,
        began=told.get("creationDate"),
    )


def _folder(path: Path, told: JsonObject) -> str:
    """Return the folder that was open; nothing if several were, or it is on another machine."""
    uri = string(told, "workingDirectory")
    if path.parent.name == _CHATS:
        noted = note_at(path.parent.parent / "workspace.json", _NOTE_CHARS_MAX)
        uri = string(written_object(noted), "folder") or uri
    try:
        return str(path_of(uri)) if uri else ""
    except InvalidInputError:
        return ""


def _asked(request: JsonObject, where: str) -> Utterance:
    """Return what a person typed, or what a program asked: with a button, or by itself."""
    text = string(request, "message") or string(mapping(request, "message"), "text")
    is_programs = request.get("isSystemInitiated") is True or bool(request.get("confirmation"))
    return Utterance(
        where=where,
        text=users_words(text),
        role=Role.SYSTEM if is_programs else Role.USER,
        at=request.get("timestamp"),
        id=string(request, "requestId"),
        metadata={"rewound": True} if request.get("shouldBeRemovedOnSend") else {},
    )


def _answered(request: JsonObject, where: str, tally: Tally) -> Iterator[Utterance]:
    """Yield what an agent says and does, in its order."""
    own = string(request, "responseId", "requestId")
    blank = Utterance(where=where, text="", role=Role.ASSISTANT)
    words = blank
    for number, part in enumerate(sequence(request, "response")):
        here = replace(blank, id=f"{own}/{number}" if own else "")
        if said := _words(part):
            words = replace(words if words.text else here, text=words.text + said)
        elif isinstance(part, Mapping):
            for done in _done(here, part, tally):
                yield words
                yield done
                words = blank
    yield words


def _words(part: Json) -> str:
    """Return the words of a part: markdown, or the name of what it refers to."""
    if not isinstance(part, Mapping):
        return part if isinstance(part, str) else ""
    kind = string(part, "kind")
    if kind == "inlineReference":
        name = string(part, "name") or _path(mapping(part, "inlineReference"))
        return f"`{PurePosixPath(name).name}`" if name else ""
    if kind and kind not in _MARKDOWN:
        return ""
    return string(part, "value", "content") or string(mapping(part, "content"), "value")


def _path(place: JsonObject) -> str:
    """Return the path of a URI, of a place in it, or of what is there."""
    within = mapping(place, "uri") or mapping(place, "location")
    return _path(within) if within else string(place, "path", "fsPath")


def _done(blank: Utterance, part: JsonObject, tally: Tally) -> Iterator[Utterance]:
    kind = string(part, "kind")
    if kind == _TOOL:
        yield from _used(blank, part)
    elif kind in _EDITS:
        yield from _edited(blank, part)
    elif kind == "thinking":
        tally.add(Tally.THOUGHTS)
    elif kind and kind not in _SILENT:
        tally.add(f"parts of type {kind[:40]!r}")


def _used(blank: Utterance, part: JsonObject) -> Iterator[Utterance]:
    """Yield a tool's call, and what came of it as far as it is kept."""
    name, use = string(part, "toolId") or "tool", string(part, "toolCallId")
    data, details = mapping(part, "toolSpecificData"), mapping(part, "resultDetails")
    asked = _command(data) or string(details, "input") or _message(part)
    uses = {"tool": name} | ({"tool_use_id": use} if use else {})
    call = called(replace(blank, id=use or blank.id, use=use, metadata=uses), name, asked)
    yield call
    code = mapping(data, "terminalCommandState").get("exitCode")
    output = string(mapping(data, "terminalCommandOutput"), "text") or _output(details)
    if output or code is not None:
        has_failed = details.get("isError") is True or code not in (None, 0)
        yield came_of(call, or_silence(output), has_failed=has_failed)


def _command(data: JsonObject) -> JsonObject:
    """Return the command that ran in a terminal, as it was edited before; nothing if none did."""
    line = mapping(data, "commandLine")
    command = string(line, "userEdited", "toolEdited", "original")
    command = command or string(data, "commandLine", "command")
    return {"command": command} if command else {}


def _message(part: JsonObject) -> str:
    told = string(part, "invocationMessage", "pastTenseMessage")
    return told or string(mapping(part, "invocationMessage"), "value")


def _output(details: JsonObject) -> str:
    listed = (string(one, "value", "text") for one in mappings(details, "output"))
    return string(details, "output") or "\n".join(filter(None, listed))


def _edited(blank: Utterance, part: JsonObject) -> Iterator[Utterance]:
    """Yield that a file was edited; its new text is in the file."""
    if path := _path(mapping(part, "uri")):
        call = called(replace(blank, use=blank.id), "edit", {"filePath": path})
        yield call
        yield came_of(call, or_silence(""), has_failed=False)


def replayed(records: Iterable[Parsed]) -> tuple[JsonObject, list[Skipped]]:
    """Return the object that *records* make, and what of them could not be followed."""
    whole: Json = {}
    broken = []
    for record in records:
        if isinstance(record, Skipped):
            broken.append(record)
        elif record.value.get("kind") == WHOLE:
            whole = record.value.get("v")
        elif not _is_changed(whole, record.value):
            broken.append(Skipped(record.where, "a change of what is not there"))
    return (whole if isinstance(whole, dict) else {}), broken


def _is_changed(whole: Json, change: JsonObject) -> bool:
    """Change *whole*, and say whether there is what is to be changed."""
    way, kind = sequence(change, "k"), change.get("kind")
    if not way or kind not in (_SET, _ADD, _TAKE):
        return False
    holder, last = _at(whole, way[:-1]), way[-1]
    if kind == _ADD:
        return _is_added(holder, last, change)
    return _is_set(holder, last, change.get("v") if kind == _SET else None)


def _at(holder: Json, way: Sequence[Json]) -> Json:
    for key in way:
        if isinstance(holder, dict) and isinstance(key, str):
            holder = holder.get(key)
        elif isinstance(holder, list) and isinstance(key, int) and 0 <= key < len(holder):
            holder = holder[key]
        else:
            return None
    return holder


def _is_set(holder: Json, key: Json, value: Json) -> bool:
    if isinstance(holder, list) and isinstance(key, int) and 0 <= key < len(holder):
        holder[key] = value
        return True
    if is_named := isinstance(holder, dict) and isinstance(key, str):
        holder[key] = value
    return is_named


def _is_added(holder: Json, key: Json, change: JsonObject) -> bool:
    known = _at(holder, [key])
    if known is None and not _is_set(holder, key, known := []):
        return False
    if not isinstance(known, list):
        return False
    cut = change.get("i")
    if isinstance(cut, int) and cut >= 0:
        del known[cut:]
    known.extend(sequence(change, "v"))
    return True
