"""From the choice of a language model to the model."""

import shutil
from collections.abc import Mapping
from pathlib import Path

from tilth.core.errors import UnsupportedError
from tilth.llm.agent_cli import AgentCliModel
from tilth.llm.anthropic import DEFAULT_URL, AnthropicModel
from tilth.llm.model import Model
from tilth.llm.openai_chat import OpenAiChatModel
from tilth.llm.task import FILE_SIGNS, ModelChoice, Provider

_OTHERS = 0o077


def model_of(choice: ModelChoice, environ: Mapping[str, str]) -> Model:
    """
    Return the model that was chosen.

    Raises:
        UnsupportedError: its key or its program is not there.
        InvalidInputError: its URL or its key is none.
    """
    match choice.provider:
        case Provider.OPENAI:
            return OpenAiChatModel(choice.url, choice.model, _key(choice.key, environ))
        case Provider.ANTHROPIC:
            key = _key(choice.key, environ)
            return AnthropicModel(choice.model, key, choice.url or DEFAULT_URL)
        case Provider.CLAUDE | Provider.CODEX | Provider.GEMINI:
            program = choice.provider.value
            path = shutil.which(program, path=environ.get("PATH"))
            if path is None:
                raise UnsupportedError(f"{program} is not installed, or not in PATH")
            return AgentCliModel(program, choice.model, path, environ)


def _key(where: str, environ: Mapping[str, str]) -> str:
    """Return the key that *where* names: a variable of the environment, or a file of its own."""
    if not where:
        return ""
    if not where.startswith(FILE_SIGNS):
        if key := environ.get(where, "").strip():
            return key
        raise UnsupportedError(f"the variable {where} holds no key")
    path = Path(where).expanduser()
    try:
        if path.stat().st_mode & _OTHERS:
            raise UnsupportedError(f"others may read the key in {path}", hint=f"chmod go= {path}")
        return path.read_text(encoding="ascii").strip()
    except (OSError, UnicodeDecodeError) as error:
        raise UnsupportedError(f"no key can be read from {path}") from error
