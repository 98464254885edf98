"""Halves of characters, such as of an emoji that was cut in two: no file can hold them."""

import json

from tilth.core.text.pattern import pattern

_ESCAPED_HALF = pattern(r"\\u[dD][89a-fA-F]")


def whole_characters(text: str) -> str:
    """Return *text* with U+FFFD for every half of a character, which UTF-8 cannot hold."""
    if text.isascii():
        return text
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")


def whole_json(text: str) -> str:
    """
    Return the JSON *text* with U+FFFD for every half of a character that it spells.

    What is no JSON comes back as it is.
    """
    if not _ESCAPED_HALF.search(text):
        return text
    try:
        # What is read joins the halves that belong together.
        read = json.dumps(json.loads(text), ensure_ascii=False)
    except (ValueError, RecursionError):
        return text
    whole = whole_characters(read)
    return text if whole == read else whole + ("\n" if text.endswith("\n") else "")
