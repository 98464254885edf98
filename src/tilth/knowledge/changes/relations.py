"""
Record how a fact relates to an earlier one.

A relation hides nothing. For a fact that updates or debunks another, a human is asked, who lets the
one supersede the other or rejects it; until then recall shows both, each with what contradicts it.
"""

from enum import StrEnum

from tilth.core.dataclass import dataclass
from tilth.core.errors import InvalidInputError
from tilth.knowledge.graph.edge import Edge
from tilth.knowledge.proposals.proposal import Proposal
from tilth.knowledge.vocabulary.registries import EdgeKind


class Relation(StrEnum):
    """
    What a fact does to an earlier one.

    It updates what was so before, debunks what never was, extends what stays as it is, or derives
    from it. The first two ask a human; the others are edges.
    """

    UPDATES = "updates"
    EXTENDS = "extends"
    DERIVES = "derives"
    DEBUNKS = "debunks"

    @property
    def edge(self) -> EdgeKind | None:
        """The edge for the relation; None where a supersession says it."""
        return _EDGES.get(self)

    @property
    def is_asked(self) -> bool:
        """Whether a human is asked, since the earlier fact cannot stand beside the later."""
        return self in {Relation.UPDATES, Relation.DEBUNKS}


_EDGES = {
    Relation.EXTENDS: EdgeKind.SUPPORTS,
    Relation.DERIVES: EdgeKind.DERIVED_FROM,
    Relation.DEBUNKS: EdgeKind.CONTRADICTS,
}


def parse_relation(word: str) -> Relation:
    """
    Read the name of a relation.

    Raises:
        InvalidInputError: *word* names none.
    """
    try:
        return Relation(word)
    except ValueError as error:
        raise InvalidInputError(
            f"no fact {word!r} another", hint=f"it {', '.join(Relation)} it"
        ) from error


@dataclass(frozen=True, slots=True, kw_only=True)
class Related:
    """The result: an edge, or a waiting proposal."""

    relation: Relation
    edge: Edge | None
    proposal: Proposal | None
