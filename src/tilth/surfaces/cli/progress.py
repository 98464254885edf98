"""A progress bar for what takes more than a second, on a terminal only."""

import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from typing import TypeAlias

Advance: TypeAlias = Callable[[int], None]
PATIENCE_S = 1.0


@contextmanager
def progress_bar(label: str, total: int | None, *, is_shown: bool) -> Iterator[Advance]:
    """
    Yield what is told how far the work has come.

    Args:
        label: What the work is.
        total: Where it ends, in the same unit; None if nobody knows.
        is_shown: False draws nothing at all.
    """
    began = time.monotonic()
    drawn: Advance | None = None
    with ExitStack() as stack:

        def advance(done: int) -> None:
            nonlocal drawn
            if drawn is None and is_shown and time.monotonic() - began > PATIENCE_S:
                drawn = stack.enter_context(_drawn(label, total))
            if drawn is not None:
                drawn(done)

        yield advance


@contextmanager
def _drawn(label: str, total: int | None) -> Iterator[Advance]:
    # Loading rich takes longer than most commands do.
    from rich.console import Console  # noqa: PLC0415
    from rich.progress import Progress  # noqa: PLC0415

    with Progress(console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(label, total=total)
        yield lambda done: bar.update(task, completed=done)
