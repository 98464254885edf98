"""What a human's answer about entities or gaps means: they are one, or two, or reached there."""

from tilth.core.errors import ConflictError
from tilth.core.ids import EntityId
from tilth.core.scope import Visibility
from tilth.episodes.remember import Recorder
from tilth.gaps.merge_gaps import merge_gaps, part_gaps
from tilth.knowledge.entities.entity import Entity
from tilth.knowledge.entities.merging import check_mergeable, merge_in, split_in
from tilth.knowledge.entities.tables import Entities
from tilth.knowledge.proposals.proposal import Action, Proposal, ProposalKind, Ruling
from tilth.ledger.store import Transaction
from tilth.people.identities import link_asked, unlink_asked

_ABOUT_THINGS = frozenset({ProposalKind.MERGE, ProposalKind.SPLIT, ProposalKind.GAP_MERGE})
_YES = dict.fromkeys(_ABOUT_THINGS, frozenset({Action.CONFIRM, Action.MERGE})) | {
    ProposalKind.IDENTITY_LINK: frozenset({Action.CONFIRM})
}


def is_settled_by(proposal: Proposal, action: Action) -> bool:
    """Say whether *action* lets things become one or two, or somebody be reached."""
    return action in _YES.get(proposal.draft.kind, ())


def settle(tx: Transaction, proposal: Proposal, ruling: Ruling, recorder: Recorder) -> None:
    """
    Merge, split or link, as a decision that was just recorded says.

    Raises:
        ConflictError: the entities are that already, or the address is another's.
        ForbiddenError: who sees the one would not see the other.
    """
    if proposal.draft.kind is ProposalKind.GAP_MERGE:
        merge_gaps(tx, proposal, recorder)
        return
    if proposal.draft.kind is ProposalKind.IDENTITY_LINK:
        link_asked(tx, proposal, recorder)
        return
    winner, loser = _pair(tx, proposal, recorder)
    if proposal.draft.kind is ProposalKind.MERGE:
        winner = Entities(tx).canonical(winner.id, Visibility(recorder.owner))
        check_mergeable(winner, loser)
        merge_in(tx, winner, loser, recorder, reason=ruling.note or proposal.draft.reason)
    elif loser.merged_into == winner.id:
        split_in(tx, loser, winner, recorder, reason=ruling.note or proposal.draft.reason)
    else:
        raise ConflictError(f"{loser.id} is not merged into {winner.id} any more")


def unsettle(tx: Transaction, proposal: Proposal, recorder: Recorder, *, reason: str) -> None:
    """
    Take back what `settle` did.

    Raises:
        ConflictError: it was taken back already, or can no longer be.
    """
    if proposal.draft.kind is ProposalKind.GAP_MERGE:
        part_gaps(tx, proposal, recorder)
        return
    if proposal.draft.kind is ProposalKind.IDENTITY_LINK:
        unlink_asked(tx, proposal, recorder, reason=reason)
        return
    winner, loser = _pair(tx, proposal, recorder)
    if proposal.draft.kind is ProposalKind.SPLIT:
        check_mergeable(winner, loser)
        merge_in(tx, winner, loser, recorder, reason=reason)
    elif loser.merged_into is not None:
        at = Entities(tx).get(loser.merged_into, Visibility(recorder.owner))
        split_in(tx, loser, at, recorder, reason=reason)
    else:
        raise ConflictError(f"{loser.id} was split off already")


def _pair(tx: Transaction, proposal: Proposal, recorder: Recorder) -> tuple[Entity, Entity]:
    within, detail = Visibility(recorder.owner), proposal.draft.detail
    winner, loser = (
        Entities(tx).get(EntityId(str(detail[name])), within) for name in ("winner", "loser")
    )
    return winner, loser
