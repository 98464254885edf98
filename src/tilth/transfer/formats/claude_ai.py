"""
Claude.ai's export: `conversations.json` and `projects.json`, in its zip or out of it.

What was attached to a message, and what belongs to a project, are documents of
their own: they are no words of the user's.
"""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import PurePosixPath

from tilth.core.json import Json, JsonObject
from tilth.episodes.episode import EpisodeKind, Role
from tilth.transfer.model import Item, Skipped
from tilth.transfer.reading.agent_text import Block, blocks_of
from tilth.transfer.reading.conversation import Conversation, Tally, Utterance, conversation_in
from tilth.transfer.reading.lenient_json import mappings, sequence, string
from tilth.transfer.reading.records import Record, json_items
from tilth.transfer.reading.sample import Sample
from tilth.transfer.reading.source_file import SourceFile

HOST = "claude-ai"
PROGRAM = "Claude"
READS = "`conversations.json` and `projects.json`, alone or in their zip"
SESSION = "a conversation; a project with its documents"
_ROLES = {"human": Role.USER, "assistant": Role.ASSISTANT}


def sniff(sample: Sample) -> bool:
    """Say whether these are conversations or projects of Claude.ai."""
    return sample.has_keys("chat_messages") or sample.has_keys("prompt_template", "docs")


def read(source: SourceFile) -> Iterator[Item]:
    """Yield what the export holds."""
    tally = Tally()
    for label, stream in source.streams(_is_told):
        for record in json_items(stream, label):
            if isinstance(record, Skipped):
                yield record
            elif "chat_messages" in record.value:
                yield from _chat(record, source, tally)
            elif "docs" in record.value:
                yield from _project(record, source)
            else:
                yield Skipped(record.where, "neither a conversation nor a project")
    yield from tally.skipped(source.label)


def _is_told(member: str) -> bool:
    path = PurePosixPath(member)
    is_named = path.name.startswith(("conversations", "projects")) or path.parent.name == "projects"
    return is_named and path.suffix == ".json"


def _conversation(told: JsonObject, source: SourceFile) -> Conversation:
    external_id = string(told, "uuid") or source.stem
    title, began = string(told, "name"), told.get("created_at")
    return conversation_in(source, HOST, external_id, title=title, began=began, transport="web")


def _chat(record: Record, source: SourceFile, tally: Tally) -> Iterator[Item]:
    conversation = _conversation(record.value, source)
    for number, message in enumerate(mappings(record.value, "chat_messages"), 1):
        role = _ROLES.get(string(message, "sender"))
        if role is None:
            tally.add(f"messages of {string(message, 'sender')[:40]!r}")
            continue
        for utterance in _utterances(message, role, f"{record.where}.{number}", tally):
            yield from conversation.say(utterance)


def _utterances(message: JsonObject, role: Role, where: str, tally: Tally) -> Iterator[Utterance]:
    own = string(message, "uuid")
    said = Utterance(where=where, text="", role=role, at=message.get("created_at"))
    names = [string(file, "file_name") for file in mappings(message, "files")]
    files: list[Json] = [name for name in names if name]
    for index, block in enumerate(_blocks(message, role, tally)):
        yield replace(
            said,
            text=block.text,
            kind=block.kind,
            role=block.role,
            id=f"{own}/{index}" if own else "",
            metadata={"files": files} if files and block.kind is EpisodeKind.MESSAGE else {},
        )
    for index, attached in enumerate(mappings(message, "attachments")):
        yield _document(
            replace(said, id=f"{own}/attachment {index}" if own else ""),
            string(attached, "extracted_content"),
            string(attached, "file_name"),
        )


def _blocks(message: JsonObject, role: Role, tally: Tally) -> list[Block]:
    # Beside blocks, `text` repeats them, with a note in place of every tool's.
    blocks = list(blocks_of(sequence(message, "content"), role, tally))
    if any(block.text for block in blocks):
        return blocks
    return [Block(EpisodeKind.MESSAGE, role, string(message, "text"))]


def _project(record: Record, source: SourceFile) -> Iterator[Item]:
    told = record.value
    conversation = _conversation(told, source)
    said = Utterance(where=record.where, text="", at=told.get("created_at"))
    own = string(told, "uuid")
    yield from conversation.say(
        _document(
            replace(said, id=f"{own}/instructions" if own else ""),
            string(told, "prompt_template"),
            "project instructions",
        )
    )
    for document in mappings(told, "docs"):
        at = document.get("created_at") or said.at
        yield from conversation.say(
            _document(
                replace(said, id=string(document, "uuid"), at=at),
                string(document, "content"),
                string(document, "filename"),
            )
        )


def _document(said: Utterance, text: str, name: str) -> Utterance:
    metadata: JsonObject = {"file": name} if name else {}
    return replace(said, text=text, kind=EpisodeKind.DOCUMENT, metadata=metadata)
