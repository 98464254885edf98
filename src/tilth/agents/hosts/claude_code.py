"""
Claude Code: a plugin folder that it loads by itself, and the events of its hooks.

The folder `skills/tilth` under its configuration holds our hooks, so that no
file of the user's is edited. See code.claude.com/docs: hooks, plugins reference.
"""

from collections.abc import Iterator, Mapping

from tilth.agents.hook_events import SessionEvent, Strip
from tilth.agents.hook_record import HookRecord
from tilth.agents.hosts.declaration import Declaration, Occasion
from tilth.agents.hosts.hook_entries import PROGRAM
from tilth.agents.hosts.servers import ServerEntry, ServerPlace
from tilth.agents.hosts.setup import Edit, HostSetup, OwnedFile, Programs, json_file
from tilth.core.io.paths import users_home
from tilth.core.json import Json, JsonObject
from tilth.transfer.model import Item
from tilth.transfer.reading.lenient_json import string

HOST = "claude-code"
DECLARATION = Declaration(
    program="Claude Code",
    writes="`~/.claude/skills/tilth/` (a plugin: `.claude-plugin/plugin.json`, `hooks/hooks.json`, "
    "`commands/remember.md`); `CLAUDE_CONFIG_DIR` is respected",
    edits="none",
    servers="`.mcp.json` in that folder",
    tells={
        Occasion.BEGIN: "SessionStart",
        Occasion.PROMPT: "UserPromptSubmit",
        Occasion.TOOL: "PostToolUse",
        Occasion.FAILURE: "PostToolUseFailure",
        Occasion.ANSWER: "Stop",
        Occasion.SUBAGENT: "SubagentStop",
        Occasion.COMPACTION: "PostCompact",
        Occasion.END: "SessionEnd",
    },
    shows={
        Occasion.BEGIN: "SessionStart",
        Occasion.BEGIN_SUBAGENT: "SubagentStart",
        Occasion.PROMPT: "UserPromptSubmit",
        Occasion.FAILURE: "PostToolUseFailure",
    },
    opens=("SessionStart",),
    prompts=("UserPromptSubmit", "PreCompact"),
    wakes=("SessionStart", "Stop", "SessionEnd"),
)
# Which calls are waited for, and for how many seconds at the most. What runs beside the agent is
# killed when `claude -p` ends, so nothing that can come last does.
_WAITED = {
    "SessionStart": 5,
    "UserPromptSubmit": 3,
    "PostToolUseFailure": 3,
    "SubagentStart": 3,
    "SubagentStop": 3,
    "PreCompact": 3,
    "PostCompact": 3,
    "Stop": 3,
}
_BESIDE = ("PostToolUse",)
# Put in where a host's own files say what its hook leaves out; see `tilth.agents.codex_rollouts`.
HAS_FAILED = "tilth_has_failed"
_TOOL_EVENTS = frozenset({"PostToolUse", "PostToolUseFailure"})
_BESIDE_SECONDS = 10


def setup(programs: Programs, environ: Mapping[str, str]) -> HostSetup:
    """Return the plugin folder."""
    home = environ.get("CLAUDE_CONFIG_DIR") or f"{users_home(environ)}/.claude"
    folder = f"{home}/skills/tilth"
    by_hand = f"{environ.get('CLAUDE_CONFIG_DIR') or users_home(environ)}/.claude.json"
    servers = ServerPlace(
        f"{folder}/.mcp.json",
        "mcpServers",
        (by_hand,),
        in_projects=".mcp.json",
        removing="claude mcp remove tilth",
    )
    edits: list[Edit] = [
        json_file(f"{folder}/.claude-plugin/plugin.json", _MANIFEST),
        OwnedFile(f"{folder}/commands/remember.md", _REMEMBER.encode(), PROGRAM.encode()),
        json_file(f"{folder}/hooks/hooks.json", _hooks(programs)),
    ]
    if programs.server is not None:
        edits.append(ServerEntry(servers, programs.server.entry(), {}))
    note = "Restart Claude Code, or run /reload-plugins, to load the plugin tilth@skills-dir."
    return HostSetup(HOST, tuple(edits), servers, (note,))


def items(record: HookRecord, payload: JsonObject, strip: Strip) -> Iterator[Item]:
    """Yield what an event becomes; one that tells nothing to keep becomes nothing."""
    if record.event == "SubagentStop" and payload.get("agent_type") == "":
        return  # a compaction, which runs as a subagent of no type and tells its summary itself
    session = string(payload, "session_id", "sessionId")
    agent = string(payload, "agent_id")
    event = SessionEvent(
        record=record,
        host=HOST,
        session=f"{session}/{agent}" if agent else session,
        folder=string(payload, "cwd"),
        transcript=string(payload, "agent_transcript_path" if agent else "transcript_path"),
        is_agents=bool(agent),
        strip=strip,
    )
    yield from session_items(event, payload)


def session_items(event: SessionEvent, payload: JsonObject) -> Iterator[Item]:
    """Yield what an event of this shape becomes; Codex and VS Code tell in nearly the same."""
    turn = string(payload, "prompt_id", "turn_id")
    tool = string(payload, "tool_name"), payload.get("tool_input")
    tool_id = string(payload, "tool_use_id")
    match event.record.event:
        case "SessionStart":
            yield from event.described(string(payload, "session_title"))
        case "UserPromptSubmit":
            yield from event.prompted(string(payload, "prompt"), id=turn)
        case "PostToolUse":
            has_failed = payload.get(HAS_FAILED) is True
            outcome = payload.get("tool_response")
            yield from event.used_tool(*tool, outcome, id=tool_id, has_failed=has_failed)
        case "PostToolUseFailure":
            error = payload.get("error")
            yield from event.used_tool(*tool, error, id=tool_id, has_failed=True)
        case "Stop" | "SubagentStop":
            yield from event.answered(string(payload, "last_assistant_message"), id=turn)
        case "PreCompact" if wish := string(payload, "custom_instructions"):
            yield from event.prompted(f"/compact {wish}")
        case "PostCompact":
            yield from event.compacted(string(payload, "compact_summary"))
        case _:
            return  # nothing to keep


_MANIFEST: JsonObject = {
    "name": "tilth",
    "displayName": "Tilth",
    "version": "1.0.0",
    "description": "Keeps what is said and done here in the user's local memory (tilth-hook).",
    "license": "Apache-2.0",
    "metadata": {"managedBy": "tilth"},
}

# The hook hears what the user typed; the agent has only to say so.
_REMEMBER = f"""---
description: Keep one thing as a fact
argument-hint: '"Marina is CTO at Acme"'
---
The user wants this kept: $ARGUMENTS

{PROGRAM} has heard it already, and the context beside this prompt tells how it was read.
Tell the user so in one line, and do nothing else.
"""


def _hooks(programs: Programs) -> JsonObject:
    events: dict[str, Json] = {}
    for event, seconds in _WAITED.items():
        events[event] = [_group(programs, event, {"timeout": seconds})]
    for event in _BESIDE:
        events[event] = [_group(programs, event, {"async": True, "timeout": _BESIDE_SECONDS})]
    # Its time is set by the host, and what runs beside it would be killed.
    events["SessionEnd"] = [_group(programs, "SessionEnd", {})]
    return {"description": "Tilth: capture and recall", "hooks": events}


def _group(programs: Programs, event: str, how: JsonObject) -> JsonObject:
    hook: JsonObject = {
        "type": "command",
        "command": programs.program,
        "args": programs.arguments(HOST, event),
        **how,
    }
    return {**({"matcher": "*"} if event in _TOOL_EVENTS else {}), "hooks": [hook]}
