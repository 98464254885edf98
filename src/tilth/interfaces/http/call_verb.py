"""
Call a verb with the arguments of a JSON object, as the actor of a token or session.

Every verb is offered but those that take objects of a program. Values have the types that
the verb declares; nothing is guessed from another type, so a mistake is told and not stored.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import is_dataclass, replace
from difflib import get_close_matches
from functools import cache
from importlib import import_module
from types import UnionType
from typing import Any, Union, get_args, get_origin

from tilth.core.actor import Actor
from tilth.core.errors import ForbiddenError, InvalidInputError, NotFoundError
from tilth.core.io.paths import whole_path
from tilth.core.json import Json, check_depth
from tilth.core.verb import VERBS, Option, Verb, members_of
from tilth.interfaces.http.tokens import Role
from tilth.interfaces.to_json import to_json
from tilth.privacy.exclusion import Exclusion
from tilth.runtime.brain import Brain
from tilth.runtime.index import index

# They take objects of the calling program: the rows of an importer, the class of an answer.
IN_PROCESS = frozenset({"facts.import_rows", "models.think"})
# What reads or writes files of the machine, or destroys; so does whatever takes a path.
_ADMINS = frozenset({"backup", "erase.confirm", "erase.plan", "rebuild", "reopen_sessions"})


@cache
def offered() -> Mapping[str, Verb]:
    """Return the verbs that can be called, by the path under `/v1`: `facts/add`, `recall`."""
    modules = index()["modules"]
    for module in sorted(set(modules.values())):
        import_module(module)
    names = sorted(modules.keys() - IN_PROCESS)
    return {name.replace(".", "/"): VERBS[name] for name in names}


def acting(brain: Brain, actor: Actor) -> Brain:
    """Return the same brain, with *actor* as whoever asks."""
    parts = brain.parts
    return Brain(replace(parts, recorder=replace(parts.recorder, by=actor)))


def options_of(verb: Verb) -> list[Option]:
    """Return what a request may give: all but functions that are called meanwhile."""
    return [one for one in verb.options if get_origin(one.kind) is not Callable]


def find(path: str, role: Role) -> Verb:
    """
    Return the verb under *path*.

    Raises:
        NotFoundError: there is none.
        ForbiddenError: the role of the token is not enough.
    """
    verb = offered().get(path)
    if verb is None:
        close = get_close_matches(path, offered(), n=1)
        hint = f"did you mean /v1/{close[0]}?" if close else "see /v1/openapi.json"
        if inner := sorted(one for one in offered() if one.startswith(f"{path}/")):
            hint = f"its verbs are {', '.join(inner)}"
        raise NotFoundError(f"there is no verb /v1/{path[:80]}", hint=hint)
    is_admins = verb.python in _ADMINS or any(one.arg.parse is whole_path for one in verb.options)
    if is_admins and role is not Role.ADMIN:
        raise ForbiddenError(
            f"{verb.python} needs a token of the role admin",
            hint="a person makes one: tilth token add NAME --role admin",
        )
    return verb


def call(brain: Brain, verb: Verb, told: Mapping[str, Json]) -> Json:
    """
    Call *verb* with *told*, and return its answer as JSON.

    Raises:
        InvalidInputError: an argument is unknown, missing, or not of its type.
        TilthError: whatever the verb refuses.
    """
    values = parse_arguments(verb, told)
    answer = to_json(verb.json(verb.method(brain.parts, (), values)))
    excluded = Exclusion() if brain.parts.by.is_human else brain.excluded
    shown: Json = excluded.shown(answer)
    return shown


def parse_arguments(verb: Verb, told: Mapping[str, Json]) -> dict[str, object]:
    """
    Return the arguments of a request as the verb takes them.

    Raises:
        InvalidInputError: one is unknown, missing, or not of its type.
    """
    check_depth(told)
    known = {one.name: one for one in options_of(verb)}
    for name in told:
        if name not in known:
            close = get_close_matches(name, known, n=1)
            hint = f"did you mean {close[0]}?" if close else f"it takes {', '.join(known)}"
            raise InvalidInputError(f"{verb.python} takes no {name[:60]!r}", hint=hint)
    missing = [one.name for one in known.values() if one.is_required and told.get(one.name) is None]
    if missing:
        hint = f"it takes {', '.join(known)}"
        raise InvalidInputError(f"{verb.python} needs {', '.join(missing)}", hint=hint)
    given = {name: value for name, value in told.items() if value is not None}
    return {name: _parse_value(known[name], value) for name, value in given.items()}


def _parse_value(option: Option, value: Json) -> object:
    if not option.is_many:
        return _parse_one(option, value)
    if not isinstance(value, list):
        raise _mismatch(option.name, "a list", value)
    return [_parse_one(option, item) for item in value]


def _parse_one(option: Option, value: Json) -> object:
    kind = option.kind
    if option.arg.rows:
        if not isinstance(value, dict):
            raise _mismatch(option.name, "a list of objects", value)
        return parse_arguments(VERBS[option.arg.rows], value)
    if isinstance(kind, type) and is_dataclass(kind):
        return _parse_object(option.name, kind, value)
    wanted, types = zip(*map(_type_of, kinds_of(option)), strict=True)
    if isinstance(value, float) and int in types and value.is_integer():
        return int(value)  # JSON has one kind of number.
    # To Python, `true` is a number too.
    if not isinstance(value, types) or (isinstance(value, bool) and bool not in types):
        raise _mismatch(option.name, " or ".join(dict.fromkeys(wanted)), value)
    return _parse_texts(option, value) if isinstance(value, list) else value


def _parse_texts(option: Option, value: Sequence[Json]) -> tuple[Json, ...]:
    """Return texts that belong together; how many they are is declared."""
    told = (get_args(one) for one in kinds_of(option) if get_origin(one) is tuple)
    length = max(map(len, told))
    if len(value) != length or not all(isinstance(one, str) for one in value):
        raise _mismatch(option.name, f"a list of {length} texts", [*value])
    return tuple(value)


def kinds_of(option: Option) -> Sequence[Any]:
    """Return the types that a value of *option* may have."""
    is_union = get_origin(option.kind) in (Union, UnionType)
    return get_args(option.kind) if is_union else (option.kind,)


def _type_of(kind: Any) -> tuple[str, Any]:  # noqa: ANN401 - a type
    """Return how people call values of a type, and what they are in JSON; most are text."""
    origin = get_origin(kind)
    if isinstance(origin, type) and issubclass(origin, Mapping):
        return "an object", dict
    if isinstance(origin, type) and issubclass(origin, tuple):
        return "a list", list
    return _TYPES.get(kind, ("a text", str))


_TYPES: Mapping[Any, tuple[str, Any]] = {
    bool: ("true or false", bool),
    int: ("a whole number", int),
    float: ("a number", (int, float)),
}


def _parse_object(name: str, kind: type, value: Json) -> object:
    """Return *value* as a dataclass of texts, numbers and flags."""
    if not isinstance(value, dict):
        raise _mismatch(name, "an object", value)
    known = {one.name: one for one in members_of(kind)}
    if unknown := [key for key in value if key not in known]:
        raise InvalidInputError(
            f"{name} takes no {unknown[0][:60]!r}", hint=f"it takes {', '.join(known)}"
        )
    told = {key: _parse_value(known[key], item) for key, item in value.items() if item is not None}
    if missing := [one.name for one in known.values() if one.is_required and one.name not in told]:
        raise InvalidInputError(f"{name} needs {', '.join(missing)}")
    made: object = kind(**told)
    return made


def _mismatch(name: str, wanted: str, value: Json) -> InvalidInputError:
    return InvalidInputError(f"{name} is {wanted}, not {str(value)[:40]!r}")
