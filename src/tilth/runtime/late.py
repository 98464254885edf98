"""
Objects that are made, and modules that load, when something of them is first asked for.

Most of what a brain is made of is never asked for in a run, and some of it takes as long to load
as all that is asked for.
"""

import sys
import threading
from collections.abc import Callable
from importlib import import_module
from types import ModuleType
from typing import Any, Generic, TypeVar, cast

T = TypeVar("T")


class _Late(Generic[T]):
    """Stands for an object; each of its attributes is the object's."""

    def __init__(self, make: Callable[[], T]) -> None:
        self._make = make
        self._made: list[T] = []
        self._lock = threading.Lock()

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401 - the object's
        if not self._made:
            with self._lock:
                if not self._made:
                    self._made.append(self._make())
        return getattr(self._made[0], name)


def late(make: Callable[[], T]) -> T:
    """Return what stands for the object that *make* returns, which is called once, or never."""
    return cast("T", _Late(make))


def made(one: T) -> T | None:
    """Return *one*, or what it stands for; None if that was never made."""
    if isinstance(one, _Late):
        return one._made[0] if one._made else None  # noqa: SLF001 - the two are one
    return one


# What the standard library imports for what few commands do: to read signatures, to tell where an
# error came from, to wrap help, to read addresses of hosts, to match names of files.
SELDOM = ("fnmatch", "inspect", "ipaddress", "ntpath", "textwrap", "traceback")


class _LateModule(ModuleType):
    """Stands for a module that was imported, and loads it when something of it is asked for."""

    def __getattr__(self, name: str) -> Any:  # type: ignore[explicit-override] # noqa: ANN401 - the module's
        # Its name is free then for the import, which threads wait for as for any.
        if sys.modules.get(self.__name__) is self:
            del sys.modules[self.__name__]
        return getattr(import_module(self.__name__), name)


def load_late(*names: str) -> None:
    """Have modules that nobody imported load when something of them is asked for."""
    for name in names:
        sys.modules.setdefault(name, _LateModule(name))
