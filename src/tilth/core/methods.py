"""
Make declared verbs methods of an object, with signatures and docstrings; each loads on use.

Type checkers and editors read `tilth/runtime/methods.pyi`, which is generated.
"""

from collections.abc import Callable, Mapping, Sequence
from importlib import import_module
from typing import Any, NoReturn, TypeAlias

from tilth.core.verb import VERBS, Caller, Verb


class Methods:
    """
    The verbs as methods, by the part of their Python name before the dot.

    Modules that declare verbs load when one of theirs is asked for.
    """

    _caller: Caller
    _names: Mapping[str, str]

    def _run(self, verb: Verb, args: Sequence[object], told: Mapping[str, object]) -> object:
        """Run a verb with the arguments of a call."""
        return verb.method(self._caller, args, told)

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401 - typed by the stub
        """Return a verb, or the verbs of a noun."""
        found = bind_verb(name, self._names, self._run) if not name.startswith("_") else None
        if found is None:
            told = f"{type(self).__name__!r} has no attribute {name!r}"
            if not name.startswith("_"):
                told += f"; it has {', '.join(one for one in dir(self) if one[0] != '_')}"
            # With both, Python suggests the name with nearly this spelling.
            raise AttributeError(told, name=name, obj=self)
        self.__dict__[name] = found
        return found

    def __dir__(self) -> list[str]:  # type: ignore[explicit-override] # `typing.override` came with Python 3.12
        """Name the verbs too, loaded or not."""
        return sorted({*super().__dir__(), *(name.partition(".")[0] for name in self._names)})


_Run: TypeAlias = Callable[[Verb, Sequence[object], Mapping[str, object]], object]


def bind_verb(name: str, names: Mapping[str, str], run: _Run) -> object | None:
    """
    Return the method of a verb, or an object with the methods of a noun.

    *names* maps each verb's Python name to its module; *run* runs one.
    """
    if name in names:
        return _method(load_verb(name, names[name]), run)
    inner = {full: module for full, module in names.items() if full.startswith(f"{name}.")}
    if not inner:
        return None
    methods = {
        full.partition(".")[2]: _method(load_verb(full, module), run)
        for full, module in inner.items()
    }
    return _Namespace(name, methods)


class _Namespace:
    """The verbs of a noun."""

    def __init__(self, name: str, methods: Mapping[str, object]) -> None:
        self.__dict__.update(methods)
        self.__doc__ = f"The verbs of {name}: {', '.join(sorted(methods))}."
        self._noun = name

    def __getattr__(self, name: str) -> NoReturn:
        """Say which verbs there are."""
        verbs = ", ".join(sorted(one for one in self.__dict__ if not one.startswith("_")))
        told = f"brain.{self.__dict__.get('_noun', '')} has no {name!r}; it has {verbs}"
        raise AttributeError(told, name=name, obj=self)

    def __call__(self, *_args: object, **_told: object) -> NoReturn:
        """Say that one of its verbs is meant."""
        verbs = ", ".join(sorted(one for one in self.__dict__ if not one.startswith("_")))
        raise TypeError(f"brain.{self._noun} is no verb itself; call one of its own: {verbs}")

    def __repr__(self) -> str:  # type: ignore[explicit-override] # likewise
        return f"<{self.__doc__}>"


def load_verb(name: str, module: str) -> Verb:
    """Return the verb of a Python name, which *module* declares."""
    if name not in VERBS:
        import_module(module)
    return VERBS[name]


def _method(of: Verb, run: _Run) -> Callable[..., object]:
    from inspect import Parameter  # noqa: PLC0415 - for who reads signatures

    def method(*args: object, **told: object) -> object:
        return run(of, args, told)

    parameters = [
        one
        for one in list(of.signature.parameters.values())[1:]
        if one.kind is not Parameter.VAR_KEYWORD
    ]
    named = {one.name for one in parameters}
    parameters += [
        Parameter(one.name, Parameter.KEYWORD_ONLY, default=one.default, annotation=one.kind)
        for one in of.options
        if one.name not in named
    ]
    name = of.python.rpartition(".")[2]
    method.__name__, method.__qualname__ = name, f"Brain.{of.python}"
    method.__module__, method.__doc__ = of.module, of.doc
    method.__signature__ = of.signature.replace(parameters=parameters)  # type: ignore[attr-defined] # what `inspect` and `help` read
    return method
