"""Words of the registries as lines for a person."""

from collections.abc import Iterator, Sequence
from typing import Protocol

from tilth.core.view import Bold, Dim, Line, Note, number_of
from tilth.knowledge.vocabulary.registries import Entry, Registry, UnknownWord


def entries(found: Sequence[Entry]) -> Iterator[Line]:
    """Yield words, one line each."""
    for one in found:
        yield from entry(one)


def entry(one: Entry) -> Iterator[Line]:
    """Yield one word with its other names."""
    parts = [*one.aliases]
    if one.registry is Registry.PREDICATE and not one.is_ignored:
        parts = [f"{one.cardinality}, {one.mode}", *parts]
    yield (Bold(one.name), Dim("  " + " · ".join(parts)))


def waiting(found: Sequence[UnknownWord]) -> Iterator[Line]:
    """Yield the words that wait for a human."""
    for one in found:
        times = number_of(one.count, "time")
        yield (Bold(one.word), Dim(f"  {one.registry}  used {times}"))
    if found:
        yield Note("tilth word register | alias | ignore REGISTRY WORD")
    else:
        yield Note("no word waits")


class _Check(Protocol):
    @property
    def words(self) -> Sequence[UnknownWord]: ...


def checked(answer: _Check) -> Iterator[Line]:
    """Yield the words that facts use and nobody registered."""
    if answer.words:
        yield from waiting(answer.words)
    else:
        yield Note("every word that facts use is registered")
