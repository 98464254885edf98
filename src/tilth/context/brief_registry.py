"""
Register sources of an opening brief that belong to features above this package.

A feature registers the source of its own block in its module `brief_source`:

    @writes_block(Block.PAGES)
    def compiled(inputs: BriefInputs) -> list[BriefItem]: ...
"""

from collections.abc import Callable, Iterable, Mapping
from importlib import import_module
from typing import TypeAlias

from tilth.context.model import Block, BriefItem

# It takes the `BriefInputs` of a brief, whose module is loaded with the first brief only.
Source: TypeAlias = Callable[..., list[BriefItem]]
_REGISTERED: dict[Block, Source] = {}
_MODULES: list[Callable[[], Iterable[str]]] = []


def writes_block(block: Block) -> Callable[[Source], Source]:
    """Register a function as the source of *block*."""

    def register(source: Source) -> Source:
        _REGISTERED[block] = source
        return source

    return register


def find_sources_with(find: Callable[[], Iterable[str]]) -> None:
    """Set *find*, which names the modules that register sources; the first brief loads them."""
    _MODULES[:] = [find]


def registered_sources() -> Mapping[Block, Source]:
    """Return the registered sources by their blocks."""
    for find in _MODULES:
        for module in find():
            import_module(module)
    _MODULES.clear()
    return _REGISTERED
