"""Read values from the JSON that `tilth.interfaces.to_json` makes, by their types."""

from collections import Counter
from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import fields, is_dataclass
from datetime import datetime
from enum import Enum
from functools import cache
from pathlib import PurePath
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, NewType, Union, get_args, get_origin, get_type_hints

from tilth.core.event import Event, events_by_kind
from tilth.core.json import Json

# What `Json` is made of, for the modules that mention it alone.
_NAMES: Mapping[str, Any] = {"Json": Json, "Sequence": Sequence, "Mapping": Mapping}


def from_json(hint: Any, value: Any) -> Any:  # noqa: ANN401 - a type, JSON, and a value of the type
    """
    Return the value of the type *hint* that *value* is the JSON of.

    Raises:
        ValueError: it is the JSON of none; so do TypeError, KeyError and AttributeError.
    """
    if isinstance(hint, NewType):
        return from_json(hint.__supertype__, value)
    origin, args = get_origin(hint), get_args(hint)
    if origin is Annotated:
        return from_json(args[0], value)
    if origin in (Union, UnionType):
        return _one_of(args, value)
    if origin is Literal or value is None:
        return value
    if isinstance(origin, type):
        return _many(origin, args, value)
    return _scalar(hint, value) if isinstance(hint, type) else value


def _one_of(kinds: Sequence[Any], value: Any) -> Any:  # noqa: ANN401 - as above
    if value is None or len(kinds) == 1:
        return value
    inner = [one for one in kinds if one is not NoneType]
    # Of several classes, the one that has these fields.
    for one in inner:
        is_object = isinstance(one, type) and is_dataclass(one)
        if is_object and isinstance(value, dict) and value.keys() != _field_names(one):
            continue
        if is_object is isinstance(value, dict) or len(inner) == 1:
            return from_json(one, value)
    return value


def _many(origin: type, args: Sequence[Any], value: Any) -> Any:  # noqa: ANN401 - as above
    if issubclass(origin, Mapping):
        # A `Counter` has one argument: its values are whole numbers.
        inner = (*args, int)[:2]
        told = {from_json(inner[0], key): from_json(inner[1], one) for key, one in value.items()}
        return Counter(told) if issubclass(origin, Counter) else told
    if issubclass(origin, tuple) and args[1:] != (...,):
        return tuple(from_json(kind, one) for kind, one in zip(args, value, strict=True))
    if issubclass(origin, AbstractSet):
        return frozenset(from_json(args[0], one) for one in value)
    if issubclass(origin, list):
        return [from_json(args[0], one) for one in value]
    return tuple(from_json(args[0], one) for one in value)


def _scalar(kind: type, value: Any) -> Any:  # noqa: ANN401 - as above
    if is_dataclass(kind):
        hints = field_types(kind)
        return kind(
            **{
                one.name: from_json(hints[one.name], value[one.name])
                for one in fields(kind)
                if one.init
            }
        )
    if kind is Event:
        return _scalar(events_by_kind()[value["kind"]], value)
    if issubclass(kind, datetime):
        return datetime.fromisoformat(value)
    if issubclass(kind, Enum | PurePath):
        return kind(value)
    if issubclass(kind, tuple) and hasattr(kind, "_fields"):
        hints = field_types(kind)
        return kind(*map(from_json, hints.values(), value))
    return value


@cache
def field_types(kind: type) -> Mapping[str, Any]:
    """Return the types of the fields of a class."""
    return get_type_hints(kind, localns=dict(_NAMES), include_extras=True)


@cache
def _field_names(kind: type) -> frozenset[str]:
    return frozenset(one.name for one in fields(kind))
