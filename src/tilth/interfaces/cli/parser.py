"""
The command line, as its index says: parsers are made when their command is met.

Only light modules are loaded here, so that `--help`, `--version` and a
mistyped command answer at once.
"""

import argparse
from collections.abc import Callable, ItemsView, Sequence, ValuesView
from typing import Any, NoReturn

import tilth
from tilth.core.errors import InvalidInputError
from tilth.interfaces.cli.instants import beginning, day, ending, since
from tilth.interfaces.cli.invocation import terminal_width
from tilth.runtime.index import SECTIONS, Argument, Entry, Index, index, listed

_PROG = "tilth"
_DESCRIPTION = "A local-first memory and knowledge brain for AI agents."
_COMMON = "options of every command"
EVERYWHERE = ("--json", "--store", "--owner", "--quiet", "--no-color", "--debug", "--help")
_HEADINGS = {"positional arguments": "arguments"}
_ELSEWHERE = f"Options of every command, such as --json and --store: {_PROG} help"
# As argparse leaves it beside the help.
_MARGIN = 2
_EXAMPLES = 3  # of a noun, whose commands have their own
_TIMES: dict[str, Callable[[str], object]] = {
    "instant": beginning,
    "day": day,
    "end": ending,
    "since": since,
}
_CLOSE, _CLOSER = 0.7, 0.82
# What other programs call what is here under another name.
OTHER_WORDS = {
    word: command
    for words, command in (
        ("search find ask query grep", "recall"),
        ("add save store tell", "remember"),
        ("list ls", "fact list, or session list"),
        ("show get view open", "fact show, or session show"),
        ("delete forget remove rm", "fact retire, or erase for good"),
        ("log news digest history", "changes"),
        ("inbox pending approve", "review"),
        ("todo task", "review, or gap"),
        ("people person contact merge rename tidy", "entity"),
        ("message chat mail email thread", "conversation"),
        ("graph triple", "kg"),
        ("tag predicate area", "word"),
        ("memory memories", "recall, or fact list"),
        ("context prompt primer", "brief"),
        ("learn extract", "distil"),
        ("sync markdown obsidian", "vault"),
        ("dump", "export"),
        ("redo", "undo"),
        ("cost usage spending", "metrics"),
        ("stats statistics", "growth, or metrics"),
        ("login", "token link"),
        ("status health check", "doctor, or worker status"),
        ("config configure", "settings"),
        ("install setup", "init"),
        ("agent host hook plugin", "init, or unplug"),
        ("uninstall", "unplug"),
        ("start run ui web dashboard", "serve"),
        ("stop quit", "worker stop"),
        ("version", "--version"),
    )
    for word in words.split()
}
_MISSING = "the following arguments are required: "
# Behind which option an ID stands, where one must be said.
_BY_PREFIX = {"ent_": "--entity", "epi_": "--episode", "fct_": "--fact"}
_KEYS = ("help", "metavar", "nargs", "action", "choices", "default", "required")


class Parser(argparse.ArgumentParser):
    """A parser that raises what is wrong instead of ending the program."""

    def __init__(self, **told: Any) -> None:  # noqa: ANN401 - argparse's
        told.setdefault("formatter_class", _Formatter)
        super().__init__(allow_abbrev=False, **told)

    # `typing.override` came with Python 3.12.
    def format_usage(self) -> str:  # type: ignore[explicit-override]
        """Return one line: what must be said, in its order; options are listed below it."""
        words: list[str] = []
        for action in self._actions:
            if isinstance(action, _Commands):
                words.append("COMMAND …" if action.required else "[COMMAND …]")
            elif action.required and action.option_strings:
                words.append(f"{action.option_strings[-1]} {action.metavar}")
            elif not action.option_strings:
                words.append(self._get_formatter()._format_args(action, action.dest))  # noqa: SLF001 - as argparse writes it
        words += [
            "(" + " | ".join(one.option_strings[-1] for one in group._group_actions) + ")"  # noqa: SLF001 - argparse shows them nowhere else
            for group in self._mutually_exclusive_groups
            if group.required
        ]
        return " ".join(("usage:", self.prog, *words, "[options]")) + "\n"

    def format_help(self) -> str:  # type: ignore[explicit-override]
        """Return what the command does, what it takes, examples, and where the rest is told."""
        formatter = self._get_formatter()
        formatter.add_text(self.description)
        for group in self._action_groups:
            told = group._group_actions  # noqa: SLF001 - argparse shows them nowhere else
            if told and isinstance(told[0], _Commands):
                told = told[0]._choices_actions  # noqa: SLF001 - the commands, without a heading of their own
            if group.title != _COMMON and [one.dest for one in told] != ["help"]:
                formatter.start_section(_HEADINGS.get(str(group.title), group.title))
                formatter.add_arguments(told)
                formatter.end_section()
        formatter.add_text(self.epilog)
        formatter.add_text(_ELSEWHERE)
        return f"{self.format_usage()}\n{formatter.format_help()}"

    def parse_known_args(self, args: Any = None, namespace: Any = None) -> Any:  # type: ignore[explicit-override]  # noqa: ANN401 - argparse's
        """Parse what was said, and keep it for a refusal that names it."""
        self._said = [*args] if args is not None else []
        return super().parse_known_args(args, namespace)

    def error(self, message: str) -> NoReturn:  # type: ignore[explicit-override]
        """
        Refuse the command line.

        Raises:
            InvalidInputError: always.
        """
        missing = message.removeprefix(_MISSING) if message.startswith(_MISSING) else ""
        told = f"{self.prog} needs {missing}" if missing else message
        such = f"such as: {self._example()}; " if missing and self._example() else ""
        raise self._name_wanted() or InvalidInputError(told, hint=f"{such}see: {self.prog} --help")

    def _name_wanted(self) -> InvalidInputError | None:
        """Return how to name what was said without a word for what it is, where one is needed."""
        flags = [
            one.option_strings[-1]
            for group in self._mutually_exclusive_groups
            for one in group._group_actions  # noqa: SLF001 - argparse shows them nowhere else
            if group.required
        ]
        if not flags or set(flags) & {word.partition("=")[0] for word in self._said}:
            return None
        said = next((word for word in self._said if not word.startswith("-")), "")
        if not said:
            return InvalidInputError(f"say what: {' or '.join(flags)}", hint=self._example())
        from shlex import quote  # noqa: PLC0415 - for who is refused

        known = [flag for prefix, flag in _BY_PREFIX.items() if said.startswith(prefix)]
        first, *rest = [one for one in flags if one in known] or flags
        others = f"; or, if it is one, {', '.join(rest)}" if rest else ""
        return InvalidInputError(
            f"say what {said!r} is", hint=f"{self.prog} {first} {quote(said)}{others}"
        )

    def _example(self) -> str:
        return str(self.epilog).partition("\n  ")[2].partition("\n")[0]

    def _check_value(  # type: ignore[explicit-override]
        self,
        action: argparse.Action,
        value: Any,  # noqa: ANN401 - inherited
    ) -> None:
        # Of a list that may be empty, argparse checks the empty list too.
        if action.choices is None or value == [] or value in action.choices:
            return
        old = index()["old"].get(f"{self.prog} {value}".removeprefix(f"{_PROG} "))
        if old is not None and isinstance(action, _Commands):
            raise InvalidInputError(
                f"`{self.prog} {value}` is now `{_PROG} {old}`", hint=f"see: {_PROG} {old} --help"
            )
        names = [str(name) for name in action.choices]
        is_command = isinstance(action, _Commands)
        if is_command and self.prog == _PROG:
            hint = _meant_command(str(value), names)
        else:
            hint = _nearest(str(value), names, is_command=is_command)
        raise InvalidInputError(
            f"{self.prog} knows no {action.metavar or action.dest} {value!r}", hint=hint
        )


def _nearest(unknown: str, names: Sequence[str], *, is_command: bool) -> str:
    from difflib import get_close_matches  # noqa: PLC0415 - for who mistyped

    close = get_close_matches(unknown, names, n=1)
    hints = [f"did you mean {close[0]}?"] if close else []
    # Commands are many, and help lists them under headings.
    if not (close and is_command):
        hints.append(f"there are {', '.join(names)}")
    return " ".join(hints)


def _meant_command(unknown: str, names: Sequence[str]) -> str:
    """Return which command is meant: one that is spelt nearly so, or what others call so."""
    from difflib import get_close_matches  # noqa: PLC0415 - likewise

    told = OTHER_WORDS.get(unknown) or OTHER_WORDS.get(unknown.removesuffix("s"))
    if told is None:
        # Below that, words meet that do another thing: "search" and "archive", "tasks" and "ask".
        close = get_close_matches(unknown, [*names, "help"], n=1, cutoff=_CLOSE)
        close = close or get_close_matches(unknown, OTHER_WORDS, n=1, cutoff=_CLOSER)
        if not close:
            return f"see: {_PROG} help"
        told = OTHER_WORDS.get(close[0], close[0])
    return f"did you mean {_PROG} {told}?"


class _Formatter(argparse.RawDescriptionHelpFormatter):
    """Paragraphs are wrapped; lines that begin with a space stay as they are."""

    def __init__(self, prog: str) -> None:
        # One is made for each argument that is declared, and without a width loads `shutil`.
        super().__init__(prog, width=terminal_width() - _MARGIN)

    def _fill_text(self, text: str, width: int, indent: str) -> str:  # type: ignore[explicit-override]
        blocks = [
            block
            if block.startswith((" ", "examples:"))
            else argparse.HelpFormatter._fill_text(self, block, width, indent)  # noqa: SLF001
            for block in text.split("\n\n")
        ]
        return "\n\n".join(blocks)


class _Root(Parser):
    """The parser of the whole line; its help lists commands under headings."""

    def format_help(self) -> str:  # type: ignore[explicit-override]
        """Return what can be asked, by headings."""
        told = {section: listed(section) for section in SECTIONS}
        width = max(len(name) for rows in told.values() for name in rows) + 2
        lines = [f"usage: {_PROG} COMMAND …", "", _DESCRIPTION]
        for section, rows in told.items():
            lines += ["", f"{section}:"]
            lines += [f"  {name:{width}}{meaning}" for name, meaning in rows.items()]
        formatter = self._get_formatter()
        for group in self._action_groups:
            formatter.start_section(group.title)
            formatter.add_arguments(
                one
                for one in group._group_actions  # noqa: SLF001 - argparse shows them nowhere else
                if not isinstance(one, _Commands)
            )
            formatter.end_section()
        lines += ["", formatter.format_help().rstrip(), "", *_START]
        return "\n".join(lines) + "\n"


_START = (
    f"More on a command: {_PROG} help COMMAND",
    f"Start with: {_PROG} init, {_PROG} import, {_PROG} recall QUESTION",
)


class _LazyParsers(dict[str, Parser]):
    """Parsers by name, each made when it is looked up."""

    def __init__(self, names: Sequence[str], make: Callable[[str], Parser]) -> None:
        super().__init__(dict.fromkeys(names))  # type: ignore[arg-type] # filled when looked up
        self._make = make

    def __getitem__(self, name: str) -> Parser:  # type: ignore[explicit-override]
        made: Parser | None = super().__getitem__(name)
        if made is None:
            self[name] = made = self._make(name)
        return made

    def values(self) -> ValuesView[Parser]:  # type: ignore[explicit-override, override]
        """Make all of them."""
        for name in self:
            self[name]
        return super().values()

    def items(self) -> ItemsView[str, Parser]:  # type: ignore[explicit-override, override]
        """Make all of them."""
        self.values()
        return super().items()


class _Commands(argparse._SubParsersAction):  # type: ignore[type-arg] # noqa: SLF001 - it has no public name, and takes no type at run time
    """Commands whose parsers are made when one is met."""

    def fill(self, helps: dict[str, str], make: Callable[[str], Parser]) -> None:
        """Take the commands that there are, with their summaries."""
        self._name_parser_map = _LazyParsers(list(helps), make)
        self.choices = self._name_parser_map
        self._choices_actions = [
            self._ChoicesPseudoAction(name, (), meaning) for name, meaning in helps.items()
        ]


def build_parser() -> Parser:
    """Return the parser of the whole command line."""
    known = index()
    parser = _Root(
        prog=_PROG, description=_DESCRIPTION, parents=[everywhere()], epilog="\n".join(_START)
    )
    parser.add_argument("--version", action="version", version=f"{_PROG} {tilth.__version__}")
    parser.set_defaults(
        run=None, command="", noun="", prog=_PROG, is_json=False, is_quiet=False,
        is_debug=False, store=None, owner=None,
    )  # fmt: skip
    helps = {name: told for section in SECTIONS for name, told in listed(section).items()}
    _add_commands(parser, helps, _maker_of(known, ""), is_required=False)
    return parser


def _maker_of(known: Index, noun: str) -> Callable[[str], Parser]:
    def make(name: str) -> Parser:
        path = f"{noun} {name}".strip()
        if path in known["groups"]:
            return _group(known, path)
        return _command(path, known["commands"][path])

    return make


def _group(known: Index, noun: str) -> Parser:
    told = known["groups"][noun]
    prog, phrase = f"{_PROG} {noun}", told["help"]
    title = f"{phrase[:1].upper()}{phrase[1:]}."
    parser = Parser(prog=prog, description=title, parents=[everywhere()])
    helps = {
        path.removeprefix(f"{noun} "): one["help"]
        for path, one in known["commands"].items()
        if path.startswith(f"{noun} ")
    }
    shown = [known["commands"][f"{noun} {name}"]["examples"][:1] for name in helps]
    parser.epilog = _examples([line for lines in shown for line in lines][:_EXAMPLES])
    if told["bare"]:
        bare = " or ".join(told["bare"].split("|"))
        parser.epilog += f"\n\nWithout a command: {prog} {bare}"
    parser.set_defaults(noun=noun, prog=prog)
    _add_commands(parser, helps, _maker_of(known, noun), is_required=not told["bare"])
    return parser


def _add_commands(
    parser: Parser, helps: dict[str, str], make: Callable[[str], Parser], *, is_required: bool
) -> None:
    commands = parser.add_subparsers(
        # Told how they are called, argparse does not write a line of usage to find out.
        prog=parser.prog,
        title="commands",
        metavar="COMMAND",
        required=is_required,
        action=_Commands,
    )
    assert isinstance(commands, _Commands)
    commands.fill(helps, make)


def _command(path: str, told: Entry) -> Parser:
    prog = f"{_PROG} {path}"
    parser = Parser(prog=prog, description=told["description"], parents=[everywhere()])
    if told["examples"]:
        parser.epilog = _examples(told["examples"])
    parser.set_defaults(run=told["run"], command=path, prog=prog, **told.get("defaults", {}))
    sets: dict[str, Any] = {}
    for one in told["arguments"]:
        place: Any = parser
        if name := one.get("exclusive"):
            if name not in sets:
                sets[name] = parser.add_mutually_exclusive_group(
                    required=one.get("exclusive_required", False)
                )
            place = sets[name]
        _add(place, one)
    return parser


def _examples(lines: Sequence[str]) -> str:
    return "\n".join(("examples:", *(f"  {line}" for line in lines)))


def _add(place: argparse._ActionsContainer, one: Argument) -> None:
    told: dict[str, Any] = {key: one[key] for key in _KEYS if key in one}  # type: ignore[literal-required]
    if "help" in told:
        told["help"] = told["help"].replace("%", "%%")
    if told.get("action") == "either":
        told["action"] = argparse.BooleanOptionalAction
    if kind := one.get("type"):
        bounds = one.get("least"), one.get("most")
        told["type"] = whole_number(*bounds) if kind == "whole" else _TIMES[kind]
    if isinstance(told.get("default"), list):
        told["default"] = [*told["default"]]
    if flags := one.get("flags"):
        place.add_argument(*flags, dest=one["dest"], **told)
    else:
        place.add_argument(one["dest"], **told)


def everywhere() -> Parser:
    """Return the options that may stand before or behind any command."""
    common = Parser(add_help=False, argument_default=argparse.SUPPRESS)
    shared = common.add_argument_group(_COMMON)
    shared.add_argument("--json", dest="is_json", action="store_true", help="answer in JSON")
    shared.add_argument("--store", metavar="PATH|URL", help="the store; see `tilth settings`")
    shared.add_argument("--owner", metavar="NAME", help="whose items are read and written")
    shared.add_argument(
        "-q", "--quiet", dest="is_quiet", action="store_true", help="only the answer"
    )
    shared.add_argument("--no-color", action="store_true", help="no colours; so does NO_COLOR")
    shared.add_argument(
        "--debug", dest="is_debug", action="store_true", help="log everything, show tracebacks"
    )
    return common


def whole_number(least: int | None, most: int | None) -> Callable[[str], int]:
    """Return what reads a number within bounds."""

    def read(text: str) -> int:
        digits = text.removeprefix("-")
        is_number = text.isascii() and digits.isdigit() and len(text) < len(str(2**63))
        if not is_number or (least is None and digits != text):
            raise argparse.ArgumentTypeError(f"{text!r} is not a whole number")
        number = int(text)
        if least is not None and number < least:
            raise argparse.ArgumentTypeError(f"must be at least {least}")
        if most is not None and number > most:
            raise argparse.ArgumentTypeError(f"must be at most {most}")
        return number

    return read
