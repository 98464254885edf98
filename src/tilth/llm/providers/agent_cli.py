"""
Language models behind the agent programs that a user has: Claude Code, Codex, Gemini CLI.

Each runs once, in a folder of its own, with no tool, no server of the user's and no hook of
ours, with the prompt on its standard input and nothing of our environment but what it needs.
How each is told so stands in `tilth.llm.providers.agent_programs`.
"""

import json
import os
import shutil
import signal
import subprocess
from collections.abc import Mapping
from pathlib import Path
from tempfile import TemporaryDirectory

from tilth.core.errors import UnavailableError, UnsupportedError
from tilth.llm.cancellation import Patience
from tilth.llm.model import Again, ModelRequest, Reply
from tilth.llm.providers.agent_programs import PROGRAMS, SCHEMA
from tilth.llm.providers.api_reply import ANSWER_BYTES_MAX, UNREADABLE
from tilth.llm.task import TASK_FOLDER

# What such a program tells its model of itself; a guess on the safe side.
_OVERHEAD_TOKENS = 60_000
_POLL_S = 0.05
# What any program needs, and what leads to a network.
_NEEDED = frozenset(
    {"PATH", "HOME", "USER", "LOGNAME", "SHELL", "LANG", "TERM", "TMPDIR", "TZ"}
    | {"SYSTEMROOT", "APPDATA", "LOCALAPPDATA", "USERPROFILE", "COMSPEC", "PATHEXT", "TEMP"}
    | {"HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY", "ALL_PROXY", "SSL_CERT_FILE", "SSL_CERT_DIR"}
    | {"NODE_EXTRA_CA_CERTS"}
)
_HOOKS_OFF = {"TILTH_INTERNAL": "1", "TILTH_DISABLE": "1"}


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
        self._environ = _program_environ(environ, self._program.variables)
        self.name = f"{kind}:{model}" if model else kind

    def ask(self, request: ModelRequest, patience: Patience) -> Reply | Again:
        """See `tilth.llm.model.Model.ask`."""
        with TemporaryDirectory(prefix=TASK_FOLDER) as folder:
            home = Path(folder)
            files = {
                SCHEMA: json.dumps(request.schema),
                "prompt": self._program.prompt(request),
                **self._program.files(request),
            }
            for name, text in files.items():
                (home / name).parent.mkdir(exist_ok=True)
                (home / name).write_text(text, encoding="utf-8")
            try:
                status = self._run(home, request, patience)
                said = _read_output(home / "said")
            finally:
                for left in self._program.leaves(self._environ, home.name):
                    shutil.rmtree(left, ignore_errors=True)
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
        own = self._program.arguments(self._model, request, self._environ)
        with (home / "prompt").open("rb") as prompt, (home / "said").open("wb") as said:
            try:
                process = subprocess.Popen(  # noqa: S603 - what the user configured, in no shell
                    [self._path, *own],
                    stdin=prompt,
                    stdout=said,
                    stderr=subprocess.DEVNULL,
                    cwd=home,
                    env={**self._environ, **self._program.told(home)},
                    start_new_session=True,
                )
            except OSError as error:
                raise UnsupportedError(f"{self._path} does not run: {error.strerror}") from error
            with process:
                while (status := process.poll()) is None and patience.remaining_s() > 0:
                    patience.wait(_POLL_S)
                if status is None:
                    os.killpg(process.pid, signal.SIGKILL)  # with whatever it started
                    raise UnavailableError(f"{self._program.name} did not answer in time")
        return status


def _read_output(path: Path) -> str:
    with path.open("rb") as file:
        return file.read(ANSWER_BYTES_MAX).decode("utf-8", "replace")


def _program_environ(environ: Mapping[str, str], own: tuple[str, ...]) -> dict[str, str]:
    """Return of *environ* what a program needs, and what silences our hooks."""
    kept = {
        name: value
        for name, value in environ.items()
        if name.upper() in _NEEDED or name.startswith(("LC_", "XDG_", *own))
    }
    return kept | _HOOKS_OFF
