"""
Typed frozen dataclasses as JSON, and back: both ways are derived from their type hints.

A field is written under its own name. What equals its default is left out, so a field can be
added later without touching what is already written; whatever a reader does not know, it passes
over. Nobody checks that a text is a text: what a store accepted once must be readable for ever.

Where a payload differs from that, the field says so in its annotation:

    session_id: FromHeader[SessionId | None]        the session stands in the header, not here
    draft: Inline[GapDraft]                         its fields stand among those around it
    occurred_at: Annotated[datetime | None, Key("at")]
    evidence: tuple[Annotated[Evidence, Row(keeps=3)], ...]

Both ways are compiled once for a class, when it is written or read first.
"""

import functools
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import MISSING, Field, dataclass, field, fields, is_dataclass
from datetime import datetime
from enum import Enum
from operator import attrgetter
from types import NoneType, UnionType
from typing import Annotated, Any, Generic, NewType, TypeAlias, TypeVar, Union, get_args, get_origin

from tilth.core.ids import SessionId
from tilth.core.instant import from_micros, to_micros

T = TypeVar("T")
Payload: TypeAlias = dict[str, Any]
Convert: TypeAlias = Callable[[Any], Any]


class _Mark(Enum):
    """What a field says of its place in a payload."""

    INLINE = "inline"
    FROM_HEADER = "from header"
    UNWRITTEN = "unwritten"
    ALWAYS = "always"
    WHOLE = "whole"


# The fields of the value stand among those of the class that holds it.
Inline: TypeAlias = Annotated[T, _Mark.INLINE]
# The session of the header, which no payload repeats.
FromHeader: TypeAlias = Annotated[T, _Mark.FROM_HEADER]
# No part of the payload; it is read as its default.
Unwritten: TypeAlias = Annotated[T, _Mark.UNWRITTEN]
# Written even where it equals its default.
Always: TypeAlias = Annotated[T, _Mark.ALWAYS]
# An object with all of its fields, the defaults too.
Whole: TypeAlias = Annotated[T, _Mark.WHOLE]


@dataclass(frozen=True, slots=True)
class Key:
    """The name under which a field is written, where it is not its own."""

    name: str


@dataclass(frozen=True, slots=True)
class Absent:
    """What a payload without the field means, where the class itself has no default for it."""

    value: object


@dataclass(frozen=True, slots=True)
class Row:
    """
    The value is a list, in the order of its fields; defaults at its end are left out.

    At least `keeps` of them are written, or as many as have no default. True is 1.
    """

    keeps: int = 0


@dataclass(frozen=True, slots=True)
class Own:
    """Both ways of a field that is written under several keys."""

    write: Callable[[Any], Mapping[str, Any]]
    read: Callable[[Mapping[str, Any]], Any]


@dataclass(frozen=True, slots=True)
class Codec(Generic[T]):
    """Both ways between the instances of a class and their payloads."""

    write: Callable[[T], Payload]
    read: Callable[[Mapping[str, Any], SessionId | None], T]
    session: Callable[[T], SessionId | None]


@functools.cache
def codec_of(cls: type[T]) -> Codec[T]:
    """
    Return both ways between the instances of the dataclass *cls* and their payloads.

    Raises:
        TypeError: a field has a type that has no form in JSON, or two fields one key.
    """
    plan = _Plan(cls)
    plan.add(cls)
    return Codec(write=_writer(plan), read=_reader(plan), session=_session(plan))


@dataclass(frozen=True, slots=True)
class _Leaf:
    """A field that has a key of its own, wherever it stands."""

    path: str
    key: str
    default: Any
    write: Convert | None


@dataclass(frozen=True, slots=True)
class _Child:
    """A dataclass whose fields stand inline, and in which field of which other it is."""

    cls: type
    parent: int
    name: str


@dataclass(slots=True)
class _Plan:
    """A class and those inlined in it, laid out flat; each of them is a part, by its number."""

    cls: type
    leaves: list[_Leaf] = field(default_factory=list)
    keys: dict[str, tuple[int, str, Convert | None]] = field(default_factory=dict)
    given: list[Payload] = field(default_factory=list)
    children: list[_Child] = field(default_factory=list)
    headers: list[tuple[int, str, bool, str]] = field(default_factory=list)
    owns: list[tuple[int, str, str, Own]] = field(default_factory=list)

    def add(self, cls: type, prefix: str = "", *, is_whole: bool = False) -> None:
        """Lay out the fields of *cls*, which is found under *prefix*."""
        part = len(self.given)
        self.given.append({})
        for one in fields(cls):
            hint, marks = _split(one.type)
            path = prefix + one.name
            if _Mark.UNWRITTEN in marks:
                continue
            if _Mark.FROM_HEADER in marks:
                self.headers.append((part, one.name, NoneType in get_args(hint), path))
            elif _Mark.INLINE in marks:
                self.children.append(_Child(hint, part, one.name))
                self.add(hint, f"{path}.")
            elif own := next((mark for mark in marks if isinstance(mark, Own)), None):
                self.owns.append((part, one.name, path, own))
            else:
                self._add_leaf(part, one, path, is_whole=is_whole)

    def _add_leaf(self, part: int, one: Field[Any], path: str, *, is_whole: bool) -> None:
        hint, marks = _split(one.type)
        key = next((mark.name for mark in marks if isinstance(mark, Key)), one.name)
        if key in self.keys:
            raise TypeError(f"{self.cls.__name__} has two fields under the key {key!r}")
        try:
            write, read = _forms(one.type)
        except TypeError as error:
            raise TypeError(f"{self.cls.__name__}.{path}: {error}") from error
        default = one.default if one.default_factory is MISSING else one.default_factory()
        for mark in marks:
            if isinstance(mark, Absent):
                default = self.given[part][one.name] = mark.value
        if is_whole or _Mark.ALWAYS in marks:
            default = MISSING
        elif default is None and str in map(_plain, get_args(hint)):
            # An empty text names nothing either.
            default = ""
        self.keys[key] = (part, one.name, read)
        self.leaves.append(_Leaf(path, key, default, write))


def _writer(plan: _Plan) -> Callable[[Any], Payload]:
    always = [leaf for leaf in plan.leaves if leaf.default is MISSING]
    rest = [leaf for leaf in plan.leaves if leaf.default is not MISSING]
    always_of, always_keys = _getter(always), [leaf.key for leaf in always]
    converted = [(leaf.key, leaf.write) for leaf in always if leaf.write is not None]
    # An empty text, list or object equals its default, whatever type holds it.
    if_true = [leaf for leaf in rest if not leaf.default and leaf.default is not None]
    if_other = [leaf for leaf in rest if leaf.default or leaf.default is None]
    true_of, trues = _getter(if_true), [(leaf.key, leaf.write) for leaf in if_true]
    other_of = _getter(if_other)
    others = [(leaf.key, leaf.default, leaf.write) for leaf in if_other]
    owns = [(attrgetter(path), own.write) for _, _, path, own in plan.owns]

    def write(value: Any) -> Payload:  # noqa: ANN401 - an instance of the class
        payload = dict(zip(always_keys, always_of(value), strict=True))
        for key, convert in converted:
            payload[key] = convert(payload[key])
        for (key, maybe), one in zip(trues, true_of(value), strict=True):
            if one:
                payload[key] = one if maybe is None else maybe(one)
        for (key, default, maybe), one in zip(others, other_of(value), strict=True):
            if one is not None and one != default:
                payload[key] = one if maybe is None else maybe(one)
        for get, to_keys in owns:
            payload.update(to_keys(get(value)))
        return payload

    return write


def _getter(leaves: Sequence[_Leaf]) -> Callable[[Any], tuple[Any, ...]]:
    paths = [leaf.path for leaf in leaves]
    if len(paths) > 1:
        return attrgetter(*paths)
    one = attrgetter(*paths) if paths else None
    return lambda value: () if one is None else (one(value),)


def _reader(plan: _Plan) -> Callable[[Mapping[str, Any], SessionId | None], Any]:
    cls, given, keys = plan.cls, plan.given, plan.keys
    # What stands deepest is made first, since it is a value of the one around it.
    children = [(number, one.cls, one.parent, one.name) for number, one in enumerate(plan.children, 1)]
    children.reverse()
    headers = [(part, name, may_lack) for part, name, may_lack, _ in plan.headers]
    owns = [(part, name, own.read) for part, name, _, own in plan.owns]

    def read(payload: Mapping[str, Any], session: SessionId | None) -> Any:  # noqa: ANN401
        parts = [one.copy() for one in given]
        for key, value in payload.items():
            known = keys.get(key)
            if known is not None:
                part, name, convert = known
                parts[part][name] = value if convert is None else convert(value)
        for part, name, may_lack in headers:
            if session is None and not may_lack:
                raise ValueError("no session in the header")
            parts[part][name] = session
        for part, name, from_keys in owns:
            parts[part][name] = from_keys(payload)
        for number, child, part, name in children:
            parts[part][name] = child(**parts[number])
        return cls(**parts[0])

    return read


def _session(plan: _Plan) -> Callable[[Any], SessionId | None]:
    paths = [path for _, _, _, path in plan.headers]
    return attrgetter(*paths) if paths else lambda _: None


def _split(hint: Any) -> tuple[Any, tuple[Any, ...]]:  # noqa: ANN401 - an annotation
    """Return a type, and what is said of it."""
    if get_origin(hint) is Annotated:
        return hint.__origin__, hint.__metadata__
    return hint, ()


def _plain(hint: Any) -> Any:  # noqa: ANN401 - an annotation
    """Return the type that a new type or a subclass of text is at run time."""
    while isinstance(hint, NewType):
        hint = hint.__supertype__
    if isinstance(hint, type) and issubclass(hint, str) and not issubclass(hint, Enum):
        return str
    return hint


def _forms(annotation: Any) -> tuple[Convert | None, Convert | None]:  # noqa: ANN401, PLR0911
    """Return what a value of a type is written and read by; None where it is JSON as it is."""
    hint, marks = _split(annotation)
    hint = _plain(hint)
    origin, args = get_origin(hint), get_args(hint)
    if origin in {Union, UnionType}:
        return _forms_of_maybe(args)
    if origin is tuple:
        return _forms_of_many(args[0]) if args[1:] == (...,) else _forms_of_each(args)
    if isinstance(origin, type) and issubclass(origin, Mapping):
        return dict, None
    if is_dataclass(hint):
        row = next((mark for mark in marks if isinstance(mark, Row)), None)
        if row is not None:
            return _forms_of_row(hint, row)
        plan = _Plan(hint)
        plan.add(hint, is_whole=_Mark.WHOLE in marks)
        read = _reader(plan)
        return _writer(plan), lambda value: read(value, None)
    if isinstance(hint, type) and issubclass(hint, Enum):
        return (None if issubclass(hint, str) else attrgetter("value")), _Members(hint).__getitem__
    if hint in _SCALARS:
        return _SCALARS[hint]
    raise TypeError(f"{annotation!r} has no form in JSON")


_SCALARS: Mapping[type, tuple[Convert | None, Convert | None]] = {
    str: (None, None),
    float: (None, None),
    int: (None, int),
    bool: (None, bool),
    datetime: (to_micros, from_micros),
}


class _Members(dict[object, Enum]):
    """The members of an enumeration by their values; it says in words which it does not have."""

    def __init__(self, members: type[Enum]) -> None:
        super().__init__((one.value, one) for one in members)
        self._members = members

    def __missing__(self, value: object) -> Enum:
        return self._members(value)


def _forms_of_maybe(args: tuple[Any, ...]) -> tuple[Convert | None, Convert | None]:
    told = {_plain(one) for one in args if one is not NoneType}
    if len(told) != 1:
        raise TypeError(f"one of {told} has no form in JSON")
    write, read = _forms(told.pop())
    return (
        write and (lambda value: None if value is None else write(value)),
        read and (lambda value: None if value is None else read(value)),
    )


def _forms_of_many(each: Any) -> tuple[Convert | None, Convert | None]:  # noqa: ANN401
    write, read = _forms(each)
    return (
        write and (lambda values: list(map(write, values))),
        (lambda values: tuple(map(read, values))) if read else tuple,
    )


def _forms_of_each(args: tuple[Any, ...]) -> tuple[Convert | None, Convert | None]:
    writes, reads = zip(*map(_forms, args), strict=True)

    def through(converts: Sequence[Convert | None], values: Sequence[Any]) -> tuple[Any, ...]:
        pairs = zip(converts, values, strict=True)
        return tuple(one if convert is None else convert(one) for convert, one in pairs)

    return (
        functools.partial(through, writes) if any(writes) else None,
        functools.partial(through, reads),
    )


def _forms_of_row(cls: type, row: Row) -> tuple[Convert, Convert]:
    ours = fields(cls)
    names = [one.name for one in ours]
    forms = [_forms_in_row(one.type) for one in ours]
    writes = [(place, write) for place, (write, _) in enumerate(forms) if write is not None]
    reads = [(place, read) for place, (_, read) in enumerate(forms) if read is not None]
    defaults = [one.default for one in ours]
    keeps, values_of = max(row.keeps, defaults.count(MISSING)), attrgetter(*names)

    def write(value: Any) -> list[Any]:  # noqa: ANN401 - an instance of the class
        values = list(values_of(value))
        while len(values) > keeps and values[-1] == defaults[len(values) - 1]:
            values.pop()
        for place, convert in writes:
            if place < len(values):
                values[place] = convert(values[place])
        return values

    def read(values: Sequence[Any]) -> Any:  # noqa: ANN401 - an instance of the class
        if not keeps <= len(values) <= len(names):
            raise ValueError(f"a row of {len(values)} values, not {len(names)}")
        told = dict(zip(names, values, strict=False))
        for place, convert in reads:
            if place < len(values):
                told[names[place]] = convert(values[place])
        return cls(**told)

    return write if writes or keeps < len(names) else values_of, read


def _forms_in_row(hint: Any) -> tuple[Convert | None, Convert | None]:  # noqa: ANN401
    return (int, bool) if hint is bool else _forms(hint)
