"""
Gemini CLI: an extension folder that it loads by itself, and the events of its hooks.

It calls hooks one after the other and waits for each. See its documentation:
extensions reference, hooks reference.
"""

from collections.abc import Iterator, Mapping

from tilth.agents.hook_events import SessionEvent, Strip, outcome_text
from tilth.agents.hook_record import HookRecord
from tilth.agents.hosts.declaration import Declaration, Occasion
from tilth.agents.hosts.servers import NAME, ServerPlace
from tilth.agents.hosts.setup import HostSetup, Programs, json_file
from tilth.core.io.paths import users_home
from tilth.core.json import JsonObject
from tilth.transfer.model import Item
from tilth.transfer.reading.lenient_json import mapping, string
from tilth.transfer.reading.shell_reports import gemini_outcome

HOST = "gemini-cli"
DECLARATION = Declaration(
    program="Gemini CLI",
    writes="`~/.gemini/extensions/tilth/` (`gemini-extension.json`, `hooks/hooks.json`)",
    edits="none",
    servers="`mcpServers` in that extension",
    tells={
        Occasion.BEGIN: "SessionStart",
        Occasion.PROMPT: "BeforeAgent",
        Occasion.TOOL: "AfterTool",
        Occasion.FAILURE: "AfterTool with an error, or of a command that ended with another code "
        "than 0",
        Occasion.ANSWER: "AfterAgent",
        Occasion.END: "SessionEnd",
    },
    shows={
        Occasion.BEGIN: "SessionStart",
        Occasion.PROMPT: "BeforeAgent",
        Occasion.FAILURE: "AfterTool",
    },
    opens=("SessionStart",),
    prompts=("BeforeAgent",),
    wakes=("SessionStart", "AfterAgent", "SessionEnd"),
    says='{"hookSpecificOutput": {"additionalContext": CONTEXT}}',
    silence="{}",
)
_EVENTS = ("SessionStart", "BeforeAgent", "AfterAgent", "AfterTool", "SessionEnd")
_MILLISECONDS = 5000


def setup(programs: Programs, environ: Mapping[str, str]) -> HostSetup:
    """Return the extension folder."""
    home = environ.get("GEMINI_CLI_HOME") or users_home(environ)
    folder = f"{home}/.gemini/extensions/tilth"
    hooks: JsonObject = {
        "hooks": {
            event: [
                {
                    "hooks": [
                        {
                            "name": "tilth",
                            "type": "command",
                            "command": programs.command(HOST, event),
                            "timeout": _MILLISECONDS,
                        }
                    ]
                }
            ]
            for event in _EVENTS
        }
    }
    manifest: JsonObject = {
        "name": "tilth",
        "version": "1.0.0",
        "description": "Keeps what is said and done here in the user's local memory (tilth-hook).",
    }
    path, by_hand = f"{folder}/gemini-extension.json", f"{home}/.gemini/settings.json"
    servers = ServerPlace(path, "mcpServers", (by_hand,))
    if programs.server is not None:
        manifest = {**manifest, servers.holder: {NAME: programs.server.entry()}}
    return HostSetup(
        HOST,
        (
            json_file(path, manifest),
            json_file(f"{folder}/hooks/hooks.json", hooks),
        ),
        servers,
        ("Restart Gemini CLI; /hooks shows the hooks of the extension tilth.",),
    )


def items(record: HookRecord, payload: JsonObject, strip: Strip) -> Iterator[Item]:
    """Yield what an event becomes. `AfterAgent` repeats the prompt, which `BeforeAgent` told."""
    event = SessionEvent(
        record=record,
        host=HOST,
        session=string(payload, "session_id", "sessionId"),
        folder=string(payload, "cwd"),
        transcript=string(payload, "transcript_path"),
        strip=strip,
    )
    at = string(payload, "timestamp")
    match record.event:
        case "SessionStart":
            yield from event.described()
        case "BeforeAgent":
            yield from event.prompted(string(payload, "prompt"), id=at)
        case "AfterAgent":
            yield from event.answered(string(payload, "prompt_response"), id=at)
        case "AfterTool":
            response, name = mapping(payload, "tool_response"), string(payload, "tool_name")
            error = response.get("error")
            told, has_failed = gemini_outcome(name, outcome_text(error or response))
            yield from event.used_tool(
                name, payload.get("tool_input"), told, at=at, has_failed=bool(error) or has_failed
            )
        case _:
            return  # nothing to keep
