"""
ChatGPT's export: `conversations.json`, whole or in shards, in its zip or out of it.

A conversation is a tree, since prompts are edited and answers made again. What
stands is the way from `current_node` up to the root; the rest was abandoned.
"""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import PurePosixPath

from tilth.core.json import Json, JsonObject
from tilth.episodes.episode import EpisodeKind, Role
from tilth.transfer.model import Item, Skipped
from tilth.transfer.reading.agent_text import call_text, came_of
from tilth.transfer.reading.conversation import Tally, Utterance, conversation_in
from tilth.transfer.reading.lenient_json import mapping, mappings, sequence, string
from tilth.transfer.reading.records import Record, items_of, json_items
from tilth.transfer.reading.sample import Sample
from tilth.transfer.reading.source_file import SourceFile

HOST = "chatgpt"
PROGRAM = "ChatGPT"
READS = (
    "`conversations.json`, whole, in shards or in its zip; one conversation; what a browser "
    "extension captured"
)
SESSION = "a conversation"
_ROLES = {"user": Role.USER, "assistant": Role.ASSISTANT, "tool": Role.TOOL}
_THOUGHTS = frozenset({"thoughts", "reasoning_recap"})
_SETTINGS = frozenset({"user_editable_context", "model_editable_context"})
_TO_EVERYBODY = frozenset({"", "all"})


def sniff(sample: Sample) -> bool:
    """Say whether these are conversations of ChatGPT."""
    return sample.has_keys("mapping", "parent", "children")


def read(source: SourceFile) -> Iterator[Item]:
    """Yield what the export holds."""
    tally = Tally()
    for label, stream in source.streams(_is_conversations):
        yield from items_of(json_items(stream, label), lambda record: _items(record, source, tally))
    yield from tally.skipped(source.label)


def _is_conversations(member: str) -> bool:
    path = PurePosixPath(member)
    return path.name.startswith("conversations") and path.suffix == ".json"


def _items(record: Record, source: SourceFile, tally: Tally) -> Iterator[Item]:
    # What a browser extension captured wraps the conversation as the page got it.
    told = record.value
    told = told if "mapping" in told else mapping(told, "raw_provider_payload")
    if not mapping(told, "mapping"):
        yield Skipped(record.where, "not a conversation")
        return
    external_id = string(told, "conversation_id", "id") or source.stem
    title, began = string(told, "title"), told.get("create_time")
    conversation = conversation_in(
        source, HOST, external_id, title=title, began=began, transport="web"
    )
    standing = _standing(told)
    nodes = mapping(told, "mapping").values()
    spoken = sum(isinstance(node, Mapping) and bool(mapping(node, "message")) for node in nodes)
    if spoken > len(standing):
        tally.add("messages of abandoned branches", spoken - len(standing))
    for message in standing:
        utterance = _utterance(message, record.where, tally)
        if utterance:
            yield from conversation.say(utterance)


def _standing(told: JsonObject) -> list[JsonObject]:
    """Return the messages from the root to the current node."""
    nodes = mapping(told, "mapping")
    leaves = [key for key in nodes if not sequence(mapping(nodes, key), "children")]
    at = string(told, "current_node")
    at = at if at in nodes else next(reversed(leaves), "")
    seen: set[str] = set()
    messages = []
    while at in nodes and at not in seen:
        seen.add(at)
        node = mapping(nodes, at)
        messages.append(mapping(node, "message"))
        at = string(node, "parent")
    return [message for message in reversed(messages) if message]


def _utterance(message: JsonObject, where: str, tally: Tally) -> Utterance | None:
    author, content = mapping(message, "author"), mapping(message, "content")
    metadata, kind = mapping(message, "metadata"), string(content, "content_type")
    role = _ROLES.get(string(author, "role"))
    if kind in _THOUGHTS:
        tally.add(Tally.THOUGHTS)
    elif kind in _SETTINGS or metadata.get("is_user_system_message") is True:
        tally.add("custom instructions")
    elif role is None:
        tally.add("messages of the system")
    elif metadata.get("is_visually_hidden_from_conversation") is True:
        tally.add("hidden messages")
    else:
        kept: JsonObject = {"model": string(metadata, "model_slug"), "files": _files(metadata)}
        said = Utterance(
            where=where,
            text=_text(content) or " ".join(f"[{name}]" for name in _files(metadata)),
            role=role,
            at=message.get("create_time") or None,
            id=string(message, "id"),
            metadata={key: value for key, value in kept.items() if value},
        )
        return _as_tool_use(said, message)
    return None


def _as_tool_use(said: Utterance, message: JsonObject) -> Utterance:
    recipient = string(message, "recipient")
    if said.role is Role.ASSISTANT and recipient not in _TO_EVERYBODY:
        text = call_text(recipient, said.text) if said.text else ""
        return replace(said, kind=EpisodeKind.TOOL_CALL, text=text)
    if said.role is Role.TOOL:
        failed = string(mapping(message, "content"), "content_type") == "system_error"
        name = string(mapping(message, "author"), "name")
        return came_of(replace(said, speaker=name), said.text, has_failed=failed)
    return said


def _text(content: JsonObject) -> str:
    parts = [_part_text(part) for part in sequence(content, "parts")]
    whole = "\n".join(part for part in parts if part)
    return whole or string(content, "text", "result")


def _part_text(part: Json) -> str:
    if isinstance(part, str):
        return part
    if not isinstance(part, Mapping):
        return ""
    kind = string(part, "content_type")
    return string(part, "text") or f"[{kind.removesuffix('_asset_pointer') or 'file'}]"


def _files(metadata: JsonObject) -> list[str]:
    names = [string(attached, "name") for attached in mappings(metadata, "attachments")]
    return [name for name in names if name]
