"""Reading the questions that a person wrote into `requests.md`."""

import re
from collections.abc import Iterator

from tilth.garden.cycle.folder import FORMER_HINT

_COMMENT = re.compile(r"<!--.*?(?:-->|\Z)", re.DOTALL)
_FENCE = re.compile(r"^\s*(?:```|~~~)")
_BULLET = re.compile(r"^[ \t]*(?:[-*+]|\d{1,3}[.)])[ \t]+(?:\[[ xX]\][ \t]+)?(?=\S)")
# Headings, rules and quotes ask nothing.
_BESIDE = re.compile(r"^[ \t]*(?:#{1,6}(?:\s|$)|>|[-*_=](?:[ \t]*[-*_=])*[ \t]*$)")


def questions_in(text: str) -> Iterator[str]:
    """
    Yield the questions of a file: one in each line, with or without a dash before it.

    An indented line goes on with the one above. Headings, quotes, comments and code are none.
    """
    question = ""
    for line in _lines(text):
        is_next = line[:1].isspace() and bool(question) and not _BULLET.match(line)
        if is_next and line.strip():
            question += f" {line.strip()}"
            continue
        if question:
            yield question
        question = "" if _asks_nothing(line) else _BULLET.sub("", line).strip()
    if question:
        yield question


def _lines(text: str) -> Iterator[str]:
    is_code = False
    for line in _COMMENT.sub("", text).splitlines():
        if _FENCE.match(line):
            is_code = not is_code
            yield ""
        elif not is_code:
            yield line


def _asks_nothing(line: str) -> bool:
    return line.strip() in {"", FORMER_HINT} or bool(_BESIDE.match(line))
