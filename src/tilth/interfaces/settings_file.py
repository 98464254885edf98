"""Set and unset values in the settings file, and leave the rest of it as it was."""

import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import cast

from tilth.agents.state_folder import StateFolder
from tilth.core.errors import InvalidInputError
from tilth.core.io.atomic_file import make_private
from tilth.core.io.private_files import write_text
from tilth.core.json import Json
from tilth.core.text.toml_lines import statement, written
from tilth.runtime.places import Folders
from tilth.runtime.settings import PREFIX, load, text_of


def set_in_file(where: Folders, values: Mapping[str, str]) -> None:
    """
    Set settings by their names in the settings file, which is made if there is none.

    The briefs that stand in for a worker were made by the old ones, and go: they may tell what
    nobody is to be told any more.

    Raises:
        InvalidInputError: there is no such setting, a value is not of its type, or the file
            cannot be read; nothing is written then.
    """
    told = load({f"{PREFIX}{name}".upper(): value.strip() for name, value in values.items()})
    _rewrite(where, {name: [f"{name} = {_toml(getattr(told.settings, name))}"] for name in values})


def unset_in_file(where: Folders, name: str) -> None:
    """
    Take a setting out of the settings file, so that it has its default again.

    Raises:
        InvalidInputError: the file cannot be read; nothing is written then.
    """
    _rewrite(where, {name: []})


def _rewrite(where: Folders, said: Mapping[str, Sequence[str]]) -> None:
    file = Path(os.path.realpath(where.config))
    text = text_of(file)
    for name, lines in said.items():
        text = _with(text, name, lines)
    load({}, file, text)
    make_private(file.parent)
    write_text(str(file), [text], is_forced=True)
    StateFolder(where.state).forget_briefs()


def _with(text: str, name: str, said: Sequence[str]) -> str:
    """Return the text of a settings file in which *said* stands in the place of one setting."""
    lines = text.splitlines()
    try:
        place = statement(lines, name)
    except ValueError as error:
        raise InvalidInputError(
            f"the settings file says {name!r} in a way that cannot be read"
        ) from error
    begin, end = place or (len(lines), len(lines))
    return "\n".join([*lines[:begin], *said, *lines[end:], ""])


def _toml(value: object) -> str:
    return written(cast("Json", [*value] if isinstance(value, tuple) else value))
