"""
Make objects and load modules when they are first used.

Most parts of a brain are never used in a run, and some take as long to load as all the used ones.
"""

import sys
import threading
from collections.abc import Callable
from importlib import import_module
from types import ModuleType
from typing import Any, Generic, TypeVar, cast

T = TypeVar("T")


class _LazyObject(Generic[T]):
    """A proxy whose attributes are those of an object made on first use."""

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


def lazy(make: Callable[[], T]) -> T:
    """Return a proxy for the object that *make* returns; *make* is called at most once."""
    return cast("T", _LazyObject(make))


def made_object(one: T) -> T | None:
    """Return the object behind a proxy, or *one* itself; None if it was never made."""
    if isinstance(one, _LazyObject):
        return one._made[0] if one._made else None  # noqa: SLF001 - the two are one
    return one


# Modules of the standard library that it imports for rare uses: reading signatures, tracing errors,
# wrapping help, parsing addresses, matching file names.
RARELY_USED = ("fnmatch", "inspect", "ipaddress", "ntpath", "textwrap", "traceback")


class _LazyModule(ModuleType):
    """A proxy for a module, which is imported on first use."""

    def __getattr__(self, name: str) -> Any:  # type: ignore[explicit-override] # noqa: ANN401 - the module's
        # The name must be free for the import, for which other threads wait as usual.
        if sys.modules.get(self.__name__) is self:
            del sys.modules[self.__name__]
        return getattr(import_module(self.__name__), name)


def import_lazily(*names: str) -> None:
    """Make modules that are not imported yet load on first use."""
    for name in names:
        sys.modules.setdefault(name, _LazyModule(name))
