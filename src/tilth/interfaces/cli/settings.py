"""`tilth settings`: each effective value, and where it came from."""

import os
from argparse import Namespace
from dataclasses import dataclass, fields

from tilth.core.view import Bold, Dim
from tilth.interfaces.cli.opening import shown_place
from tilth.interfaces.cli.screen import Screen, columns
from tilth.runtime import places
from tilth.runtime.settings import DOCS, SECRET, Loaded, Settings

_HIDDEN = "(hidden)"


@dataclass(frozen=True, slots=True)
class Row:
    """One setting as it is in force."""

    name: str
    value: object
    origin: str
    meaning: str


def run(args: Namespace, screen: Screen) -> int:
    """Show every setting; secrets only as present or absent."""
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
