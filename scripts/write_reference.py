"""
Write what reference pages say of the code: commands, verbs, settings, errors, MCP, words, hosts.

The hook program loads nothing of ours, so what it knows of hosts is written into it, too.

    python scripts/write_reference.py           write the pages of docs/reference
    python scripts/write_reference.py --check   say which of them are out of step
"""

import json
import os
import sys
from argparse import ArgumentParser, _SubParsersAction
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import fields, is_dataclass
from importlib import import_module
from operator import attrgetter
from pathlib import Path
from tempfile import TemporaryDirectory
from types import NoneType, UnionType
from typing import Annotated, Any, Union, get_args, get_origin

import anyio
from mcp.server.mcpserver import MCPServer
from mcp_types import Tool

from tilth import connect
from tilth.agents.hosts.declaration import Declaration, Occasion
from tilth.agents.hosts.registry import HOSTS, find_host
from tilth.agents.injections import Injections
from tilth.core import errors
from tilth.core.actor import ActorKind
from tilth.core.errors import TilthError
from tilth.core.verb import VERBS, Verb
from tilth.interfaces.cli.parser import build_parser
from tilth.interfaces.error_codes import (
    EXIT_INTERRUPTED,
    EXIT_PIPE_CLOSED,
    EXIT_UNEXPECTED,
    OUTCOMES,
    outcome_of,
)
from tilth.interfaces.mcp.memory_tools import build_memory_server
from tilth.interfaces.mcp.server import FAMILIES, build_server
from tilth.interfaces.mcp.service import Project, Service
from tilth.knowledge.vocabulary.registries import Channel, EdgeKind, EntityType, Registry
from tilth.knowledge.vocabulary.registries import words as registered
from tilth.runtime.features import verb_modules
from tilth.runtime.settings import DOCS, Settings
from tilth.runtime.system import SystemIds
from tilth.transfer.file_importer import FORMATS

ROOT = Path(__file__).parents[1]
REFERENCE = ROOT / "docs" / "reference"
HOOK = ROOT / "src" / "tilth_hook.py"
COLUMNS = "90"
_WRITTEN = "a test compares the two.\n"
_WRITTEN_END = "# End of what is written.\n"
_VERBS_HEAD = "## `brain`\n"
_FORMATS_HEAD = "| format | what is read | a session is |\n"


def pages() -> dict[str, str]:
    """Return each page under the name of its file; help is wrapped at the variable COLUMNS."""
    return {
        "cli.md": "\n".join(_cli()) + "\n",
        "python.md": _with_verbs((REFERENCE / "python.md").read_text(encoding="utf-8")),
        "settings.md": "\n".join(_settings()) + "\n",
        "errors.md": "\n".join(_errors()) + "\n",
        "mcp.md": "\n".join(_mcp()) + "\n",
        "words.md": "\n".join(_words()) + "\n",
        "imports.md": _with_formats((REFERENCE / "imports.md").read_text(encoding="utf-8")),
        "hosts.md": "".join(_with_hosts((REFERENCE / "hosts.md").read_text(encoding="utf-8"))),
        str(HOOK): _with_hook_tables(HOOK.read_text(encoding="utf-8")),
    }


def _with_hosts(page: str) -> Iterator[str]:
    """Yield the lines of *page*, the columns and rows of hosts as their modules declare them."""
    section = ""
    for line in page.splitlines(keepends=True):
        section = line[3:-1] if line.startswith("## ") else section
        if section == "Files" and line.startswith("| `"):
            continue
        yield _host_columns(section, line) if line.startswith("| ") else line
        if section == "Files" and line.startswith("| ---"):
            for host in HOSTS:
                one = _declared(host)
                yield _row(f"`{host}`", _versions(one), one.writes, one.edits, one.servers)


def _versions(host: Declaration) -> str:
    """Say in a cell which versions of a host are served."""
    if host.versions is None:
        return "every one with hooks"
    last, later = host.versions.last, host.versions.last + 1
    return f"up to {last}; version {later} {host.versions.said}"


def _host_columns(section: str, line: str) -> str:
    """Return a row of the page on hosts, with a cell for each where its table has one."""
    told: Callable[[Declaration], Mapping[Occasion, str]] | None
    told = {"Events": attrgetter("tells"), "Answers": attrgetter("shows")}.get(section)
    if told is None:
        return line
    first, second, *_ = [cell.strip() for cell in line.strip("|\n").split("|")]
    if not first:
        return _row(first, second, *(f"`{host}`" for host in HOSTS))
    if first == "---":
        return _row(*["---"] * (2 + len(HOSTS)))
    # What is said of `/remember` is shown with every prompt.
    occasion = Occasion(first) if first in list(Occasion) else Occasion.PROMPT
    return _row(first, second, *(told(_declared(host)).get(occasion, "") for host in HOSTS))


def _declared(host: str) -> Declaration:
    return find_host(host).DECLARATION


def _row(*cells: str) -> str:
    return f"| {' | '.join(cells)} |\n".replace("|  |", "| |").replace("|  |", "| |")


def _with_hook_tables(code: str) -> str:
    """Return the *code* of the hook program, which loads nothing of ours, with what hosts do."""
    declared = {host: _declared(host) for host in HOSTS}
    tables: dict[str, Mapping[Any, object] | Sequence[str]] = {
        "CONTEXT_EVENTS": {
            host: (*dict.fromkeys(one.shows.values()),) for host, one in declared.items()
        },
        "_OPENING_EVENTS": [event for one in declared.values() for event in one.opens],
        "_PROMPT_EVENTS": [event for one in declared.values() for event in one.prompts],
        "_WAKING_EVENTS": [event for one in declared.values() for event in one.wakes],
        "_SAYS": {host: one.says for host, one in declared.items()},
        "_SILENCE": {host: one.silence for host, one in declared.items()},
        "_SILENCES": {
            (host, event): text
            for host, one in declared.items()
            for event, text in one.silences.items()
        },
    }
    begin, end = code.index(_WRITTEN) + len(_WRITTEN), code.index(_WRITTEN_END)
    return f"{code[:begin]}{''.join(_assigned(*one) for one in tables.items())}{code[end:]}"


def _assigned(name: str, value: Mapping[Any, object] | Sequence[str]) -> str:
    """Return an assignment as the formatter leaves it, a line for each member."""
    if isinstance(value, Mapping):
        members = [f"{_literal(key)}: {_literal(one)}" for key, one in value.items()]
    else:
        members = [_literal(one) for one in dict.fromkeys(value)]
    return "".join([f"{name} = {{\n", *(f"    {one},\n" for one in members), "}\n"])


def _literal(value: object) -> str:
    """Return *value* as code, in double quotes where the formatter puts them."""
    if isinstance(value, tuple):
        return f"({', '.join(map(_literal, value))}{',' if len(value) == 1 else ''})"
    return repr(value) if '"' in str(value) else f'"{value}"'


def _with_formats(page: str) -> str:
    """Return *page* with its table of formats as their modules tell it."""
    lines = page.splitlines(keepends=True)
    begin = lines.index(_FORMATS_HEAD) + 2
    end = next(at for at in range(begin, len(lines)) if not lines[at].startswith("|"))
    told = [f"| `{one.HOST}` | {one.READS} | {one.SESSION} |\n" for one in FORMATS]
    return "".join([*lines[:begin], *told, *lines[end:]])


def _words() -> Iterator[str]:
    yield "# Words\n"
    yield "Written by `scripts/write_reference.py` from the registries; a test compares the two.\n"
    yield "What is closed is one list in code, in the database's own checks and in every schema."
    yield "Predicates, areas and tags grow: a person registers more with `tilth word`. A word that"
    yield "nobody registered is kept as it was written, supersedes nothing, and waits in a queue.\n"
    closed = {"Channels": Channel, "Entity types": EntityType, "Edge kinds": EdgeKind}
    yield "| closed | words |\n| --- | --- |"
    for title, members in closed.items():
        yield f"| {title} | {', '.join(f'`{member}`' for member in members)} |"
    yield "\n## Predicates\n"
    yield "| predicate | values at once | who replaces one | also |\n| --- | --- | --- | --- |"
    known = registered()
    for entry in known.entries(Registry.PREDICATE):
        also = ", ".join(f"`{alias}`" for alias in entry.aliases)
        yield f"| `{entry.name}` | {entry.cardinality} | {entry.mode} | {also} |"
    for registry, title in ((Registry.AREA, "Areas"), (Registry.TAG, "Tags")):
        yield f"\n## {title}\n"
        yield ", ".join(f"`{entry.name}`" for entry in known.entries(registry))


def _cli() -> Iterator[str]:
    yield "# Commands\n"
    yield "This page is the help of each command, in the order of `tilth --help`. It is written by"
    yield "`scripts/write_reference.py`, and a test compares the two.\n"
    yield "The answer goes to standard output; messages and progress go to standard error."
    yield "With `--json` standard output holds one JSON value, whatever happens: the answer,"
    yield 'or `{"error": {"code", "message", "hint"}}` with the codes of [errors](errors.md).'
    yield "Without `--json`, control characters in what is remembered are spelled out."
    yield "A command is coloured on a terminal, unless `--no-color`, `NO_COLOR` or `TERM=dumb` says"
    yield "otherwise; `FORCE_COLOR` colours it elsewhere, too. An ID may be cut to its first"
    yield "letters, as long as one thing alone begins so. Words behind `--` are no options.\n"
    yield "| exit | meaning |\n| --- | --- |"
    yield "| 0 | Done |"
    for code, meaning in _exits():
        yield f"| {code} | {meaning} |"
    for parser in _parsers(build_parser()):
        yield f"\n## {parser.prog}\n\n```\n{parser.format_help().rstrip()}\n```"


_NO = (
    "The answer is no: `doctor` found a fault, `erase` was not confirmed,"
    " `conversation idle ID` is not idle. Or Tilth failed, and says so: report it"
)


def _exits() -> list[tuple[int, str]]:
    known = [(outcome.exit_code, _meaning(kind)) for kind, outcome in OUTCOMES.items()]
    others = [
        (EXIT_UNEXPECTED, _NO),
        (EXIT_INTERRUPTED, "Interrupted by Ctrl-C"),
        (EXIT_PIPE_CLOSED, "Whoever read the answer closed the pipe"),
    ]
    return sorted(known + others)


def _parsers(parser: ArgumentParser) -> Iterator[ArgumentParser]:
    yield parser
    for action in parser._actions:  # noqa: SLF001 - argparse shows them nowhere else
        if isinstance(action, _SubParsersAction):
            for child in action.choices.values():
                yield from _parsers(child)


def _with_verbs(page: str) -> str:
    """Return *page* with the verbs, and what they answer, behind its own words."""
    return page.partition(_VERBS_HEAD)[0] + "\n".join(_python()).lstrip("\n") + "\n"


# Its verbs decide for every feature, and are none itself.
_REVIEW = "tilth.review.verbs"


def _python() -> Iterator[str]:
    for module in (*verb_modules(), _REVIEW):
        import_module(module)
    nouns: defaultdict[str, list[Verb]] = defaultdict(list)
    for one in VERBS.values():
        nouns[one.python.rpartition(".")[0]].append(one)
    for noun in sorted(nouns):
        yield f"\n## `brain{'.' * bool(noun)}{noun}`\n"
        yield "| call | does | answers | command |\n| --- | --- | --- | --- |"
        yield from (_verb(one) for one in sorted(nouns[noun], key=attrgetter("python")))
    yield "\n## What answers hold\n"
    yield "Each is a dataclass; what a name in brackets holds, stands here too. IDs, and words of"
    yield "lists such as the type of an entity, are text.\n"
    for kind in _held(one.returns for one in VERBS.values()):
        told = (f"`{one.name}` ({_kind(one.type)})" for one in fields(kind))
        yield f"- `{kind.__name__}`: {', '.join(told)}"


def _verb(one: Verb) -> str:
    told: tuple[list[str], list[str]] = [], []
    for option in one.options:
        told[option.is_positional].append(f"{option.name}{'' if option.is_required else '='}")
    named, placed = told
    call = ", ".join([*placed, *["*"] * bool(named), *named])
    name = one.python.rpartition(".")[2]
    human = " For a human." if ActorKind.AGENT not in one.roles else ""
    command = f"`tilth {one.command}`" if one.command else ""
    return _row(f"`{name}({call})`", one.summary + human, _kind(one.returns), command).rstrip()


def _kind(kind: Any) -> str:  # noqa: ANN401 - a type
    """Return a type as a reader wants it: the names of ours, and of what they are in."""
    if get_origin(kind) is Annotated:
        return _kind(get_args(kind)[0])
    inner = [_kind(one) for one in get_args(kind) if one not in (NoneType, Ellipsis)]
    origin = get_origin(kind)
    if origin in (Union, UnionType):
        return f"{' or '.join(inner)}{' or None' if NoneType in get_args(kind) else ''}"
    if origin is None:
        return "None" if kind in (None, NoneType) else str(getattr(kind, "__name__", "JSON"))
    if issubclass(origin, Mapping):
        return f"mapping of {' to '.join(inner)}"
    is_row = origin is tuple and Ellipsis not in get_args(kind)
    return f"({', '.join(inner)})" if is_row else f"list of {', '.join(dict.fromkeys(inner))}"


def _held(kinds: Iterable[Any]) -> Sequence[type[Any]]:
    """Return our dataclasses in *kinds*, and in what those hold, by name."""
    found, waiting = set[type[Any]](), list(kinds)
    while waiting:
        kind = waiting.pop()
        waiting += get_args(kind)
        if isinstance(kind, type) and is_dataclass(kind) and kind not in found:
            found.add(kind)
            waiting += [one.type for one in fields(kind)]
    return sorted(found, key=lambda one: (one.__name__, one.__module__))


def _settings() -> Iterator[str]:
    yield "# Settings\n"
    yield "Sources, the strongest first: arguments, `TILTH_*` in the environment, `config.toml`,"
    yield "the defaults. `tilth settings` shows each value in force, and where it came from;"
    yield "`tilth settings set NAME VALUE` writes one into the file, and"
    yield "`tilth settings unset NAME` takes it out again, which only a person may.\n"
    yield "The values of a list are separated by commas.\n"
    yield "| name | default | meaning |\n| --- | --- | --- |"
    for setting in fields(Settings):
        yield f"| `{setting.name}` | {_default(setting.default)} | {DOCS[setting.name]} |"
    yield "\nBesides, `TILTH_HOME` puts data, state and settings into one folder,"
    yield "and `TILTH_CONFIG` names another settings file."


def _default(value: object) -> str:
    """Return *value* as `tilth settings set` takes it."""
    told = ", ".join(map(str, value)) if isinstance(value, tuple) else str(value)
    if isinstance(value, bool):
        told = told.lower()
    return f"`{told}`" if told else "empty"


def _errors() -> Iterator[str]:
    yield "# Errors\n"
    yield "Every error on purpose is a `TilthError` with a stable code, a message and a hint.\n"
    yield "| code | error | exit | HTTP | meaning |\n| --- | --- | --- | --- | --- |"
    for kind in _tree(TilthError):
        outcome = outcome_of(kind(""))
        yield (
            f"| `{kind.code}` | `{kind.__name__}` | {outcome.exit_code} | {outcome.http_status}"
            f" | {_meaning(kind)} |"
        )


def _mcp() -> Iterator[str]:
    yield "# MCP\n"
    yield "Written by `scripts/write_reference.py` from the server; a test compares the two."
    yield "To plug it in, see [Give an agent the memory as tools](../howto/mcp.md)."
    with TemporaryDirectory() as folder:
        with connect(Path(folder) / "tilth.db", create=True) as brain:
            service = Service(Project(brain), Injections(Path(folder) / "log", SystemIds()))
            server = build_server(service)
            families = {name: build_server(service, also=[name]) for name in FAMILIES}
            memory = build_memory_server(brain)
        yield from _served(server)
        for name, asked in families.items():
            yield from _family(name, asked, server)
        yield "\n## Refusals\n"
        yield "A call that is wrong gives a result with `isError`: its text holds message, code and"
        yield 'hint, its structured content `{"error": {"code", "message", "hint"}}` with the codes'
        yield "of [errors](errors.md). Arguments that no schema names are refused; one that is"
        yield "`null` is left out."
        yield "\n## `--compat memory`\n"
        yield "Instead of the above, and in the forms that its clients know:\n"
        for tool in anyio.run(memory.list_tools):
            yield f"- `{tool.name}({', '.join(tool.input_schema['properties'])})`"


def _served(server: MCPServer) -> Iterator[str]:
    tools = anyio.run(server.list_tools)
    yield f"\n## Tools\n\nAll of `tools/list` is about {_tokens(tools)} tokens."
    yield from _tools(tools)
    yield "\n## Resources\n\nAll are `text/plain`.\n"
    resources = [(one.uri, one.description) for one in anyio.run(server.list_resources)]
    templates = anyio.run(server.list_resource_templates)
    for uri, words in [*resources, *((one.uri_template, one.description) for one in templates)]:
        yield f"- `{uri}`: {words}"
    yield "\nThe IDs of sessions are completed.\n\n## Prompts\n"
    for prompt in anyio.run(server.list_prompts):
        names = ", ".join(argument.name for argument in prompt.arguments or [])
        yield f"- `{prompt.name}({names})`: {prompt.description}"


def _family(name: str, asked: MCPServer, server: MCPServer) -> Iterator[str]:
    """Yield the tools that a server offers where it is asked for a family of them."""
    known = {tool.name for tool in anyio.run(server.list_tools)}
    tools = [tool for tool in anyio.run(asked.list_tools) if tool.name not in known]
    yield f"\n## `--tools {name}`\n\nBesides those above, about {_tokens(tools)} tokens more."
    yield from _tools(tools)


def _tokens(tools: Sequence[Tool]) -> int:
    shown = [tool.model_dump_json(by_alias=True, exclude_none=True) for tool in tools]
    return sum(map(len, shown)) // 4


def _tools(tools: Iterable[Tool]) -> Iterator[str]:
    for tool in tools:
        writes = tool.annotations is not None and not tool.annotations.read_only_hint
        yield f"\n### `{tool.name}`\n\n{tool.description}"
        yield "It adds; `--read-only` leaves it out.\n" if writes else "It reads.\n"
        yield "| argument | type | default | |\n| --- | --- | --- | --- |"
        needed = tool.input_schema.get("required", ())
        for name, schema in tool.input_schema["properties"].items():
            # Where nothing is the default, the schema leaves it out.
            default = f"`{json.dumps(schema['default'])}`" if "default" in schema else ""
            default = "required" if name in needed else default
            meaning = schema.get("description", "")
            yield f"| `{name}` | {_type(schema)} | {default} | {meaning} |"
        yield f"\nAnswers {_fields(tool.output_schema or {})}."


def _type(schema: Mapping[str, Any]) -> str:
    if "enum" in schema:
        return ", ".join(f"`{value}`" for value in schema["enum"])
    if "const" in schema:
        return f"`{schema['const']}`"
    if "anyOf" in schema:
        return ", ".join(map(_type, schema["anyOf"]))
    if schema["type"] == "array":
        return f"list of {_type(schema['items'])}"
    if "maximum" in schema:
        return f"{schema['type']} {schema['minimum']} to {schema['maximum']}"
    return f"{schema['type']} from {schema['minimum']}" if "minimum" in schema else schema["type"]


def _fields(schema: Mapping[str, Any]) -> str:
    """Return the names in a result, and in what it lists."""
    names = []
    for name, one in schema["properties"].items():
        listed = one.get("items", {}).get("$ref", "").rpartition("/")[2]
        inner = f" (each with {_fields(schema['$defs'][listed])})" if listed else ""
        names.append(f"`{name}`{inner}")
    return ", ".join(names)


def _tree(kind: type[TilthError]) -> Iterator[type[TilthError]]:
    for child in kind.__subclasses__():
        if child.__module__ == errors.__name__:
            yield child
            yield from _tree(child)


def _meaning(kind: type[TilthError]) -> str:
    return (kind.__doc__ or "").strip().rstrip(".")


def main() -> int:
    """Write the pages, or with `--check` compare them."""
    os.environ["COLUMNS"] = COLUMNS
    stale = {
        REFERENCE / name: text
        for name, text in pages().items()
        if not (REFERENCE / name).exists() or (REFERENCE / name).read_text() != text
    }
    for path, text in stale.items():
        print(path.name)
        if "--check" not in sys.argv:
            path.write_text(text)
    return 1 if stale and "--check" in sys.argv else 0


if __name__ == "__main__":
    sys.exit(main())
