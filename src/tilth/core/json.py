"""
JSON values, and their one canonical encoding.

Equal values have equal bytes on every platform, version, locale and hash
seed: keys sorted, no spaces, UTF-8, no NaN. Hashes depend on it (I9).
"""

import json
from collections.abc import Mapping, Sequence
from typing import Any, TypeAlias, cast

from tilth.core.errors import InvalidInputError, LimitExceededError

Json: TypeAlias = "bool | int | float | str | Sequence[Json] | Mapping[str, Json] | None"
JsonObject: TypeAlias = Mapping[str, Json]
DEPTH_MAX = 64
SCALARS = frozenset({str, int, float, bool, type(None)})
# Made once, where `json.dumps` would make one for each value.
_CANONICAL = json.JSONEncoder(
    ensure_ascii=False, allow_nan=False, sort_keys=True, separators=(",", ":")
)


def canonical(value: Json) -> str:
    """
    Encode *value* so that equal values give equal text.

    Raises:
        InvalidInputError: *value* holds something that JSON or UTF-8 cannot.
    """
    try:
        text = _CANONICAL.encode(value)
        text.encode()
    except UnicodeEncodeError as error:
        # A lone surrogate, which JSON can spell and no file can contain.
        half = error.object[error.start].encode("unicode_escape").decode("ascii")
        raise InvalidInputError(f"{half} is half of a character") from error
    except (TypeError, ValueError, RecursionError) as error:
        raise InvalidInputError(f"not a JSON value: {error}") from error
    return text


def check_object(value: JsonObject) -> None:
    """
    Check that a value is an object that JSON and UTF-8 can hold, not nested too deep.

    Raises:
        InvalidInputError: it is not.
        LimitExceededError: it is nested deeper than `DEPTH_MAX`.
    """
    check_keys(value)
    # Most objects hold a few texts; encoding each would take a tenth of the time of reading.
    texts = [*value.keys(), *value.values()]
    if all(type(one) is str for one in texts) and "".join(cast("list[str]", texts)).isascii():
        return
    canonical(value)
    check_depth(value)


def check_keys(value: JsonObject) -> None:
    """
    Check that all keys are texts, as JSON requires.

    Raises:
        InvalidInputError: a key is not, or *value* is no object.
    """
    if not isinstance(value, Mapping):
        raise InvalidInputError(f"{str(value)[:60]!r} is not an object in JSON")
    layer: list[Json] = [value]
    for _ in range(DEPTH_MAX):
        keys: list[object] = [key for one in layer if isinstance(one, Mapping) for key in one]
        if wrong := [key for key in keys if not isinstance(key, str)]:
            raise InvalidInputError(f"{wrong[0]!r} is no key of an object in JSON: it is no text")
        layer = [child for parent in layer for child in _children(parent)]
        if not layer:
            return


def parse_line(line: str | bytes) -> Mapping[str, Any]:
    """Return the object in a line that Tilth wrote; empty if a crash tore the line."""
    try:
        values = json.loads(line)
    except ValueError:
        return {}
    return values if isinstance(values, dict) else {}


def check_depth(value: Json, *, depth_max: int = DEPTH_MAX) -> None:
    """
    Refuse a value that is nested deeper than *depth_max*.

    Raises:
        LimitExceededError: it is.
    """
    layer: list[Json] = [value]
    for _ in range(depth_max):
        layer = [child for parent in layer for child in _children(parent)]
        if not layer:
            return
    raise LimitExceededError(f"JSON nested deeper than {depth_max} levels")


def _children(value: Json) -> list[Json]:
    # Nearly all values are scalars, and this check is ten times faster than `isinstance`.
    if type(value) in SCALARS:
        return []
    if isinstance(value, Mapping):
        return list(value.values())
    if isinstance(value, Sequence) and not isinstance(value, str):
        return list(value)
    return []


def parse_object(text: str) -> JsonObject:
    """
    Read an object in JSON.

    Raises:
        InvalidInputError: *text* is not JSON, or not an object.
    """
    try:
        value = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise InvalidInputError(f"{text[:60]!r} is not JSON") from error
    if not isinstance(value, dict):
        raise InvalidInputError(f"{text[:60]!r} is not an object in JSON")
    return value
