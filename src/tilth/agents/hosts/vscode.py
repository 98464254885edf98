"""
VS Code and Copilot: a file of hooks of our own, and their events.

VS Code's hooks speak as Claude Code's do, Copilot's command line in camel
case; both read the user's `~/.copilot/hooks`. Neither tells an agent's last
words at its `Stop`: they come with the transcript. See code.visualstudio.com
(agent hooks) and docs.github.com (Copilot CLI hooks).
"""

import sys
from collections.abc import Iterator, Mapping

from tilth.agents.hook_events import SessionEvent, Strip, read_json
from tilth.agents.hook_record import HookRecord
from tilth.agents.hosts import claude_code
from tilth.agents.hosts.declaration import Declaration, Occasion
from tilth.agents.hosts.servers import ServerEntry, ServerPlace
from tilth.agents.hosts.setup import Edit, HostSetup, Programs, json_file
from tilth.core.io.paths import users_home
from tilth.core.json import Json, JsonObject
from tilth.transfer.model import Item
from tilth.transfer.reading.lenient_json import string

HOST = "vscode"
DECLARATION = Declaration(
    program="VS Code",
    writes="`~/.copilot/hooks/tilth.json`, which Copilot's command line reads too; "
    "`COPILOT_HOME` is respected",
    edits="none",
    servers="`tilth` under `servers` in the `mcp.json` of your profile (`~/.config/Code/User/`; on "
    "macOS `~/Library/Application Support/Code/User/`)",
    tells={
        Occasion.BEGIN: "SessionStart",
        Occasion.PROMPT: "UserPromptSubmit",
        Occasion.TOOL: "PostToolUse",
        Occasion.ANSWER: "(with the transcript)",
        Occasion.SUBAGENT: "SubagentStop",
        Occasion.END: "Stop",
    },
    shows={
        Occasion.BEGIN: "SessionStart",
    },
    opens=("SessionStart", "sessionStart"),
    prompts=("UserPromptSubmit", "userPromptSubmitted", "sessionStart", "PreCompact"),
    wakes=("SessionStart", "Stop"),
    silence="{}",
)
_EVENTS = ("SessionStart", "UserPromptSubmit", "PostToolUse", "PreCompact", "SubagentStop", "Stop")
_SECONDS = 5


def setup(programs: Programs, environ: Mapping[str, str]) -> HostSetup:
    """Return the file of hooks."""
    home = environ.get("COPILOT_HOME") or f"{users_home(environ)}/.copilot"
    hooks: JsonObject = {
        "version": 1,
        "hooks": {
            event: [
                {"type": "command", "command": programs.command(HOST, event), "timeout": _SECONDS}
            ]
            for event in _EVENTS
        },
    }
    notes = ["Reload VS Code; agent hooks are a preview and may have to be enabled there."]
    servers = ServerPlace(f"{_users_folder(environ)}/mcp.json", "servers")
    edits: list[Edit] = [json_file(f"{home}/hooks/tilth.json", hooks)]
    if programs.server is not None:
        edits.append(ServerEntry(servers, {"type": "stdio", **programs.server.entry()}, {}))
    return HostSetup(HOST, tuple(edits), servers, tuple(notes))


def _users_folder(environ: Mapping[str, str]) -> str:
    """Return where VS Code keeps what its user set."""
    home = users_home(environ)
    if sys.platform == "darwin":
        return f"{home}/Library/Application Support/Code/User"
    return f"{environ.get('XDG_CONFIG_HOME') or f'{home}/.config'}/Code/User"


def items(record: HookRecord, payload: JsonObject, strip: Strip) -> Iterator[Item]:
    """Yield what an event becomes."""
    event = SessionEvent(
        record=record,
        host=HOST,
        session=string(payload, "session_id", "sessionId"),
        folder=string(payload, "cwd"),
        transcript=string(payload, "transcript_path", "transcriptPath"),
        strip=strip,
    )
    match record.event:
        case "sessionStart":
            yield from event.described()
            yield from event.prompted(string(payload, "initialPrompt"))
        case "userPromptSubmitted":
            yield from event.prompted(string(payload, "prompt"))
        case "postToolUse":
            arguments: Json = read_json(payload.get("toolArgs"))
            name, outcome = string(payload, "toolName"), payload.get("toolResult")
            yield from event.used_tool(name, arguments, outcome)
        case _:
            yield from claude_code.session_items(event, payload)
