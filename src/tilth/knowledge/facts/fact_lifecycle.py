"""
End facts, archive them, and bring them back.

Only a human ends what others rest on; anybody else gives a reason, and a proposal waits. A writer
may archive and restore a fact that it stated itself and nobody vouched for.
"""

import logging
from collections.abc import Collection
from datetime import datetime

from tilth.core.dataclass import dataclass
from tilth.core.errors import ConflictError, ForbiddenError, InvalidInputError
from tilth.core.ids import EpisodeId, FactId, OutcomeId, ProposalId
from tilth.core.instant import written_minute
from tilth.core.json import JsonObject
from tilth.core.lifecycle import Lifecycle, Review
from tilth.core.scope import Visibility
from tilth.episodes.remember import WriteContext
from tilth.knowledge.facts.events import FactArchived, FactRetired
from tilth.knowledge.facts.fact import Fact
from tilth.knowledge.facts.filters import FactFilter
from tilth.knowledge.facts.life import PastLife, check_interval
from tilth.knowledge.facts.tables import Facts
from tilth.knowledge.facts.write.slot_conflicts import holder_of
from tilth.knowledge.facts.write.supersession import refuse_milestone
from tilth.knowledge.proposals.ask import open_proposal
from tilth.knowledge.proposals.events import ChangeUndone
from tilth.knowledge.proposals.proposal import (
    ENDED,
    RATIONALE_CHARS_MIN,
    Proposal,
    ProposalDraft,
    ProposalKind,
)
from tilth.ledger.store import Store, Transaction
from tilth.privacy.redaction import scrub

logger = logging.getLogger(__name__)

_ARCHIVING = "fact_archived"


@dataclass(frozen=True, slots=True)
class Ended:
    """A fact that was asked to end: it has ended, or a proposal waits."""

    fact: Fact
    proposal_id: ProposalId | None = None


def retire_fact(
    store: Store,
    fact_id: FactId,
    recorder: WriteContext,
    *,
    reason: str,
    valid_to: datetime | None = None,
) -> Ended:
    """
    End a fact without a successor; *valid_to* may be in the past, None is now.

    A non-human caller proposes it instead, with a reason that a human can judge.

    Raises:
        NotFoundError: no such fact is visible.
        ConflictError: it is not current, or it is a milestone.
        InvalidInputError: it would end before it began, or the reason is too short.
    """
    within = Visibility(recorder.owner)
    with store.begin() as tx:
        fact = _current(tx, fact_id, within)
        check_interval(fact.life.valid_from, valid_to)
        if recorder.by.is_human:
            retire_in(tx, fact, recorder, reason=reason, valid_to=valid_to)
            ended = Ended(Facts(tx).get(fact_id, within))
        else:
            ended = removal_in(tx, fact, reason, recorder, valid_to=valid_to)
    logger.info("fact asked to end: fact=%s proposed=%s", fact_id, bool(ended.proposal_id))
    return ended


def retire_in(
    tx: Transaction,
    fact: Fact,
    recorder: WriteContext,
    *,
    reason: str,
    valid_to: datetime | None = None,
    shown_by: tuple[EpisodeId, ...] = (),
) -> None:
    """
    End a fact in a transaction; *shown_by* are the episodes that the reason quotes.

    Raises:
        ForbiddenError: a human vouched for it, or somebody else stated it.
    """
    _check_own(fact, recorder)
    event = FactRetired(
        fact_id=fact.id, reason=scrub(reason).text, valid_to=valid_to, shown_by=shown_by
    )
    tx.append(event, by=recorder.by, owner=recorder.owner)


def promote_fact(store: Store, fact_id: FactId, recorder: WriteContext, *, reason: str) -> Ended:
    """
    Propose that a historical fact, such as an imported one, becomes current (OB-026).

    Only an outcome promotes a current fact: `tilth.knowledge.outcomes.outcomes` (EM-064).

    Raises:
        NotFoundError: no such fact is visible.
        ConflictError: it is not historical.
        ForbiddenError: a human rejected it.
    """
    within = Visibility(recorder.owner)
    with store.begin() as tx:
        fact = Facts(tx).get(fact_id, within)
        if fact.life.lifecycle is not Lifecycle.HISTORICAL:
            raise ConflictError(
                f"{fact_id} is {fact.life.lifecycle.value}, not historical",
                hint="what is current is promoted by what came of it: tilth fact outcome",
            )
        if fact.life.review is Review.REJECTED and not recorder.by.is_human:
            raise ForbiddenError(f"a human rejected {fact_id}", hint="only a human takes that back")
        proposal = promotion_in(tx, fact, recorder, reason=reason or "it is still so")
    logger.info("promotion proposed: fact=%s", fact_id)
    return Ended(fact, proposal.id)


def promotion_in(
    tx: Transaction,
    fact: Fact,
    recorder: WriteContext,
    *,
    reason: str,
    outcome_id: OutcomeId | None = None,
) -> Proposal:
    """Propose that a human confirm *fact*, possibly because of an outcome."""
    realm = Visibility(fact.owner, frozenset({fact.life.scope}))
    is_past = fact.life.lifecycle is Lifecycle.HISTORICAL
    holder = holder_of(tx, fact.slot, realm) if fact.slot and is_past else None
    key = f"promotion:{fact.id}"
    draft = ProposalDraft(
        kind=ProposalKind.PROMOTION,
        reason=reason,
        scope=fact.life.scope,
        facts=(fact.id,),
        retires=() if holder is None else (holder.id,),
        detail={} if outcome_id is None else {"outcome": outcome_id},
        key=key if outcome_id is None else f"{key}:{outcome_id}",
    )
    return open_proposal(tx, draft, recorder)


def archive_in(tx: Transaction, fact: Fact, recorder: WriteContext, *, reason: str) -> None:
    """
    Archive a fact in a transaction.

    Raises:
        ForbiddenError: a human vouched for it, or somebody else stated it.
    """
    _check_own(fact, recorder)
    event = FactArchived(fact_id=fact.id, reason=scrub(reason).text)
    tx.append(event, by=recorder.by, owner=recorder.owner)


def restore_in(tx: Transaction, fact_id: FactId, recorder: WriteContext) -> Fact:
    """
    Restore an archived fact in a transaction.

    Raises:
        NotFoundError: no such fact is visible.
        ConflictError: it is not archived, or its slot is taken.
        ForbiddenError: somebody else archived it.
    """
    within = Visibility(recorder.owner)
    Facts(tx).get(fact_id, within)
    last = Facts(tx).lives(fact_id, within)[-1]
    if last.event_kind != _ARCHIVING:
        raise ConflictError(
            f"{fact_id} is not archived", hint=f"how it stands: tilth fact show {fact_id}"
        )
    return undo_change_in(tx, last, recorder, "restored")


def undo_change_in(tx: Transaction, last: PastLife, recorder: WriteContext, reason: str) -> Fact:
    """
    Undo the event that a life began with, and what it did to other facts.

    Raises:
        ConflictError: what the event changed has changed since.
        ForbiddenError: somebody else made the change, or a human vouched for the fact.
    """
    within = Visibility(recorder.owner)
    changed = Facts(tx).changed_by(last.event_id, within)
    if any(past.until is not None for past in changed):
        raise ConflictError("what it changed has changed since, so it cannot be taken back")
    if not recorder.by.is_human and last.by != recorder.by:
        raise ForbiddenError(f"{last.by.name} did that, and only a human takes it back")
    for past in changed:
        check_return(tx, past.fact_id, {one.fact_id for one in changed}, within)
    event = ChangeUndone(event_id=last.event_id, reason=scrub(reason).text)
    tx.append(event, by=recorder.by, owner=recorder.owner)
    return Facts(tx).get(last.fact_id, within)


def removal_in(
    tx: Transaction,
    fact: Fact,
    reason: str,
    recorder: WriteContext,
    *,
    shown_by: tuple[EpisodeId, ...] = (),
    valid_to: datetime | None = None,
) -> Ended:
    """
    Propose that a fact ends, in a transaction; see `retire_fact` for its errors.

    *shown_by* are the episodes that the reason quotes; erasing them erases the question. Without
    *valid_to*, it ends when a human agrees.
    """
    if len(reason.strip()) < RATIONALE_CHARS_MIN:
        raise InvalidInputError(
            f"say why in at least {RATIONALE_CHARS_MIN} characters", hint="--reason TEXT"
        )
    ended: JsonObject = {}
    if valid_to is not None:
        ended = {ENDED: valid_to.isoformat()}
        reason = f"it held until {written_minute(valid_to)} UTC: {reason}"
    draft = ProposalDraft(
        kind=ProposalKind.REMOVAL,
        reason=reason,
        detail=ended,
        scope=fact.life.scope,
        retires=(fact.id,),
        shown_by=shown_by,
        key=f"removal:{fact.id}",
    )
    proposal = open_proposal(tx, draft, recorder)
    if proposal.ruling is not None:
        raise ForbiddenError(f"a human decided about that before: {proposal.id}")
    return Ended(Facts(tx).get(fact.id, Visibility(recorder.owner)), proposal.id)


def _current(tx: Transaction, fact_id: FactId, within: Visibility) -> Fact:
    fact = Facts(tx).get(fact_id, within)
    if fact.life.lifecycle is not Lifecycle.CURRENT:
        raise ConflictError(
            f"{fact_id} is {fact.life.lifecycle.value} already",
            hint=f"see what holds now: tilth fact history {fact_id}",
        )
    if refusal := refuse_milestone(fact):
        raise ConflictError(refusal.reason, hint=refusal.hint)
    return fact


def check_return(
    tx: Transaction, fact_id: FactId, moved: Collection[FactId], within: Visibility
) -> None:
    """
    Refuse to restore a fact if another one fills its slot, or says the same.

    Raises:
        ConflictError: there is such a fact, and it is none of *moved*.
    """
    fact, lives = Facts(tx).get(fact_id, within), Facts(tx).lives(fact_id, within)
    if len(lives) == 1 or lives[-2].life.lifecycle is not Lifecycle.CURRENT:
        return
    realm = Visibility(fact.owner, frozenset({lives[-2].life.scope}))
    holder = holder_of(tx, fact.slot, realm) if fact.slot else None
    if holder is not None and holder.id not in moved:
        raise ConflictError(f"{holder.id} holds this place by now", hint="put that away first")
    for one in Facts(tx).select(FactFilter(within=realm, key=fact.key), limit=len(moved) + 1):
        if one.id not in moved:
            raise ConflictError(f"{one.id} says the same by now", hint="put that away first")


def is_own_word(fact: Fact, recorder: WriteContext) -> bool:
    """Say whether the writer stated *fact*, and nobody vouches for it."""
    return fact.by == recorder.by and not fact.is_vouched


def _check_own(fact: Fact, recorder: WriteContext) -> None:
    if not (recorder.by.is_human or is_own_word(fact, recorder)):
        raise ForbiddenError(
            f"{fact.id} is not {recorder.by.name}'s own, or a human vouched for it",
            hint="propose to remove it: tilth fact retire",
        )
