"""What the brain returns, as JSON values: field by field, under the same names."""

from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import fields, is_dataclass
from datetime import datetime
from pathlib import PurePath

from tilth.core.event import Event
from tilth.core.json import Json


def plain(value: object) -> Json:
    """
    Return *value* as JSON can hold it.

    Dataclasses become objects, instants ISO 8601 text in UTC, sets sorted lists. An event
    says of which kind it is.
    """
    match value:
        case None | bool() | int() | float():
            return value
        case str() | PurePath():
            return str(value)
        case datetime():
            return value.isoformat()
        case AbstractSet():
            return sorted(str(item) for item in value)
        case Sequence():
            return [plain(item) for item in value]
        case _:
            said = {name: plain(item) for name, item in _named(value).items()}
            return {"kind": value.kind, **said} if isinstance(value, Event) else said


def _named(value: object) -> Mapping[str, object]:
    if isinstance(value, Mapping):
        return {str(key): item for key, item in value.items()}
    if is_dataclass(value):
        return {field.name: getattr(value, field.name) for field in fields(value)}
    raise TypeError(f"no JSON form of a {type(value).__name__}")
