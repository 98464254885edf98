"""The section of a file as lines for a person."""

from collections.abc import Iterator
from shlex import quote

from tilth.context.section.section_file import Written
from tilth.core.view import Line, Note
from tilth.privacy.terminal_text import one_line

_PATH_CHARS = 320


def section(told: Written) -> Iterator[Line]:
    """Yield what was or would be written into a file, or that it was taken out."""
    yield from told.lines
    path = one_line(told.path, _PATH_CHARS)
    if told.is_written:
        yield Note(f"written into {path}; to take it out: tilth command unwrite {quote(path)}")
    elif told.lines:
        yield Note(f"nothing was written; that is what {path} would get")
    else:
        yield f"the section is out of {path}" if told.is_there else f"{path} is gone again"
