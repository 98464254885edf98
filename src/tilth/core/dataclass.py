"""
Dataclasses that load in a fraction of the time.

The standard decorator compiles up to six functions for each class. A command makes some two hundred
classes before it does anything, and few instances of most. Here, functions that do not depend on
the fields are written once for all classes, and the others are compiled on first use; `__init__`
only after many instances (docs/adr/0024-start-up.md).

Instances behave like those of the standard decorator; `fields`, `replace` and `asdict` are the
standard library's. There is no `order`, and no `InitVar`.
"""

import dataclasses
import reprlib
from collections.abc import Callable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import MISSING, Field, FrozenInstanceError, fields
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

T = TypeVar("T")

_INDENT = "\n    "
# The number of instances after which a class gets a compiled `__init__`.
_COMPILED_AFTER = 24
# The marker for a parameter with a default factory, as signatures show it.
_FACTORY = type("_Factory", (), {"__repr__": lambda _: "<factory>"})()


def light_dataclass(
    cls: type[T] | None = None,
    /,
    *,
    eq: bool = True,
    frozen: bool = False,
    slots: bool = False,
    kw_only: bool = False,
) -> type[T] | Callable[[type[T]], type[T]]:
    """Make a dataclass of a class, as `dataclasses.dataclass` does."""

    def make(of: type[T]) -> type[T]:
        # Python sets `__hash__` to None beside an `__eq__`; that is not the author's.
        stated = {name for name, one in vars(of).items() if one is not None}
        # Without a docstring, `dataclass` would add the signature, for which it loads a tokenizer.
        of.__doc__ = of.__doc__ or of.__name__
        made = dataclasses.dataclass(
            init=False, repr=False, eq=False, slots=slots, kw_only=kw_only
        )(of)
        for name, method in _methods(made, eq=eq, frozen=frozen, slots=slots).items():
            if name not in stated:
                setattr(made, name, method)
        return made

    return make if cls is None else make(cls)


if TYPE_CHECKING:
    # For type checkers it is the standard decorator, which they know.
    from dataclasses import dataclass as dataclass  # noqa: PLC0414 - told to others
else:
    dataclass = light_dataclass


def _methods(cls: type, *, eq: bool, frozen: bool, slots: bool) -> dict[str, object]:
    methods: dict[str, object] = {"__init__": _Init(cls, is_frozen=frozen), "__repr__": _repr}
    if eq:
        methods["__eq__"] = _Late(cls, "__eq__", _eq)
        methods["__hash__"] = _Late(cls, "__hash__", _hash) if frozen else None
    if frozen:
        methods |= {"__setattr__": _refuse_to_set, "__delattr__": _refuse_to_delete}
    if frozen and slots:
        methods |= {"__getstate__": _state, "__setstate__": _restore}
    return methods


class _Late:
    """A descriptor that makes a method on first use, and then replaces itself by it."""

    __slots__ = ("_cls", "_make", "_name")

    def __init__(self, cls: type, name: str, make: Callable[[type], Any]) -> None:
        self._cls, self._name, self._make = cls, name, make

    def __get__(self, one: object, of: type | None = None) -> Any:  # noqa: ANN401 - the method
        made = self._make(self._cls)
        made.__qualname__ = f"{self._cls.__qualname__}.{self._name}"
        made.__module__ = self._cls.__module__
        setattr(self._cls, self._name, made)
        return made.__get__(one, of)


class _Init:
    """
    The `__init__` of a class, which fills its first instances without being compiled.

    Compiling one takes as long as filling some hundred instances.
    """

    __slots__ = ("_cls", "_fields", "_is_frozen", "_left")

    def __init__(self, cls: type, *, is_frozen: bool) -> None:
        self._cls: Any = cls
        self._is_frozen, self._left = is_frozen, _COMPILED_AFTER
        self._fields: _Fields | None = None

    def __get__(self, one: object, of: type | None = None) -> Any:  # noqa: ANN401 - the method
        self._left -= 1
        # Access through the class, for its signature.
        if one is None or self._left < 0:
            compiled = _Late(self._cls, "__init__", partial(_init, is_frozen=self._is_frozen))
            return compiled.__get__(one, of)
        return partial(self._fill, one)

    def _fill(self, one: Any, /, *args: object, **told: object) -> None:  # noqa: ANN401 - an instance
        known = self._fields = self._fields or _fields_of(self._cls)
        given = dict(zip(known.by_place, args, strict=False))
        given.update(told)
        if (
            len(given) < len(args) + len(told)
            or not given.keys() <= known.taken
            or not given.keys() >= known.needed
        ):
            # The compiled function raises the proper error.
            self._cls.__init__(one, *args, **told)
        values = {**known.defaults, **given}
        for name, make in known.factories.items():
            if name not in given:
                values[name] = make()
        put = object.__setattr__ if self._is_frozen else setattr
        for name in known.filled:
            put(one, name, values[name])
        if known.is_looked_over:
            one.__post_init__()


class _Fields(NamedTuple):
    """The fields of a class, by their treatment in `__init__`."""

    by_place: Sequence[str]
    taken: AbstractSet[str]
    needed: AbstractSet[str]
    defaults: Mapping[str, Any]
    factories: Mapping[str, Callable[[], Any]]
    filled: Sequence[str]
    is_looked_over: bool


def _fields_of(cls: type) -> _Fields:
    every = fields(cls)
    defaults = {one.name: one.default for one in every if one.default is not MISSING}
    factories = {
        one.name: one.default_factory for one in every if one.default_factory is not MISSING
    }
    taken = [one.name for one in every if one.init]
    unneeded = defaults.keys() | factories.keys()
    return _Fields(
        by_place=[one.name for one in every if one.init and not one.kw_only],
        taken=frozenset(taken),
        needed=frozenset(taken) - unneeded,
        defaults=defaults,
        factories=factories,
        filled=[one.name for one in every if one.init or one.name in unneeded],
        is_looked_over=hasattr(cls, "__post_init__"),
    )


def _init(cls: type, *, is_frozen: bool) -> Any:  # noqa: ANN401 - a function
    names: dict[str, Any] = {"_dc_set": object.__setattr__, "_dc_factory": _FACTORY}
    lines = [line for one in fields(cls) for line in _assigned(one, names, is_frozen=is_frozen)]
    if hasattr(cls, "__post_init__"):
        lines.append("self.__post_init__()")
    taken = [one for one in fields(cls) if one.init]
    first = [_parameter(one) for one in taken if not one.kw_only]
    last = [_parameter(one) for one in taken if one.kw_only]
    listed = ", ".join(["self", *first, *(["*", *last] if last else [])])
    made = _compiled(f"def __init__({listed}):{_INDENT}{_INDENT.join(lines or ['pass'])}", names)
    made.__annotations__ = {one.name: one.type for one in taken} | {"return": None}
    return made


def _compiled(text: str, names: dict[str, Any]) -> Any:  # noqa: ANN401 - a function
    exec(text, names)  # noqa: S102 - as the standard library does, of names in our own code
    return names[text[len("def ") : text.index("(")]]


def _parameter(one: Field[Any]) -> str:
    if one.default is not MISSING:
        return f"{one.name}=_dc_default_{one.name}"
    return one.name if one.default_factory is MISSING else f"{one.name}=_dc_factory"


def _assigned(one: Field[Any], names: dict[str, Any], *, is_frozen: bool) -> Sequence[str]:
    """Return the line that sets a field, and add the names it needs to *names*."""
    value = one.name
    if one.default_factory is not MISSING:
        names[f"_dc_new_{one.name}"] = one.default_factory
        value = f"_dc_new_{one.name}()"
        if one.init:
            value += f" if {one.name} is _dc_factory else {one.name}"
    elif one.default is not MISSING:
        names[f"_dc_default_{one.name}"] = one.default
        if not one.init:
            value = f"_dc_default_{one.name}"
    elif not one.init:
        return []
    return [f"_dc_set(self, {one.name!r}, {value})" if is_frozen else f"self.{one.name} = {value}"]


def _eq(cls: type) -> Any:  # noqa: ANN401 - a function
    names = [one.name for one in fields(cls) if one.compare]
    return _compiled(
        "def __eq__(self, other):"
        f"{_INDENT}if other.__class__ is self.__class__:"
        f"{_INDENT}    return {_tuple_of('self', names)} == {_tuple_of('other', names)}"
        f"{_INDENT}return NotImplemented",
        {},
    )


def _hash(cls: type) -> Any:  # noqa: ANN401 - a function
    counted = [one for one in fields(cls) if (one.compare if one.hash is None else one.hash)]
    listed = _tuple_of("self", [one.name for one in counted])
    return _compiled(f"def __hash__(self):{_INDENT}return hash({listed})", {})


def _tuple_of(owner: str, names: Sequence[str]) -> str:
    return f"({''.join(f'{owner}.{name},' for name in names)})"


@reprlib.recursive_repr()
def _repr(self: Any) -> str:  # noqa: ANN401 - an instance of any of the classes
    told = (f"{one.name}={getattr(self, one.name)!r}" for one in fields(self) if one.repr)
    return f"{type(self).__qualname__}({', '.join(told)})"


def _refuse_to_set(self: object, name: str, value: object) -> None:  # noqa: ARG001 - a method
    raise FrozenInstanceError(f"cannot assign to field {name!r}")


def _refuse_to_delete(self: object, name: str) -> None:  # noqa: ARG001 - a method
    raise FrozenInstanceError(f"cannot delete field {name!r}")


def _state(self: Any) -> list[Any]:  # noqa: ANN401 - an instance of any of the classes
    return [getattr(self, one.name) for one in fields(self)]


def _restore(self: Any, state: Sequence[Any]) -> None:  # noqa: ANN401 - likewise
    for one, value in zip(fields(self), state, strict=True):
        object.__setattr__(self, one.name, value)
