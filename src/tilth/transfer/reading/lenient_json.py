"""
Read JSON of unknown shape, with timestamps as aware instants in UTC.

A value of another type than expected reads as empty, since the writers promise no shape.
"""

import json
import re
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, timedelta

from tilth.core.errors import InvalidInputError
from tilth.core.instant import EPOCH
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


# Seconds since 1970, as Slack (1452837318.000002) and many JSON exports write them.
_SECONDS = re.compile(r"(\d{9,10})(?:\.(\d{1,6})\d*)?")
# A timestamp before the web or in the next century is an error of its writer.
_YEARS = range(1990, 2100)
_MILLISECONDS_FROM = 1e11  # as seconds this would be the year 5138


def written_object(text: Json) -> JsonObject:
    """Return the object that a text holds as JSON; an empty one if it holds none."""
    try:
        told = json.loads(text) if isinstance(text, str) else None
    except (ValueError, RecursionError):
        return {}
    return told if isinstance(told, dict) else {}


def parse_timestamp(value: Json) -> datetime:
    """
    Read ISO 8601 (without a zone: UTC), or seconds or milliseconds since 1970.

    Raises:
        InvalidInputError: *value* is nothing of these, or not between 1990 and 2100.
    """
    try:
        instant = _instant(value)
    except (TypeError, ValueError, OverflowError) as error:
        raise _bad_timestamp(value) from error
    if instant.year not in _YEARS:
        raise _bad_timestamp(value)
    return instant


def timestamp_or(value: Json, otherwise: datetime) -> datetime:
    """Read a timestamp, or return *otherwise* if *value* is none."""
    try:
        return parse_timestamp(value)
    except InvalidInputError:
        return otherwise


def _bad_timestamp(value: Json) -> InvalidInputError:
    return InvalidInputError(f"bad timestamp {str(value)[:40]!r}")


def _instant(value: Json) -> datetime:
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        raise TypeError(value)
    if not isinstance(value, str):
        seconds = value / 1000 if value > _MILLISECONDS_FROM else value
        return EPOCH + timedelta(seconds=seconds)
    if match := _SECONDS.fullmatch(value):
        micros = (match[2] or "").ljust(6, "0")
        return EPOCH + timedelta(seconds=int(match[1]), microseconds=int(micros))
    instant = datetime.fromisoformat(value)
    return instant.astimezone(UTC) if instant.tzinfo else instant.replace(tzinfo=UTC)
