"""
Reading JSON of unknown shape.

Whoever wrote it promised nothing, so a value of another type than expected
reads as empty.
"""

from collections.abc import Mapping, Sequence

from tilth.core.json import Json, JsonObject


def string(holder: JsonObject, *keys: str) -> str:
    """Return the first of *keys* that holds a non-empty string, else an empty one."""
    found = (holder.get(key) for key in keys)
    return next((value for value in found if isinstance(value, str) and value), "")


def mapping(holder: JsonObject, key: str) -> JsonObject:
    """Return the object under *key*, else an empty one."""
    value = holder.get(key)
    return value if isinstance(value, Mapping) else {}


def sequence(holder: JsonObject, key: str) -> Sequence[Json]:
    """Return the array under *key*, else an empty one."""
    value = holder.get(key)
    return value if isinstance(value, list) else []


def mappings(holder: JsonObject, key: str) -> list[JsonObject]:
    """Return the objects in the array under *key*."""
    return [value for value in sequence(holder, key) if isinstance(value, Mapping)]
