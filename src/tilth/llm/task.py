"""The tasks of language models, the providers, and how settings choose them."""

from collections.abc import Mapping, Sequence
from enum import StrEnum
from ipaddress import ip_address
from urllib.parse import urlsplit

from tilth.core.dataclass import dataclass
from tilth.core.errors import InvalidInputError
from tilth.core.io.api_key import check_key_place, is_http

# So begins the name of the folder in which an agent program does a task; by it an import knows
# what such a program kept of that, which nobody said.
TASK_FOLDER = "tilth-model-"


class Task(StrEnum):
    """What a language model is asked to do."""

    EXTRACT = "extract"
    ADJUDICATE = "adjudicate"
    SUMMARISE = "summarise"
    TONE = "tone"
    IDLE = "idle"
    GAP = "gap"
    DRAFT_PLAYBOOK = "draft_playbook"
    COMPILE_PAGE = "compile_page"
    CONTRADICTION = "contradiction"
    TEND_TOPIC = "tend_topic"
    CLEAN = "clean"


class Strength(StrEnum):
    """Which model a task goes to; with none, what is deterministic has to do."""

    CHEAP = "cheap"
    STRONG = "strong"
    NONE = "none"


# What needs judgement over many things, or is read by people, goes to the stronger.
STRENGTHS = {
    Task.EXTRACT: Strength.CHEAP,
    Task.ADJUDICATE: Strength.STRONG,
    Task.SUMMARISE: Strength.CHEAP,
    Task.TONE: Strength.CHEAP,
    Task.IDLE: Strength.CHEAP,
    Task.GAP: Strength.CHEAP,
    Task.DRAFT_PLAYBOOK: Strength.STRONG,
    Task.COMPILE_PAGE: Strength.STRONG,
    Task.CONTRADICTION: Strength.STRONG,
    Task.TEND_TOPIC: Strength.CHEAP,
    Task.CLEAN: Strength.STRONG,
}


class Provider(StrEnum):
    """By which way a language model is reached: an API, or an agent program."""

    OPENAI = "openai"
    ANTHROPIC = "anthropic"
    CLAUDE = "claude"
    CODEX = "codex"
    GEMINI = "gemini"


# What an API cannot be asked without; an agent program has a model, an address and a key itself.
_NEEDS = {Provider.OPENAI: ("model", "url"), Provider.ANTHROPIC: ("model", "key")}
AGENT_PROGRAMS = tuple(one for one in Provider if one not in _NEEDS)


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelChoice:
    """Which language model, and where; *key* names a variable of the environment, or a file."""

    provider: Provider
    model: str = ""
    url: str = ""
    key: str = ""

    @property
    def name(self) -> str:
        """What the model is priced and reported by."""
        if self.provider in _NEEDS:
            return self.model
        return f"{self.provider.value}:{self.model}" if self.model else self.provider.value

    @property
    def is_program(self) -> bool:
        """Whether an agent program is run for it, which has its own account."""
        return self.provider in AGENT_PROGRAMS

    @property
    def is_here(self) -> bool:
        """Whether its server is on this machine, as far as its address tells."""
        host = urlsplit(self.url).hostname or ""
        try:
            return ip_address(host).is_loopback
        except ValueError:
            return host == "localhost"


def parse_choice(text: str) -> ModelChoice | None:
    """
    Read a choice such as ``openai qwen3:8b http://localhost:11434`` or ``claude haiku``.

    Returns:
        None for an empty text: there is no such model.

    Raises:
        InvalidInputError: the provider is unknown, or a part is missing or too many.
    """
    words = text.split()
    if not words:
        return None
    parts: dict[str, str] = {}
    for word in words[1:]:
        part = "url" if "://" in word else "key" if word.startswith("key=") else "model"
        if part in parts:
            raise InvalidInputError(f"a language model has one {part}", hint=_CHOICES)
        parts[part] = word.removeprefix("key=")
    if words[0] not in list(Provider):
        raise InvalidInputError(f"unknown provider {words[0][:30]!r}", hint=_CHOICES)
    if not is_http(parts.get("url", "http://localhost")):
        raise InvalidInputError(
            "the address of a language model is no address of http or https", hint=_CHOICES
        )
    provider = Provider(words[0])
    key = parts.get("key", "")
    check_key_place(key, _CHOICES)
    if missing := [part for part in _NEEDS.get(provider, ()) if not parts.get(part)]:
        raise InvalidInputError(
            f"{provider.value} needs a {' and a '.join(missing)}", hint=_CHOICES
        )
    return ModelChoice(provider=provider, **parts)


def parse_strengths(words: Sequence[str]) -> Mapping[Task, Strength]:
    """
    Read who does which task, such as ``tone=none, extract=strong``; the rest stay as they are.

    Raises:
        InvalidInputError: a word names no task, or no strength.
    """
    told = dict(STRENGTHS)
    for word in words:
        task, _, strength = (part.strip() for part in word.partition("="))
        if task not in list(Task) or strength not in list(Strength):
            raise InvalidInputError(
                f"{word[:40]!r} gives no task to anybody",
                hint=f"TASK={'|'.join(Strength)}, and a task is one of {', '.join(Task)}",
            )
        told[Task(task)] = Strength(strength)
    return told


_CHOICES = (
    f"PROVIDER [MODEL] [URL] [key=VARIABLE-OR-FILE], and a provider is one of {', '.join(Provider)}"
)
