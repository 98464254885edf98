"""How far a long work has come: one line that is written over, on a terminal only."""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TextIO, TypeAlias

Advance: TypeAlias = Callable[[int], None]
# What is done by then shows nothing; from then on the line changes this often.
PATIENCE_S = 1.0
_REDRAWN_S = 0.1
# Back to the beginning of the line, and clear it (ECMA-48, EL).
AFRESH = "\r\x1b[K"


@contextmanager
def progress_line(
    label: str, total: int | None, err: TextIO, *, is_shown: bool
) -> Iterator[Advance]:
    """
    Yield what is told how far the work has come; when it is done, the line is gone.

    Args:
        label: What the work is.
        total: Where it ends, in the same unit; None if nobody knows.
        err: The terminal.
        is_shown: False draws nothing at all.
    """
    next_at = time.monotonic() + PATIENCE_S
    is_drawn = False

    def advance(done: int) -> None:
        nonlocal next_at, is_drawn
        if is_shown and (now := time.monotonic()) >= next_at:
            next_at, is_drawn = now + _REDRAWN_S, True
            print(f"{AFRESH}{label}: {_share(done, total)}", end="", file=err, flush=True)

    try:
        yield advance
    finally:
        if is_drawn:
            print(AFRESH, end="", file=err, flush=True)


def _share(done: int, total: int | None) -> str:
    return f"{done:,}" if not total else f"{min(100, 100 * done // total)} %"
