"""
Convert typed frozen dataclasses to JSON and back, by their type hints.

A field is written under its own name. What equals its default is left out, so a field can be added
later without touching what is already written; whatever a reader does not know, it passes over.
Nobody checks that a text is a text: what a store accepted once must be readable for ever.

Where a payload differs from that, the field says so in its annotation:

    session_id: FromHeader[SessionId | None]        the session stands in the header, not here
    draft: Inline[GapDraft]                         its fields stand among those around it
    occurred_at: Annotated[datetime | None, Key("at")]
    evidence: tuple[Annotated[Evidence, Row(keeps=3)], ...]

Both ways are compiled once for a class, when it is written or read first.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import MISSING, Field, field, fields, is_dataclass
from datetime import datetime
from enum import Enum
from operator import attrgetter
from types import NoneType, UnionType
from typing import Annotated, Any, Generic, NewType, TypeAlias, TypeVar, Union, get_args, get_origin

from tilth.core.dataclass import dataclass
from tilth.core.ids import SessionId
from tilth.core.instant import from_micros, to_micros

T = TypeVar("T")
Payload: TypeAlias = dict[str, Any]
Convert: TypeAlias = Callable[[Any], Any]
Read: TypeAlias = Callable[[Payload, SessionId | None], Any]


class _Mark(Enum):
    """A mark on a field's annotation for its place in a payload."""

    INLINE = "inline"
    FROM_HEADER = "from header"
    UNWRITTEN = "unwritten"
    ALWAYS = "always"
    WHOLE = "whole"


# The fields of the value stand among those of the class that contains it.
Inline: TypeAlias = Annotated[T, _Mark.INLINE]
# The session is in the header, and no payload repeats it.
FromHeader: TypeAlias = Annotated[T, _Mark.FROM_HEADER]
# Not in the payload; read as its default.
Unwritten: TypeAlias = Annotated[T, _Mark.UNWRITTEN]
# Written even if it equals its default.
Always: TypeAlias = Annotated[T, _Mark.ALWAYS]
# An object with all of its fields, including defaults.
Whole: TypeAlias = Annotated[T, _Mark.WHOLE]


@dataclass(frozen=True, slots=True, eq=False)
class Key:
    """The key of a field, where it is not the field's name."""

    name: str


@dataclass(frozen=True, slots=True, eq=False)
class Absent:
    """The value for a payload without the field, where the class has no default for it."""

    value: object


@dataclass(frozen=True, slots=True, eq=False)
class Row:
    """
    The value is a list in the order of its fields; defaults at its end are left out.

    At least `keeps` of them are written, or as many as have no default. True is 1.
    """

    keeps: int = 0


@dataclass(frozen=True, slots=True, eq=False)
class Own:
    """The pair of functions for a field that is written under several keys."""

    write: Callable[[Any], Mapping[str, Any]]
    read: Callable[[Mapping[str, Any]], Any]


@dataclass(frozen=True, slots=True)
class Codec(Generic[T]):
    """
    The pair of functions between instances of a class and their payloads.

    Reading consumes the payload; the session is that of its header.
    """

    write: Callable[[T], Payload]
    read: Callable[[Payload, SessionId | None], T]
    session: Callable[[T], SessionId | None]


_CODECS: dict[type, Codec[Any]] = {}


def codec_of(cls: type[T]) -> Codec[T]:
    """
    Return the codec of the dataclass *cls*.

    Raises:
        TypeError: a field has a type without a JSON form, or two fields have one key.
    """
    if (known := _CODECS.get(cls)) is None:
        plan = _plan_of(cls)
        paths = [path for _, _, _, path in plan.headers]
        session = attrgetter(paths[0]) if paths else lambda _: None
        known = Codec(write=_writer(plan), read=_reader(plan), session=session)
        _CODECS[cls] = known
    return known


@dataclass(frozen=True, slots=True)
class _Leaf:
    """A field with a key of its own, at any depth."""

    path: str
    key: str
    default: Any
    write: Convert | None


@dataclass(frozen=True, slots=True)
class _Child:
    """A dataclass whose fields stand inline, and the field that contains it."""

    cls: type
    parent: int
    name: str


@dataclass(slots=True)
class _Plan:
    """A class with those inlined in it, laid out flat; each of them is a part, with a number."""

    cls: type
    leaves: list[_Leaf] = field(default_factory=list)
    keys: dict[str, tuple[int, str, Convert | None]] = field(default_factory=dict)
    given: list[Payload] = field(default_factory=list)
    children: list[_Child] = field(default_factory=list)
    headers: list[tuple[int, str, bool, str]] = field(default_factory=list)
    owns: list[tuple[int, str, str, Own]] = field(default_factory=list)

    def add(self, cls: type, prefix: str = "", *, is_whole: bool = False) -> None:
        """Lay out the fields of *cls*, whose value is at *prefix*."""
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


def _plan_of(cls: type, *, is_whole: bool = False) -> _Plan:
    plan = _Plan(cls)
    plan.add(cls, is_whole=is_whole)
    return plan


def _writer(plan: _Plan) -> Callable[[Any], Payload]:
    owns = [(attrgetter(path), own.write) for _, _, path, own in plan.owns]
    plain = _writer_of_leaves(plan.leaves)

    def write(value: Any) -> Payload:  # noqa: ANN401 - an instance of the class
        payload = plain(value)
        for get, to_keys in owns:
            payload.update(to_keys(get(value)))
        return payload

    return write if owns else plain


def _writer_of_leaves(leaves: Sequence[_Leaf]) -> Callable[[Any], Payload]:
    always = [leaf for leaf in leaves if leaf.default is MISSING]
    rest = [leaf for leaf in leaves if leaf.default is not MISSING]
    # An empty text, list or object equals its default, whatever its type.
    empty = [leaf for leaf in rest if not leaf.default and leaf.default is not None]
    other = [leaf for leaf in rest if leaf.default or leaf.default is None]
    always_of, empty_of, other_of = map(_getter, (always, empty, other))
    keys, converted = [leaf.key for leaf in always], [leaf for leaf in always if leaf.write]
    if_true = [(leaf.key, leaf.write or _same) for leaf in empty]
    if_other = [(leaf.key, leaf.default, leaf.write or _same) for leaf in other]

    # Keys and values are equally many by construction; every append comes through here.
    def write(value: Any) -> Payload:  # noqa: ANN401 - an instance of the class
        payload = dict(zip(keys, always_of(value)))  # noqa: B905
        for leaf in converted:
            payload[leaf.key] = (leaf.write or _same)(payload[leaf.key])
        for (key, convert), one in zip(if_true, empty_of(value)):  # noqa: B905
            if one:
                payload[key] = convert(one)
        for (key, default, convert), one in zip(if_other, other_of(value)):  # noqa: B905
            if one is not None and one != default:
                payload[key] = convert(one)
        return payload

    return write


def _same(value: Any) -> Any:  # noqa: ANN401 - JSON as it is
    return value


def _getter(leaves: Sequence[_Leaf]) -> Callable[[Any], tuple[Any, ...]]:
    paths = [leaf.path for leaf in leaves]
    if len(paths) > 1:
        return attrgetter(*paths)
    if not paths:
        return lambda _: ()
    one = attrgetter(paths[0])
    return lambda value: (one(value),)


def _reader(plan: _Plan) -> Read:
    cls, ours = plan.cls, fields(plan.cls)
    if len(plan.given) == 1 and not plan.owns:
        return _reader_of_one(plan)
    if len(ours) == len(plan.children) == 1 and not ours[0].kw_only:
        inner = _reader(_plan_of(plan.children[0].cls))
        return lambda payload, session: cls(inner(payload, session))
    return _reader_of_several(plan)


def _reader_of_one(plan: _Plan) -> Read:
    """Return a reader for a class without inlined ones, whose arguments are the parsed payload."""
    cls, given, known = plan.cls, plan.given[0], plan.keys.keys()
    reads = [(key, read) for key, (_, _, read) in plan.keys.items() if read is not None]
    renamed = [(key, name) for key, (_, name, _) in plan.keys.items() if name != key]
    headers = [(name, may_lack) for _, name, may_lack, _ in plan.headers]

    def read(payload: Payload, session: SessionId | None) -> Any:  # noqa: ANN401
        if payload.keys() <= known:
            told = payload
        else:
            told = {key: value for key, value in payload.items() if key in known}
        for key, convert in reads:
            if key in told:
                told[key] = convert(told[key])
        for key, name in renamed:
            if key in told:
                told[name] = told.pop(key)
        for name, may_lack in headers:
            told[name] = _checked(session, may_lack=may_lack)
        return cls(**(given | told if given else told))

    return read


def _reader_of_several(plan: _Plan) -> Read:
    cls, given, keys = plan.cls, plan.given, plan.keys
    # The deepest are made first, since they are values of those around them.
    children = [
        (number, one.cls, one.parent, one.name) for number, one in enumerate(plan.children, 1)
    ]
    children.reverse()
    headers = [(part, name, may_lack) for part, name, may_lack, _ in plan.headers]
    owns = [(part, name, own.read) for part, name, _, own in plan.owns]

    def read(payload: Payload, session: SessionId | None) -> Any:  # noqa: ANN401
        parts = [one.copy() for one in given]
        for key, value in payload.items():
            if key in keys:
                part, name, convert = keys[key]
                parts[part][name] = value if convert is None else convert(value)
        for part, name, may_lack in headers:
            parts[part][name] = _checked(session, may_lack=may_lack)
        for part, name, from_keys in owns:
            parts[part][name] = from_keys(payload)
        for number, child, part, name in children:
            parts[part][name] = child(**parts[number])
        return cls(**parts[0])

    return read


def _checked(session: SessionId | None, *, may_lack: bool) -> SessionId | None:
    if session is None and not may_lack:
        raise ValueError("no session in the header")
    return session


def _split(hint: Any) -> tuple[Any, tuple[Any, ...]]:  # noqa: ANN401 - an annotation
    """Return a type, and its annotations."""
    if get_origin(hint) is Annotated:
        return hint.__origin__, hint.__metadata__
    return hint, ()


def _plain(hint: Any) -> Any:  # noqa: ANN401 - an annotation
    """Return the run-time type of a new type or a subclass of text."""
    while isinstance(hint, NewType):
        hint = hint.__supertype__
    if isinstance(hint, type) and issubclass(hint, str) and not issubclass(hint, Enum):
        return str
    return hint


def _forms(annotation: Any) -> tuple[Convert | None, Convert | None]:  # noqa: ANN401, PLR0911
    """Return the functions that write and read a type; None where its values are JSON."""
    hint, marks = _split(annotation)
    hint = _plain(hint)
    origin, args = get_origin(hint), get_args(hint)
    if origin in {Union, UnionType}:
        return _forms_of_maybe(args)
    if origin is tuple:
        return _forms_of_tuple(args)
    if isinstance(origin, type) and issubclass(origin, Mapping):
        return dict, None
    if isinstance(hint, type) and is_dataclass(hint):
        row = next((mark for mark in marks if isinstance(mark, Row)), None)
        if row is not None:
            return _forms_of_row(hint, row)
        plan = _plan_of(hint, is_whole=_Mark.WHOLE in marks)
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
    """The members of an enumeration by value; an unknown value raises a readable error."""

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


def _forms_of_tuple(args: tuple[Any, ...]) -> tuple[Convert | None, Convert | None]:
    """Return those of a tuple of any length, or with a type for each place."""
    if args[1:] == (...,):
        write, read = _forms(args[0])
        return (
            write and (lambda values: list(map(write, values))),
            (lambda values: tuple(map(read, values))) if read else tuple,
        )
    writes, reads = zip(*map(_forms, args), strict=True)
    return _through(writes) if any(writes) else None, _through(reads)


def _through(converts: Sequence[Convert | None]) -> Convert:
    converted = [(place, convert) for place, convert in enumerate(converts) if convert is not None]

    def through(row: Sequence[Any]) -> tuple[Any, ...]:
        if len(row) != len(converts):
            raise ValueError(f"a row of {len(row)} values, not {len(converts)}")
        values = list(row)
        for place, convert in converted:
            values[place] = convert(values[place])
        return tuple(values)

    return through


def _forms_of_row(cls: type, row: Row) -> tuple[Convert, Convert]:
    ours = fields(cls)
    forms = [(int, bool) if one.type is bool else _forms(one.type) for one in ours]
    keeps = max(row.keeps, sum(one.default is MISSING for one in ours))
    writes, reads = zip(*forms, strict=True)
    return _row_writer(ours, writes, keeps), _row_reader(cls, reads, keeps)


def _row_writer(
    ours: Sequence[Field[Any]], writes: Sequence[Convert | None], keeps: int
) -> Convert:
    values_of, defaults = attrgetter(*[one.name for one in ours]), [one.default for one in ours]
    converted = [(place, convert) for place, convert in enumerate(writes) if convert is not None]

    def write(value: Any) -> list[Any]:  # noqa: ANN401 - an instance of the class
        values = list(values_of(value))
        while len(values) > keeps and values[-1] == defaults[len(values) - 1]:
            values.pop()
        for place, convert in converted:
            if place < len(values):
                values[place] = convert(values[place])
        return values

    return write


def _row_reader(cls: type, reads: Sequence[Convert | None], keeps: int) -> Convert:
    ours = fields(cls)
    converted = [(place, convert) for place, convert in enumerate(reads) if convert is not None]
    names = [one.name for one in ours] if any(one.kw_only for one in ours) else ()

    def read(row: Sequence[Any]) -> Any:  # noqa: ANN401 - an instance of the class
        count = len(row)
        if not keeps <= count <= len(ours):
            raise ValueError(f"a row of {count} values, not {len(ours)}")
        values = list(row)
        for place, convert in converted:
            if place < count:
                values[place] = convert(values[place])
        return cls(**dict(zip(names, values, strict=False))) if names else cls(*values)

    return read
