"""
Write what is derived from the declared verbs: the index of commands and the stub of `Brain`.

    python scripts/write_verbs.py           write them
    python scripts/write_verbs.py --check   say which of them are out of step
"""

import json
import sys
import textwrap
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import MISSING
from datetime import datetime, timedelta
from enum import Enum
from importlib import import_module
from pathlib import Path
from types import NoneType, UnionType
from typing import Any, Literal, NewType, Union, get_args, get_origin

import tilth
from tilth.core.json import Json, JsonObject
from tilth.core.verb import NOUNS, VERBS, Option, Verb, help_of
from tilth.interfaces import cli
from tilth.interfaces.cli import commands
from tilth.interfaces.cli.terminal import COMMANDS
from tilth.interfaces.http.call_verb import IN_PROCESS
from tilth.runtime.features import verb_modules

RUNTIME = Path(tilth.__file__).parent / "runtime"
INDEX = RUNTIME / "index.json"
STUB = RUNTIME / "methods.pyi"
ASYNC_STUB = RUNTIME.parent / "aio" / "methods.pyi"


def pages() -> dict[Path, str]:
    """Return each derived file, under its path."""
    for module in verb_modules():
        import_module(module)
    for package in (cli, commands):
        for path in sorted(Path(package.__file__ or "").parent.glob("*.py")):
            import_module(f"{package.__name__}.{path.stem}")
    return {
        INDEX: json.dumps(_index(), indent=1, ensure_ascii=False) + "\n",
        STUB: _stub(),
        ASYNC_STUB: _stub(is_async=True),
    }


def _index() -> dict[str, object]:
    groups: dict[str, Any] = {}
    commands: dict[str, Any] = {}
    features = verb_modules()
    told = [
        *sorted(
            (one for one in VERBS.values() if one.command), key=lambda one: _declared(one, features)
        ),
        *sorted(COMMANDS.values(), key=lambda one: _declared(one, ())),
    ]
    order = [one.command.partition(" ")[0] for one in told]
    for name, noun in sorted(NOUNS.items(), key=lambda named: order.index(named[0])):
        groups[name] = {"help": noun.summary, "section": noun.section, "bare": noun.bare}
    for one in told:
        if one.command in commands:
            raise ValueError(f"the command {one.command} is declared twice")
        commands[one.command] = _entry(one)
    return {
        "groups": groups,
        "commands": commands,
        "old": {old: one.command for one in told for old in one.old},
        "modules": {name: one.module for name, one in sorted(VERBS.items())},
    }


def _declared(one: Verb, features: Sequence[str]) -> tuple[int, str, int]:
    """Return where a verb stands, so that no order of imports shows in what is derived."""
    found = [at for at, name in enumerate(features) if one.module.startswith(name)]
    line = one.function.__code__.co_firstlineno
    return (found[0] if found else len(features), one.module, line)


def _entry(one: Verb) -> dict[str, object]:
    shown = [_argument(option) for option in one.options if not _is_hidden(option)]
    shown += [_argument(option) | {"is_view": True} for option in one.shown_options]
    needed = {option.arg.exclusive for option in one.options if option.arg.is_required}
    for argument in shown:
        if argument.get("exclusive") in needed:
            argument["exclusive_required"] = True
    return {
        "help": f"{one.summary[:1].lower()}{one.summary[1:]}".rstrip("."),
        "description": one.description.replace("*", ""),
        "section": one.section,
        "examples": list(one.examples),
        "arguments": shown,
        "run": "run.verb" if one.python else "run.program_command",
        "module": one.module,
        "python": one.python,
    }


def _is_hidden(option: Option) -> bool:
    return option.arg.is_hidden or bool(option.arg.progress)


def _argument(option: Option) -> dict[str, object]:  # noqa: C901, PLR0912 - a case for each property
    arg = option.arg
    told: dict[str, object] = {"dest": option.name, "help": help_of(option)}
    metavar = arg.metavar or _metavar(option)
    if option.kind is bool:
        # What may be left as it is can be said either way.
        told["action"] = "either" if option.default is None else "store_true"
    elif metavar:
        told["metavar"] = metavar
    if option.is_positional and not arg.flags:
        told |= _nargs(option)
    else:
        name = option.name.removeprefix("is_").replace("_", "-")
        told["flags"] = list(arg.flags) or [f"--{name}"]
        if arg.nargs:
            told["nargs"] = arg.nargs
        elif option.is_many:
            told["action"] = "append"
        if not arg.exclusive and (arg.is_required or option.is_required):
            told["required"] = True
    if choices := option.choices:
        told["choices"] = list(choices)
    if option.kind is int:
        bounds = {"least": arg.least or 0, "most": arg.most}
        told |= {"type": "whole"} | {name: at for name, at in bounds.items() if at is not None}
    if option.kind is datetime:
        told["type"] = "instant" if arg.parse is None else "end"
    # A span (`7d`) says since when by itself.
    if option.name == "since" and option.kind is not timedelta:
        told["type"] = "since"
    if arg.metavar == "DAY":
        told["type"] = "day"
    if arg.unless_given is not None:
        told["unless_given"] = arg.unless_given
    named = {"exclusive": arg.exclusive, "id": arg.id}
    named |= {name: getattr(arg, name) for name in ("is_words", "is_stdin")}
    return told | {name: value for name, value in named.items() if value}


def _nargs(option: Option) -> dict[str, object]:
    if option.arg.is_words or option.is_many:
        return {"nargs": "+" if option.is_required else "*"}
    return {} if option.is_required else {"nargs": "?"}


def _metavar(option: Option) -> str:
    if option.arg.id:
        return "ID"
    if option.choices and not option.is_positional:
        return ""
    kinds: dict[object, str] = {int: "N", datetime: "INSTANT", timedelta: "SPAN"}
    return kinds.get(option.kind, option.name.upper().replace("_", "-"))


class _Types:
    """Types as a stub writes them, and the imports that they need."""

    def __init__(self, *, is_async: bool) -> None:
        self.is_async = is_async
        self.imports: dict[str, set[str]] = defaultdict(set)

    def named(self, module: str, name: str) -> str:
        self.imports[module].add(name)
        return name

    def returned(self, one: Verb) -> str:
        """Return the type of a verb's answer; some are shown as JSON of another shape."""
        is_json = self.is_async and one.as_json is not None
        return self.answer(JsonObject if is_json else one.returns)

    def answer(self, kind: Any) -> str:  # noqa: ANN401, C901, PLR0911, PLR0912 - a case for each kind of type
        """Return a type as it is."""
        if kind is None or kind is NoneType:
            return "None"
        if kind == JsonObject:
            return self.named("tilth.core.json", "JsonObject")
        if kind == Json:
            return self.named("tilth.core.json", "Json")
        origin, args = get_origin(kind), get_args(kind)
        if origin in (Union, UnionType):
            return " | ".join(self.answer(one) for one in args)
        if origin is Literal:
            return f"{self.named('typing', 'Literal')}[{', '.join(map(repr, args))}]"
        if kind is Ellipsis:
            return "..."
        if origin is not None:
            inner = ", ".join(self.argument_list(one) for one in args)
            return f"{self.answer(origin)}[{inner}]"
        if isinstance(kind, NewType):
            return self.named(str(kind.__module__), kind.__name__)
        if kind is Any:
            return self.named("typing", "Any")
        if kind.__module__ == "builtins":
            # A method may be called as a type is, such as `list`.
            if kind.__name__ in _SHADOWED:
                self.imports["builtins"].add("")
                return f"builtins.{kind.__name__}"
            return str(kind.__name__)
        if kind is AbstractSet:
            self.imports["collections.abc"].add("Set as AbstractSet")
            return "AbstractSet"
        return self.named(kind.__module__, kind.__name__)

    def argument_list(self, one: Any) -> str:  # noqa: ANN401 - types
        """Return what stands in the brackets of a generic type."""
        if isinstance(one, list):
            return f"[{', '.join(map(self.answer, one))}]"
        return self.answer(one)

    def asked(self, option: Option) -> str:
        """Return what a caller may give: text, wherever text is read."""
        one = self._asked_one(option)
        if option.is_many:
            shape = Iterable if option.kind is not str else Sequence
            one = f"{self.answer(shape)}[{one}]"
        if option.is_optional or option.arg.setting or option.default is None:
            one = f"{one} | None"
        return one

    def _asked_one(self, option: Option) -> str:
        kind = option.kind
        if isinstance(kind, NewType) or kind is str:
            return "str"
        if kind in (datetime, timedelta):
            return f"{self.answer(kind)} | str"
        if isinstance(kind, type) and issubclass(kind, Enum):
            return f"{self.answer(kind)} | str"
        if isinstance(kind, type) and issubclass(kind, str):
            return "str"
        if option.arg.parse is not None and kind != JsonObject and str not in get_args(kind):
            return f"{self.answer(kind)} | str"
        return self.answer(kind)


_SHADOWED = frozenset({"list", "set", "type", "tuple", "dict"})


def _stub(*, is_async: bool = False) -> str:
    types = _Types(is_async=is_async)
    nouns: dict[str, list[Verb]] = defaultdict(list)
    features = verb_modules()
    for one in sorted(VERBS.values(), key=lambda one: _declared(one, features)):
        if is_async and one.python in IN_PROCESS:
            continue
        nouns[one.python.rpartition(".")[0]].append(one)
    classes = [
        _class(_class_name(name), f"The verbs of `brain.{name}`.", verbs, types)
        for name, verbs in sorted(nouns.items())
        if name
    ]
    fields = [f"    {name}: {_class_name(name)}" for name in sorted(nouns) if name]
    fields += ["    _caller: Caller", "    _names: Mapping[str, str]"] if not is_async else []
    types.named("tilth.core.verb", "Caller")
    types.named("collections.abc", "Mapping")
    top = _class("Methods", "The verbs, as methods.", nouns.get("", []), types, fields)
    brain = "AsyncBrain" if is_async else "Brain"
    head = [
        f'"""The methods of `{brain}`, written by `scripts/write_verbs.py` from the verbs."""\n'
    ]
    for module, names in sorted(types.imports.items()):
        if module == "builtins":
            head.insert(1, "import builtins")
            continue
        head.append(f"from {module} import {', '.join(sorted(names))}")
    return "\n".join(head) + "\n\n" + "\n\n".join([*classes, top]) + "\n"


def _class_name(noun: str) -> str:
    return "".join(word.title() for word in noun.split("_")) + "Verbs"


def _class(
    name: str, doc: str, verbs: Sequence[Verb], types: _Types, fields: Sequence[str] = ()
) -> str:
    parts = [f'class {name}:\n    """{doc}"""']
    if fields:
        parts.append("\n".join(fields))
    parts += [_method(one, types) for one in verbs]
    return "\n\n".join(parts)


def _method(one: Verb, types: _Types) -> str:
    name = one.python.rpartition(".")[2]
    begin = "async def" if types.is_async else "def"
    lines, is_star_written = [f"    {begin} {name}(", "        self,"], False
    for option in one.options:
        if types.is_async and get_origin(option.kind) is Callable:
            continue  # A server calls nobody back.
        if not option.is_positional and not is_star_written:
            lines.append("        *,")
            is_star_written = True
        default = _default(option)
        lines.append(f"        {option.name}: {types.asked(option)}{default},")
    lines.append(f"    ) -> {types.returned(one)}:")
    doc = textwrap.indent(one.doc.replace("\\", "\\\\"), "        ").strip()
    if "\n" in doc:
        lines.append(f'        """\n        {doc}\n        """')
    else:
        lines.append(f'        """{doc}"""')
    return "\n".join(lines)


def _default(option: Option) -> str:
    if option.is_required:
        return ""
    if option.default is MISSING:
        return " = None"
    if isinstance(option.default, Enum):
        return f" = {option.default.value!r}"
    if isinstance(option.default, bool | int | float | str | NoneType | tuple):
        return f" = {option.default!r}"
    return " = ..."


def main() -> int:
    """Write the files, or with `--check` compare them."""
    stale = [(path, text) for path, text in pages().items() if not _is_written(path, text)]
    for path, text in stale:
        print(path.name)
        if "--check" not in sys.argv:
            path.write_text(text, encoding="utf-8")
    return 1 if stale and "--check" in sys.argv else 0


def _is_written(path: Path, text: str) -> bool:
    return path.exists() and path.read_text(encoding="utf-8") == text


if __name__ == "__main__":
    sys.exit(main())
