"""One value of every type that verbs take or answer, made from what they declare."""

from collections import Counter
from collections.abc import Mapping
from collections.abc import Set as AbstractSet
from dataclasses import fields, is_dataclass
from datetime import UTC, datetime
from enum import Enum
from pathlib import PurePath
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, NewType, Union, get_args, get_origin

from tilth.core.errors import InvalidInputError
from tilth.core.event import Event
from tilth.core.io.paths import whole_path
from tilth.core.json import Json
from tilth.core.verb import VERBS, Option, Verb, members_of
from tilth.gaps.events import GapFiled
from tilth.gaps.model import GapId
from tilth.interfaces.from_json import field_types
from tilth.interfaces.http import call_verb
from tilth.pages.model import PageKind, Subject

# Words that arguments with a grammar of their own take; the first that is read is given.
_WORDS = ("words", "high", "cli", "24h", "2026-01-02", "project:a/b", "rec_1", "1")
# The command line reads a cursor there, or an instant however a person names it, or a day.
_BY_NAME = {
    "scope": ["project:a/b"],
    "since": ["2026-01-02T00:00:00+00:00"],
    "day": ["2026-01-02"],
}


def sample(option: Option, caller):
    """Return something that *option* takes, as JSON."""
    if option.arg.rows:
        needed = [one for one in VERBS[option.arg.rows].options if one.is_required]
        return [{one.name: sample(one, caller) for one in needed}]
    if hasattr(option.kind, "__dataclass_fields__"):
        return {one.name: sample(one, caller) for one in members_of(option.kind) if one.is_required}
    is_tuple = get_origin(option.kind) is tuple
    one = ["words"] * len(get_args(option.kind)) if is_tuple else _one(option, caller)
    return [one] if option.is_many else one


def _one(option: Option, caller):
    kind = option.kind
    if option.choices:
        return option.choices[0]
    if kind in (bool, int, float):
        return {bool: True, int: max(1, option.arg.least or 1), float: 0.5}[kind]
    if get_origin(kind) is not None and "Mapping" in str(kind):
        return {"a": "b"}
    prefix = getattr(kind, "prefix", option.arg.id)
    words = [f"{prefix}{'0' * 26}"] if prefix else list(_WORDS)
    if option.arg.parse is whole_path:
        words = ["/nowhere"]
    if kind is str:
        words = _BY_NAME.get(option.name, words)
    for word in words:
        try:
            option.read([word] if option.is_many else word, caller)
        except (InvalidInputError, ValueError):
            continue
        return word
    raise AssertionError(f"nothing is known that {option.name} takes")


def told_to(verb: Verb, caller):
    """Return one value for every argument; of those that exclude each other, the first."""
    told, sets = {}, set()
    for option in call_verb.options_of(verb):
        if option.arg.exclusive in sets:
            continue
        sets |= {option.arg.exclusive} - {""}
        told[option.name] = sample(option, caller)
    return told


# What a type alone does not say: a page of a kind names what it is of.
_KNOWN = {
    Subject: Subject(name="about-x", kind=PageKind.TOPIC, title="About x", topic="x"),
    Event: GapFiled(gap_id=GapId(f"gap_{'0' * 26}"), todo_ref="x"),
    datetime: datetime(2026, 1, 2, 3, 4, 5, 6, tzinfo=UTC),
    bool: True,
    float: 0.5,
    NoneType: None,
    **dict.fromkeys((Json, Any, object), "word"),
}
_DEEP = 6


def made(hint, depth=0):
    """Return a value of the type *hint*, with something in every field but the deepest."""
    while isinstance(hint, NewType) or get_origin(hint) is Annotated:
        hint = getattr(hint, "__supertype__", None) or get_args(hint)[0]
    if hint in _KNOWN:
        return _KNOWN[hint]
    kind, parts = get_origin(hint), get_args(hint)
    if kind in (Union, UnionType):
        is_end = depth > _DEEP and NoneType in parts
        return None if is_end else made(next(one for one in parts if one is not NoneType), depth)
    if kind is not None:
        return _many(kind, parts, depth)
    is_object = is_dataclass(hint) or issubclass(hint, tuple)
    return _one_object(hint, depth) if is_object else _one_word(hint)


def _one_object(kind, depth):
    left_out = {one.name for one in fields(kind) if not one.init} if is_dataclass(kind) else set()
    kinds = field_types(kind).items()
    return kind(**{name: made(one, depth + 1) for name, one in kinds if name not in left_out})


def _one_word(kind):
    if issubclass(kind, Enum):
        return list(kind)[-1]
    if issubclass(kind, int):
        return kind(7)
    assert issubclass(kind, str | PurePath), f"nothing is known of the type {kind}"
    return kind(f"{kind.prefix}{'0' * 26}" if getattr(kind, "prefix", "") else "word")


def _many(kind, parts, depth):
    if kind is Literal:
        return parts[0]
    if issubclass(kind, tuple) and parts[1:] != (...,):
        return tuple(made(one, depth + 1) for one in parts)
    inner = [] if depth > _DEEP else [made(parts[0], depth + 1)]
    if issubclass(kind, Counter):
        return Counter(inner)
    if issubclass(kind, Mapping):
        return {one: made(parts[1], depth + 1) for one in inner}
    if issubclass(kind, AbstractSet):
        return frozenset(inner)
    return inner if issubclass(kind, list) else tuple(inner)
