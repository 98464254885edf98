"""
Decide proposals, and undo decisions.

Only a human decides. A decision names what it retires and has the digest of what was shown: if any
of that changed meanwhile, it is refused, with what changed.
"""

import logging
from dataclasses import replace
from datetime import datetime

from tilth.core.actor import require_human
from tilth.core.dataclass import dataclass
from tilth.core.errors import ConflictError, InvalidInputError
from tilth.core.ids import ProposalId
from tilth.core.lifecycle import Lifecycle
from tilth.core.scope import Visibility
from tilth.knowledge.facts.decisions import Shown, apply_edit, prepare_edit, shown_in
from tilth.knowledge.facts.fact import Fact
from tilth.knowledge.facts.tables import Facts
from tilth.knowledge.facts.write.merged_values import ask_about_other_values
from tilth.knowledge.facts.write.slot_conflicts import equal_facts
from tilth.knowledge.facts.write.write_fact import Writing
from tilth.knowledge.proposals.decisions import decider_of
from tilth.knowledge.proposals.events import ProposalDecided
from tilth.knowledge.proposals.proposal import Action, Answer, Proposal, Ruling
from tilth.knowledge.proposals.tables import Proposals
from tilth.ledger.store import Store, Transaction
from tilth.privacy.redaction import scrub
from tilth.review.queue import check_open, check_seen

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class Decided:
    """The result of one of many decisions: the proposal as it is now, or why it was refused."""

    proposal_id: ProposalId
    proposal: Proposal | None = None
    code: str = ""
    message: str = ""


def decide_proposal(
    store: Store, proposal_id: ProposalId, answer: Answer, writing: Writing
) -> Proposal:
    """
    Decide a proposal, with all effects on facts and entities, or none.

    Raises:
        ForbiddenError: the caller is not a human.
        NotFoundError: no such proposal is visible.
        ConflictError: it is decided, it changed since it was shown, or its slot is taken.
        InvalidInputError: the answer does not name what it retires, does not fit, or gives a slot
            to a fact that has not begun.
    """
    recorder = writing.recorder
    require_human(recorder.by, "decide a proposal")
    within = Visibility(recorder.owner)
    is_edit = answer.action is Action.EDIT
    edit = prepare_edit(store, proposal_id, answer, writing) if is_edit else None
    with store.begin() as tx:
        seen = shown_in(tx, proposal_id, within)
        check_seen(seen.proposal.draft.retires, answer.digest)
        check_open(tx, seen, answer.digest)
        decider = decider_of(seen.proposal.draft.kind)
        if edit is None:
            ruling = decider.rule(tx, seen.proposal, answer, recorder)
        else:
            ruling = apply_edit(tx, seen, edit, writing)
        _check_begun(seen, ruling, writing.clock.now())
        ruling = replace(ruling, note=scrub(answer.note).text)
        event = ProposalDecided(proposal_id=proposal_id, digest=seen.digest, ruling=ruling)
        tx.append(event, by=recorder.by, owner=recorder.owner)
        if acting := decider.acting_on(ruling.action):
            acting.act(tx, seen.proposal, ruling, recorder)
        for fact in (Facts(tx).get(one, within) for one in ruling.facts):
            _check_said_once(tx, seen, fact)
            ask_about_other_values(tx, fact, recorder)
        decided = Proposals(tx).get(proposal_id, within)
    logger.info("proposal decided: proposal=%s action=%s", proposal_id, answer.action.value)
    return decided


def _check_begun(seen: Shown, ruling: Ruling, now: datetime) -> None:
    """
    Refuse to give a slot to a fact that begins later, since until then none would hold.

    Raises:
        InvalidInputError: it begins later.
    """
    named = (*seen.facts, *seen.retires)
    # If the clock went back, a fact recorded before must not seem to begin later.
    known = [at for one in named for at in (one.recorded_at, one.life.checked_at)]
    now = max([now, *known])
    takes_place = bool(ruling.retires) or any(one.slot for one in seen.facts)
    if takes_place and ruling.since is not None and ruling.since > now:
        raise InvalidInputError(
            f"it begins at {ruling.since.isoformat()}, and nothing would hold until then",
            hint="decide when it has begun, or say since when it is so: --since INSTANT",
        )


def _check_said_once(tx: Transaction, seen: Shown, fact: Fact) -> None:
    """
    Refuse to make *fact* current if another one says the same.

    Raises:
        ConflictError: another one holds and says the same.
    """
    before = {one.id: one.life for one in (*seen.facts, *seen.retires)}[fact.id]
    stood = before.lifecycle is Lifecycle.CURRENT and before.scope == fact.life.scope
    if stood or fact.life.lifecycle is not Lifecycle.CURRENT:
        return
    realm = Visibility(fact.owner, frozenset({fact.life.scope}))
    for one in equal_facts(tx, fact.key, realm, fact.life.valid_from):
        if one.id != fact.id:
            raise ConflictError(
                f"{one.id} says that already", hint="there is nothing to decide: leave it as it is"
            )
