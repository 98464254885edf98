"""Commands that somebody refuses: "use `uv pip`, not `pip`", "never run `npm test` here"."""

import re
from collections.abc import Iterable, Iterator

from tilth.core.text.pattern import pattern

_REFUSED = pattern(
    r"\b(?:not|never|(?:don'?t|do not)(?: ever)?|instead of|rather than|avoid|no longer)"
    r"(?: (?:to )?(?:use|using|run|running|call|calling))? "
    # Without marks it must end there, or a sentence goes on: "not pip", "never use npm here".
    r"(?:`(?P<code>[^`\n]+)`|(?P<plain>[a-z][\w.-]*(?: [a-z][\w-]*)??)"
    r"(?=\W*$|[,.;)]|\s(?:in|for|to|here|at|because|directly|and|but)\b))",
    re.IGNORECASE,
)


def refused_in(text: str) -> Iterator[tuple[str, ...]]:
    """Yield the words with which a command begins that *text* refuses."""
    for found in _REFUSED.finditer(text):
        yield tuple((found["code"] or found["plain"]).split())


def is_refused(line: str, refused: Iterable[tuple[str, ...]]) -> bool:
    """Say whether a command begins as one of those that are *refused*."""
    words = tuple(line.split())
    return any(words[: len(one)] == one for one in refused)
