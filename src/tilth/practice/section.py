"""
A section in a file that agents read, between marks, and out of it again without a trace.

The first mark tells how many line ends were put before it, or that the file is ours from its
first byte, so that taking the section out restores every byte.
"""

import re
from collections.abc import Sequence

from tilth.core.errors import ConflictError

_NEW = "new"
_BEGIN = "<!-- tilth:begin {how}: written from what was seen here; tilth command unwrite -->"
_END = "<!-- tilth:end -->"
_SECTION = re.compile(
    r"(?P<gap>\n{0,2})<!-- tilth:begin (?P<how>new|[012]): [^\n]*-->\n.*?<!-- tilth:end -->\n",
    re.DOTALL,
)
_MARK = re.compile(r"<!-- tilth:(?:begin|end)")


def with_section(text: str | None, lines: Sequence[str]) -> str:
    """
    Return a file with the section, in the place of an earlier one.

    Args:
        text: What the file holds; None if there is none.
        lines: The section.

    Raises:
        ConflictError: its marks are not whole.
    """
    bare = None if text is None else without_section(text)
    if bare is None:
        return _section(_NEW, lines)
    gap = "" if not bare else "\n" if bare.endswith("\n") else "\n\n"
    return f"{bare}{gap}{_section(str(len(gap)), lines)}"


def without_section(text: str) -> str | None:
    """
    Return a file without the section; None if it held nothing else and was ours.

    Raises:
        ConflictError: its marks are not whole.
    """
    marks = len(_MARK.findall(text))
    if not marks:
        return text
    found = _SECTION.search(text)
    if found is None or marks != len(("begin", "end")):
        raise ConflictError(
            "the marks of Tilth's section are not whole",
            hint="take what is left of it out by hand, and try again",
        )
    how = found["how"]
    kept = 0 if how == _NEW else min(int(how), len(found["gap"]))
    before = text[: found.end("gap") - kept]
    rest = before + text[found.end() :]
    return None if how == _NEW and not rest else rest


def _section(how: str, lines: Sequence[str]) -> str:
    return "\n".join([_BEGIN.format(how=how), *lines, _END, ""])
