"""
Sources of an opening brief that live above it.

A feature registers the source of its own block, in its module `opening`:

    @tells(Block.PAGES)
    def compiled(sight: Sight) -> list[BriefItem]: ...
"""

from collections.abc import Callable, Iterable, Mapping
from importlib import import_module
from typing import TypeAlias

from tilth.context.model import Block, BriefItem

# Of the `Sight` of a brief, which is loaded with the first one.
Source: TypeAlias = Callable[..., list[BriefItem]]
_ELSEWHERE: dict[Block, Source] = {}
_LIVE_IN: list[Callable[[], Iterable[str]]] = []


def tells(block: Block) -> Callable[[Source], Source]:
    """Say that a function is the source of a block."""

    def register(source: Source) -> Source:
        _ELSEWHERE[block] = source
        return source

    return register


def sources_live_in(find: Callable[[], Iterable[str]]) -> None:
    """Say what names the modules that register sources: they are loaded with the first brief."""
    _LIVE_IN[:] = [find]


def told_elsewhere() -> Mapping[Block, Source]:
    """Return the sources that were registered."""
    for find in _LIVE_IN:
        for module in find():
            import_module(module)
    _LIVE_IN.clear()
    return _ELSEWHERE
