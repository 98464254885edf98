"""
Patterns that were compiled before, kept beside the byte code of this module.

Python keeps what it compiles of modules, and not what it compiles of patterns; those of a brief
take a fifth of its CPU time. They are kept where and when Python keeps byte code, as
`PYTHONDONTWRITEBYTECODE` and `PYTHONPYCACHEPREFIX` say, for the same Python alone. Whatever is not
kept, or cannot be read, is compiled.
"""

import atexit
import marshal
import re
import sys
from contextlib import suppress
from functools import cache
from importlib import import_module
from typing import Any

_LOADER: Any = __spec__.loader
# Of another Python the code of patterns, and what is a letter, may be others.
_PYTHON = sys.version
# Our code declares half as many: what is more is of code that was replaced.
_KEPT_MAX = 2_000

# What `_sre.compile` is told, by what `re.compile` is.
_new: dict[tuple[str | bytes, int], bytes] = {}


def compiled(text: str | bytes, flags: int) -> re.Pattern[Any]:
    """
    Return what `re.compile(text, flags)` returns.

    Args:
        text: A pattern that the code declares; nobody's own words, since it is kept.
        flags: Its flags.
    """
    if sys.implementation.name != "cpython":
        return re.compile(text, flags)
    told = (text, int(flags))
    parts = _kept().get(told)
    if parts is None:
        parts = _new[told] = marshal.dumps(_parts(*told))
    # As far to be trusted as the byte code beside it, which Python reads likewise.
    made: re.Pattern[Any] = import_module("_sre").compile(text, *marshal.loads(parts))  # noqa: S302
    return made


def _parts(text: str | bytes, flags: int) -> Any:  # noqa: ANN401 - a tuple of several types
    """Return flags, code, number of groups and their names both ways, as `re` makes them."""
    parsed = import_module("re._parser").parse(text, flags)
    state = parsed.state
    # As `re` itself, which gives the code to nobody.
    code = [*map(int, import_module("re._compiler")._code(parsed, flags))]  # noqa: SLF001
    names = {number: name for name, number in state.groupdict.items()}
    numbered = tuple(names.get(number) for number in range(state.groups))
    return int(flags | state.flags), code, state.groups - 1, dict(state.groupdict), numbered


@cache
def _kept() -> dict[tuple[str | bytes, int], bytes]:
    """Return what is kept; what is compiled beside it is kept too as the process ends."""
    atexit.register(_keep)
    found: tuple[str, dict[tuple[str | bytes, int], bytes]] = ("", {})
    with suppress(OSError, EOFError, ValueError, TypeError):
        found = marshal.loads(_LOADER.get_data(_file()))  # noqa: S302 - likewise
    return found[1] if found[0] == _PYTHON else {}


def _keep() -> None:
    if _new and _file() and not sys.dont_write_bytecode:
        kept = _new if len(_kept()) + len(_new) > _KEPT_MAX else _kept() | _new
        # As byte code is written: whole or not at all, and where it cannot be, never mind.
        _LOADER.set_data(_file(), marshal.dumps((_PYTHON, kept)))


def _file() -> str:
    """Return where it is kept; empty where this module has no byte code."""
    beside = __spec__.cached
    return f"{beside.removesuffix('.pyc')}.patterns" if beside else ""
