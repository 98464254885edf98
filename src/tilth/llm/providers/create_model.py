"""Make a language model from the settings."""

import shutil
from collections.abc import Mapping

from tilth.core.errors import UnsupportedError
from tilth.core.io.api_key import api_key
from tilth.llm.model import Model
from tilth.llm.providers.agent_cli import AgentCliModel
from tilth.llm.providers.anthropic import DEFAULT_URL, AnthropicModel
from tilth.llm.providers.openai_chat import OpenAiChatModel
from tilth.llm.task import ModelChoice, Provider


def model_of(choice: ModelChoice, environ: Mapping[str, str]) -> Model:
    """
    Return the model that was chosen.

    Raises:
        UnsupportedError: its key or its program is not there.
        InvalidInputError: its URL or its key is none.
    """
    match choice.provider:
        case Provider.OPENAI:
            return OpenAiChatModel(choice.url, choice.model, api_key(choice.key, environ))
        case Provider.ANTHROPIC:
            key = api_key(choice.key, environ)
            return AnthropicModel(choice.model, key, choice.url or DEFAULT_URL)
        case Provider.CLAUDE | Provider.CODEX | Provider.GEMINI:
            program = choice.provider.value
            path = shutil.which(program, path=environ.get("PATH"))
            if path is None:
                raise UnsupportedError(f"{program} is not installed, or not in PATH")
            return AgentCliModel(program, choice.model, path, environ)
