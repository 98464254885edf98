"""Merges of entities as lines for a person."""

from collections.abc import Iterator

from tilth.core.view import Line, Note
from tilth.knowledge.entities.views import one_entity
from tilth.knowledge.facts.views import waiting
from tilth.knowledge.merging.merge import Merged, Split
from tilth.knowledge.merging.tidy import Tidied


def merged(answer: Merged) -> Iterator[Line]:
    """Yield the entity that stays, and what waits."""
    yield from one_entity(answer.entity)
    if answer.is_merged:
        yield Note(f"undo it: tilth entity split {answer.loser}")
    yield from waiting(answer.proposal_id)
    for proposal_id in answer.contradictions:
        yield Note(f"the two differ: tilth review show {proposal_id}")


def split(answer: Split) -> Iterator[Line]:
    """Yield both entities, and what stays with the other one."""
    yield from one_entity(answer.entity, [answer.winner])
    yield from one_entity(answer.winner)
    yield from waiting(answer.proposal_id)
    if kept := [*answer.kept_edges, *answer.kept_facts]:
        yield Note(f"said since the merge, and kept at {answer.winner.id}: {', '.join(kept)}")


def tidied(answer: Tidied, *, limit: int) -> Iterator[Line]:
    """Yield what tidying came to."""
    counts = f"merged {answer.merged_count:,} and asked about {answer.proposed_count:,}"
    yield f"looked at {answer.seen_count:,}, {counts}"
    if answer.seen_count == limit:
        yield Note(f"there may be more: --after {answer.cursor}")
