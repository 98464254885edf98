"""
Language models behind the agent programs that a user has: Claude Code, Codex, Gemini CLI.

Each runs once, in an empty folder, without tools that write, with the prompt
on its standard input and nothing of our environment but what it needs.
`TILTH_INTERNAL` tells our own hooks that nobody said this.
"""

import json
import os
import signal
import subprocess
from collections.abc import Callable, Mapping, Sequence
from decimal import Decimal
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from tilth.core.dataclass import dataclass
from tilth.core.errors import UnavailableError, UnsupportedError
from tilth.llm.budget import MILLIONTHS
from tilth.llm.model import Again, ModelRequest, Reply
from tilth.llm.patience import Patience
from tilth.llm.providers.wire import ANSWER_BYTES_MAX, UNREADABLE, usage_of

# What such a program tells its model of itself and its tools; a guess on the safe side.
_OVERHEAD_TOKENS = 60_000
_LOOKED_EVERY_S = 0.05
_COST_MAX = 1_000_000
_SCHEMA = "schema.json"
# What any program needs, and what leads to a network.
_NEEDED = frozenset(
    {"PATH", "HOME", "USER", "LOGNAME", "SHELL", "LANG", "TERM", "TMPDIR", "TZ"}
    | {"SYSTEMROOT", "APPDATA", "LOCALAPPDATA", "USERPROFILE", "COMSPEC", "PATHEXT", "TEMP"}
    | {"HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY", "ALL_PROXY", "SSL_CERT_FILE", "SSL_CERT_DIR"}
    | {"NODE_EXTRA_CA_CERTS"}
)
_SILENCED = {"TILTH_INTERNAL": "1", "TILTH_DISABLE": "1"}


@dataclass(frozen=True, slots=True)
class Program:
    """
    How one agent program is run, and read.

    `arguments` makes them of the model's name and the request; `environment`
    begins the names of the variables that are its own.
    """

    name: str
    arguments: Callable[[str, ModelRequest], Sequence[str]]
    prompt: Callable[[ModelRequest], str]
    read: Callable[[str], Reply]
    environment: tuple[str, ...]


class AgentCliModel:
    """
    Runs an agent program; safe to share between threads.

    Args:
        kind: One of `PROGRAMS`.
        model: The model's name, as the program knows it; empty for its own choice.
        path: Where the program is.
        environ: What it may see a part of.
    """

    overhead_tokens = _OVERHEAD_TOKENS

    def __init__(self, kind: str, model: str, path: str, environ: Mapping[str, str]) -> None:
        self._program = PROGRAMS[kind]
        self._model = model
        self._path = path
        self._environ = _scrubbed(environ, self._program.environment)
        self.name = f"{kind}:{model}" if model else kind

    def ask(self, request: ModelRequest, patience: Patience) -> Reply | Again:
        """See `tilth.llm.model.Model.ask`."""
        with TemporaryDirectory(prefix="tilth-model-") as folder:
            home = Path(folder)
            (home / _SCHEMA).write_text(json.dumps(request.schema), encoding="utf-8")
            (home / "prompt").write_text(self._program.prompt(request), encoding="utf-8")
            status = self._run(home, request, patience)
            said = _beginning(home / "said")
        try:
            return self._program.read(said)
        except UNREADABLE as error:
            raise UnavailableError(
                f"{self._program.name} ended with {status} and no answer",
                hint=f"does it run by itself, and is it signed in? Try: {self._program.name}",
            ) from error

    def close(self) -> None:
        """Nothing is held between two questions."""

    def _run(self, home: Path, request: ModelRequest, patience: Patience) -> int:
        arguments = [self._path, *self._program.arguments(self._model, request)]
        with (home / "prompt").open("rb") as prompt, (home / "said").open("wb") as said:
            try:
                process = subprocess.Popen(  # noqa: S603 - what the user configured, in no shell
                    arguments,
                    stdin=prompt,
                    stdout=said,
                    stderr=subprocess.DEVNULL,
                    cwd=home,
                    env=self._environ,
                    start_new_session=True,
                )
            except OSError as error:
                raise UnsupportedError(f"{self._path} does not run: {error.strerror}") from error
            with process:
                while (status := process.poll()) is None and patience.remaining_s() > 0:
                    patience.wait(_LOOKED_EVERY_S)
                if status is None:
                    _kill(process)
                    raise UnavailableError(f"{self._program.name} did not answer in time")
        return status


def _kill(process: subprocess.Popen[bytes]) -> None:
    """End a program with whatever it started."""
    if os.name == "nt":
        process.kill()
    else:
        os.killpg(process.pid, signal.SIGKILL)


def _beginning(path: Path) -> str:
    with path.open("rb") as file:
        return file.read(ANSWER_BYTES_MAX).decode("utf-8", "replace")


def _scrubbed(environ: Mapping[str, str], own: tuple[str, ...]) -> dict[str, str]:
    """Return of *environ* what a program needs, and what silences our hooks."""
    kept = {
        name: value
        for name, value in environ.items()
        if name.upper() in _NEEDED or name.startswith(("LC_", "XDG_", *own))
    }
    return kept | _SILENCED


def _named(model: str) -> list[str]:
    return ["--model", model] if model else []


def _whole(request: ModelRequest) -> str:
    """Return a prompt for a program that knows neither a system prompt nor a schema."""
    schema = f"The JSON schema of the answer: {json.dumps(request.schema)}"
    return f"{request.instructions}\n\n{schema}\n\n{request.data}\n"


def _claude_arguments(model: str, request: ModelRequest) -> list[str]:
    return [
        "-p", "--output-format", "json", "--json-schema", json.dumps(request.schema),
        "--tools", "", "--strict-mcp-config", "--no-session-persistence",
        "--system-prompt", request.instructions, *_named(model),
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


def _codex_arguments(model: str, _: ModelRequest) -> list[str]:
    return [
        "exec", "--json", "--ephemeral", "--skip-git-repo-check", "--sandbox", "read-only",
        "--output-schema", _SCHEMA, *_named(model), "-",
    ]  # fmt: skip


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


def _gemini_arguments(model: str, _: ModelRequest) -> list[str]:
    return ["-p", "Answer what standard input asks.", "--output-format", "json", *_named(model)]


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
        "claude", _claude_arguments, lambda request: request.data, _read_claude,
        ("ANTHROPIC_", "CLAUDE_CONFIG_DIR", "CLAUDE_CODE_USE_", "AWS_", "GOOGLE_"),
    ),
    "codex": Program("codex", _codex_arguments, _whole, _read_codex, ("OPENAI_", "CODEX_HOME")),
    "gemini": Program(
        "gemini", _gemini_arguments, _whole, _read_gemini, ("GEMINI_API", "GEMINI_MODEL", "GOOGLE_")
    ),
}  # fmt: skip
