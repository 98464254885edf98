"""
The queue of what waits for a human, and deciding about it.

Anyone opens a proposal; a human decides. A decision names what it retires and
carries the digest of what was shown: if any of it changed meanwhile, it is
refused, and shown again.
"""

import logging
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from tilth.domain.actor import require_human
from tilth.domain.events import ChangeUndone, ProposalDecided, ProposalOpened, ProposalSnoozed
from tilth.domain.fact import Fact
from tilth.domain.ids import PROPOSAL_PREFIX, FactId, ProposalId
from tilth.domain.lifecycle import Lifecycle
from tilth.domain.proposal import (
    Action,
    Proposal,
    ProposalDraft,
    ProposalKind,
    ProposalState,
    Ruling,
    Shown,
    shown,
)
from tilth.domain.scope import Scope, Visibility, seen_from
from tilth.errors import ConflictError, InvalidInputError
from tilth.ports import Reader, Store, Transaction
from tilth.privacy.redaction import scrub, scrub_object
from tilth.usecases.facts import check_page
from tilth.usecases.remember import Recorder
from tilth.usecases.rivals import holder_of

logger = logging.getLogger(__name__)

PAGE_MAX = 1000
# Questions about facts that stand anyway: rejecting one dismisses the question, not the facts.
_ABOUT_STANDING = frozenset(
    {ProposalKind.CONTRADICTION, ProposalKind.MERGE, ProposalKind.SPLIT, ProposalKind.IDENTITY_LINK}
)
# What needs more than a ruling: new words, or a merge of entities.
_OTHERS = frozenset({Action.EDIT, Action.MERGE})


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """
    What a human answers, and what the human saw.

    `retires` must name exactly what the proposal would retire, if it is confirmed.
    `keeps` is the side of a contradiction that supersedes the other.
    """

    action: Action
    digest: str
    retires: tuple[FactId, ...] = ()
    keeps: FactId | None = None
    scope: Scope | None = None
    note: str = ""


@dataclass(frozen=True, slots=True)
class Queue:
    """Proposals, and how many there are of each state."""

    proposals: tuple[Proposal, ...]
    counts: Mapping[ProposalState, int]


def open_proposal(tx: Transaction, draft: ProposalDraft, recorder: Recorder) -> Proposal:
    """Ask a human; a question that was asked before under the same key is not asked again."""
    if draft.key and (known := tx.proposals.asked(draft.key, recorder.owner, draft.scope)):
        return known
    clean = ProposalDraft(
        kind=draft.kind,
        reason=scrub(draft.reason).text,
        scope=draft.scope,
        facts=draft.facts,
        entities=draft.entities,
        retires=draft.retires,
        detail=scrub_object(draft.detail),
        key=draft.key,
    )
    opened = tx.append(ProposalOpened(clean), by=recorder.by, owner=recorder.owner).recorded
    within = seen_from(recorder.owner, draft.scope)
    return tx.proposals.get(ProposalId(PROPOSAL_PREFIX + opened.event_id), within)


def list_proposals(
    store: Store,
    within: Visibility,
    *,
    states: frozenset[ProposalState] | None = None,
    kinds: frozenset[ProposalKind] | None = None,
    limit: int = 100,
    offset: int = 0,
) -> Queue:
    """Return the queue, the oldest first."""
    check_page(limit, PAGE_MAX)
    with store.read() as view:
        found = view.proposals.select(
            within, states=states, kinds=kinds, limit=limit, offset=offset
        )
        return Queue(tuple(found), view.proposals.count(within))


def show_proposal(store: Store, proposal_id: ProposalId, within: Visibility) -> Shown:
    """Return a proposal with all that a decision about it rests on."""
    with store.read() as view:
        return shown_in(view, proposal_id, within)


def shown_in(reader: Reader, proposal_id: ProposalId, within: Visibility) -> Shown:
    """Return a proposal as *reader* shows it."""
    proposal = reader.proposals.get(proposal_id, within)
    draft = proposal.draft
    return shown(
        proposal,
        [reader.facts.get(fact_id, within) for fact_id in draft.facts],
        [reader.facts.get(fact_id, within) for fact_id in draft.retires],
    )


def decide_proposal(
    store: Store, proposal_id: ProposalId, answer: Answer, recorder: Recorder
) -> Proposal:
    """
    Decide a proposal; all that follows for facts happens with it, or nothing does.

    Raises:
        ForbiddenError: the caller is not a human.
        NotFoundError: there is no such proposal that may be seen.
        ConflictError: it is decided, it changed since it was shown, or its place is taken.
        InvalidInputError: the answer does not name what would be retired, or does not fit.
    """
    require_human(recorder.by, "decide a proposal")
    within = Visibility(recorder.owner)
    with store.begin() as tx:
        seen = shown_in(tx, proposal_id, within)
        check_open(seen, answer.digest)
        ruling = _ruling(tx, seen, answer)
        event = ProposalDecided(proposal_id=proposal_id, digest=seen.digest, ruling=ruling)
        tx.append(event, by=recorder.by, owner=recorder.owner)
        decided = tx.proposals.get(proposal_id, within)
    logger.info("proposal decided: proposal=%s action=%s", proposal_id, answer.action.value)
    return decided


def check_open(seen: Shown, digest: str) -> None:
    """
    Refuse to decide what is decided, or what changed since it was shown.

    Raises:
        ConflictError: it is, or did.
    """
    proposal = seen.proposal
    if proposal.state is not ProposalState.OPEN:
        raise ConflictError(f"{proposal.id} is decided already", hint="take it back: review undo")
    if digest != seen.digest:
        raise ConflictError(
            f"{proposal.id} is not what was shown", hint=f"look again: review show {proposal.id}"
        )


def snooze_proposal(
    store: Store, proposal_id: ProposalId, until: datetime, recorder: Recorder
) -> Proposal:
    """Look at a proposal later."""
    require_human(recorder.by, "put a proposal off")
    within = Visibility(recorder.owner)
    with store.begin() as tx:
        tx.proposals.get(proposal_id, within)
        event = ProposalSnoozed(proposal_id=proposal_id, until=until)
        tx.append(event, by=recorder.by, owner=recorder.owner)
        snoozed = tx.proposals.get(proposal_id, within)
    logger.info("proposal put off: proposal=%s", proposal_id)
    return snoozed


def undo_decision(
    store: Store, proposal_id: ProposalId, recorder: Recorder, *, reason: str = ""
) -> Proposal:
    """
    Take a decision back: facts are what they were, and the proposal waits again.

    Raises:
        ForbiddenError: the caller is not a human.
        ConflictError: nothing is decided, or what it changed has changed since.
    """
    require_human(recorder.by, "take a decision back")
    within = Visibility(recorder.owner)
    with store.begin() as tx:
        decision = tx.proposals.get(proposal_id, within).decision_id
        if decision is None:
            raise ConflictError(f"{proposal_id} is not decided")
        if any(past.until is not None for past in tx.facts.changed_by(decision, within)):
            raise ConflictError("what it changed has changed since, so it cannot be taken back")
        event = ChangeUndone(event_id=decision, reason=scrub(reason).text)
        tx.append(event, by=recorder.by, owner=recorder.owner)
        reopened = tx.proposals.get(proposal_id, within)
    logger.info("decision taken back: proposal=%s", proposal_id)
    return reopened


def _ruling(tx: Transaction, seen: Shown, answer: Answer) -> Ruling:
    action, note = answer.action, scrub(answer.note).text
    if action in _OTHERS:
        raise InvalidInputError(f"{action.value} needs more than an answer")
    if action is Action.CONFIRM:
        return _confirming(tx, seen, answer, note)
    if action is Action.SUPERSEDE:
        return _superseding(seen, answer, note)
    if action is Action.RESTRICT_SCOPE and answer.scope is None:
        raise InvalidInputError("restricting needs the scope", hint="give it: --scope project:KEY")
    facts = seen.proposal.draft.facts
    if action is Action.REJECT and seen.proposal.draft.kind in _ABOUT_STANDING:
        facts = ()
    return Ruling(action=action, facts=facts, scope=answer.scope, note=note)


def _confirming(tx: Transaction, seen: Shown, answer: Answer, note: str) -> Ruling:
    draft = seen.proposal.draft
    if draft.kind in _ABOUT_STANDING:
        raise InvalidInputError(
            f"a {draft.kind.value} is not simply confirmed", hint="say which side: --keep fct_…"
        )
    if set(answer.retires) != set(draft.retires):
        named = ", ".join(draft.retires) or "nothing"
        raise InvalidInputError(
            f"confirming would retire {named}, and the answer does not say so",
            hint="name it: --retires ID",
        )
    for fact in seen.facts:
        _check_room(tx, fact, draft.retires)
    for fact in seen.retires:
        _check_current(fact)
    return Ruling(
        action=Action.CONFIRM,
        facts=draft.facts,
        retires=draft.retires,
        since=_since(seen.facts, seen.retires),
        note=note,
    )


def _superseding(seen: Shown, answer: Answer, note: str) -> Ruling:
    facts = {fact.id: fact for fact in (*seen.facts, *seen.retires)}
    if answer.keeps not in facts:
        raise InvalidInputError(
            "superseding needs the side that stays", hint=f"one of {', '.join(facts)}"
        )
    kept = facts.pop(answer.keeps)
    if set(answer.retires) != set(facts):
        raise InvalidInputError(
            f"this would retire {', '.join(facts)}, and the answer does not say so",
            hint="name it: --retires ID",
        )
    for fact in facts.values():
        _check_current(fact)
    return Ruling(
        action=Action.SUPERSEDE,
        facts=(kept.id,),
        retires=tuple(facts),
        since=_since((kept,), tuple(facts.values())),
        note=note,
    )


def _check_current(fact: Fact) -> None:
    if fact.life.lifecycle is not Lifecycle.CURRENT:
        raise ConflictError(
            f"{fact.id} is {fact.life.lifecycle.value} by now", hint="reject the proposal"
        )


def _check_room(tx: Transaction, fact: Fact, retires: Sequence[FactId]) -> None:
    realm = Visibility(fact.owner, frozenset({fact.life.scope}))
    holder = holder_of(tx, fact.slot, realm) if fact.slot else None
    if holder is not None and holder.id not in {fact.id, *retires}:
        raise ConflictError(
            f"{holder.id} holds this place by now", hint="reject this, and propose it anew"
        )


def _since(facts: Sequence[Fact], retires: Sequence[Fact]) -> datetime | None:
    """Return when what is confirmed begins, if its writer said so; never before what it ends."""
    told = [fact.life.valid_from for fact in facts if fact.life.valid_from != fact.recorded_at]
    if not told:
        return None
    return max([*told, *(fact.life.valid_from for fact in retires)])
