"""
OpenAPI 3.1 of the verbs, from their declarations: a path for each, its arguments and answer.

Types are described as far as their annotations tell; what an annotation leaves open is open here.
"""

from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import fields, is_dataclass
from datetime import datetime, timedelta
from enum import Enum
from functools import cache
from pathlib import PurePath
from types import NoneType, UnionType
from typing import (
    Annotated,
    Any,
    Literal,
    NewType,
    TypeAlias,
    Union,
    get_args,
    get_origin,
    get_type_hints,
)

import tilth
from tilth.core.ids import Id
from tilth.core.verb import INTEGER_MAX, VERBS, Option, Verb, help_of, members_of
from tilth.interfaces.error_codes import OUTCOMES
from tilth.interfaces.http.call_verb import kinds_of, offered, options_of
from tilth.interfaces.http.legacy_api import ENDPOINTS

Schema: TypeAlias = dict[str, Any]
# What `Json` is made of, for the modules that mention it alone.
_NAMES: Mapping[str, Any] = {"Json": Any, "Sequence": Sequence, "Mapping": Mapping}
_ERROR: Schema = {"$ref": "#/components/schemas/Error"}
_SCALARS: Mapping[Any, Schema] = {
    bool: {"type": "boolean"},
    int: {"type": "integer"},
    float: {"type": "number"},
    datetime: {"type": "string", "format": "date-time"},
    NoneType: {"type": "null"},
}
_PART = r"[\w.@+-]+"
_SCOPE: Schema = {
    "type": "string",
    "maxLength": 120,
    "pattern": rf"^(global|unfiled|(project|domain|scratch):{_PART}(/{_PART}){{0,11}})$",
}
# A day is read as an instant too.
_ARGUMENTS: Mapping[Any, Schema] = {
    **_SCALARS,
    timedelta: {"type": "string", "pattern": "^[0-9]{1,5}[mhdw]$"},
}
# Refused before a verb is asked: no token, too large, no JSON, too often.
_REFUSED_EARLY = {
    401: "no valid token",
    413: "too large",
    415: "not JSON",
    429: "too many requests",
}


@cache
def openapi() -> Schema:
    """Return the description of everything under `/v1` and `/api`."""
    known = _Schemas()
    told = {f"/v1/{path}": verb for path, verb in offered().items()}
    told |= {f"/api/{name}": verb for name, verb in ENDPOINTS.items()}
    paths = {path: {"post": _operation(verb, known)} for path, verb in told.items()}
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "Tilth",
            "version": tilth.__version__,
            "description": "Every verb of `Brain`, under its Python name. See docs/reference.",
        },
        "security": [{"bearer": []}],
        "paths": paths,
        "components": {
            "securitySchemes": {"bearer": {"type": "http", "scheme": "bearer"}},
            "schemas": {"Error": _error_schema(), **known.schemas},
        },
    }


class _Schemas:
    """The classes met so far, each described once."""

    def __init__(self) -> None:
        self.schemas: dict[str, Schema] = {}

    def of(self, hint: Any) -> Schema:  # noqa: ANN401, PLR0911 - a type; a case for each kind
        """Describe what JSON a value of the type *hint* becomes."""
        if isinstance(hint, NewType):
            return self.of(hint.__supertype__)
        origin, args = get_origin(hint), get_args(hint)
        if origin is Annotated:
            return self.of(args[0])
        if origin in (Union, UnionType):
            return {"anyOf": [self.of(one) for one in args]}
        if origin is Literal:
            return {"enum": [*args]}
        if hint in _SCALARS:
            return dict(_SCALARS[hint])
        if isinstance(origin, type):
            return self._many(origin, args)
        return self._class(hint) if isinstance(hint, type) else {}

    def _many(self, origin: type, args: Sequence[Any]) -> Schema:
        if issubclass(origin, Mapping):
            return {"type": "object"}
        if issubclass(origin, tuple) and args[1:] != (...,):
            return {"type": "array"}
        if issubclass(origin, Sequence | AbstractSet):
            return {"type": "array", "items": self.of(args[0])}
        return {}

    def _class(self, cls: type) -> Schema:
        if issubclass(cls, Enum):
            return {"enum": [one.value for one in cls]}
        if issubclass(cls, str | PurePath):
            return {"type": "string"}
        if not is_dataclass(cls):
            return {"type": "object"} if issubclass(cls, Mapping) else {}
        name = cls.__name__
        if name not in self.schemas:
            self.schemas[name] = {}
            hints = get_type_hints(cls, localns=_NAMES, include_extras=True)
            members = {one.name: self.of(hints[one.name]) for one in fields(cls)}
            self.schemas[name] = {"type": "object", "required": [*members], "properties": members}
        return {"$ref": f"#/components/schemas/{name}"}


def _operation(verb: Verb, known: _Schemas) -> Schema:
    body = _object(options_of(verb))
    refused = {
        one.http_status: error.__doc__ or "" for error, one in OUTCOMES.items()
    } | _REFUSED_EARLY
    return {
        "operationId": verb.python,
        "summary": verb.summary,
        "description": verb.description,
        "tags": [verb.python.partition(".")[0]],
        "requestBody": {
            "required": "required" in body,
            "content": {"application/json": {"schema": body}},
        },
        "responses": {
            "200": {
                "description": "The answer.",
                "content": {"application/json": {"schema": _answer(verb, known)}},
            },
            **{str(status): _refusal(why) for status, why in sorted(refused.items())},
        },
    }


def _answer(verb: Verb, known: _Schemas) -> Schema:
    if verb.as_json is not None:
        return {}
    told = known.of(verb.returns)
    return {"type": "object", "properties": {verb.key: told}} if verb.key else told


def _argument(option: Option) -> Schema:
    one = _value(option)
    told: Schema = {"type": "array", "items": one} if option.is_many else one
    if not option.is_required:
        told = {"anyOf": [told, {"type": "null"}]}
    return told | {"description": help_of(option)}


def _value(option: Option) -> Schema:
    if option.choices:
        return {"enum": [*option.choices]}
    if option.arg.rows:
        return _object(options_of(VERBS[option.arg.rows]))
    if isinstance(option.kind, type) and is_dataclass(option.kind):
        return _object(members_of(option.kind))
    if option.name == "scope":
        return dict(_SCOPE)
    told = [_typed(kind, option) for kind in kinds_of(option)]
    return told[0] if len(told) == 1 else {"anyOf": told}


def _object(members: Sequence[Option]) -> Schema:
    told: Schema = {
        "type": "object",
        "additionalProperties": False,
        "properties": {one.name: _argument(one) for one in members},
    }
    if required := [one.name for one in members if one.is_required]:
        told["required"] = required
    return told


def _typed(kind: Any, option: Option) -> Schema:  # noqa: ANN401 - a type
    origin = get_origin(kind)
    if isinstance(origin, type) and issubclass(origin, Mapping):
        return {"type": "object"}
    if isinstance(origin, type) and issubclass(origin, tuple):
        length = len(get_args(kind))
        items = {"type": "string"}
        return {"type": "array", "items": items, "minItems": length, "maxItems": length}
    if isinstance(kind, type) and issubclass(kind, Id):
        # Crockford's alphabet; 26 characters hold 130 bits, and a ULID has 128.
        letters = "0-9A-HJKMNP-TV-Za-hjkmnp-tv-z"
        return {"type": "string", "pattern": f"^{kind.prefix}[0-7][{letters}]{{25}}$"}
    told = dict(_ARGUMENTS.get(kind, {"type": "string"}))
    if kind is int:
        least, most = option.arg.least, option.arg.most
        told["minimum"] = -INTEGER_MAX if least is None else least
        told["maximum"] = INTEGER_MAX if most is None else most
    return told


def _refusal(why: str) -> Schema:
    return {
        "description": why.partition("\n")[0],
        "content": {"application/json": {"schema": _ERROR}},
    }


def _error_schema() -> Schema:
    text = {"type": "string"}
    inner = {
        "type": "object",
        "required": ["code", "message", "hint"],
        "properties": {"code": text, "message": text, "hint": text},
    }
    return {"type": "object", "required": ["error"], "properties": {"error": inner}}
