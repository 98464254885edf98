"""
Deciding what waits, and taking decisions back.

A decision is a human's. It names what it retires and carries the digest of
what was shown: if any of it changed meanwhile, it is refused, and says what did.
"""

import logging
from collections.abc import Sequence
from dataclasses import dataclass, replace

from tilth.core.actor import require_human
from tilth.core.errors import ConflictError, TilthError
from tilth.core.ids import ProposalId
from tilth.core.lifecycle import Lifecycle
from tilth.core.scope import Visibility
from tilth.embedding.embedder import Vector
from tilth.episodes.remember import Recorder
from tilth.knowledge.facts.events import ChangeUndone, FactReinforced
from tilth.knowledge.facts.fact import FactDraft
from tilth.knowledge.facts.fact_entities import unseen
from tilth.knowledge.facts.tables import Facts
from tilth.knowledge.facts.write_fact import Writing, embedded, state_in
from tilth.knowledge.proposals.events import ProposalDecided
from tilth.knowledge.proposals.proposal import Action, Proposal, Ruling, Shown
from tilth.knowledge.proposals.tables import Proposals
from tilth.knowledge.vocabulary.normalise_fact import scrubbed_fact
from tilth.knowledge.vocabulary.tables import KnownWords
from tilth.ledger.store import Store, Transaction
from tilth.privacy.redaction import scrub
from tilth.review.handlers import is_settled_by, settle, unsettle
from tilth.review.queue import check_open, check_seen, shown_in
from tilth.review.rules import Answer, edited_draft, ruling_of

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class Decided:
    """What became of one of many decisions: the proposal as it is now, or why it was refused."""

    proposal_id: ProposalId
    proposal: Proposal | None = None
    code: str = ""
    message: str = ""


def decide_proposal(
    store: Store, proposal_id: ProposalId, answer: Answer, writing: Writing
) -> Proposal:
    """
    Decide a proposal; all that follows for facts and entities happens with it, or nothing does.

    Raises:
        ForbiddenError: the caller is not a human.
        NotFoundError: there is no such proposal that may be seen.
        ConflictError: it is decided, it changed since it was shown, or its place is taken.
        InvalidInputError: the answer does not name what would be retired, or does not fit.
    """
    recorder = writing.recorder
    require_human(recorder.by, "decide a proposal")
    within = Visibility(recorder.owner)
    edit = _edit(store, proposal_id, answer, writing) if answer.action is Action.EDIT else None
    with store.begin() as tx:
        seen = shown_in(tx, proposal_id, within)
        check_seen(seen.proposal.draft.retires, answer.digest)
        check_open(tx, seen, answer.digest)
        is_settled = is_settled_by(seen.proposal, answer.action)
        if is_settled:
            ruling = Ruling(action=answer.action, note=scrub(answer.note).text)
        elif edit is None:
            ruling = ruling_of(tx, seen, answer, recorder)
        else:
            ruling = replace(_edited(tx, seen, edit, writing), note=scrub(answer.note).text)
        event = ProposalDecided(proposal_id=proposal_id, digest=seen.digest, ruling=ruling)
        tx.append(event, by=recorder.by, owner=recorder.owner)
        if is_settled:
            settle(tx, seen.proposal, ruling, recorder)
        decided = Proposals(tx).get(proposal_id, within)
    logger.info("proposal decided: proposal=%s action=%s", proposal_id, answer.action.value)
    return decided


def decide_proposals(
    store: Store, answers: Sequence[tuple[ProposalId, Answer]], writing: Writing
) -> list[Decided]:
    """
    Decide many proposals, each whole or not at all, and say what became of each.

    Every one is a decision of its own, and can be taken back by itself.

    Raises:
        ForbiddenError: the caller is not a human.
    """
    require_human(writing.recorder.by, "decide proposals")
    return [_one_of_many(store, proposal_id, answer, writing) for proposal_id, answer in answers]


def undo_decision(
    store: Store, proposal_id: ProposalId, recorder: Recorder, *, reason: str = ""
) -> Proposal:
    """
    Take a decision back: facts and entities are what they were, and the proposal waits again.

    Raises:
        ForbiddenError: the caller is not a human.
        ConflictError: nothing is decided, or what it changed has changed since.
    """
    require_human(recorder.by, "take a decision back")
    within = Visibility(recorder.owner)
    with store.begin() as tx:
        reopened = taken_back(tx, Proposals(tx).get(proposal_id, within), recorder, reason=reason)
    logger.info("decision taken back: proposal=%s", proposal_id)
    return reopened


def taken_back(tx: Transaction, decided: Proposal, recorder: Recorder, *, reason: str) -> Proposal:
    """Take a decision back in a transaction; see `undo_decision` for what it may raise."""
    within = Visibility(recorder.owner)
    if decided.decision_id is None or decided.ruling is None:
        raise ConflictError(f"{decided.id} is not decided")
    undone = [decided.decision_id]
    if decided.ruling.edited is not None:
        undone.append(Facts(tx).lives(decided.ruling.edited, within)[0].event_id)
    changed = [past for one in undone for past in Facts(tx).changed_by(one, within)]
    if any(past.until is not None for past in changed):
        raise ConflictError("what it changed has changed since, so it cannot be taken back")
    for event_id in undone:
        event = ChangeUndone(event_id=event_id, reason=scrub(reason).text)
        tx.append(event, by=recorder.by, owner=recorder.owner)
    if is_settled_by(decided, decided.ruling.action):
        unsettle(tx, decided, recorder, reason=reason)
    return Proposals(tx).get(decided.id, within)


def _one_of_many(
    store: Store, proposal_id: ProposalId, answer: Answer, writing: Writing
) -> Decided:
    try:
        proposal = decide_proposal(store, proposal_id, answer, writing)
    except TilthError as error:
        return Decided(proposal_id=proposal_id, code=error.code, message=str(error))
    return Decided(proposal_id=proposal_id, proposal=proposal)


@dataclass(frozen=True, slots=True)
class _Edit:
    """A fact in a human's words, ready to be stated."""

    draft: FactDraft
    vectors: Vector


def _edit(store: Store, proposal_id: ProposalId, answer: Answer, writing: Writing) -> _Edit:
    with store.read() as view:
        seen = shown_in(view, proposal_id, Visibility(writing.recorder.owner))
    draft = scrubbed_fact(edited_draft(seen, answer))
    return _Edit(draft, embedded([draft], writing.embedder))


def _edited(tx: Transaction, seen: Shown, edit: _Edit, writing: Writing) -> Ruling:
    """State the fact in the human's words; a draft that said it otherwise is rejected for good."""
    recorder = writing.recorder
    words = KnownWords(tx).known(recorder.owner)
    stated = state_in(tx, edit.draft, writing, words=words, vectors=edit.vectors, reason=None)
    (proposed,) = seen.facts
    if stated.fact.key == proposed.key:
        raise ConflictError("that says the same", hint="confirm it as it is")
    if stated.fact.life.lifecycle is not Lifecycle.CURRENT:
        raise ConflictError(f"it would be {stated.fact.life.lifecycle.value}, not current")
    if more := unseen(stated.fact.evidence, proposed.evidence):
        event = FactReinforced(fact_id=stated.fact.id, evidence=more)
        tx.append(event, by=recorder.by, owner=recorder.owner)
    return Ruling(
        action=Action.EDIT,
        edited=None if stated.verdict == "reinforced" else stated.fact.id,
        rejects=() if stated.retired == proposed.id else (proposed.id,),
    )
