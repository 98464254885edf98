"""
opencode: a plugin file of ours, which it loads by itself and which calls the hook program.

The plugin's messages are of our own shape; see `plugin.js` beside this module.
"""

from collections.abc import Iterator, Mapping
from importlib import resources
from pathlib import Path

from tilth.agents.hook_events import SessionEvent, Strip
from tilth.agents.hook_record import HookRecord
from tilth.agents.hosts.declaration import Declaration, Occasion, Versions
from tilth.agents.hosts.hook_entries import PROGRAM
from tilth.agents.hosts.servers import Server, ServerEntry, ServerPlace
from tilth.agents.hosts.setup import Edit, HostSetup, OwnedFile, Programs
from tilth.core.io.paths import users_home
from tilth.core.json import JsonObject, canonical
from tilth.transfer.model import Item
from tilth.transfer.reading.agent_text import chosen_title, unquoted
from tilth.transfer.reading.lenient_json import string

HOST = "opencode"
_SCHEMA = "https://opencode.ai/config.json"
DECLARATION = Declaration(
    program="opencode",
    writes="`~/.config/opencode/plugins/tilth.js`; `XDG_CONFIG_HOME` is respected",
    edits="none",
    servers="`tilth` under `mcp` in `~/.config/opencode/opencode.json` (or `.jsonc`)",
    tells={
        Occasion.BEGIN: "session.created; subagent.created of a subagent's",
        Occasion.PROMPT: "message.user",
        Occasion.TOOL: "tool",
        Occasion.FAILURE: "tool with an error or such a code",
        Occasion.ANSWER: "message.assistant",
        Occasion.COMPACTION: "session.compacting asks for context; message.compaction",
    },
    shows={
        Occasion.BEGIN: "session.created",
        Occasion.PROMPT: "message.user",
        Occasion.COMPACTION: "session.compacting",
    },
    opens=("session.created",),
    prompts=("message.user",),
    wakes=("session.created", "message.assistant"),
    says='{"context": CONTEXT}',
    versions=Versions(
        command="opencode",
        last=1,
        said="runs no plugin of version 1: nothing is captured there, and no brief is told",
    ),
)


def setup(programs: Programs, environ: Mapping[str, str]) -> HostSetup:
    """Return the plugin file."""
    config = environ.get("XDG_CONFIG_HOME") or f"{users_home(environ)}/.config"
    source = resources.files("tilth.agents.hosts").joinpath("plugin.js").read_text(encoding="utf-8")
    values = {
        '"PROGRAM"': canonical(programs.program),
        '["HOME"]': canonical(programs.arguments("", "")[2:]),
    }
    for name, value in values.items():
        source = source.replace(name, value)
    folder = f"{config}/opencode"
    # Its second version keeps servers below that, and reads the older form, too.
    servers = ServerPlace(_configuration(folder), "mcp", unlike="servers")
    edits: list[Edit] = [OwnedFile(f"{folder}/plugins/tilth.js", source.encode(), PROGRAM.encode())]
    if programs.server is not None:
        # opencode writes its schema into a file that lacks it, which would then be another.
        edits.append(ServerEntry(servers, _entry(programs.server), {"$schema": _SCHEMA}))
    return HostSetup(HOST, tuple(edits), servers, ("Restart opencode to load the plugin.",))


def _configuration(folder: str) -> str:
    """Return the file of settings that there is, or the usual one; the later of two counts."""
    names = [f"{folder}/{name}" for name in ("opencode.jsonc", "opencode.json")]
    return next((name for name in names if Path(name).exists()), names[-1])


def _entry(server: Server) -> JsonObject:
    words: JsonObject = {"type": "local", "command": [server.program, *server.arguments]}
    return {
        **words,
        **({"environment": dict(server.environ)} if server.environ else {}),
        "enabled": True,
    }


def items(record: HookRecord, payload: JsonObject, strip: Strip) -> Iterator[Item]:
    """Yield what an event becomes."""
    event = SessionEvent(
        record=record,
        host=HOST,
        session=string(payload, "sessionID"),
        folder=string(payload, "cwd"),
        is_agents=bool(string(payload, "parentID")),
        strip=strip,
    )
    message, call = string(payload, "messageID"), string(payload, "callID")
    match record.event:
        case "session.created" | "subagent.created":
            yield from event.described(chosen_title(string(payload, "title")))
        case "message.user":
            yield from event.prompted(unquoted(string(payload, "text")), id=message)
        case "message.assistant":
            yield from event.answered(string(payload, "text"), id=message)
        case "message.compaction":
            yield from event.compacted(string(payload, "text"))
        case "tool":
            name, asked, error = string(payload, "tool"), payload.get("args"), payload.get("error")
            has_failed = bool(error) or payload.get("exit") not in (None, 0)
            told = error or payload.get("output")
            yield from event.used_tool(name, asked, told, id=call, has_failed=has_failed)
        case _:
            return  # nothing to keep
