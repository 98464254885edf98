"""
The index of verbs: every command, without loading the code that runs it.

`scripts/write_verbs.py` writes it from the declarations, and a test compares the two.
"""

import json
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any, NotRequired, TypedDict


class Argument(TypedDict, total=False):
    """One argument of a command, as `argparse` takes it, with a few keys of Tilth's own."""

    dest: str
    flags: list[str]
    help: str
    metavar: str
    nargs: str
    action: str
    choices: list[str]
    default: Any
    required: bool
    type: str
    least: int
    most: int
    exclusive: str
    exclusive_required: bool
    id: str
    unless_given: bool | str
    is_words: bool
    is_stdin: bool
    is_view: bool


class Entry(TypedDict):
    """One command: its help, its arguments, and the function that runs it."""

    help: str
    description: str
    section: str
    examples: list[str]
    arguments: list[Argument]
    run: str
    module: str
    python: str
    defaults: NotRequired[Mapping[str, str]]


class Group(TypedDict):
    """A noun with its commands, and the command that it stands for alone."""

    help: str
    section: str
    bare: str


class Index(TypedDict):
    """All commands, by their words."""

    groups: Mapping[str, Group]
    commands: Mapping[str, Entry]
    old: Mapping[str, str]
    modules: Mapping[str, str]


# The headings of `tilth --help`, with the commands that come first below each.
SECTIONS: Mapping[str, Sequence[str]] = {
    "start": ("init", "import", "serve"),
    "ask": ("recall", "state", "about", "changes"),
    "tell": ("remember", "fact"),
    "decide": ("review",),
    "look after": ("doctor", "settings", "backup", "restore", "export", "erase", "undo"),
    "agents": ("brief", "session", "pause", "resume"),
    "advanced": (),
}


def listed(section: str) -> Mapping[str, str]:
    """Return the commands below a heading of `tilth --help`, each with its summary."""
    known = index()
    told = {name: one for name, one in known["commands"].items() if " " not in name}
    helps = {
        name: one["help"]
        for name, one in [*known["groups"].items(), *told.items()]
        if one["section"] == section
    }
    return {name: helps.pop(name) for name in SECTIONS[section]} | helps


@cache
def index() -> Index:
    """Return the index, which is read once in a process."""
    path = f"{__file__.removesuffix('index.py')}index.json"
    with open(path, encoding="utf-8") as file:  # noqa: PTH123 - pathlib costs as much as all else here
        found: Index = json.load(file)
    return found
