"""
Cursor: entries in `hooks.json`, and the events of its hooks.

Every hook must print JSON. What a session's first hook prints reaches the
agent in some versions only. See cursor.com/docs: hooks.
"""

from collections.abc import Iterator, Mapping

from tilth.agents.hook_events import SessionEvent, Strip, outcome_text, read_json
from tilth.agents.hook_record import HookRecord
from tilth.agents.hosts.declaration import Declaration, Occasion
from tilth.agents.hosts.hook_entries import HookEntries
from tilth.agents.hosts.servers import ServerEntry, ServerPlace
from tilth.agents.hosts.setup import Edit, HostSetup, Programs
from tilth.core.io.paths import users_home
from tilth.core.json import Json, JsonObject
from tilth.transfer.model import Item
from tilth.transfer.reading.lenient_json import sequence, string
from tilth.transfer.reading.own_calls import is_own_answer

HOST = "cursor"
DECLARATION = Declaration(
    program="Cursor",
    writes="entries in `~/.cursor/hooks.json`",
    edits="that one",
    servers="`tilth` under `mcpServers` in `~/.cursor/mcp.json`",
    tells={
        Occasion.BEGIN: "sessionStart",
        Occasion.PROMPT: "beforeSubmitPrompt",
        Occasion.TOOL: "afterShellExecution, afterMCPExecution, afterFileEdit",
        Occasion.ANSWER: "afterAgentResponse",
        Occasion.END: "stop",
    },
    shows={
        Occasion.BEGIN: "sessionStart",
    },
    opens=("sessionStart",),
    prompts=("beforeSubmitPrompt",),
    wakes=("sessionStart", "stop"),
    says='{"additional_context": CONTEXT}',
    silence="{}",
    silences={"beforeSubmitPrompt": '{"continue":true}'},
)
_EVENTS = (
    "sessionStart",
    "beforeSubmitPrompt",
    "afterAgentResponse",
    "afterShellExecution",
    "afterMCPExecution",
    "afterFileEdit",
    "stop",
)


def setup(programs: Programs, environ: Mapping[str, str]) -> HostSetup:
    """Return our entries in the user's `hooks.json`."""
    entries: dict[str, Json] = {
        event: {"command": programs.command(HOST, event)} for event in _EVENTS
    }
    folder = f"{users_home(environ)}/.cursor"
    servers = ServerPlace(f"{folder}/mcp.json", "mcpServers")
    hooks = HookEntries(f"{folder}/hooks.json", HOST, entries, {"version": 1}, is_lenient=True)
    edits: list[Edit] = [hooks]
    if programs.server is not None:
        edits.append(ServerEntry(servers, {"type": "stdio", **programs.server.entry()}, {}))
    note = "Restart Cursor; its settings list the hooks."
    return HostSetup(HOST, tuple(edits), servers, (note,))


def items(record: HookRecord, payload: JsonObject, strip: Strip) -> Iterator[Item]:
    """Yield what an event becomes."""
    roots = [root for root in sequence(payload, "workspace_roots") if isinstance(root, str)]
    event = SessionEvent(
        record=record,
        host=HOST,
        session=string(payload, "conversation_id", "session_id"),
        folder=roots[0] if roots else string(payload, "cwd"),
        transcript=string(payload, "transcript_path"),
        strip=strip,
    )
    turn = string(payload, "generation_id")
    match record.event:
        case "sessionStart":
            yield from event.described()
        case "beforeSubmitPrompt":
            yield from event.prompted(string(payload, "prompt"), id=turn)
        case "afterAgentResponse":
            yield from event.answered(string(payload, "text"), id=turn)
        case "afterShellExecution":
            command: JsonObject = {"command": string(payload, "command")}
            yield from event.used_tool("shell", command, payload.get("output"))
        case "afterMCPExecution":
            name, arguments = string(payload, "tool_name"), read_json(payload.get("tool_input"))
            answer = read_json(payload.get("result_json"))
            # It does not tell of which server a tool is.
            if not is_own_answer(name, outcome_text(answer)):
                yield from event.used_tool(name, arguments, answer)
        case "afterFileEdit":
            edit: JsonObject = {name: payload.get(name) for name in ("file_path", "edits")}
            yield from event.used_tool("edit", edit, None)
        case _:
            return  # nothing to keep
