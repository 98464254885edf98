"""`tilth settings`: each effective value and where it came from, and setting one."""

import os
import sys
from dataclasses import fields
from getpass import getpass
from typing import Annotated

from tilth.core.dataclass import dataclass
from tilth.core.errors import InvalidInputError
from tilth.core.verb import Arg, Section, noun
from tilth.core.view import Bold, Dim
from tilth.interfaces.cli.opening import require_person, shown_place
from tilth.interfaces.cli.screen import Screen, columns
from tilth.interfaces.cli.terminal import Terminal, command
from tilth.interfaces.settings_file import set_in_file
from tilth.runtime import places
from tilth.runtime.settings import DOCS, PREFIX, SECRET, Loaded, Settings

_HIDDEN = "(hidden)"


@dataclass(frozen=True, slots=True)
class Row:
    """One setting as it is in force."""

    name: str
    value: object
    origin: str
    meaning: str


noun(
    "settings", "what can be set, and the values in force", section=Section.LOOK_AFTER, bare="list"
)


@command("settings list", examples=("tilth settings", "tilth settings --json"))
def show(terminal: Terminal) -> int:
    """
    Show each setting, its value, and where that comes from.

    Of secrets only whether there is one.
    """
    args, screen = terminal, terminal.screen
    loaded = places.loaded(os.environ)
    told = {name: value for name in ("store", "owner") if (value := getattr(args, name))}
    rows = [_row(loaded, told, field.name) for field in fields(Settings)]
    folders = places.folders(os.environ)
    shown = {
        "store": shown_place(places.place(args.store, loaded.settings)),
        "data": str(folders.data),
        "state": str(folders.state),
        "config": str(folders.config),
    }
    lines = columns([[Bold(row.name), _text(row.value), Dim(f"({row.origin})")] for row in rows])
    lines += ["", *columns([[Bold(name), path] for name, path in shown.items()])]
    screen.answer({"settings": rows, "places": shown}, lines)
    return 0


@command(
    "settings set",
    examples=(
        "tilth settings set recall_limit 20",
        "tilth settings set excluded_terms 'Project X, Ada'",
        "tilth settings set embedder_key -",
    ),
)
def set_one(
    terminal: Terminal,
    name: Annotated[str, Arg("the setting", choices=tuple(DOCS))],
    value: Annotated[str, Arg("its value; lists by commas; - asks for it")],
) -> int:
    """
    Set one setting in the settings file.

    The rest of the file stays as it is. A value that cannot be read is refused, and
    nothing is written. Only a person may, with nothing redirected into it. What is typed
    of a secret is not shown.
    """
    require_person()
    value = _asked_for(name, terminal.screen) if value == "-" else value
    set_in_file(places.folders(os.environ).config, name, value)
    row = _row(places.loaded(os.environ), {}, name)
    terminal.screen.answer(
        {"setting": row}, [(Bold(row.name), f"  {_text(row.value)}", Dim(f"  ({row.origin})"))]
    )
    if row.origin == "environment":
        terminal.screen.say(f"{PREFIX}{name.upper()} in the environment comes before the file")
    if name.startswith(("model_", "spend_")):
        terminal.screen.say("whether a model may be asked now, and what is missing: tilth doctor")
    return 0


def _asked_for(name: str, screen: Screen) -> str:
    from tilth.interfaces.cli.review.questions import read_answer  # noqa: PLC0415 - loads facts

    question = f"{name}: "
    is_hidden = name in SECRET and sys.stdin.isatty()
    try:
        told = getpass(question) if is_hidden else read_answer(question, screen)
    except EOFError:
        told = ""
    if not told:
        raise InvalidInputError(f"{name} stays as it is: nothing was typed")
    return told


def _row(loaded: Loaded, told: dict[str, str], name: str) -> Row:
    value = told.get(name, getattr(loaded.settings, name))
    if name in SECRET:
        value = _HIDDEN if value else ""
    if isinstance(value, str):
        value = shown_place(value)
    return Row(name, value, "argument" if name in told else loaded.origins[name], DOCS[name])


def _text(value: object) -> str:
    shown = ", ".join(value) if isinstance(value, tuple) else str(value)
    return shown or "-"
