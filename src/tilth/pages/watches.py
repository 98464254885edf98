"""
The keys that a page watches, and the keys under which a fact changes.

A page watches a few keys. An event that makes a fact begin or cease to hold looks up the fact's
keys, and marks the fresh pages that watch one of them. The cost does not depend on how many pages
or facts there are.

    all                    anything in the scope of the page
    filed:["net","",""]    what is filed under an area, an environment and a system; "" is any
    about:ent_…            what is about an entity, and what becomes of the entity
    words:release process  what holds all of these words
    registry               what is registered: a new alias files old facts elsewhere
"""

from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import product
from typing import NamedTuple

from tilth.core.ids import EntityId
from tilth.core.json import canonical

ALL = "all"
REGISTRY = "registry"
_FILED, _ABOUT, _WORDS, _WORD, _THING = "filed:", "about:", "words:", "word:", "thing:"


class Watch(NamedTuple):
    """A key that a page watches; with `needs`, only for changes that contain those words too."""

    key: str
    needs: str = ""
    is_of_realm: bool = True


def filed(area: str, environment: str, system: str) -> str:
    """Return the key for facts that are filed there; an empty part matches any."""
    if not (area or environment or system):
        return ALL
    return _FILED + canonical([area, environment, system])


def about(entity_id: EntityId) -> str:
    """Return the key for what is about an entity."""
    return _ABOUT + entity_id


def holding(terms: Iterable[str]) -> str:
    """Return the key for what contains all of *terms*."""
    return _WORDS + " ".join(sorted(set(terms)))


def named_in(watch: str) -> EntityId | None:
    """Return the entity in a key; None if it has none."""
    return EntityId(watch.removeprefix(_ABOUT)) if watch.startswith(_ABOUT) else None


def kept(watch: str, place: int) -> Iterator[Watch]:
    """Yield a key as the table keeps it; *place* is that of its entity."""
    if watch.startswith(_ABOUT):
        yield Watch(f"{_ABOUT}{place}")
        yield Watch(thing(place), is_of_realm=False)
    elif watch.startswith(_WORDS):
        first, _, rest = watch.removeprefix(_WORDS).partition(" ")
        yield Watch(_WORD + first, rest)
    else:
        yield Watch(watch, is_of_realm=watch != REGISTRY)


def thing(place: int) -> str:
    """Return the key under which an entity itself changes."""
    return f"{_THING}{place}"


def keys_of(
    places: Sequence[str], entities: Iterable[int], terms: Collection[str]
) -> Iterator[str]:
    """
    Yield the keys under which a fact changes.

    Args:
        places: Its area, environment and system, as keys.
        entities: The places in the ledger of the entities that it is about.
        terms: The terms that it contains.
    """
    yield ALL
    for area, environment, system in product(*({"", place} for place in places)):
        if area or environment or system:
            yield filed(area, environment, system)
    yield from (f"{_ABOUT}{place}" for place in entities)
    yield from (_WORD + term for term in sorted(set(terms)))
