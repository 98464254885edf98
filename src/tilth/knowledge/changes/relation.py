"""How one fact relates to an earlier one (EM-060), and what follows from it."""

from enum import StrEnum

from tilth.core.errors import InvalidInputError
from tilth.knowledge.vocabulary.registries import EdgeKind


class Relation(StrEnum):
    """
    What a fact does to another.

    It updates what was so before, debunks what never was, extends what stays as it is, or
    derives from it. The first two ask a human, who decides; the others are edges.
    """

    UPDATES = "updates"
    EXTENDS = "extends"
    DERIVES = "derives"
    DEBUNKS = "debunks"

    @property
    def edge(self) -> EdgeKind | None:
        """The edge that says so; what a supersession will say has none."""
        return _EDGES.get(self)

    @property
    def is_asked(self) -> bool:
        """Whether the earlier fact cannot stand beside it, so that a human is asked."""
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
        InvalidInputError: *word* is none.
    """
    try:
        return Relation(word)
    except ValueError as error:
        raise InvalidInputError(
            f"no fact {word!r} another", hint=f"it {', '.join(Relation)} it"
        ) from error
