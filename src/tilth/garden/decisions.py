"""Carry out a human's answer to a suggestion of the garden."""

from collections.abc import Callable, Mapping
from enum import StrEnum
from functools import partial

from tilth.core.errors import ConflictError
from tilth.core.scope import Visibility
from tilth.episodes.remember import WriteContext
from tilth.garden.model import Credibility, SourceId, TopicDraft, TopicId
from tilth.garden.tables import Sources, Topics
from tilth.garden.topics import TopicChange, added_in, changed_in, rated_in
from tilth.knowledge.proposals.decisions import YES, acts_on
from tilth.knowledge.proposals.proposal import Proposal, ProposalKind, Ruling
from tilth.ledger.store import Transaction


class Suggests(StrEnum):
    """What the garden suggests; the answers are yes (`confirm`) and no (`reject`)."""

    TOPIC = "topic"
    ARCHIVING = "archiving"
    CREDIBILITY = "credibility"
    PATTERN = "pattern"
    DIGEST = "digest"
    REASON = "reason"


_Act = Callable[[Transaction, Proposal, WriteContext], object]


def take_back(tx: Transaction, proposal: Proposal, recorder: WriteContext, *, reason: str) -> None:
    """
    Undo an accepted suggestion.

    Raises:
        ConflictError: the state has changed since.
    """
    del reason
    if undo := _UNDO.get(_of(proposal)):
        undo(tx, proposal, recorder)


@acts_on(ProposalKind.SUGGESTION, when=YES, undo=take_back)
def take(tx: Transaction, proposal: Proposal, ruling: Ruling, recorder: WriteContext) -> None:
    """
    Carry out a suggestion. A pattern or digest needs nothing beyond the decision.

    Raises:
        ConflictError: it is in that state already.
    """
    del ruling
    if act := _ACT.get(_of(proposal)):
        act(tx, proposal, recorder)


def _of(proposal: Proposal) -> Suggests:
    return Suggests(str(proposal.draft.detail["suggests"]))


def _add(tx: Transaction, proposal: Proposal, recorder: WriteContext) -> object:
    name = str(proposal.draft.detail["name"])
    return added_in(tx, TopicDraft(name=name, scope=proposal.draft.scope), recorder)


def _put_away_added(tx: Transaction, proposal: Proposal, recorder: WriteContext) -> object:
    name = str(proposal.draft.detail["name"])
    scopes = frozenset({proposal.draft.scope})
    topic = Topics(tx).named(name, Visibility(recorder.owner, scopes))
    if topic is None:
        raise ConflictError(f"no topic is called {name!r} any more")
    told = TopicChange(is_archived=True, reason="the suggestion was taken back")
    return changed_in(tx, topic.id, told, recorder)


def _archived(
    tx: Transaction, proposal: Proposal, recorder: WriteContext, *, is_archived: bool
) -> object:
    topic_id = TopicId.parse(str(proposal.draft.detail["topic"]))
    told = TopicChange(is_archived=is_archived, reason=proposal.draft.reason)
    return changed_in(tx, topic_id, told, recorder)


def _rate_back(tx: Transaction, proposal: Proposal, recorder: WriteContext) -> object:
    source_id = SourceId.parse(str(proposal.draft.detail["source"]))
    now = Sources(tx).get(source_id, Visibility(recorder.owner)).credibility
    if now != proposal.draft.detail["credibility"]:
        raise ConflictError(f"{source_id} is rated {now} by now")
    return _rated(tx, proposal, recorder, "was")


def _rated(tx: Transaction, proposal: Proposal, recorder: WriteContext, which: str) -> object:
    detail = proposal.draft.detail
    source_id = SourceId.parse(str(detail["source"]))
    to = Credibility(str(detail[which]))
    return rated_in(tx, source_id, to, recorder, reason=proposal.draft.reason)


_ACT: Mapping[Suggests, _Act] = {
    Suggests.TOPIC: _add,
    Suggests.ARCHIVING: partial(_archived, is_archived=True),
    Suggests.CREDIBILITY: partial(_rated, which="credibility"),
}
_UNDO: Mapping[Suggests, _Act] = {
    Suggests.TOPIC: _put_away_added,
    Suggests.ARCHIVING: partial(_archived, is_archived=False),
    Suggests.CREDIBILITY: _rate_back,
}
