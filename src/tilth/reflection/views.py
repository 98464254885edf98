"""A run of reflection as lines for a person."""

from collections.abc import Iterator

from tilth.core.view import Line, Note, Row
from tilth.reflection.reflect import Reflected


def reflected(done: Reflected) -> Iterator[Line]:
    """Yield what each stage looked at and made."""
    for one in done.stages:
        told = f"failed: {one.error}" if one.error else f"{one.found} found, {one.made} new"
        yield Row((one.name, told))
    if not done.made_count:
        yield Note("nothing is new")
