"""
Front matter: the YAML between two lines of `---` with which a markdown file may begin.

Every scalar is read as the text that it is, since YAML 1.1 makes `no` a
boolean, `1.10` a number and `12:30:45` a count of seconds. Aliases are
refused: a few hundred bytes of them unfold to gigabytes (threat T16).
"""

import re
from collections.abc import Mapping

import yaml

from tilth.core.errors import InvalidInputError, LimitExceededError
from tilth.core.json import Json, JsonObject
from tilth.transfer.reading.conversation import whole_characters
from tilth.transfer.reading.shapes import sequence, string

_CHARS_MAX = 1 << 16
_DEPTH_MAX = 16
_BLOCK = re.compile(
    r"\ufeff?---[ \t]*\r?\n(.*?)^(?:---|\.\.\.)[ \t]*(?:\r?\n|\Z)", re.DOTALL | re.MULTILINE
)


class _Loader(yaml.BaseLoader):
    """Makes texts, lists and mappings of texts, of a document without aliases or much depth."""

    _depth = 0

    def compose_node(  # type: ignore[explicit-override] # typing.override came with 3.12
        self, parent: yaml.Node | None, index: int
    ) -> yaml.Node | None:
        if self.check_event(yaml.AliasEvent):
            raise InvalidInputError("front matter with aliases")
        if self._depth > _DEPTH_MAX:
            raise LimitExceededError(f"front matter nested deeper than {_DEPTH_MAX} levels")
        self._depth += 1
        node = super().compose_node(parent, index)
        self._depth -= 1
        return node


def body_begin(text: str) -> int:
    """Return where the body of *text* begins: after its front matter, or at 0."""
    match = _BLOCK.match(text, 0, _CHARS_MAX)
    return match.end() if match else 0


def properties(text: str) -> JsonObject:
    """
    Return what the front matter of *text* says, nothing if there is none.

    Raises:
        InvalidInputError: it is no YAML, has aliases, or is no mapping.
        LimitExceededError: it is deeper than is read.
    """
    match = _BLOCK.match(text, 0, _CHARS_MAX)
    if not match:
        return {}
    try:
        value = yaml.load(match[1], _Loader)  # noqa: S506 - it makes texts, never objects
    except (yaml.YAMLError, ValueError, OverflowError) as error:
        problem = getattr(error, "problem", None) or type(error).__name__
        raise InvalidInputError(f"front matter is no YAML: {str(problem)[:100]}") from error
    if not isinstance(value, Mapping):
        if value in (None, ""):
            return {}
        raise InvalidInputError("front matter is no mapping")
    return {whole_characters(key): _whole(said) for key, said in value.items()}


def _whole(value: Json) -> Json:
    if isinstance(value, str):
        return whole_characters(value)
    if isinstance(value, Mapping):
        return {whole_characters(key): _whole(said) for key, said in value.items()}
    return [_whole(said) for said in value] if isinstance(value, list) else value


def tags_of(said: JsonObject) -> tuple[str, ...]:
    """Return the tags, which people write as a list, or in one line with commas or spaces."""
    listed = [tag for tag in sequence(said, "tags") if isinstance(tag, str)]
    found = listed or re.split(r"[,\s]+", string(said, "tags", "tag"))
    return tuple(tag.strip().removeprefix("#") for tag in found if tag.strip())
