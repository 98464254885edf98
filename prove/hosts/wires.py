"""
The wire protocols by which agent programs talk to models, as far as a played model needs them.

Each reads a request as what was said last and how many results of tools came
since, and writes a step as the stream that its clients read. See the pages of
Anthropic (messages, streaming), OpenAI (responses, chat completions) and
Google (generateContent).
"""

import json
import os
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import count
from typing import Any, TypeAlias

from prove.hosts.script import Ask, Run, Say, Send, Step, read_of, step_of, turn_of

Body: TypeAlias = Mapping[str, Any]
_OURS = re.compile(
    r"<(tilth-context|hook_context|system-reminder)[ >].*?</\1>"
    r"|&lt;tilth-context.*?/tilth-context&gt;",
    re.DOTALL,
)
_NUMBERS = count(1)
# The tool by which Claude Code is given an answer that has a schema.
_OBJECT = "StructuredOutput"


@dataclass(frozen=True, slots=True)
class Heard:
    """One part of a conversation: a user's words, or a tool's result."""

    text: str
    is_result: bool = False


@dataclass(frozen=True, slots=True)
class Reply:
    """What goes back: one JSON body, or the events of a stream, named or not."""

    body: Body | None = None
    events: Sequence[Body | str] = ()
    is_named: bool = False


def reply(path: str, body: Body) -> Reply:
    """Answer a request, whichever protocol its path belongs to; an empty object to all others."""
    if "enerateContent" in path:
        return _generate(body, is_stream="stream" in path)
    speak = _SPEAKS.get(path.rpartition("/")[2])
    return speak(body) if speak else Reply({"data": [], "models": [], "input_tokens": 1000})


def next_step(heard: Iterable[Heard]) -> Step:
    """Return what the played model does next: the step after the last prompt that has a turn."""
    results = 0
    for one in reversed([*heard]):
        if one.is_result:
            results += 1
        elif turn_of(words := _OURS.sub("", one.text)) or read_of(words):
            return step_of(words, results)
    return step_of("", 0)


def _fresh(prefix: str) -> str:
    return f"{prefix}_{os.getpid():x}{next(_NUMBERS):06x}"


def _texts(content: object) -> list[str]:
    """Return the texts of a message's content, which is a string or blocks."""
    if isinstance(content, str):
        return [content]
    blocks = content if isinstance(content, list) else []
    return [str(block.get("text") or "") for block in blocks if isinstance(block, dict)]


def _words(step: Step) -> list[str]:
    """Return what is said with a step."""
    said = step.text if isinstance(step, Say) else getattr(step, "words", "")
    return [said] if said else []


def _tool(tool: str, names: Iterable[str]) -> str:
    """Return what a host calls the *tool* of a server called tilth."""
    known = [name for name in names if name.endswith(tool)]
    return next((name for name in known if "tilth" in name), known[0] if known else tool)


# Anthropic messages


def _messages(body: Body) -> Reply:
    tools = [tool.get("name", "") for tool in body.get("tools", [])]
    step = next_step(_said_in_messages(body)) if tools else Say("Ledger work")
    blocks: list[Body] = [{"type": "text", "text": text} for text in _words(step)]
    if not isinstance(step, Say):
        name, given = _claude_call(step, tools)
        blocks.append({"type": "tool_use", "id": _fresh("toolu"), "name": name, "input": given})
    elif _OBJECT in tools:
        given = json.loads(step.text)
        blocks = [{"type": "tool_use", "id": _fresh("toolu"), "name": _OBJECT, "input": given}]
    stop = blocks[-1]["type"].replace("text", "end_turn")
    message = {
        "id": _fresh("msg"),
        "type": "message",
        "role": "assistant",
        "model": body.get("model"),
        "content": blocks,
        "stop_reason": stop,
        "stop_sequence": None,
        "usage": {"input_tokens": 10, "output_tokens": 10},
    }
    if not body.get("stream"):
        return Reply(message)
    return Reply(events=[*_message_events(message, blocks, stop)], is_named=True)


def _said_in_messages(body: Body) -> Iterator[Heard]:
    for message in body.get("messages", []):
        if message.get("role") != "user":
            continue
        content = message.get("content")
        for block in [{"type": "text", "text": content}] if isinstance(content, str) else content:
            if block.get("type") == "text":
                yield Heard(block["text"])
            elif block.get("type") == "tool_result":
                yield Heard("\n".join(_texts(block.get("content"))), is_result=True)


def _claude_call(step: Step, tools: Sequence[str]) -> tuple[str, dict[str, object]]:
    match step:
        case Run(command):
            return "Bash", {"command": command, "description": "run it"}
        case Ask(tool, asked):
            return _tool(tool, tools), dict(asked)
        case Send(task):
            given = {"description": "count", "prompt": task, "subagent_type": "general-purpose"}
            return ("Agent" if "Agent" in tools else "Task"), dict(given)
        case Say():
            raise AssertionError("words are no call")


def _message_events(message: Body, blocks: Sequence[Body], stop: str) -> Iterator[Body]:
    yield {"type": "message_start", "message": {**message, "content": [], "stop_reason": None}}
    for index, block in enumerate(blocks):
        empty: dict[str, object] = {"text": ""} if block["type"] == "text" else {"input": {}}
        delta = {"type": "text_delta", "text": block.get("text")}
        if block["type"] == "tool_use":
            delta = {"type": "input_json_delta", "partial_json": json.dumps(block["input"])}
        at = {"index": index}
        yield {"type": "content_block_start", **at, "content_block": {**block, **empty}}
        yield {"type": "content_block_delta", **at, "delta": delta}
        yield {"type": "content_block_stop", **at}
    ended = {"stop_reason": stop, "stop_sequence": None}
    yield {"type": "message_delta", "delta": ended, "usage": {"output_tokens": 10}}
    yield {"type": "message_stop"}


# OpenAI responses


def _responses(body: Body) -> Reply:
    step = next_step(_said_in_responses(body))
    items: list[dict[str, Any]] = []
    for text in _words(step):
        content = [{"type": "output_text", "text": text, "annotations": []}]
        items.append({"type": "message", "role": "assistant", "content": content})
    if not isinstance(step, Say):
        items.append(_codex_call(step, body.get("tools") or []))
    items = [{"id": _fresh("item"), "status": "completed", **item} for item in items]
    answer = {"id": _fresh("resp"), "object": "response", "model": body.get("model")}
    usage = {
        "input_tokens": 10,
        "input_tokens_details": {"cached_tokens": 0},
        "output_tokens": 5,
        "output_tokens_details": {"reasoning_tokens": 0},
        "total_tokens": 15,
    }
    done = {**answer, "status": "completed", "output": items, "usage": usage}
    begun: Body = {**answer, "status": "in_progress", "output": []}
    events: list[Body] = [{"type": "response.created", "response": begun}]
    for index, item in enumerate(items):
        # Words that were not announced are not shown in a terminal.
        added = {**item, "status": "in_progress"}
        events += [
            {"type": "response.output_item.added", "output_index": index, "item": added},
            {"type": "response.output_item.done", "output_index": index, "item": item},
        ]
    events.append({"type": "response.completed", "response": done})
    return Reply(events=events, is_named=True)


def _said_in_responses(body: Body) -> Iterator[Heard]:
    for item in body.get("input", []):
        kind = item.get("type", "message")
        if kind == "message" and item.get("role") == "user":
            yield from map(Heard, _texts(item.get("content")))
        elif kind.endswith("_output"):
            yield Heard(str(item.get("output")), is_result=True)


def _codex_call(step: Step, tools: Sequence[Body]) -> dict[str, Any]:
    spaces = {
        inner.get("name", ""): tool.get("name")
        for tool in tools
        if tool.get("type") == "namespace"
        for inner in tool.get("tools", [])
    }
    names = [str(tool.get("name") or tool.get("type")) for tool in tools]
    given: dict[str, object]
    if isinstance(step, Ask):
        name, given = _tool(step.tool, [*names, *spaces]), dict(step.given)
    elif isinstance(step, Run):
        key = "cmd" if "exec_command" in names else "command"
        name = "exec_command" if "exec_command" in names else "shell_command"
        given = {key: step.command}
    else:
        name, given = "spawn_agent", {"message": getattr(step, "task", "")}
    call = {"type": "function_call", "call_id": _fresh("call"), "name": name}
    space = {"namespace": spaces[name]} if name in spaces else {}
    return {**call, **space, "arguments": json.dumps(given)}


# OpenAI chat completions


def _chat(body: Body) -> Reply:
    tools = [tool["function"]["name"] for tool in body.get("tools", [])]
    step = next_step(_said_in_chat(body)) if tools else Say("Ledger work")
    delta: dict[str, object] = {"role": "assistant", "content": "".join(_words(step))}
    finish = "stop"
    if not isinstance(step, Say):
        name, given = _chat_call(step, tools)
        function = {"name": name, "arguments": json.dumps(given)}
        call = {"index": 0, "id": _fresh("call"), "type": "function", "function": function}
        delta["tool_calls"], finish = [call], "tool_calls"
    about = {"id": _fresh("chatcmpl"), "created": 1_800_000_000, "model": body.get("model")}
    usage = {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2}
    if not body.get("stream"):
        choices = [{"index": 0, "message": delta, "finish_reason": finish}]
        return Reply({**about, "object": "chat.completion", "choices": choices, "usage": usage})
    chunk = {**about, "object": "chat.completion.chunk"}
    told = {**chunk, "choices": [{"index": 0, "delta": delta, "finish_reason": None}]}
    ended = {**chunk, "choices": [{"index": 0, "delta": {}, "finish_reason": finish}]}
    return Reply(events=[told, {**ended, "usage": usage}, "[DONE]"])


def _said_in_chat(body: Body) -> Iterator[Heard]:
    for message in body.get("messages", []):
        text = "\n".join(_texts(message.get("content")))
        if message.get("role") in ("user", "tool"):
            yield Heard(text, is_result=message["role"] == "tool")


def _chat_call(step: Step, tools: Sequence[str]) -> tuple[str, dict[str, object]]:
    match step:
        case Run(command):
            return "bash", {"command": command, "description": "run it"}
        case Ask(tool, asked):
            return _tool(tool, tools), dict(asked)
        case Send(task):
            about = {"description": "count", "subagent_type": "general"}
            return "task", {**about, "prompt": task}
        case Say():
            raise AssertionError("words are no call")


# Google generateContent


def _generate(body: Body, *, is_stream: bool) -> Reply:
    declared = [
        one for tool in body.get("tools", []) for one in tool.get("functionDeclarations", [])
    ]
    names = [one["name"] for one in declared]
    parts: list[dict[str, Any]]
    if schema := _wanted(body.get("generationConfig", {})):
        # How hard a prompt is, by which it is routed to a model.
        kinds = schema.get("properties", {}).items()
        filled = {name: 10 if one.get("type") == "integer" else "easy" for name, one in kinds}
        parts = [{"text": json.dumps(filled)}]
    else:
        heard = [*_said_to_gemini(body)]
        is_asked = names or any(read_of(one.text) for one in heard)
        step = next_step(heard) if is_asked else Say("Ledger work")
        parts = [{"text": text} for text in _words(step)]
        parts += [] if isinstance(step, Say) else [_gemini_call(step, names)]
    said = {"content": {"role": "model", "parts": parts}, "finishReason": "STOP", "index": 0}
    usage = {"promptTokenCount": 10, "candidatesTokenCount": 5, "totalTokenCount": 15}
    whole = {"candidates": [said], "usageMetadata": usage, "modelVersion": "played"}
    return Reply(events=[whole]) if is_stream else Reply(whole)


def _wanted(how: Body) -> Body:
    """Return the schema of the object that is asked for, which routes a prompt to a model."""
    return how.get("responseJsonSchema") or how.get("responseSchema") or {}


def _said_to_gemini(body: Body) -> Iterator[Heard]:
    for content in body.get("contents", []):
        for part in content.get("parts", []) if content.get("role") == "user" else ():
            if "functionResponse" in part:
                yield Heard(json.dumps(part["functionResponse"]), is_result=True)
            else:
                yield Heard(str(part.get("text") or ""))


def _gemini_call(step: Step, names: Sequence[str]) -> dict[str, Any]:
    given: dict[str, object]
    match step:
        case Run(command):
            name, given = "run_shell_command", {"command": command, "description": "run it"}
        case Ask(tool, asked):
            name, given = _tool(tool, names), dict(asked)
        case _:
            name, given = "generalist", {"request": getattr(step, "task", "")}
    return {"functionCall": {"name": name, "args": given}}


_SPEAKS: Mapping[str, Callable[[Body], Reply]] = {
    "messages": _messages,
    "responses": _responses,
    "completions": _chat,
}
