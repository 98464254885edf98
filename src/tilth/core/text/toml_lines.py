"""TOML as its author wrote it: statements found by their lines, and values as they are written."""

import json
from collections.abc import Mapping, Sequence

from tilth.core.json import Json


def statement(lines: Sequence[str], name: str) -> tuple[int, int] | None:
    """
    Return where the statement that sets *name* begins and ends among *lines*; None without one.

    A list may go on over several lines; a statement ends where it can be read.

    Raises:
        ValueError: it cannot be read anywhere.
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
