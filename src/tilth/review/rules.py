"""
What a human's answer to a proposal means for the facts that it is about.

Every answer is one event, and all that follows for facts follows from it. Only
an edit needs a second event before it: the human's own words, as a fact.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from tilth.core.errors import ConflictError, InvalidInputError
from tilth.core.ids import FactId, OutcomeId
from tilth.core.lifecycle import Lifecycle
from tilth.core.scope import Scope, Visibility
from tilth.episodes.remember import Recorder
from tilth.knowledge.facts.events import FactReinforced
from tilth.knowledge.facts.fact import Fact, FactDraft
from tilth.knowledge.facts.fact_entities import unseen
from tilth.knowledge.facts.slot_conflicts import holder_of
from tilth.knowledge.facts.statement import Triple
from tilth.knowledge.outcomes.tables import Outcomes
from tilth.knowledge.proposals.proposal import Action, Proposal, ProposalKind, Ruling, Shown
from tilth.ledger.store import Transaction
from tilth.privacy.redaction import scrub

# Questions about facts that stand anyway: rejecting one dismisses the question, not the facts.
STANDING = frozenset(
    {
        ProposalKind.CONTRADICTION,
        ProposalKind.DUPLICATE,
        ProposalKind.MERGE,
        ProposalKind.SPLIT,
        ProposalKind.IDENTITY_LINK,
    }
)
_ON_BOTH_SIDES = frozenset({Action.DISPUTE, Action.MARK_STALE})


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """
    What a human answers, and what the human saw.

    `retires` must name exactly what the proposal would retire, if it is confirmed.
    `facts` narrows what the action falls on to some of those named. `keeps` is the side
    of a contradiction that stays, `since` when it began to be so. `text` and `value` are
    the human's own words, and the object of the triple, if it is an edit.
    """

    action: Action
    digest: str
    retires: tuple[FactId, ...] = ()
    facts: tuple[FactId, ...] = ()
    keeps: FactId | None = None
    since: datetime | None = None
    scope: Scope | None = None
    text: str = ""
    value: str = ""
    note: str = ""


def ruling_of(tx: Transaction, seen: Shown, answer: Answer, recorder: Recorder) -> Ruling:
    """
    Return what *answer* means for the facts of the proposal; an edit is not ruled on here.

    Raises:
        InvalidInputError: the answer does not name what would be retired, or does not fit.
        ConflictError: what it is about has changed, or its place is taken.
    """
    _check_named(seen, answer)
    match answer.action:
        case Action.CONFIRM:
            ruling = _confirming(tx, seen, answer)
        case Action.SUPERSEDE:
            ruling = _superseding(seen, answer)
        case Action.MERGE:
            ruling = _merging(tx, seen, answer, recorder)
        case Action.RESTRICT_SCOPE:
            ruling = _restricting(tx, seen, answer)
        case Action.REJECT:
            ruling = _rejecting(seen, answer)
        case _:
            ruling = Ruling(action=answer.action, facts=_fallen_on(seen, answer))
    return replace(ruling, note=scrub(answer.note).text)


def edited_draft(seen: Shown, answer: Answer) -> FactDraft:
    """
    Return the one fact of a proposal in the words of a human.

    Raises:
        InvalidInputError: the proposal is not about one fact, or the words are missing.
    """
    if seen.proposal.draft.kind in STANDING or len(seen.facts) != 1:
        raise InvalidInputError("only a proposal about one fact is edited")
    check_retires(seen, answer)
    (fact,) = seen.facts
    retires = [fact] if fact.life.lifecycle is Lifecycle.CURRENT else seen.retires
    draft = reworded(fact, answer.text, answer.value, begins=answer.since)
    return replace(
        draft,
        valid_to=fact.life.valid_to,
        authority=fact.life.authority,
        supersedes=retires[0].id if retires else None,
    )


def reworded(
    fact: Fact, text: str, value: str = "", *, begins: datetime | None = None
) -> FactDraft:
    """
    Return a draft that says something else in the place of *fact*.

    Args:
        fact: Whose anchors, scope and place it has.
        text: The whole statement; a triple says itself.
        value: The object of the triple.
        begins: When it begins; None is when the fact did, if its writer said so.

    Raises:
        InvalidInputError: there are no words.
    """
    said, triple = fact.said, fact.said.triple
    if triple is not None:
        triple = Triple(triple.subject, triple.predicate, value or triple.object)
    if not text and (triple is None or not value):
        raise InvalidInputError("other words are needed", hint="give them: --text TEXT")
    said = replace(said, triple=triple, text=text or (triple.words if triple else ""))
    return FactDraft(
        said=said,
        scope=fact.life.scope,
        valid_from=begins or _told(fact),
        about=fact.about,
        metadata=fact.metadata,
    )


def check_retires(seen: Shown, answer: Answer) -> None:
    """
    Refuse a confirmation that does not name exactly what it retires (OB-061).

    Raises:
        InvalidInputError: it does not.
        ConflictError: what it would retire is not current any more.
    """
    retires = seen.proposal.draft.retires
    _check_says(answer, retires)
    for fact in seen.retires:
        _check_current(fact)


def _confirming(tx: Transaction, seen: Shown, answer: Answer) -> Ruling:
    draft = seen.proposal.draft
    if draft.kind is ProposalKind.CONTRADICTION:
        kept, others = _sides(seen, answer)
        _check_says(answer, _ids(others))
        return Ruling(action=Action.CONFIRM, facts=(kept.id,), rejects=_ids(others))
    if draft.kind is ProposalKind.DUPLICATE:
        raise InvalidInputError(
            "say which of them stays", hint="merge them: tilth review merge --keep ID; or reject it"
        )
    if draft.kind in STANDING:
        raise InvalidInputError(
            f"a {draft.kind.value} is not simply confirmed",
            hint="act on it instead: tilth entity merge or split; or reject it",
        )
    check_retires(seen, answer)
    _check_verified(tx, seen.proposal)
    for fact in seen.facts:
        _check_room(tx, fact, fact.life.scope, draft.retires)
    # What is current goes on as it is; when it began, and when it ends, stays as it was told.
    is_new = any(fact.life.lifecycle is not Lifecycle.CURRENT for fact in seen.facts)
    return Ruling(
        action=Action.CONFIRM,
        facts=draft.facts,
        retires=draft.retires,
        since=answer.since or (_since(seen.facts, seen.retires) if is_new else None),
    )


def _superseding(seen: Shown, answer: Answer) -> Ruling:
    kept, others = _sides(seen, answer)
    _check_says(answer, _ids(others))
    for fact in others:
        _check_current(fact)
    since = answer.since or _since((kept,), others)
    if late := [fact.id for fact in others if since and since < fact.life.valid_from]:
        raise InvalidInputError(f"{', '.join(late)} began later than that", hint="--since INSTANT")
    return Ruling(action=Action.SUPERSEDE, facts=(kept.id,), retires=_ids(others), since=since)


def _merging(tx: Transaction, seen: Shown, answer: Answer, recorder: Recorder) -> Ruling:
    """Let one fact rest on what the others rested on, and stand in their place."""
    kept, others = _sides(seen, answer)
    _check_says(answer, _ids(others))
    more = unseen(kept.evidence, [one for fact in others for one in fact.evidence])
    if more:
        event = FactReinforced(fact_id=kept.id, evidence=more)
        tx.append(event, by=recorder.by, owner=recorder.owner)
    since = _since((kept,), others)
    return Ruling(action=Action.MERGE, facts=(kept.id,), retires=_ids(others), since=since)


def _restricting(tx: Transaction, seen: Shown, answer: Answer) -> Ruling:
    if answer.scope is None:
        raise InvalidInputError("restricting needs the scope", hint="give it: --to project:KEY")
    facts = _fallen_on(seen, answer)
    if seen.proposal.draft.kind in STANDING and not answer.facts:
        raise InvalidInputError("say which side is so only there", hint="name it: --fact ID")
    known = _named(seen)
    for fact_id in facts:
        _check_room(tx, known[fact_id], answer.scope, ())
    since = answer.since or _since([known[one] for one in facts], ())
    return Ruling(action=Action.RESTRICT_SCOPE, facts=facts, scope=answer.scope, since=since)


def _rejecting(seen: Shown, answer: Answer) -> Ruling:
    draft = seen.proposal.draft
    # Who does not promote what is current says nothing against it.
    is_standing = draft.kind is ProposalKind.PROMOTION and all(
        fact.life.lifecycle is Lifecycle.CURRENT for fact in seen.facts
    )
    is_dismissed = (is_standing or draft.kind in STANDING) and not answer.facts
    return Ruling(action=Action.REJECT, rejects=() if is_dismissed else answer.facts or draft.facts)


def _fallen_on(seen: Shown, answer: Answer) -> tuple[FactId, ...]:
    draft = seen.proposal.draft
    if answer.facts:
        return answer.facts
    if answer.action in _ON_BOTH_SIDES or not draft.facts:
        return (*draft.facts, *draft.retires)
    return draft.facts


def _sides(seen: Shown, answer: Answer) -> tuple[Fact, list[Fact]]:
    """
    Return the fact that stays, and the others.

    Raises:
        InvalidInputError: the answer does not say which stays, and more than one could.
    """
    facts = _named(seen)
    if answer.keeps is None or answer.keeps not in facts:
        raise InvalidInputError("say which side stays", hint=f"--keep {' or '.join(facts)}")
    kept = facts[answer.keeps]
    return kept, [fact for fact in facts.values() if fact is not kept]


def _named(seen: Shown) -> Mapping[FactId, Fact]:
    return {fact.id: fact for fact in (*seen.facts, *seen.retires)}


def _ids(facts: Iterable[Fact]) -> tuple[FactId, ...]:
    return tuple(fact.id for fact in facts)


def _check_named(seen: Shown, answer: Answer) -> None:
    if strangers := [one for one in answer.facts if one not in _named(seen)]:
        raise InvalidInputError(f"{seen.proposal.id} is not about {', '.join(strangers)}")


def _check_says(answer: Answer, retires: Sequence[FactId]) -> None:
    if set(answer.retires) != set(retires):
        raise InvalidInputError(
            f"this would retire {', '.join(retires) or 'nothing'}, and the answer does not say so",
            hint="name it: --retires ID",
        )


def _check_current(fact: Fact) -> None:
    if fact.life.lifecycle is not Lifecycle.CURRENT:
        raise ConflictError(
            f"{fact.id} is {fact.life.lifecycle.value} by now", hint="reject the proposal"
        )


def _check_verified(tx: Transaction, proposal: Proposal) -> None:
    named = proposal.draft.detail.get("outcome")
    if named is None:
        return
    outcome = Outcomes(tx).get(OutcomeId(str(named)), Visibility(proposal.owner))
    if outcome.is_revoked:
        raise ConflictError(f"{outcome.id} is revoked, so nothing speaks for this")


def _check_room(tx: Transaction, fact: Fact, scope: Scope, retires: Sequence[FactId]) -> None:
    realm = Visibility(fact.owner, frozenset({scope}))
    holder = holder_of(tx, fact.slot, realm) if fact.slot else None
    if holder is not None and holder.id not in {fact.id, *retires}:
        raise ConflictError(
            f"{holder.id} holds this place by now", hint="reject this, and propose it anew"
        )


def _since(facts: Sequence[Fact], retires: Sequence[Fact]) -> datetime | None:
    """Return when what is confirmed begins, if that is known; never before what it ends."""
    told = [one for fact in facts if (one := _told(fact)) is not None]
    if retires:
        told += [fact.life.valid_from for fact in facts if fact.life.lifecycle is Lifecycle.CURRENT]
    if not told:
        return None
    return max([*told, *(fact.life.valid_from for fact in retires)])


def _told(fact: Fact) -> datetime | None:
    begins = fact.life.valid_from
    return begins if begins != fact.recorded_at else None
