"""`tilth settings`: each effective value and where it came from, and setting one."""

import json
import os
import tempfile
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Annotated

from tilth.core.errors import InvalidInputError
from tilth.core.verb import Arg, Section, noun
from tilth.core.view import Bold, Dim
from tilth.interfaces.cli.opening import require_person, shown_place
from tilth.interfaces.cli.screen import columns
from tilth.interfaces.cli.terminal import Terminal, command
from tilth.runtime import places
from tilth.runtime.settings import DOCS, PREFIX, SECRET, Loaded, Settings, load

_HIDDEN = "(hidden)"


@dataclass(frozen=True, slots=True)
class Row:
    """One setting as it is in force."""

    name: str
    value: object
    origin: str
    meaning: str


noun("settings", "what can be set, and what is in force", section=Section.LOOK_AFTER, bare="list")


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
        "tilth settings set embedder_key - < key.txt",
    ),
)
def set_one(
    terminal: Terminal,
    name: Annotated[str, Arg("the setting", choices=tuple(DOCS))],
    value: Annotated[str, Arg("its value; lists by commas; - reads standard input", is_stdin=True)],
) -> int:
    """
    Set one setting in the settings file.

    The rest of the file stays as it is. A value that cannot be read is refused, and
    nothing is written. Only a person may.
    """
    require_person()
    told = load({f"{PREFIX}{name}".upper(): value.strip()}).settings
    file = Path(os.path.realpath(places.folders(os.environ).config))
    before = file.read_text(encoding="utf-8") if file.exists() else ""
    _write(file, _with(before, name, _toml(getattr(told, name))))
    row = _row(places.loaded(os.environ), {}, name)
    terminal.screen.answer(
        {"setting": row}, [(Bold(row.name), f"  {_text(row.value)}", Dim(f"  ({row.origin})"))]
    )
    if row.origin == "environment":
        terminal.screen.say(f"{PREFIX}{name.upper()} in the environment comes before the file")
    return 0


def _with(text: str, name: str, toml: str) -> str:
    """Return the text of a settings file with one value in the place of what was there."""
    lines = text.splitlines()
    at = next((at for at, line in enumerate(lines) if line.partition("=")[0].strip() == name), None)
    if at is None:
        return "\n".join([*lines, f"{name} = {toml}", ""])
    # A list may go on over several lines; a statement ends where it can be read.
    ends = range(at + 1, len(lines) + 1)
    end = next((end for end in ends if _is_toml("\n".join(lines[at:end]))), None)
    if end is None:
        raise InvalidInputError(f"the settings file says {name!r} in a way that cannot be read")
    return "\n".join([*lines[:at], f"{name} = {toml}", *lines[end:], ""])


def _is_toml(text: str) -> bool:
    import tomllib  # noqa: PLC0415 - as in `tilth.runtime.settings`

    try:
        tomllib.loads(text)
    except tomllib.TOMLDecodeError:
        return False
    return True


def _toml(value: object) -> str:
    return json.dumps([*value] if isinstance(value, tuple) else value, ensure_ascii=False)


def _write(file: Path, text: str) -> None:
    """
    Put a settings file in place, whole or not at all.

    Raises:
        InvalidInputError: what it would say cannot be read.
    """
    file.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    handle, name = tempfile.mkstemp(dir=file.parent, prefix=f".{file.name}.")
    made = Path(name)
    try:
        with os.fdopen(handle, "w", encoding="utf-8") as out:
            out.write(text)
        load({}, made)
        made.replace(file)
    finally:
        made.unlink(missing_ok=True)


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
