"""Carry out a human's answer about two entities: they are one, or two again."""

from tilth.core.errors import ConflictError
from tilth.core.ids import EntityId
from tilth.core.scope import Visibility
from tilth.episodes.remember import WriteContext
from tilth.knowledge.entities.entity import Entity
from tilth.knowledge.entities.tables import Entities
from tilth.knowledge.merging.merge import check_mergeable, merge_in, split_in
from tilth.knowledge.proposals.decisions import YES, acts_on
from tilth.knowledge.proposals.proposal import Proposal, ProposalKind, Ruling
from tilth.ledger.store import Transaction


def split_again(
    tx: Transaction, proposal: Proposal, recorder: WriteContext, *, reason: str
) -> None:
    """
    Split two entities that a decision, which is now taken back, had merged.

    Raises:
        ConflictError: they are split already.
    """
    _, loser = _pair(tx, proposal, recorder)
    if loser.merged_into is None:
        raise ConflictError(f"{loser.id} was split off already")
    winner = Entities(tx).get(loser.merged_into, Visibility(recorder.owner))
    split_in(tx, loser, winner, recorder, reason=reason)


@acts_on(ProposalKind.MERGE, when=YES, undo=split_again)
def merge_asked(
    tx: Transaction, proposal: Proposal, ruling: Ruling, recorder: WriteContext
) -> None:
    """
    Make one entity another name of a second.

    Raises:
        ConflictError: they are one already, or the loser was merged into something else.
        ForbiddenError: some who see the loser would not see the winner.
    """
    winner, loser = _pair(tx, proposal, recorder)
    winner = Entities(tx).canonical(winner.id, Visibility(recorder.owner))
    check_mergeable(winner, loser)
    merge_in(tx, winner, loser, recorder, reason=ruling.note or proposal.draft.reason)


def merge_again(
    tx: Transaction, proposal: Proposal, recorder: WriteContext, *, reason: str
) -> None:
    """
    Merge two entities again that a decision, which is now taken back, had split.

    Raises:
        ConflictError: they are one already, or the loser was merged into something else.
    """
    winner, loser = _pair(tx, proposal, recorder)
    check_mergeable(winner, loser)
    merge_in(tx, winner, loser, recorder, reason=reason)


@acts_on(ProposalKind.SPLIT, when=YES, undo=merge_again)
def split_asked(
    tx: Transaction, proposal: Proposal, ruling: Ruling, recorder: WriteContext
) -> None:
    """
    Take the merge of two entities back.

    Raises:
        ConflictError: they are not merged any more.
    """
    winner, loser = _pair(tx, proposal, recorder)
    if loser.merged_into != winner.id:
        raise ConflictError(f"{loser.id} is not merged into {winner.id} any more")
    split_in(tx, loser, winner, recorder, reason=ruling.note or proposal.draft.reason)


def _pair(tx: Transaction, proposal: Proposal, recorder: WriteContext) -> tuple[Entity, Entity]:
    within, detail = Visibility(recorder.owner), proposal.draft.detail
    winner, loser = (
        Entities(tx).get(EntityId(str(detail[name])), within) for name in ("winner", "loser")
    )
    return winner, loser
