"""
Codex: entries in `hooks.json`, the events of its hooks, and the older `notify`.

Codex trusts a hook by the exact text of its command, so ours is the same in
every version. See developers.openai.com/codex: hooks, configuration.
"""

from collections.abc import Iterator, Mapping

from tilth.agents.hook_events import SessionEvent, Strip
from tilth.agents.hook_record import HookRecord
from tilth.agents.hosts import claude_code
from tilth.agents.hosts.declaration import Declaration, Occasion
from tilth.agents.hosts.hook_entries import HookEntries
from tilth.agents.hosts.servers import ServerPlace
from tilth.agents.hosts.setup import Edit, HostSetup, Programs
from tilth.agents.hosts.toml_server import ServerTable
from tilth.core.io.paths import users_home
from tilth.core.json import Json, JsonObject
from tilth.transfer.model import Item
from tilth.transfer.reading.lenient_json import sequence, string

HOST = "codex"
DECLARATION = Declaration(
    program="Codex",
    writes="entries in `~/.codex/hooks.json`; `CODEX_HOME` is respected",
    edits="that one",
    servers="`[mcp_servers.tilth]` in `~/.codex/config.toml`",
    tells={
        Occasion.BEGIN: "SessionStart",
        Occasion.PROMPT: "UserPromptSubmit",
        Occasion.TOOL: "PostToolUse",
        Occasion.FAILURE: "PostToolUse, if the rollout says so",
        Occasion.ANSWER: "Stop",
        Occasion.SUBAGENT: "SubagentStop",
        Occasion.COMPACTION: "PostCompact",
    },
    shows={
        Occasion.BEGIN: "SessionStart",
        Occasion.PROMPT: "UserPromptSubmit",
        Occasion.FAILURE: "PostToolUse",
    },
    opens=("SessionStart",),
    prompts=("UserPromptSubmit", "PreCompact"),
    wakes=("SessionStart", "Stop", "SessionEnd", "notify"),
    confines=True,
)
_SECONDS = {
    "SessionStart": 5,
    "UserPromptSubmit": 3,
    "PostToolUse": 3,
    "Stop": 3,
    "SubagentStop": 3,
    "PreCompact": 3,
    "PostCompact": 3,
}


def setup(programs: Programs, environ: Mapping[str, str]) -> HostSetup:
    """Return our entries in the user's `hooks.json`."""
    home = environ.get("CODEX_HOME") or f"{users_home(environ)}/.codex"
    entries: dict[str, Json] = {
        event: {
            "hooks": [
                {"type": "command", "command": programs.command(HOST, event), "timeout": seconds}
            ]
        }
        for event, seconds in _SECONDS.items()
    }
    note = f"Open Codex, type /hooks, and trust the {len(entries)} entries of tilth-hook."
    servers = ServerPlace(f"{home}/config.toml", "mcp_servers")
    edits: list[Edit] = [HookEntries(f"{home}/hooks.json", HOST, entries, {})]
    if programs.server is not None:
        edits.append(ServerTable(servers, programs.server.entry()))
    return HostSetup(HOST, tuple(edits), servers, (note,))


def items(record: HookRecord, payload: JsonObject, strip: Strip) -> Iterator[Item]:
    """Yield what an event becomes."""
    session = string(payload, "session_id", "thread-id", "thread_id")
    agent = string(payload, "agent_id")
    event = SessionEvent(
        record=record,
        host=HOST,
        session=f"{session}/{agent}" if agent else session,
        folder=string(payload, "cwd"),
        transcript=string(payload, "transcript_path"),
        is_agents=bool(agent),
        strip=strip,
    )
    if string(payload, "type") == "agent-turn-complete":
        yield from _notified(event, payload)
    else:
        yield from claude_code.session_items(event, payload)


def _notified(event: SessionEvent, payload: JsonObject) -> Iterator[Item]:
    turn = string(payload, "turn-id")
    for message in sequence(payload, "input-messages"):
        if isinstance(message, str):
            yield from event.prompted(message, id=turn)
    yield from event.answered(string(payload, "last-assistant-message"), id=turn)
