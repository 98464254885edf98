"""Long answers on a terminal, a page at a time."""

import itertools
import os
import shlex
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterable, Mapping

# Leave at once where it fits, show colours, leave the page on the screen.
_LESS = "FRX"


def pager_of(environ: Mapping[str, str]) -> str:
    """Return what shows long answers: `PAGER`, or less where that is not set; "" is none."""
    if environ.get("TERM") == "dumb":
        return ""
    return environ.get("PAGER", shutil.which("less") or "")


def show_in_pages(lines: Iterable[str], pager: str, write: Callable[[str], None]) -> None:
    """Write *lines*; give them to the pager if they do not fit the terminal."""
    rows = shutil.get_terminal_size().lines - 1
    first: list[str] = []
    rest = iter(lines)
    for line in rest:
        first.append(line)
        if sum(one.count("\n") + 1 for one in first) > rows:
            break
    else:
        for line in first:
            write(line)
        return
    encoding = sys.stdout.encoding or "utf-8"
    environ = {"LESS": _LESS, **os.environ}
    # Unbuffered, so that nothing is left to be written when the reader has left.
    with subprocess.Popen(  # noqa: S603 - what the user chose
        shlex.split(pager), stdin=subprocess.PIPE, env=environ, bufsize=0
    ) as shown:
        assert shown.stdin is not None
        try:
            for line in itertools.chain(first, rest):
                shown.stdin.write(f"{line}\n".encode(encoding, "backslashreplace"))
        except BrokenPipeError:
            # Whoever reads has seen enough.
            return
