"""The blocks of which Claude's messages consist: texts, tool calls, their results, thoughts."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby

from tilth.core.json import Json, JsonObject
from tilth.episodes.episode import EpisodeKind, Role
from tilth.transfer.reading.agent_text import block_text, call_text, content_text
from tilth.transfer.reading.conversation import Tally
from tilth.transfer.reading.shapes import string

_TOOLS = frozenset({"tool_use", "server_tool_use", "tool_result"})
_THOUGHTS = frozenset({"thinking", "redacted_thinking"})


@dataclass(frozen=True, slots=True)
class Block:
    """A block of a message: what it is, its words, and the id of a tool's use."""

    kind: EpisodeKind
    role: Role
    text: str
    tool_use_id: str = ""


def blocks_of(content: Sequence[Json], role: Role, tally: Tally) -> Iterator[Block]:
    """Yield the blocks of *content*, neighbouring texts as one; thoughts are only counted."""
    for is_tool, group in groupby(content, _is_tool):
        if is_tool:
            yield from (_tool_block(block) for block in group if isinstance(block, dict))
        else:
            texts = [block_text(block) for block in group if not _is_thought(block)]
            yield Block(EpisodeKind.MESSAGE, role, "\n".join(text for text in texts if text))
    if any(_is_thought(block) for block in content):
        tally.add("thoughts")


def _type_of(block: Json) -> str:
    return string(block, "type") if isinstance(block, dict) else ""


def _is_tool(block: Json) -> bool:
    return _type_of(block) in _TOOLS


def _is_thought(block: Json) -> bool:
    return _type_of(block) in _THOUGHTS


def _tool_block(block: JsonObject) -> Block:
    if string(block, "type") == "tool_result":
        failed = block.get("is_error") is True
        kind = EpisodeKind.TOOL_FAILURE if failed else EpisodeKind.TOOL_RESULT
        return Block(kind, Role.TOOL, content_text(block), string(block, "tool_use_id"))
    text = call_text(string(block, "name"), block.get("input"))
    return Block(EpisodeKind.TOOL_CALL, Role.ASSISTANT, text, string(block, "id"))
