"""Running what an index entry names: a verb of the brain, or a command of the program."""

import sys
from argparse import Namespace
from collections.abc import Iterable, Mapping
from contextlib import ExitStack
from importlib import import_module
from typing import Any

from tilth.core.calls.parameters import parameters_of
from tilth.core.errors import InvalidInputError, LimitExceededError, NotFoundError
from tilth.core.ids import ULID_CHARS, parse_beginning
from tilth.core.io.projects import scope_of_start
from tilth.core.methods import load_verb as verb_of
from tilth.core.verb import Verb
from tilth.core.view import Line
from tilth.episodes.episode import TEXT_CHARS_MAX
from tilth.interfaces.cli.default_view import default_view
from tilth.interfaces.cli.invocation import current_folder
from tilth.interfaces.cli.open_brain import open_brain
from tilth.interfaces.cli.screen import Screen
from tilth.interfaces.cli.terminal import COMMANDS, Terminal
from tilth.runtime.index import Argument, index

# The scope of the folder in which a command runs.
_HERE = "."
# What other programs call standard input or output.
_STREAM = "-"
_PLACES = frozenset({"BACKUP", "FILE", "FOLDER", "PATH", "TARGET"})
_UTF8_BYTES_MAX = 4
# Four characters, such as `fct_`, name the kind.
_PREFIX_CHARS = 4
_CHARS = _PREFIX_CHARS + ULID_CHARS


def verb(args: Namespace, screen: Screen) -> int:
    """Call the verb that *args* name, show what it answers, and return the exit code."""
    entry = index()["commands"][args.command]
    told, shown = given(args)
    with open_brain(args.store, args.owner) as brain, ExitStack() as stack:
        declared = verb_of(entry["python"], entry["module"])
        for option in declared.options:
            if option.arg.progress:
                told[option.name] = stack.enter_context(screen.progress(option.arg.progress))
        if declared.is_of_sessions:
            worker = import_module("tilth.interfaces.cli.commands.worker")
            worker.record_spool(Terminal(screen, args.store, args.owner), brain)
        # The method of it has a signature, which takes long to make and nobody reads here.
        answer = declared.method(brain.parts, (), told)
    screen.answer(declared.json(answer), _lines(declared, answer, told, shown))
    return 0 if declared.status is None else declared.status(answer)


def program_command(args: Namespace, screen: Screen) -> int:
    """Run the command of the program that *args* name."""
    import_module(index()["commands"][args.command]["module"])
    declared = COMMANDS[args.command]
    told, _ = given(args)
    terminal = Terminal(screen, args.store, args.owner)
    done = declared.method(terminal, (), told)
    return done if isinstance(done, int) else 0


def given(args: Namespace) -> tuple[dict[str, object], dict[str, object]]:
    """Return what was given on the line: for the verb, and for its view alone."""
    told: dict[str, object] = {}
    shown: dict[str, object] = {}
    for one in index()["commands"][args.command]["arguments"]:
        value = getattr(args, one["dest"])
        if value is False or value is None:
            value = one.get("unless_given")
        if value is not None:
            (shown if one.get("is_view") else told)[one["dest"]] = _resolve(value, one, args)
    return told, shown


def _resolve(value: Any, one: Argument, args: Namespace) -> object:  # noqa: ANN401 - as argparse gives it
    if "session" not in one["dest"] and (one.get("id") or one.get("metavar") == "ID"):
        return _whole_ids(value, args)
    if one.get("metavar") == "SCOPE" and value == _HERE:
        return scope_of_start(current_folder())
    if one.get("is_words") and isinstance(value, list):
        value = " ".join(value)
    if one.get("is_stdin") and value == _STREAM:
        return standard_input()
    if one.get("metavar") in _PLACES and _STREAM in (value if isinstance(value, list) else [value]):
        raise InvalidInputError(
            f"{args.command} takes a {one['metavar']}, and no standard input or output",
            hint="name one; what is really called '-' is ./-",
        )
    return value


def _whole_ids(value: str | list[str], args: Namespace) -> str | list[str]:
    """Return IDs in full; the store is asked about those alone that are shorter than one."""
    said = value if isinstance(value, list) else [value]
    if not any(one[_PREFIX_CHARS - 1 : _PREFIX_CHARS] == "_" and len(one) < _CHARS for one in said):
        return value
    with open_brain(args.store, args.owner) as brain:
        whole = [brain.whole_id(one) for one in said]
    for one in whole:
        if begun := parse_beginning(one):
            raise NotFoundError(f"no ID of {begun[0].noun} begins with {one!r}")
    return whole if isinstance(value, list) else whole[0]


def standard_input() -> str:
    """
    Read a text from standard input.

    Raises:
        InvalidInputError: it is not UTF-8.
        LimitExceededError: it is longer than an episode may be.
    """
    data = sys.stdin.buffer.read(TEXT_CHARS_MAX * _UTF8_BYTES_MAX + 1)
    if len(data) > TEXT_CHARS_MAX * _UTF8_BYTES_MAX:
        raise LimitExceededError("standard input is longer than an episode may be")
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise InvalidInputError("standard input is not UTF-8") from error


def _lines(
    declared: Verb, answer: object, told: Mapping[str, object], shown: Mapping[str, object]
) -> Iterable[Line]:
    if declared.view is None:
        return default_view(answer)
    # A view may name arguments of its verb: it shows how to go on with them.
    wanted = {one.name for one in parameters_of(declared.view)[1:]}
    # What several verbs share has no default of its own: it was not given.
    asked = {
        one.name: told.get(one.name, None if one.default is ... else one.default)
        for one in declared.options
        if one.name in wanted
    }
    return declared.view(answer, **asked, **shown)
