"""Exports as lines for a person."""

from collections.abc import Iterator

from tilth.core.view import Bold, Dim, Line, number_of
from tilth.transfer.export import Exported


def exported(answer: Exported) -> Iterator[Line]:
    """Yield where the export lies, and what it holds."""
    rows = sum(answer.counts.values())
    yield ("exported ", Bold(answer.path), f": {number_of(rows, 'row')}")
    if answer.counts:
        yield Dim("  " + ", ".join(f"{noun} {count:,}" for noun, count in answer.counts.items()))
