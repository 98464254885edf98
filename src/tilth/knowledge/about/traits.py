"""Register and find the traits of an entity, which belong to a feature above this package."""

from collections.abc import Callable, Iterable, Mapping
from importlib import import_module
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from tilth.core.ids import EntityId
    from tilth.core.scope import Visibility
    from tilth.ledger.snapshot import Snapshot

Traits: TypeAlias = Callable[["Snapshot", "EntityId", "Visibility"], Mapping[str, str]]
_finders: list[Traits] = []
_homes: list[Callable[[], Iterable[str]]] = []


def has_traits(find: Traits) -> Traits:
    """Register the function that returns an entity's traits."""
    _finders.append(find)
    return find


def traits_live_in(find: Callable[[], Iterable[str]]) -> None:
    """Set *find*, which names the modules that register traits; the first request loads them."""
    _homes.append(find)


def traits_now(view: "Snapshot", entity_id: "EntityId", within: "Visibility") -> Mapping[str, str]:
    """Return an entity's present traits, by key."""
    for find_home in _homes:
        for module in find_home():
            import_module(module)
    return {key: told for find in _finders for key, told in find(view, entity_id, within).items()}
