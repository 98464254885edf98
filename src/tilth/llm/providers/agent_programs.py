"""
Run each agent program for a single task, and read its answer.

What is read may tell a model to do things. So it gets no tool: none that writes, and none that
reads files or asks the web, by which a session could be taken elsewhere. Each option was seen to
hold with the real program before a model that was played (`make prove-hosts`).
"""

import json
import re
import tomllib
from collections.abc import Callable, Mapping, Sequence
from decimal import Decimal
from pathlib import Path
from typing import Any

from tilth.core.dataclass import dataclass
from tilth.llm.budget import MILLIONTHS
from tilth.llm.model import ModelRequest, Reply
from tilth.llm.providers.api_reply import usage_of

SCHEMA = "schema.json"
_SYSTEM = "system.md"
_COST_MAX = 1_000_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Program:
    """
    How one agent program is run, and read.

    `arguments` makes them of the model's name, the request and the environment. `variables`
    begins the names of the variables that are its own; `told` are more of them, by the folder in
    which it runs, and `files` what stands there besides the prompt and the schema. `leaves` are
    the folders that it keeps of a task, by its environment and the name of the task's folder.
    """

    name: str
    arguments: Callable[[str, ModelRequest, Mapping[str, str]], Sequence[str]]
    prompt: Callable[[ModelRequest], str]
    read: Callable[[str], Reply]
    variables: tuple[str, ...]
    told: Callable[[Path], Mapping[str, str]]
    files: Callable[[ModelRequest], Mapping[str, str]] = lambda _request: {}
    leaves: Callable[[Mapping[str, str], str], Sequence[Path]] = lambda _environ, _folder: ()


def _model_option(model: str) -> list[str]:
    return ["--model", model] if model else []


def _schema_and_data(request: ModelRequest) -> str:
    """Return the prompt for a program that has a place for instructions and knows no schema."""
    return f"The JSON schema of the answer: {json.dumps(request.schema)}\n\n{request.data}\n"


# It names each session by a model of its own, and reads what its user wrote down for coding.
_CLAUDE = {
    "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
    "CLAUDE_CODE_DISABLE_CLAUDE_MDS": "1",
    "CLAUDE_CODE_DISABLE_AUTO_MEMORY": "1",
}


def _claude_arguments(
    model: str, request: ModelRequest, _environ: Mapping[str, str]
) -> Sequence[str]:
    return [
        "-p", "--output-format", "json", "--json-schema", json.dumps(request.schema),
        "--tools", "", "--strict-mcp-config", "--no-session-persistence",
        "--system-prompt", request.instructions, *_model_option(model),
    ]  # fmt: skip


def _read_claude(said: str) -> Reply:
    """Read the one object that ``--output-format json`` prints."""
    told = json.loads(said)
    usage = told.get("usage") or {}
    answer = told.get("structured_output")
    text = told["result"] if answer is None else json.dumps(answer)
    if told["is_error"] or not isinstance(text, str):
        raise ValueError("is_error")
    read = ("input_tokens", "cache_creation_input_tokens", "cache_read_input_tokens")
    return Reply(
        text=text,
        usage=usage_of(sum(usage.get(name) or 0 for name in read), usage.get("output_tokens")),
        millionths=_millionths(told.get("total_cost_usd") or 0),
    )


def _millionths(cost: object) -> int:
    """
    Return what a program says that it cost.

    Raises:
        ValueError: it is no sum that anybody could have spent.
    """
    sum_ = Decimal(str(cost))
    if not 0 <= sum_ <= _COST_MAX:
        raise ValueError("total_cost_usd")
    return int(sum_ * MILLIONTHS)


# What Codex lends its model, whatever the sandbox: commands that read, the web, other agents.
_CODEX_OFF = (
    'web_search="disabled"',
    "project_doc_max_bytes=0",
    *(
        f"features.{name}=false"
        for name in (
            *("shell_tool", "unified_exec", "view_image", "multi_agent", "goals", "hooks"),
            *("plugins", "apps", "skill_search", "image_generation"),
        )
    ),
)
# As `codex mcp add` allows them; another name could say something else in an option.
_SERVER = re.compile(r"[A-Za-z0-9_-]+")


def _codex_arguments(
    model: str, _request: ModelRequest, environ: Mapping[str, str]
) -> Sequence[str]:
    # An empty table would leave those of the file as they are (openai/codex, issue 16045).
    off = (*_CODEX_OFF, *(f"mcp_servers.{name}.enabled=false" for name in _codex_servers(environ)))
    return [
        "exec", *(word for one in off for word in ("-c", one)),
        "--json", "--ephemeral", "--skip-git-repo-check", "--sandbox", "read-only",
        "--output-schema", SCHEMA, *_model_option(model), "-",
    ]  # fmt: skip


def _codex_servers(environ: Mapping[str, str]) -> Sequence[str]:
    """Return the names of the MCP servers that the user has; Codex itself complains of the file."""
    home = environ.get("CODEX_HOME") or Path(environ.get("HOME", "")) / ".codex"
    try:
        told = tomllib.loads((Path(home) / "config.toml").read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return ()
    servers = told.get("mcp_servers")
    names = servers if isinstance(servers, dict) else {}
    return [name for name in names if _SERVER.fullmatch(name)]


def _read_codex(said: str) -> Reply:
    """Read the lines that ``--json`` prints: the last message of the agent is the answer."""
    events = [json.loads(line) for line in said.splitlines() if line.startswith("{")]
    items = [event["item"] for event in events if event["type"] == "item.completed"]
    texts = [item["text"] for item in items if item["type"] == "agent_message"]
    counted = [event["usage"] for event in events if event["type"] == "turn.completed"]
    return Reply(
        text=str(texts[-1]),
        usage=usage_of(
            sum(usage["input_tokens"] for usage in counted),
            sum(usage["output_tokens"] for usage in counted),
        )
        if counted
        else None,
    )


# Read as the settings of the folder, since the folder is trusted. A list of none is all of them.
_GEMINI = {
    "tools": {"core": ["none"]},
    "context": {"fileName": ["none.md"]},
    "hooksConfig": {"enabled": False},
    "skills": {"enabled": False},
    "experimental": {"enableAgents": False},
}


def _gemini_arguments(
    model: str, _request: ModelRequest, _environ: Mapping[str, str]
) -> Sequence[str]:
    return [
        "--allowed-mcp-server-names", "none", "--extensions", "none",
        "-p", "Answer what standard input asks.", "--output-format", "json", *_model_option(model),
    ]  # fmt: skip


def _gemini_leaves(environ: Mapping[str, str], folder: str) -> Sequence[Path]:
    home = Path(environ.get("GEMINI_CLI_HOME") or environ.get("HOME", "")) / ".gemini"
    return [home / "tmp" / folder, home / "history" / folder]


def _read_gemini(said: str) -> Reply:
    """Read the one object that ``--output-format json`` prints."""
    told: Any = json.loads(said[said.index("{") :])
    counted = [model["tokens"] for model in told["stats"]["models"].values()]
    read = sum(tokens["prompt"] for tokens in counted)
    return Reply(
        text=str(told["response"]),
        usage=usage_of(read, sum(tokens["total"] for tokens in counted) - read),
    )


PROGRAMS = {
    "claude": Program(
        name="claude",
        arguments=_claude_arguments,
        prompt=lambda request: request.data,
        read=_read_claude,
        variables=(
            *("ANTHROPIC_", "AWS_", "GOOGLE_"),
            *("CLAUDE_CONFIG_DIR", "CLAUDE_CODE_USE_", "CLAUDE_CODE_OAUTH_TOKEN"),
        ),
        told=lambda _folder: _CLAUDE,
    ),
    "codex": Program(
        name="codex",
        arguments=_codex_arguments,
        # It keeps its own instructions, so ours go before the question.
        prompt=lambda request: f"{request.instructions}\n\n{_schema_and_data(request)}",
        read=_read_codex,
        variables=("OPENAI_", "CODEX_HOME"),
        told=lambda _folder: {},
    ),
    "gemini": Program(
        name="gemini",
        arguments=_gemini_arguments,
        prompt=_schema_and_data,
        read=_read_gemini,
        variables=("GEMINI_API", "GEMINI_MODEL", "GEMINI_CLI_HOME", "GOOGLE_"),
        told=lambda folder: {
            "GEMINI_CLI_TRUST_WORKSPACE": "true",
            "GEMINI_SYSTEM_MD": str(folder / _SYSTEM),
        },
        files=lambda request: {
            _SYSTEM: request.instructions,
            ".gemini/settings.json": json.dumps(_GEMINI),
        },
        leaves=_gemini_leaves,
    ),
}
