"""Ask a human whether two entities are one."""

from collections.abc import Iterator

from tilth.core.ids import EntityId, ProposalId
from tilth.core.scope import GLOBAL
from tilth.episodes.remember import WriteContext
from tilth.knowledge.entities.entity import Entity
from tilth.knowledge.entities.resolve_name import Suggestion
from tilth.knowledge.entities.sighting import is_sighted
from tilth.knowledge.entities.tables import Entities
from tilth.knowledge.proposals.ask import open_proposal
from tilth.knowledge.proposals.proposal import Proposal, ProposalDraft, ProposalKind
from tilth.knowledge.proposals.tables import Proposals
from tilth.knowledge.vocabulary.registries import EntityType
from tilth.ledger.snapshot import Snapshot
from tilth.ledger.store import Transaction

# Suggestions with a lower score, of which fewer than two in three are right, are only shown on
# request.
PROPOSED_MIN = 0.5
PROPOSED_MAX = 3


def propose_merges(
    tx: Transaction, entity: Entity, near: tuple[Suggestion, ...], recorder: WriteContext
) -> tuple[ProposalId, ...]:
    """Propose the best of *near*, unless a human decided about it before."""
    return tuple(
        propose_merge(tx, entity, one, recorder)
        for one in near[:PROPOSED_MAX]
        if one.score >= PROPOSED_MIN and is_open(tx, entity, one.entity)
    )


def propose_merge(
    tx: Transaction, entity: Entity, suggestion: Suggestion, recorder: WriteContext
) -> ProposalId:
    """Ask a human whether two entities are one, once for each pair."""
    winner, loser = ordered(entity, suggestion.entity)
    draft = ProposalDraft(
        kind=ProposalKind.MERGE,
        reason=f"{loser.name} may be {winner.name}: {suggestion.reason}",
        scope=loser.scope,
        entities=(winner.id, loser.id),
        detail={"winner": winner.id, "loser": loser.id, "score": round(suggestion.score, 3)},
        key=pair_key(winner.id, loser.id),
    )
    return open_proposal(tx, draft, recorder).id


def pair_key(one: EntityId, other: EntityId) -> str:
    """Return the key of the question whether two entities are one, in either order."""
    return ":".join(("merge", *sorted((one, other))))


def ordered(one: Entity, other: Entity) -> tuple[Entity, Entity]:
    """
    Return which of two entities should remain, and which become another name.

    The wider scope wins, since whoever sees the loser must see the winner; then what a human
    recorded, what has a type, proper case (DU-059), and age.
    """
    winner, loser = sorted((one, other), key=_standing)
    return winner, loser


def is_open(reader: Snapshot, one: Entity, other: Entity) -> bool:
    """Say whether two entities may be one: nobody separated them, and no human was asked."""
    return (
        (one.scope == other.scope or GLOBAL in {one.scope, other.scope})
        # Two identifiers that programs use are two things.
        and not (is_sighted(one.metadata) and is_sighted(other.metadata))
        and not Entities(reader).was_split(one.id, other.id)
        and not any(asked_about(reader, one, other))
    )


def _standing(entity: Entity) -> tuple[bool, bool, bool, bool, int]:
    return (
        entity.scope != GLOBAL,
        not entity.by.is_human,
        entity.type is EntityType.THING,
        entity.name == entity.name.casefold(),
        entity.seq,
    )


def asked_about(reader: Snapshot, one: Entity, other: Entity) -> Iterator[Proposal]:
    """Yield the questions whether two entities are one, in the scope of either."""
    key = pair_key(one.id, other.id)
    for scope in {one.scope, other.scope}:
        if (proposal := Proposals(reader).asked(key, one.owner, scope)) is not None:
            yield proposal
