"""
Separate the words of users and models from text that agent programs inject.

Programs inject tagged blocks into a user's messages. These are removed, and the rest stays as it
was written. Claude's messages consist of blocks: texts, tool calls, their results, thoughts.
"""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import groupby

from tilth.core.dataclass import dataclass
from tilth.core.json import Json, JsonObject
from tilth.episodes.episode import EpisodeKind, Role
from tilth.transfer.reading.conversation import Tally, Utterance
from tilth.transfer.reading.lenient_json import sequence, string
from tilth.transfer.reading.own_calls import is_own_call

_INJECTED = (
    "bash-stderr",
    "bash-stdout",
    "command-args",
    "command-contents",
    "command-message",
    "command-name",
    "cross-session-message",
    "environment_context",
    "hook_context",
    "ide_diagnostics",
    "ide_opened_file",
    "ide_selection",
    "INSTRUCTIONS",
    "local-command-caveat",
    "local-command-stderr",
    "local-command-stdout",
    "permissions instructions",
    "session_context",
    "skill-context",
    "skills_instructions",
    "subagent_notification",
    "system-reminder",
    "task-notification",
    "teammate-message",
    "turn_aborted",
    "user_instructions",
    "user_shell_command",
    "user-prompt-submit-hook",
)
# A person who quotes a tag does it within a line; programs begin one with it.
_OPENING = re.compile(
    r"(?:^|(?<=>))[ \t]*<(" + "|".join(map(re.escape, _INJECTED)) + r")(?: [^<>\n]{0,200})?>",
    re.MULTILINE,
)
_COMMAND = re.compile(r"<command-name>\s*(/?[^<\s]{1,100})\s*</command-name>")
_ARGUMENTS = re.compile(r"<command-args>(.*?)</command-args>", re.DOTALL)
# Typed with a leading mark, which the program writes as a tag: a shell command, a line to remember.
_MARKED = re.compile(r"\s*<(bash-input|user-memory-input)>(.*?)</\1>\s*", re.DOTALL)
_SHELL = "bash-input"
_AGENTS_MD = "# AGENTS.md instructions"
_OF_AN_AGENT = "Another Claude session sent a message:"
# An editor's preface to a prompt: its open files, the selection, the attachments.
_EDITOR = re.compile(r"# (?:Context from my IDE setup|Files mentioned by the user):[^\S\n]*\n")
_REQUEST = re.compile(r"^## My request for \w+:[^\S\n]*\n", re.MULTILINE)
# A plan with which an agent begins anew, once a person approved it. The text below the title is the
# agent's.
_PLAN = re.compile(r"Implement the following plan:\s*(?:# *([^\n]{1,200}))?")
_PLAN_END = "read the full transcript at:"
_GOES_ON = "This session is being continued from a previous conversation"
# Marks such a summary: a hook and a transcript have different words around it.
COMPACTION: JsonObject = {"compaction": True}

# The title of a session in opencode until somebody or a model gives it another.
_UNTITLED = re.compile(r"(New|Child) session - \d{4}-")
_QUOTED = re.compile(r'"((?:[^"\\]|\\.)*)"', re.DOTALL)


def users_words(text: str) -> str:
    """Return what the user wrote of *text*: a command with its arguments, or all but the tags."""
    command, arguments = _COMMAND.search(text), _ARGUMENTS.search(text)
    if command and arguments and arguments[1].strip():
        return f"{command[1]} {arguments[1].strip()}"
    if marked := _MARKED.fullmatch(text):
        words = marked[2].strip()
        return f"!{words}" if words and marked[1] == _SHELL else words
    if text.startswith((_AGENTS_MD, _OF_AN_AGENT)):
        return ""
    kept = without_tags(text)
    typed = text if kept == text else kept.strip()
    if _EDITOR.match(typed.lstrip()):
        requests = list(_REQUEST.finditer(typed))
        typed = typed[requests[-1].end() :].strip() if requests else ""
    if not is_handed_plan(typed):
        return typed
    # Of a plan only its title may be a person's.
    found = _PLAN.match(typed)
    title = found[1].strip() if found and found[1] else ""
    return f"Implement the following plan: {title}".rstrip(" :")


def is_handed_plan(text: str) -> bool:
    """Say whether *text* is an approved plan with which an agent begins anew."""
    return _PLAN.match(text) is not None and _PLAN_END in text


def without_tags(text: str) -> str:
    """Return *text* without the blocks that programs injected; an unclosed one stays."""
    kept: list[str] = []
    unclosed: set[str] = set()
    begin = at = 0
    while match := _OPENING.search(text, at):
        tag = match[1]
        closing = f"</{tag}>"
        # The end of an unclosed tag is searched for once, so the time is linear.
        end = -1 if tag in unclosed else text.find(closing, match.end())
        if end < 0:
            unclosed.add(tag)
            at = match.end()
            continue
        kept.append(text[begin : match.start()])
        begin = at = end + len(closing)
    return "".join([*kept, text[begin:]])


def is_compaction(text: str) -> bool:
    """Say whether *text* is the summary with which a program continues a full context."""
    return text.startswith(_GOES_ON)


def chosen_title(text: str) -> str:
    """Return the title of a session of opencode; an empty text while it is the default."""
    return "" if _UNTITLED.match(text) else text


def unquoted(text: str) -> str:
    """Return a prompt of `opencode run` without the quotes that it puts around several words."""
    quoted = _QUOTED.fullmatch(text)
    return quoted[1].replace('\\"', '"') if quoted and " " in quoted[1] else text


def call_text(name: str, arguments: Json) -> str:
    """Write a tool call as its name and its arguments."""
    written = arguments if isinstance(arguments, str) else json.dumps(arguments, ensure_ascii=False)
    return f"{name or 'tool'}: {written}"


def called(said: Utterance, name: str, asked: Json, *, server: str = "") -> Utterance:
    """Return *said* as the call of a tool; *server* is the MCP server of the tool, if any."""
    text, is_own = call_text(name, asked), is_own_call(f"{server}.{name}", asked)
    kind, role = EpisodeKind.TOOL_CALL, Role.ASSISTANT
    return replace(said, kind=kind, role=role, text=text, is_own=is_own)


def came_of(call: Utterance, text: str, *, has_failed: bool) -> Utterance:
    """Return the result of a tool's call, at the place and time of *call*."""
    kind = EpisodeKind.TOOL_FAILURE if has_failed else EpisodeKind.TOOL_RESULT
    return replace(call, kind=kind, role=Role.TOOL, text=text, is_own=False)


def content_text(holder: JsonObject, key: str = "content") -> str:
    """Return the text under *key*, a string or blocks; other content is named in brackets."""
    blocks = [block_text(block) for block in sequence(holder, key)]
    return string(holder, key) or "\n".join(block for block in blocks if block)


def block_text(block: Json) -> str:
    """Return the text of one block of content."""
    if isinstance(block, str):
        return block
    if not isinstance(block, Mapping):
        return ""
    kind = string(block, "type")
    if kind in {"image", "input_image", "document", "file"}:
        return f"[{kind.removeprefix('input_')}]"
    return string(block, "text")


def json_text(value: Json) -> str:
    """Return a JSON value as text: a string as it is, null as nothing, anything else as JSON."""
    if value is None:
        return ""
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


_TOOLS = frozenset({"tool_use", "server_tool_use", "tool_result"})
_THOUGHTS = frozenset({"thinking", "redacted_thinking"})


@dataclass(frozen=True, slots=True)
class Block:
    """A block of a message; `is_own` says that it is a call of Tilth itself."""

    kind: EpisodeKind
    role: Role
    text: str
    tool_use_id: str = ""
    is_own: bool = False


def blocks_of(content: Sequence[Json], role: Role, tally: Tally) -> Iterator[Block]:
    """Yield the blocks of *content*, neighbouring texts as one; thoughts are only counted."""
    for is_tool, group in groupby(content, lambda block: _type_of(block) in _TOOLS):
        if is_tool:
            yield from (_tool_block(block) for block in group if isinstance(block, dict))
        else:
            texts = [block_text(block) for block in group if _type_of(block) not in _THOUGHTS]
            yield Block(EpisodeKind.MESSAGE, role, "\n".join(text for text in texts if text))
    if any(_type_of(block) in _THOUGHTS for block in content):
        tally.add(Tally.THOUGHTS)


def _type_of(block: Json) -> str:
    return string(block, "type") if isinstance(block, dict) else ""


def _tool_block(block: JsonObject) -> Block:
    if string(block, "type") == "tool_result":
        failed = block.get("is_error") is True
        kind = EpisodeKind.TOOL_FAILURE if failed else EpisodeKind.TOOL_RESULT
        return Block(kind, Role.TOOL, content_text(block), string(block, "tool_use_id"))
    name, asked = string(block, "name"), block.get("input")
    text, is_own = call_text(name, asked), is_own_call(name, asked)
    return Block(EpisodeKind.TOOL_CALL, Role.ASSISTANT, text, string(block, "id"), is_own)
