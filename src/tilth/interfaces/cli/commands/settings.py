"""`tilth settings`: each value in force, and setting one; those of a language model in one go."""

import os
import sys
from collections.abc import Iterable, Mapping
from dataclasses import fields
from getpass import getpass
from typing import Annotated

from tilth.context.model import ProjectState
from tilth.core.dataclass import dataclass
from tilth.core.errors import InvalidInputError, NotFoundError
from tilth.core.verb import Arg, Section, noun
from tilth.core.view import Bold, Dim
from tilth.interfaces.cli.open_brain import require_person
from tilth.interfaces.cli.screen import Screen, columns
from tilth.interfaces.cli.terminal import Terminal, command
from tilth.interfaces.settings_file import set_in_file, unset_in_file
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
        "store": places.shown(places.place(args.store, loaded.settings)),
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
    set_in_file(places.folders(os.environ), {name: value})
    _say_set(terminal, name)
    return 0


@command("settings unset", examples=("tilth settings unset recall_limit",))
def unset(terminal: Terminal, name: Annotated[str, Arg("the setting", choices=tuple(DOCS))]) -> int:
    """
    Give one setting its default again, by taking it out of the settings file.

    The rest of the file stays as it is. Only a person may, with nothing redirected into it.
    """
    require_person()
    unset_in_file(places.folders(os.environ), name)
    _say_set(terminal, name)
    return 0


def _say_set(terminal: Terminal, name: str) -> None:
    loaded = places.loaded(os.environ)
    row = _row(loaded, {}, name)
    terminal.screen.answer(
        {"setting": row}, [(Bold(row.name), f"  {_text(row.value)}", Dim(f"  ({row.origin})"))]
    )
    _say_overruled(terminal.screen, loaded, [name])
    if name.startswith(("model_", "spend_")):
        terminal.screen.say("whether a model may be asked now, and what is missing: tilth model")


@command(
    "model use",
    examples=(
        "tilth model use claude haiku",
        "tilth model use openai qwen3:8b http://localhost:11434",
        "tilth model use anthropic MODEL key=ANTHROPIC_API_KEY --price 3/15 --money 2",
    ),
)
def use_model(
    terminal: Terminal,
    choice: Annotated[
        str,
        Arg(
            "PROVIDER [MODEL] [URL] [key=VARIABLE-OR-FILE]; a provider is a program (claude, codex,"
            " gemini) or an API (openai, anthropic)",
            is_words=True,
        ),
    ],
    *,
    strong: Annotated[bool, Arg("for the tasks that need judgement, instead of reading")] = False,
    price: Annotated[
        str, Arg("what a million tokens cost, in and out; 0/0 if nothing", metavar="IN/OUT")
    ] = "",
    calls: Annotated[int | None, Arg("the most calls in a day", least=1)] = None,
    tokens: Annotated[int | None, Arg("the most tokens in a day", least=1)] = None,
    money: Annotated[str, Arg("the most money in a day, in the currency of prices")] = "",
) -> int:
    """
    Have a language model read your sessions from now on.

    Sets the model, its price and what a day may cost in the settings file. A program, and
    a server on this machine, count as free unless a price is given. Only a person may,
    since what is said in sessions is then sent to that model, without its secrets.
    """
    from tilth.interfaces import choose_model  # noqa: PLC0415 - loads what models cost

    require_person()
    now = places.loaded(os.environ).settings
    day = {"calls": calls, "tokens": tokens, "money": money.strip()}
    values = choose_model.model_settings(now, choice, price.strip(), day, is_strong=strong)
    _set_models(terminal, values)
    for line in choose_model.consequences(choice):
        terminal.screen.say(line)
    return 0


@command("model off", examples=("tilth model off",))
def no_model(terminal: Terminal) -> int:
    """
    Ask no language model any more.

    Prices and budgets stay. What models made of sessions so far stays, too.
    """
    require_person()
    _set_models(terminal, {"model_cheap": "", "model_strong": ""})
    return 0


@command("project rename", examples=("tilth project rename project:work/api .",))
def rename_project(
    terminal: Terminal,
    old: Annotated[str, Arg("what it was called, as listed", metavar="SCOPE")],
    new: Annotated[str, Arg("what it is called now; . is the folder's project", metavar="SCOPE")],
) -> int:
    """
    Say that a project is called otherwise now, such as when its folder was renamed.

    What was recorded of it keeps its name, and is told under the new one, too. That is kept in
    the settings file, as `renamed_projects`. Only a person may, with nothing redirected into it.
    """
    require_person()
    with terminal.open() as brain:
        known = {one.scope for state in ProjectState for one in brain.projects.list(state=state)}
    if old not in known:
        raise NotFoundError(f"nothing was recorded of {old!r}", hint="see: tilth project list")
    said = places.loaded(os.environ).settings.renamed_projects
    kept = [one for one in said if not one.startswith(f"{old}=")]
    set_in_file(places.folders(os.environ), {"renamed_projects": ",".join([*kept, f"{old}={new}"])})
    terminal.screen.answer(
        {"old": old, "new": new}, [("what was recorded of ", Bold(old), f" is told in {new}, too")]
    )
    _say_overruled(terminal.screen, places.loaded(os.environ), ["renamed_projects"])
    return 0


def _set_models(terminal: Terminal, values: Mapping[str, str]) -> None:
    from tilth.llm.status import model_statuses  # noqa: PLC0415 - loads what asks a model
    from tilth.llm.views import status_lines  # noqa: PLC0415 - likewise
    from tilth.runtime.connect import model_pool_of  # noqa: PLC0415 - likewise

    set_in_file(places.folders(os.environ), values)
    loaded = places.loaded(os.environ)
    models = model_statuses(model_pool_of(loaded.settings, os.environ))
    rows = [_row(loaded, {}, name) for name in values]
    terminal.screen.answer({"settings": rows, "models": models}, status_lines(models))
    _say_overruled(terminal.screen, loaded, values)


def _say_overruled(screen: Screen, loaded: Loaded, names: Iterable[str]) -> None:
    """Say which settings hold by the environment, whatever the file says."""
    for name in names:
        if loaded.origins[name] == "environment":
            screen.say(f"{PREFIX}{name.upper()} in the environment comes before the file")


def _asked_for(name: str, screen: Screen) -> str:
    question = f"{name}: "
    is_hidden = name in SECRET and sys.stdin.isatty()
    try:
        told = getpass(question) if is_hidden else screen.ask(question)
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
        value = places.shown(value)
    return Row(name, value, "argument" if name in told else loaded.origins[name], DOCS[name])


def _text(value: object) -> str:
    if isinstance(value, bool):
        # As it is written into the file.
        return str(value).lower()
    shown = ", ".join(value) if isinstance(value, tuple) else str(value)
    return shown or "-"
