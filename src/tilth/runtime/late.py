"""
Objects that are made when something of them is first asked for.

Most of what a brain is made of is never asked for in a run, and some of it takes as long to load
as all that is asked for.
"""

import threading
from collections.abc import Callable
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
