"""Turn what the brain returns into JSON: field by field, under the same names."""

import json
from collections.abc import Hashable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import fields, is_dataclass
from datetime import datetime
from functools import cache
from pathlib import PurePath
from typing import Any, cast

from tilth.core.event import Event
from tilth.core.json import SCALARS, Json


def to_json(value: object) -> Json:
    """
    Return *value* as JSON can hold it.

    Dataclasses become objects, instants ISO 8601 text in UTC, sets sorted lists. An event
    says of which kind it is.
    """
    # Most of what a page holds is one of these; pages hold some ten thousand.
    if type(value) in SCALARS:
        return cast("Json", value)
    opened = _one_level(value)
    if isinstance(opened, dict):
        return {name: to_json(item) for name, item in opened.items()}
    return [to_json(item) for item in opened] if isinstance(opened, list) else opened


def json_text(value: object) -> str:
    """Return the text of what `to_json` returns; the encoder in C walks what is JSON already."""
    return _ENCODER.encode(value)


def _one_level(value: object) -> Json:
    """Return one level of what is no JSON yet: text, a list or an object."""
    match value:
        case str() | PurePath():
            return str(value)
        case datetime():
            return value.isoformat()
        case AbstractSet():
            return sorted(str(item) for item in value)
        case Sequence():
            return cast("Json", list(value))
        case _:
            said = _members(value)
            told = {"kind": value.kind, **said} if isinstance(value, Event) else said
            return cast("Json", told)


# As `JSONResponse` of Starlette writes.
_ENCODER = json.JSONEncoder(
    ensure_ascii=False, allow_nan=False, separators=(",", ":"), default=_one_level
)


@cache
def _fields_of(kind: Any) -> tuple[str, ...]:  # noqa: ANN401 - a class
    """Return the names of a dataclass's fields; none of another type."""
    return tuple(one.name for one in fields(kind)) if is_dataclass(kind) else ()


def _members(value: object) -> Mapping[str, object]:
    if isinstance(value, Mapping):
        return {str(key): item for key, item in value.items()}
    kind: Hashable = type(value)  # type: ignore[assignment] # a class has a hash
    if names := _fields_of(kind):
        return {name: getattr(value, name) for name in names}
    raise TypeError(f"no JSON form of a {type(value).__name__}")
