"""Replace lone surrogates, halves of characters that no file can contain."""

import json

from tilth.core.text.pattern import pattern

_ESCAPED_HALF = pattern(r"\\u[dD][89a-fA-F]")


def without_surrogates(text: str) -> str:
    """Return *text* with U+FFFD for every lone surrogate."""
    if text.isascii():
        return text
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")


def json_without_surrogates(text: str) -> str:
    """
    Return the JSON *text* with U+FFFD for every lone surrogate that it spells.

    Text that is not JSON is returned as it is.
    """
    if not _ESCAPED_HALF.search(text):
        return text
    try:
        # Parsing joins halves that belong together.
        read = json.dumps(json.loads(text), ensure_ascii=False)
    except (ValueError, RecursionError):
        return text
    whole = without_surrogates(read)
    return text if whole == read else whole + ("\n" if text.endswith("\n") else "")
