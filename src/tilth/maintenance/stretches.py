"""Look through the ledger stretch by stretch, as comparisons of facts do."""

from collections.abc import Callable, Iterator
from typing import Protocol, TypeVar


class Stretch(Protocol):
    """What was seen of one stretch: where it ended, and whether nothing is left behind it."""

    @property
    def through(self) -> int:
        """The place in the ledger after which the next stretch begins."""

    @property
    def is_done(self) -> bool:
        """Whether this was the last."""


T = TypeVar("T", bound=Stretch)


def stretches(scan: Callable[[int], T], after: int) -> Iterator[T]:
    """Yield what *scan* finds in each stretch of the ledger behind the place *after*."""
    is_done = False
    while not is_done:
        found = scan(after)
        yield found
        after, is_done = found.through, found.is_done
