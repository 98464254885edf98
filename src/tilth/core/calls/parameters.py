"""Read the parameters of a function without `inspect`, which takes longer to load than a call."""

from collections.abc import Callable
from dataclasses import MISSING
from typing import NamedTuple

_TAKES_NAMED = 0x08  # CO_VARKEYWORDS: the last of its variables holds what else was named.


class Parameter(NamedTuple):
    """
    One parameter of a function.

    `default` is `MISSING` if there is none; a bundle is `**told`, which takes all other named
    arguments.
    """

    name: str
    default: object = MISSING
    is_positional: bool = False
    is_bundle: bool = False


def parameters_of(function: Callable[..., object]) -> list[Parameter]:
    """Return the parameters of a function that is written in Python, and takes no `*args`."""
    code = function.__code__
    first = code.co_varnames[: code.co_argcount]
    last = code.co_varnames[code.co_argcount :][: code.co_kwonlyargcount + 1]
    named = last[: code.co_kwonlyargcount]
    by_place = dict(zip(reversed(first), reversed(function.__defaults__ or ()), strict=False))
    by_name = function.__kwdefaults__ or {}
    return [
        *(Parameter(one, by_place.get(one, MISSING), is_positional=True) for one in first),
        *(Parameter(one, by_name.get(one, MISSING)) for one in named),
        *(
            Parameter(one, is_bundle=True)
            for one in last[len(named) :]
            if code.co_flags & _TAKES_NAMED
        ),
    ]
