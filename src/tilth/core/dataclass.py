"""
Dataclasses that load in a fraction of the time.

The standard decorator compiles up to six functions for a class when the class is made. A command
makes some two hundred classes before it does anything, and calls few of those functions. Here the
functions that need not know the fields are written once for all, and the others are compiled when
they are first asked for (docs/adr/0024-start-up.md).

Instances behave as those of the standard decorator do; `fields`, `replace` and `asdict` are the
standard library's. There is no `order`, and no `InitVar`.
"""

import dataclasses
import reprlib
from collections.abc import Callable, Sequence
from dataclasses import MISSING, Field, FrozenInstanceError, fields
from typing import TYPE_CHECKING, Any, TypeVar

T = TypeVar("T")

_INDENT = "\n    "
# What a parameter stands at whose default is made anew for each instance, and how that reads.
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
        # Python sets `__hash__` to None beside an `__eq__`: nobody stated that.
        stated = {name for name, one in vars(of).items() if one is not None}
        # To a class without words it gives its signature, for which it loads a tokenizer.
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
    # To whatever reads types it is the one that it knows.
    from dataclasses import dataclass as dataclass  # noqa: PLC0414 - told to others
else:
    dataclass = light_dataclass


def _methods(cls: type, *, eq: bool, frozen: bool, slots: bool) -> dict[str, object]:
    methods: dict[str, object] = {
        "__init__": _Compiled(cls, "__init__", lambda: _init(cls, frozen=frozen)),
        "__repr__": _repr,
    }
    if eq:
        methods["__eq__"] = _Compiled(cls, "__eq__", lambda: _eq(cls))
        methods["__hash__"] = _Compiled(cls, "__hash__", lambda: _hash(cls)) if frozen else None
    if frozen:
        methods |= {"__setattr__": _refuse_to_set, "__delattr__": _refuse_to_delete}
    if frozen and slots:
        methods |= {"__getstate__": _state, "__setstate__": _restore}
    return methods


class _Compiled:
    """Stands for a method of a class until it is asked for, and then puts it in its own place."""

    __slots__ = ("_cls", "_name", "_write")

    def __init__(self, cls: type, name: str, write: Callable[[], "_Written"]) -> None:
        self._cls, self._name, self._write = cls, name, write

    def __get__(self, one: object, of: type | None = None) -> Any:  # noqa: ANN401 - the method
        text, names = self._write()
        exec(text, names)  # noqa: S102 - as the standard library does, of names in our own code
        made = names[self._name]
        made.__qualname__ = f"{self._cls.__qualname__}.{self._name}"
        made.__module__ = self._cls.__module__
        if self._name == "__init__":
            made.__annotations__ = _taken(self._cls)
        setattr(self._cls, self._name, made)
        return made.__get__(one, of)


_Written = tuple[str, dict[str, Any]]


def _init(cls: type, *, frozen: bool) -> _Written:
    names: dict[str, Any] = {"_dc_set": object.__setattr__, "_dc_factory": _FACTORY}
    lines = [line for one in fields(cls) for line in _assigned(one, names, frozen=frozen)]
    if hasattr(cls, "__post_init__"):
        lines.append("self.__post_init__()")
    taken = [one for one in fields(cls) if one.init]
    first = [_parameter(one) for one in taken if not one.kw_only]
    last = [_parameter(one) for one in taken if one.kw_only]
    listed = ", ".join(["self", *first, *(["*", *last] if last else [])])
    return f"def __init__({listed}):{_INDENT}{_INDENT.join(lines or ['pass'])}", names


def _parameter(one: Field[Any]) -> str:
    if one.default is not MISSING:
        return f"{one.name}=_dc_default_{one.name}"
    return one.name if one.default_factory is MISSING else f"{one.name}=_dc_factory"


def _assigned(one: Field[Any], names: dict[str, Any], *, frozen: bool) -> Sequence[str]:
    """Return the line that sets a field, and add to *names* what it needs."""
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
    return [f"_dc_set(self, {one.name!r}, {value})" if frozen else f"self.{one.name} = {value}"]


def _taken(cls: type) -> dict[str, Any]:
    return {one.name: one.type for one in fields(cls) if one.init} | {"return": None}


def _eq(cls: type) -> _Written:
    names = [one.name for one in fields(cls) if one.compare]
    return (
        "def __eq__(self, other):"
        f"{_INDENT}if other.__class__ is self.__class__:"
        f"{_INDENT}    return {_tuple_of('self', names)} == {_tuple_of('other', names)}"
        f"{_INDENT}return NotImplemented"
    ), {}


def _hash(cls: type) -> _Written:
    counted = [one for one in fields(cls) if (one.compare if one.hash is None else one.hash)]
    listed = _tuple_of("self", [one.name for one in counted])
    return f"def __hash__(self):{_INDENT}return hash({listed})", {}


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
