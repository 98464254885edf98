"""Why facts are believed, as lines for a person."""

from collections.abc import Iterator, Sequence

from tilth.core.view import Dim, Line, Note
from tilth.knowledge.changes.provenance import Resting
from tilth.knowledge.facts.views import fact_lines


def resting_facts(found: Sequence[Resting]) -> Iterator[Line]:
    """Yield the facts that rest on an episode, by which words, and what they superseded."""
    for one in found:
        yield from fact_lines([one.fact])
        yield from (Dim(f"  by: {quote}") for quote in one.quotes)
        for before in one.superseded:
            yield Dim(f"  superseded {before.id}: {before.said.text}")
    if not found:
        yield Note("no fact rests on that episode")
