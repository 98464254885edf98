"""
Record how a fact relates to an earlier one.

A relation hides nothing. For a fact that updates or debunks another, a human is asked, who lets the
one supersede the other or rejects it; until then recall shows both, each with what contradicts it.
"""

import logging
from enum import StrEnum

from tilth.core.dataclass import dataclass
from tilth.core.errors import ConflictError, InvalidInputError
from tilth.core.ids import FactId
from tilth.core.lifecycle import Lifecycle
from tilth.core.scope import GLOBAL, Visibility
from tilth.episodes.remember import WriteContext
from tilth.knowledge.facts.fact import Fact, contradiction_key
from tilth.knowledge.facts.tables import Facts
from tilth.knowledge.graph.edge import Edge
from tilth.knowledge.graph.record_edge import add_edge
from tilth.knowledge.proposals.ask import open_proposal
from tilth.knowledge.proposals.proposal import Proposal, ProposalDraft, ProposalKind
from tilth.knowledge.vocabulary.registries import EdgeKind
from tilth.ledger.store import Store


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


logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class Related:
    """The result: an edge, or a waiting proposal."""

    relation: Relation
    edge: Edge | None
    proposal: Proposal | None


def relate_facts(
    store: Store,
    ends: tuple[FactId, FactId],
    relation: Relation,
    recorder: WriteContext,
    *,
    reason: str,
) -> Related:
    """
    Record that the first of *ends* updates, extends, derives from or debunks the second.

    A repetition gives the same edge and proposal.

    Raises:
        NotFoundError: no such fact is visible.
        ConflictError: a human would choose between facts of which one is not current.
        InvalidInputError: both are the same fact.
        ForbiddenError: the caller is anonymous.
    """
    within = Visibility(recorder.owner)
    with store.read() as view:
        one, other = (Facts(view).get(end, within) for end in ends)
    if one.id == other.id:
        raise InvalidInputError("a fact relates to another, not to itself")
    scope = one.life.scope if one.life.scope != GLOBAL else other.life.scope
    if relation.is_asked:
        _check_hold(one, other)
    edge = None
    if relation.edge is not None:
        edge = add_edge(store, (one.id, other.id), relation.edge, recorder, scope=scope).edge
    proposal = None
    if relation.is_asked:
        draft = ProposalDraft(
            kind=ProposalKind.CONTRADICTION,
            reason=reason or f"{one.id} {relation} {other.id}",
            scope=scope,
            facts=(other.id, one.id),
            detail={"relation": relation.value},
            key=contradiction_key(one, other),
        )
        with store.begin() as tx:
            proposal = open_proposal(tx, draft, recorder)
    logger.info("facts related: relation=%s from=%s to=%s", relation, one.id, other.id)
    return Related(relation=relation, edge=edge, proposal=proposal)


def _check_hold(*facts: Fact) -> None:
    for fact in facts:
        if fact.life.lifecycle is not Lifecycle.CURRENT:
            raise ConflictError(
                f"{fact.id} is {fact.life.lifecycle}, so there is nothing to choose",
                hint="see what came of it: tilth fact history ID",
            )
