"""What every command line argument of ours has in common."""

import argparse
import json
from collections.abc import Callable, Iterable
from difflib import get_close_matches
from typing import Any, NoReturn, TypeAlias

from tilth.core.errors import InvalidInputError
from tilth.core.json import JsonObject


class Parser(argparse.ArgumentParser):
    """A parser that raises what is wrong instead of ending the program."""

    # `typing.override` came with Python 3.12.
    def error(self, message: str) -> NoReturn:  # type: ignore[explicit-override]
        """
        Refuse the command line.

        Raises:
            InvalidInputError: always.
        """
        raise InvalidInputError(message, hint=f"see: {self.prog} --help")

    def _check_value(  # type: ignore[explicit-override]
        self,
        action: argparse.Action,
        value: Any,  # noqa: ANN401 - inherited
    ) -> None:
        if action.choices is not None and value not in action.choices:
            raise InvalidInputError(
                f"{self.prog} knows no {action.metavar or action.dest} {value!r}",
                hint=_suggestion(str(value), action.choices),
            )


# What `add_subparsers` returns has no public name.
Commands: TypeAlias = "argparse._SubParsersAction[Parser]"  # noqa: SLF001


def command(commands: Commands, name: str, run: str, summary: str) -> Parser:
    """Add a command; *run* names the module and function of `tilth.interfaces.cli` that runs it."""
    parser = commands.add_parser(
        name,
        help=summary,
        description=f"{summary[0].upper()}{summary[1:]}.",
        parents=[everywhere()],
        allow_abbrev=False,
    )
    parser.set_defaults(run=run, prog=parser.prog)
    return parser


def group(commands: Commands, name: str, summary: str) -> Commands:
    """Add a noun that has commands of its own."""
    parser = commands.add_parser(
        name, help=summary, parents=[everywhere()], allow_abbrev=False, description=summary
    )
    return parser.add_subparsers(title="commands", metavar="COMMAND", required=True)


def everywhere() -> Parser:
    """Return the options that may stand before or behind any command."""
    common = Parser(add_help=False, argument_default=argparse.SUPPRESS)
    common.add_argument("--json", dest="is_json", action="store_true", help="answer in JSON")
    common.add_argument("--store", metavar="PATH|URL", help="the store; see `tilth settings`")
    common.add_argument("--owner", metavar="NAME", help="whose items are read and written")
    common.add_argument(
        "-q", "--quiet", dest="is_quiet", action="store_true", help="only the answer"
    )
    common.add_argument("--no-color", action="store_true", help="no colours; so does NO_COLOR")
    common.add_argument(
        "--debug", dest="is_debug", action="store_true", help="log everything, show tracebacks"
    )
    return common


def add_scope(parser: Parser, meaning: str) -> None:
    """Add `--scope`."""
    parser.add_argument("--scope", metavar="SCOPE", help=meaning)


def count(text: str) -> int:
    """Read a number of at least 1."""
    if (number := count_or_zero(text)) == 0:
        raise argparse.ArgumentTypeError("must be at least 1")
    return number


def count_or_zero(text: str) -> int:
    """Read a number of at least 0."""
    if not (text.isascii() and text.isdigit() and len(text) < len(str(2**63))):
        raise argparse.ArgumentTypeError(f"{text!r} is not a whole number")
    return int(text)


def whole_number(least: int | None, most: int | None) -> Callable[[str], int]:
    """Return what reads a number within bounds."""

    def read(text: str) -> int:
        number = count_or_zero(text)
        if least is not None and number < least:
            raise argparse.ArgumentTypeError(f"must be at least {least}")
        if most is not None and number > most:
            raise argparse.ArgumentTypeError(f"must be at most {most}")
        return number

    return read


def json_object(text: str) -> JsonObject:
    """Read an object in JSON."""
    try:
        value = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise argparse.ArgumentTypeError(f"{text[:60]!r} is not JSON") from error
    if not isinstance(value, dict):
        raise argparse.ArgumentTypeError(f"{text[:60]!r} is not an object in JSON")
    return value


def _suggestion(word: str, known: Iterable[Any]) -> str:
    names = [str(name) for name in known]
    there = f"there are {', '.join(names)}"
    if close := get_close_matches(word, names, n=1):
        return f"did you mean {close[0]}? {there}"
    return there
