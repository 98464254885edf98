"""
What a log of changes makes: a JSON object, written as it was at first and how it changed since.

A line is `{"kind": 0, "v": OBJECT}`, or a change at the way `k` into the object: 1 sets `v` there,
2 adds the values `v` to an array, once it is cut to its first `i`, and 3 takes away what is there.
"""

from collections.abc import Iterable, Sequence

from tilth.core.json import Json, JsonObject
from tilth.transfer.importing import Skipped
from tilth.transfer.reading.records import Parsed
from tilth.transfer.reading.shapes import sequence

WHOLE, _SET, _ADD, _TAKE = 0, 1, 2, 3


def replayed(records: Iterable[Parsed]) -> tuple[JsonObject, list[Skipped]]:
    """Return the object that *records* make, and what of them could not be followed."""
    whole: Json = {}
    broken = []
    for record in records:
        if isinstance(record, Skipped):
            broken.append(record)
        elif record.value.get("kind") == WHOLE:
            whole = record.value.get("v")
        elif not _is_changed(whole, record.value):
            broken.append(Skipped(record.where, "a change of what is not there"))
    return (whole if isinstance(whole, dict) else {}), broken


def _is_changed(whole: Json, change: JsonObject) -> bool:
    """Change *whole*, and say whether there is what is to be changed."""
    way, kind = sequence(change, "k"), change.get("kind")
    if not way or kind not in (_SET, _ADD, _TAKE):
        return False
    holder, last = _at(whole, way[:-1]), way[-1]
    if kind == _ADD:
        return _is_added(holder, last, change)
    return _is_set(holder, last, change.get("v") if kind == _SET else None)


def _at(holder: Json, way: Sequence[Json]) -> Json:
    for key in way:
        if isinstance(holder, dict) and isinstance(key, str):
            holder = holder.get(key)
        elif isinstance(holder, list) and isinstance(key, int) and 0 <= key < len(holder):
            holder = holder[key]
        else:
            return None
    return holder


def _is_set(holder: Json, key: Json, value: Json) -> bool:
    if isinstance(holder, list) and isinstance(key, int) and 0 <= key < len(holder):
        holder[key] = value
        return True
    if is_named := isinstance(holder, dict) and isinstance(key, str):
        holder[key] = value
    return is_named


def _is_added(holder: Json, key: Json, change: JsonObject) -> bool:
    known = _at(holder, [key])
    if known is None and not _is_set(holder, key, known := []):
        return False
    if not isinstance(known, list):
        return False
    cut = change.get("i")
    if isinstance(cut, int) and cut >= 0:
        del known[cut:]
    known.extend(sequence(change, "v"))
    return True
