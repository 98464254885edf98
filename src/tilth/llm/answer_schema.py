"""
Convert the classes of `tilth.llm.answers` to a JSON schema, and JSON to their instances.

The schema keeps to what every server's constrained decoding knows: all properties required, no
others, no bounds. Bounds, quotes and IDs are checked when the answer is read, since no schema can.
"""

import json
from collections.abc import Collection, Mapping
from dataclasses import field, fields, is_dataclass
from enum import StrEnum
from typing import Any, NewType, NoReturn, TypeVar, get_args, get_origin, get_type_hints

from tilth.core.dataclass import dataclass
from tilth.core.errors import InvalidInputError
from tilth.core.ids import EpisodeId, Id
from tilth.core.json import DEPTH_MAX, Json, JsonObject, check_depth
from tilth.episodes.episode import Quote
from tilth.llm.answers import ONE_BY_ONE

TEXT_CHARS_MAX = 8_000
ITEMS_MAX = 100
_PLAIN = {str: "string", float: "number", bool: "boolean"}
_CLOSING_THOUGHT = "</think>"

_T = TypeVar("_T")


@dataclass(frozen=True, slots=True)
class Given:
    """What an answer may refer to: the texts of the episodes, and the IDs of what else there is."""

    episodes: Mapping[str, str] = field(default_factory=dict)
    ids: Collection[str] = ()


def schema_of(kind: Any) -> JsonObject:  # noqa: ANN401 - a type, or what stands for one
    """Return the JSON schema of a class of answers, or of the type of one of its fields."""
    if _is_id(kind):
        return {"type": "string"}
    if get_origin(kind) is tuple:
        return {"type": "array", "items": schema_of(get_args(kind)[0])}
    if is_dataclass(kind):
        hints = get_type_hints(kind)
        return {
            "type": "object",
            "properties": {name: schema_of(hint) for name, hint in hints.items()},
            "required": list(hints),
            "additionalProperties": False,
        }
    if issubclass(kind, StrEnum):
        return {"type": "string", "enum": [member.value for member in kind]}
    return {"type": _PLAIN[kind]}


def _is_id(kind: Any) -> bool:  # noqa: ANN401 - a type, or what stands for one
    return isinstance(kind, NewType) or (isinstance(kind, type) and issubclass(kind, Id))


def read_answer(kind: type[_T], text: str, given: Given, *, is_last: bool = False) -> _T:
    """
    Read what a model wrote as an answer of *kind*.

    Args:
        kind: The class of answers.
        text: What the model wrote.
        given: What it was shown.
        is_last: Nothing will be mended any more: of what stands for itself each that does not
            hold is left out, unless none holds.

    Raises:
        InvalidInputError: it is no JSON, not as the schema says, quotes what is not there, or
            names what was not shown. The message tells a model what to mend.
    """
    reading = _Reading(given, is_last=is_last)
    answer: _T = reading.value(kind, _json_in(text), "the answer")
    if reading.wrong is not None and not reading.kept:
        raise reading.wrong
    return answer


def _json_in(text: str) -> Json:
    """Return the JSON in *text*, which some models put after their thoughts and into a fence."""
    said = text.rpartition(_CLOSING_THOUGHT)[2]
    begin, end = said.find("{"), said.rfind("}")
    try:
        value: Json = json.loads(said[begin : end + 1], parse_constant=_refuse_constant)
    except (ValueError, RecursionError) as error:
        raise InvalidInputError("the answer is not one whole JSON object") from error
    check_depth(value, depth_max=DEPTH_MAX)
    return value


def _refuse_constant(name: str) -> NoReturn:
    raise ValueError(name)


class _Reading:
    """
    One answer against what was shown; *at* says where a value stands in it.

    Of what stands for itself `kept` counts what holds, and `wrong` says of the first why it does
    not.
    """

    def __init__(self, given: Given, *, is_last: bool) -> None:
        self._given = given
        self._is_last = is_last
        self.kept = 0
        self.wrong: InvalidInputError | None = None

    def value(self, kind: Any, value: Json, at: str) -> Any:  # noqa: ANN401 - an instance of *kind*
        if _is_id(kind):
            text = _text(value, at)
            if text not in (self._given.episodes if kind is EpisodeId else self._given.ids):
                raise InvalidInputError(f"{at} is not an ID of anything that was shown")
            return text
        if get_origin(kind) is tuple:
            return self._items(get_args(kind)[0], value, at)
        if kind is Quote:
            return self._quote(value, at)
        if isinstance(kind, type) and is_dataclass(kind):
            return kind(**self._properties(kind, value, at))
        if issubclass(kind, StrEnum):
            if value not in list(kind):
                raise InvalidInputError(f"{at} is not one of {', '.join(kind)}")
            return kind(value)
        return _plain(kind, value, at)

    def _properties(self, kind: Any, value: Json, at: str) -> dict[str, Any]:  # noqa: ANN401 - a class
        names = [one.name for one in fields(kind)]
        if not isinstance(value, Mapping) or sorted(value) != sorted(names):
            raise InvalidInputError(f"{at} is not an object with exactly {', '.join(names)}")
        hints = get_type_hints(kind)
        return {name: self.value(hints[name], value[name], f"{at}.{name}") for name in names}

    def _items(self, kind: Any, value: Json, at: str) -> tuple[Any, ...]:  # noqa: ANN401 - a type
        if not isinstance(value, list) or len(value) > ITEMS_MAX:
            raise InvalidInputError(f"{at} is not a list of at most {ITEMS_MAX}")
        read = []
        for place, one in enumerate(value):
            try:
                read.append(self.value(kind, one, f"{at}[{place}]"))
            except InvalidInputError as error:
                if not (self._is_last and kind in ONE_BY_ONE):
                    raise
                self.wrong = self.wrong or error
        self.kept += len(read) if kind in ONE_BY_ONE else 0
        return tuple(read)

    def _quote(self, value: Json, at: str) -> Quote:
        read = self._properties(Quote, value, at)
        episode_id, words = read["episode_id"], read["text"]
        if not words.strip() or words not in self._given.episodes.get(episode_id, ""):
            raise InvalidInputError(
                f"{at}.text does not stand word for word in the episode that it names"
            )
        return Quote(EpisodeId(episode_id), words)


def _plain(kind: type, value: Json, at: str) -> str | float | bool:
    if kind is str:
        return _text(value, at)
    if kind is bool and isinstance(value, bool):
        return value
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    if kind is float and is_number and 0 <= value <= 1:  # type: ignore[operator] # a number
        return float(value)  # type: ignore[arg-type] # likewise
    raise InvalidInputError(f"{at} is not {'true or false' if kind is bool else 'from 0 to 1'}")


def _text(value: Json, at: str) -> str:
    if not isinstance(value, str) or len(value) > TEXT_CHARS_MAX:
        raise InvalidInputError(f"{at} is not a text of at most {TEXT_CHARS_MAX} characters")
    try:
        value.encode()
    except UnicodeEncodeError as error:
        raise InvalidInputError(f"{at} holds half a character") from error
    return value
