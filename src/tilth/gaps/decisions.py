"""Carry out a human's answer about two gaps: they are one, or two again."""

from tilth.core.errors import ConflictError
from tilth.core.scope import Visibility
from tilth.episodes.remember import WriteContext
from tilth.gaps.events import GapsMerged, GapsParted
from tilth.gaps.model import Gap, GapId
from tilth.gaps.tables import Gaps
from tilth.knowledge.proposals.decisions import YES, acts_on
from tilth.knowledge.proposals.proposal import Proposal, ProposalKind, Ruling
from tilth.ledger.store import Transaction


def part_gaps(tx: Transaction, proposal: Proposal, recorder: WriteContext, *, reason: str) -> None:
    """
    Separate two gaps that a decision, which is now taken back, had merged.

    Raises:
        ConflictError: they are separate already.
    """
    del reason
    pair = _pair(tx, proposal, recorder)
    for one, other in (pair, pair[::-1]):
        if one.merged_into == other.id:
            event = GapsParted(winner=other.id, loser=one.id)
            tx.append(event, by=recorder.by, owner=recorder.owner)
            return
    raise ConflictError(f"{pair[0].id} and {pair[1].id} are two already")


@acts_on(ProposalKind.GAP_MERGE, when=YES, undo=part_gaps)
def merge_gaps(tx: Transaction, proposal: Proposal, ruling: Ruling, recorder: WriteContext) -> None:
    """
    Merge two gaps.

    Raises:
        ConflictError: one of them is merged already, or others were merged into it.
    """
    del ruling
    winner, loser = _pair(tx, proposal, recorder)
    if loser.todo_ref and not winner.todo_ref:
        # The gap with a task is kept, so that there is one task.
        winner, loser = loser, winner
    _check_free(tx, winner, loser, recorder)
    event = GapsMerged(winner=winner.id, loser=loser.id)
    tx.append(event, by=recorder.by, owner=recorder.owner)


def _check_free(tx: Transaction, winner: Gap, loser: Gap, recorder: WriteContext) -> None:
    within = Visibility(recorder.owner)
    for one in (winner, loser):
        if one.merged_into is not None:
            raise ConflictError(f"{one.id} is one with {one.merged_into} by now")
    if Gaps(tx).merged(loser.id, within):
        raise ConflictError(f"{loser.id} stands for others that were merged into it")


def _pair(tx: Transaction, proposal: Proposal, recorder: WriteContext) -> tuple[Gap, Gap]:
    within, detail = Visibility(recorder.owner), proposal.draft.detail
    winner, loser = (
        Gaps(tx).get(GapId.parse(str(detail[name])), within) for name in ("winner", "loser")
    )
    return winner, loser
