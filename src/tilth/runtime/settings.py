"""
Every setting, its default and its meaning.

Sources, strongest first: arguments, `TILTH_*` in the environment, the TOML file, these defaults.
Nothing is read on import; `load` reads everything once, and the result is passed on.
"""

from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import fields
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tilth.context.injection import KEYWORDS, LIMIT_DEFAULT, Injection, Strategy, parse_strategy
from tilth.core.dataclass import dataclass
from tilth.core.errors import ForbiddenError, InvalidInputError
from tilth.core.scope import Scope, parse_domains, parse_renamed, parse_scope

if TYPE_CHECKING:  # most commands use few settings, so the types that interpret them load on use
    from tilth.discovery.web.providers import ProviderChoice
    from tilth.knowledge.vocabulary.registries import Channel
    from tilth.llm.budget import Budget, Price
    from tilth.llm.task import ModelChoice, Strength, Task

PREFIX = "TILTH_"
# Variables that the program reads itself, and that are no settings of the brain.
_NOT_SETTINGS = frozenset(
    f"{PREFIX}{name}" for name in ("HOME", "CONFIG", "DISABLE", "INTERNAL", "EVAL_DATA")
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """The whole configuration. A field added here needs a line in `DOCS`."""

    store: str = ""
    owner: str = "local"
    project_domains: tuple[str, ...] = ()
    renamed_projects: tuple[str, ...] = ()
    mcp_scopes: tuple[str, ...] = ()
    recall_limit: int = 10
    recall_budget_tokens: int = 0
    embedder: str = "minilm"
    embedder_url: str = ""
    embedder_model: str = ""
    embedder_key: str = ""
    embedder_folder: str = ""
    transports: tuple[str, ...] = ()
    busy_timeout_s: float = 30.0
    injection: str = Strategy.HYBRID.value
    injection_limit: int = LIMIT_DEFAULT
    injection_keywords: tuple[str, ...] = KEYWORDS
    injection_asks: bool = True
    distil_confidence: tuple[str, ...] = ()
    excluded_terms: tuple[str, ...] = ()
    model_cheap: str = ""
    model_strong: str = ""
    model_tasks: tuple[str, ...] = ()
    model_prices: tuple[str, ...] = ()
    model_timeout_s: float = 120.0
    spend_day: tuple[str, ...] = ()
    spend_project: tuple[str, ...] = ()
    spend_run: tuple[str, ...] = ()
    gap_threshold: int = 3
    learning: bool = True
    reflection: bool = True
    playbook_sessions: int = 2
    skill_sessions: int = 3
    spend_session: tuple[str, ...] = ()
    search_providers: tuple[str, ...] = ()
    web_fetch: bool = False
    web_ports: tuple[str, ...] = ()
    page_sweep: int = 5
    garden_folder: str = ""
    garden_hours: int = 24

    @property
    def known_transports(self) -> frozenset[str]:
        """The transports that an episode may name."""
        from tilth.episodes.episode import TRANSPORTS

        return TRANSPORTS | frozenset(self.transports)

    @property
    def domains_seen(self) -> Mapping[Scope, AbstractSet[Scope]]:
        """The domains that each project sees."""
        return parse_domains(self.project_domains)

    @property
    def former_names(self) -> Mapping[Scope, AbstractSet[Scope]]:
        """The earlier names of each project."""
        return parse_renamed(self.renamed_projects)

    @property
    def scopes_granted(self) -> frozenset[Scope] | None:
        """The scopes that every MCP server may read besides its own; None for all."""
        return None if "all" in self.mcp_scopes else frozenset(map(parse_scope, self.mcp_scopes))

    @property
    def injected(self) -> Injection:
        """What agents are shown unasked."""
        return Injection(
            strategy=parse_strategy(self.injection),
            limit=self.injection_limit,
            keywords=self.injection_keywords,
            asks_for_notes=self.injection_asks,
        )

    @property
    def confidence_least(self) -> "Mapping[Channel, float]":
        """The least confidence at which a statement is kept, for channels that have a setting."""
        from tilth.learning.model import parse_thresholds

        return parse_thresholds(self.distil_confidence)

    @property
    def model_choices(self) -> "Mapping[Strength, ModelChoice]":
        """The language models that are set."""
        from tilth.llm.task import Strength, parse_choice

        chosen = {
            Strength.CHEAP: parse_choice(self.model_cheap),
            Strength.STRONG: parse_choice(self.model_strong),
        }
        return {strength: choice for strength, choice in chosen.items() if choice is not None}

    @property
    def task_strengths(self) -> "Mapping[Task, Strength]":
        """The model for each task."""
        from tilth.llm.task import parse_strengths

        return parse_strengths(self.model_tasks)

    @property
    def prices(self) -> "Mapping[str, Price]":
        """The prices of models by name, as set; there are no others."""
        from tilth.llm.budget import parse_price

        return dict(map(parse_price, self.model_prices))

    @property
    def budget(self) -> "Budget":
        """The budget for language models."""
        from tilth.llm.budget import Budget, parse_limits

        return Budget(
            parse_limits(self.spend_day, unnamed=0),
            parse_limits(self.spend_project),
            parse_limits(self.spend_run),
            parse_limits(self.spend_session),
        )

    @property
    def providers(self) -> "Sequence[ProviderChoice]":
        """The search providers that are set."""
        from tilth.discovery.web.providers import parse_provider

        return [*map(parse_provider, self.search_providers)]

    @property
    def ports_fetched(self) -> frozenset[int]:
        """The ports, besides 80 and 443, from which pages are fetched."""
        return frozenset(map(_port, self.web_ports))


DOCS = {
    "store": "The store: a path, or a postgresql:// URL. Empty: tilth.db in the data folder.",
    "owner": "The namespace that reads and writes belong to; reads never cross it.",
    "project_domains": "The domains that projects see besides, by commas: project:KEY=domain:NAME.",
    "renamed_projects": "Projects that are called otherwise now, mostly since a folder was renamed:"
    " project:OLD=project:NEW, …; written by `tilth project rename`.",
    "mcp_scopes": "What `tilth mcp` reads and writes besides the project that it serves:"
    " scopes, by commas, or all.",
    "recall_limit": "How many hits recall returns at the most.",
    "recall_budget_tokens": "Stop packing hits at about this many tokens; 0 means no limit.",
    "embedder": "The second tier of vectors: minilm (bundled), http, folder, or none.",
    "embedder_url": "Where an OpenAI-compatible server answers, for embedder = http.",
    "embedder_model": "The model to ask it for.",
    "embedder_key": "Its key, if it wants one. Never shown.",
    "embedder_folder": "A folder with model.onnx and vocab.txt, for embedder = folder.",
    "transports": "Transports besides the built-in ones, separated by commas.",
    "busy_timeout_s": "How long to wait for another writer, in seconds.",
    "injection": "What agents are told unasked: hybrid, top_k_recent, top_k_relevant, on_keyword,"
    " manual_only, or none. See [hosts](hosts.md).",
    "injection_limit": "How many things top_k_recent and top_k_relevant tell, at most 50.",
    "injection_keywords": "The words in a prompt at which on_keyword speaks.",
    "injection_asks": "Whether an agent is asked for a note where a session goes on without one.",
    "distil_confidence": "How sure what is read from sessions must be to be kept as a fact:"
    " CHANNEL=0…1. Not named: 0.7 for a triple or a value; sentences are weighed otherwise.",
    "excluded_terms": "Words that become no fact, entity or edge, and are covered in what is"
    " told, by commas.",
    "model_cheap": "The language model for most tasks; empty: none. See [models](models.md).",
    "model_strong": "The language model for tasks that need judgement; empty: none.",
    "model_tasks": "Whose a task is where that differs: TASK=cheap, strong or none.",
    "model_prices": "What a million tokens cost: MODEL=INPUT/OUTPUT. Unpriced, none is asked.",
    "model_timeout_s": "How long a task may take a language model, in seconds, retries included.",
    "spend_day": "The most in a day: calls=N, tokens=N, money=N; what is not named is 0.",
    "spend_project": "The most in a day for one scope; what is not named is as for the day.",
    "spend_run": "The most for one run of a program, or one cycle of the garden; likewise.",
    "learning": "Whether the worker learns from what is recorded: facts, gaps, playbooks, pages.",
    "reflection": "Whether the worker drafts [playbooks](playbooks.md) from what sessions did.",
    "playbook_sessions": "How many sessions come through before a playbook is drafted.",
    "skill_sessions": "How many sessions come through before a skill is drafted of a playbook.",
    "gap_threshold": "How often a gap comes up before a TODO is drafted. See [gaps](gaps.md).",
    "garden_folder": "Where the [garden](garden.md) writes for people; empty: beside the store.",
    "garden_hours": "After so many hours the garden's next cycle is due.",
    "spend_session": "The most for reading one session, however long it goes on; likewise.",
    "search_providers": "Where the web is searched, and feeds, by commas; empty: nowhere. See"
    " [the web](../howto/web.md).",
    "web_fetch": "Whether pages of the web are fetched. Needs tilth[web].",
    "web_ports": "Ports from which pages are fetched besides 80 and 443, by commas.",
    "page_sweep": "How many [pages](pages.md) the worker compiles at once; 0: none.",
}
# In seconds, the largest value of a timeout: nobody waits a day.
_SECONDS_MAX = 86_400
_TAKES = {bool: "true or false", int: "a whole number", float: "a number"}
_SWITCH = {"true": True, "on": True, "1": True, "false": False, "off": False, "0": False}
_PORT_MAX = 65_535
SECRET = frozenset({"embedder_key"})
EMBEDDERS = ("minilm", "http", "folder", "none")
# The least number of sessions: what a single session did may be chance.
SESSIONS_LEAST = 2
_LEAST = {
    "recall_limit": 1,
    "gap_threshold": 1,
    "page_sweep": 0,
    "garden_hours": 1,
    "playbook_sessions": SESSIONS_LEAST,
    "skill_sessions": SESSIONS_LEAST,
}
# Properties that interpret settings. They are read on loading, so that a wrong value fails at once.
_READ: Mapping[str, frozenset[str]] = {
    "injected": frozenset({"injection", "injection_limit", "injection_keywords", "injection_asks"}),
    "domains_seen": frozenset({"project_domains"}),
    "former_names": frozenset({"renamed_projects"}),
    "confidence_least": frozenset({"distil_confidence"}),
    "scopes_granted": frozenset({"mcp_scopes"}),
    "providers": frozenset({"search_providers"}),
    "ports_fetched": frozenset({"web_ports"}),
    "model_choices": frozenset({"model_cheap", "model_strong"}),
    "task_strengths": frozenset({"model_tasks"}),
    "prices": frozenset({"model_prices"}),
    "budget": frozenset({"spend_day", "spend_project", "spend_run", "spend_session"}),
}


@dataclass(frozen=True, slots=True)
class Loaded:
    """The settings in force, and the source of each: default, file, or environment."""

    settings: Settings
    origins: Mapping[str, str]


def load(environ: Mapping[str, str], file: Path | None = None, text: str | None = None) -> Loaded:
    """
    Read the settings from the environment and *file*, or from *text* in place of its content.

    Raises:
        InvalidInputError: a name is unknown, or a value is of the wrong type.
        ForbiddenError: this user may not read *file*.
    """
    from_file = {} if file is None else _read_toml(file, text_of(file) if text is None else text)
    from_environ = {
        name.removeprefix(PREFIX).lower(): value
        for name, value in environ.items()
        if name.startswith(PREFIX) and name not in _NOT_SETTINGS
    }
    known = {field.name for field in fields(Settings)}
    strange = [f"{PREFIX}{name.upper()}" for name in from_environ if name not in known]
    if unknown := [*sorted(from_file.keys() - known), *sorted(strange)]:
        raise InvalidInputError(
            f"unknown settings: {', '.join(unknown)}", hint="`tilth settings` lists them all"
        )
    values = {name: _cast(name, value) for name, value in (from_file | from_environ).items()}
    origins = dict.fromkeys(known, "default")
    origins |= dict.fromkeys(from_file, "file") | dict.fromkeys(from_environ, "environment")
    return Loaded(_checked(Settings(**values), values.keys()), origins)


def _read_toml(file: Path, text: str) -> dict[str, object]:
    if not text:
        return {}
    import tomllib

    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise _unread(file, error) from error


def text_of(file: Path) -> str:
    """
    Return the content of a settings file; empty if it is missing.

    Raises:
        ForbiddenError: it belongs to another user.
        InvalidInputError: it is not text.
    """
    try:
        return file.read_text(encoding="utf-8")
    except FileNotFoundError:
        return ""
    except PermissionError as error:
        raise ForbiddenError(
            f"you may not read the settings in {file}",
            hint="they are another user's; name a folder of your own: TILTH_HOME=FOLDER",
        ) from error
    except (OSError, UnicodeDecodeError) as error:
        raise _unread(file, error) from error


def _unread(file: Path, error: Exception) -> InvalidInputError:
    return InvalidInputError(
        f"cannot read the settings in {file}: {error}",
        hint="repair it, or move it away: then the defaults hold",
    )


def _cast(name: str, value: object) -> Any:  # noqa: ANN401 - the type of the field *name*
    default = getattr(Settings(), name)
    try:
        match default:
            case tuple():
                parts = value.split(",") if isinstance(value, str) else list(value)  # type: ignore[call-overload] # refused below if it is no list
                return tuple(str(part).strip() for part in parts if str(part).strip())
            case str():
                return str(value)
            case bool() if isinstance(value, str):
                return _SWITCH[value.strip().casefold()]
            case _:
                return type(default)(value)
    except (KeyError, TypeError, ValueError) as error:
        hint = f"use {_TAKES[type(default)]}" if type(default) in _TAKES else ""
        raise InvalidInputError(f"setting {name!r} cannot be {value!r}", hint=hint) from error


def _checked(settings: Settings, told: AbstractSet[str]) -> Settings:
    if settings.embedder not in EMBEDDERS:
        raise InvalidInputError(
            f"setting 'embedder' is {settings.embedder!r}", hint=f"use {', '.join(EMBEDDERS)}"
        )
    _check_seconds(settings)
    for name, least in _LEAST.items():
        if getattr(settings, name) < least:
            raise InvalidInputError(f"{name!r} must be at least {least}")
    for name, of in _READ.items():
        if told & of:
            getattr(settings, name)
    return settings


def _port(word: str) -> int:
    if not (word.isascii() and word.isdigit() and 0 < int(word) <= _PORT_MAX):
        raise InvalidInputError(f"setting 'web_ports' has {word[:20]!r}, which is no port")
    return int(word)


def _check_seconds(settings: Settings) -> None:
    for name, least in (("busy_timeout_s", 0.0), ("model_timeout_s", 0.001)):
        # NaN compares false with every bound, hence the negation.
        if not least <= getattr(settings, name) <= _SECONDS_MAX:
            raise InvalidInputError(f"setting {name!r} is {least:g} to {_SECONDS_MAX} seconds")
