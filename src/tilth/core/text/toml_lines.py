"""Read and write statements of a TOML file without changing the rest of its text."""

import json
from collections.abc import Mapping, Sequence

from tilth.core.json import Json


def statement(lines: Sequence[str], name: str) -> tuple[int, int] | None:
    """
    Return the first and last line of the statement that sets *name*; None if there is none.

    A list may cover several lines; a statement ends where it can be parsed.

    Raises:
        ValueError: it cannot be parsed.
    """
    at = next((at for at, line in enumerate(lines) if line.partition("=")[0].strip() == name), None)
    if at is None:
        return None
    plain = [line.rstrip("\r\n") for line in lines]
    for end in range(at + 1, len(lines) + 1):
        if _is_toml("\n".join(plain[at:end])):
            return at, end
    raise ValueError(f"{name!r} is said in a way that cannot be read")


def written(value: Json) -> str:
    """Write a text, a number, a switch, a list or a table of them as TOML, on one line."""
    if isinstance(value, Mapping):
        members = (f"{json.dumps(key)} = {written(one)}" for key, one in value.items())
        return f"{{ {', '.join(members)} }}"
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")


def _is_toml(text: str) -> bool:
    import tomllib  # noqa: PLC0415 - as in `tilth.runtime.settings`

    try:
        tomllib.loads(text)
    except tomllib.TOMLDecodeError:
        return False
    return True
