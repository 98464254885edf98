"""
Decide questions about facts: what a human is shown, and what an answer does to facts.

Every answer is one event, from which all changes of facts follow. Only an edit needs an event
before it: the human's own words as a fact.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime

from tilth.core.dataclass import dataclass
from tilth.core.errors import ConflictError, InvalidInputError, NotFoundError
from tilth.core.ids import FactId, ProposalId, with_ids_in_words
from tilth.core.instant import to_micros
from tilth.core.json import Json
from tilth.core.lifecycle import Lifecycle
from tilth.core.scope import Scope, Visibility
from tilth.embedding.embedder import Vector
from tilth.episodes.remember import WriteContext
from tilth.knowledge.facts.events import FactReinforced
from tilth.knowledge.facts.fact import Fact, FactDraft, reworded, told_start
from tilth.knowledge.facts.fact_lifecycle import check_return
from tilth.knowledge.facts.filters import NOW, Moment
from tilth.knowledge.facts.tables import Facts
from tilth.knowledge.facts.write.fact_entities import new_evidence
from tilth.knowledge.facts.write.normalise_fact import scrubbed_fact
from tilth.knowledge.facts.write.slot_conflicts import holder_of
from tilth.knowledge.facts.write.write_fact import Writing, embedded, state_in
from tilth.knowledge.proposals.decisions import decider_of, rules_on
from tilth.knowledge.proposals.events import ChangeUndone
from tilth.knowledge.proposals.proposal import (
    ENDED,
    REJECTED,
    Action,
    Answer,
    Proposal,
    ProposalKind,
    ProposalState,
    Ruling,
    digest_of,
)
from tilth.knowledge.proposals.tables import Proposals
from tilth.knowledge.vocabulary.tables import KnownWords
from tilth.ledger.snapshot import Snapshot
from tilth.ledger.store import Store, Transaction
from tilth.privacy.redaction import scrub
from tilth.privacy.terminal_text import one_line

_REPLACING = frozenset({ProposalKind.SUPERSESSION, ProposalKind.PROMOTION})
_WORDS_CHARS = 100
_ON_BOTH_SIDES = frozenset({Action.DISPUTE, Action.MARK_STALE})


@dataclass(frozen=True, slots=True, kw_only=True)
class Shown:
    """
    A proposal as a human sees it, with the facts that it is about; `digest` covers all of it.

    `rejected` is a fact that a human rejected before, if the proposal says the same.
    """

    proposal: Proposal
    facts: tuple[Fact, ...]
    retires: tuple[Fact, ...]
    digest: str
    rejected: Fact | None = None

    @property
    def reason(self) -> str:
        """Why a human is asked; a fact that it is about is quoted."""
        known = (*self.facts, *self.retires, *filter(None, (self.rejected,)))
        words = {str(one.id): one_line(one.said.text, _WORDS_CHARS) for one in known}
        return with_ids_in_words(self.proposal.draft.reason, words)


def shown_in(
    reader: Snapshot, proposal_id: ProposalId, within: Visibility, moment: Moment = NOW
) -> Shown:
    """Return a proposal of a snapshot, with its facts as they were known at *moment*."""
    return shown_of(reader, Proposals(reader).get(proposal_id, within), within, moment)


def shown_of(
    reader: Snapshot, proposal: Proposal, within: Visibility, moment: Moment = NOW
) -> Shown:
    """Return the same for a proposal that was already read."""
    proposal = _with_present_retired(reader, proposal, moment)
    facts, retires = (
        tuple(Facts(reader).get(fact_id, within, moment) for fact_id in named)
        for named in (proposal.draft.facts, proposal.draft.retires)
    )
    digest = digest_of(
        proposal, list(map(_decision_state, facts)), list(map(_decision_state, retires))
    )
    rejected = _rejected(reader, proposal, within, moment)
    return Shown(proposal=proposal, facts=facts, retires=retires, digest=digest, rejected=rejected)


def _with_present_retired(reader: Snapshot, proposal: Proposal, moment: Moment) -> Proposal:
    """
    Return an open proposal with what it would retire now.

    What it named may have ended or been superseded since: then it is the successor, or nothing.
    """
    draft, within = proposal.draft, Visibility(proposal.owner)
    if proposal.state is not ProposalState.OPEN or draft.kind not in _REPLACING or not draft.facts:
        return proposal
    proposed = Facts(reader).get(draft.facts[0], within, moment)
    if proposed.slot:
        realm = Visibility(proposal.owner, frozenset({proposed.life.scope}))
        holder = None if proposed.is_past else holder_of(reader, proposed.slot, realm, moment)
        found = [] if holder is None or holder.id in draft.facts else [holder.id]
    else:
        heads = (Facts(reader).head(one, within, moment) for one in draft.retires)
        found = [one.id for one in heads if one and one.life.lifecycle is Lifecycle.CURRENT]
    return replace(proposal, draft=replace(draft, retires=tuple(dict.fromkeys(found))))


def _rejected(
    reader: Snapshot, proposal: Proposal, within: Visibility, moment: Moment
) -> Fact | None:
    named = proposal.draft.detail.get(REJECTED)
    try:
        return None if named is None else Facts(reader).get(FactId(str(named)), within, moment)
    except NotFoundError:
        return None


def _decision_state(fact: Fact) -> Json:
    """Return what may not change between looking at a fact and deciding about it."""
    life = fact.life
    return [
        fact.id,
        fact.said.text,
        fact.key,
        fact.slot,
        life.scope,
        life.lifecycle,
        life.review,
        life.authority,
        to_micros(life.valid_from),
        None if life.valid_to is None else to_micros(life.valid_to),
        [[one.episode_id, one.start, one.end] for one in fact.evidence],
    ]


@rules_on(ProposalKind.SUPERSESSION, ProposalKind.REMOVAL, ProposalKind.CORRECTION)
def rule_on_facts(
    tx: Transaction, proposal: Proposal, answer: Answer, recorder: WriteContext, /
) -> Ruling:
    """
    Return the ruling of an answer on the facts of a proposal; edits are handled elsewhere.

    Raises:
        InvalidInputError: the answer does not name what it retires, or does not fit.
        ConflictError: a fact has changed, or its place is taken.
    """
    seen = _shown(tx, proposal, answer, recorder)
    match answer.action:
        case Action.CONFIRM:
            return _confirm(tx, seen, answer)
        case Action.SUPERSEDE:
            return _supersede(seen, answer)
        case Action.MERGE:
            return _merge(tx, seen, answer, recorder)
        case Action.RESTRICT_SCOPE:
            return _restrict(tx, seen, answer)
        case Action.REJECT:
            return Ruling(action=Action.REJECT, rejects=answer.facts or proposal.draft.facts)
        case _:
            return Ruling(action=answer.action, facts=_facts_acted_on(seen, answer))


@rules_on(ProposalKind.CONTRADICTION)
def rule_on_contradiction(
    tx: Transaction, proposal: Proposal, answer: Answer, recorder: WriteContext, /
) -> Ruling:
    """
    Return the ruling of an answer on two contradicting facts: one of them holds.

    Raises:
        InvalidInputError: the answer does not name a side, or does not fit.
        ConflictError: a fact has changed, or its place is taken.
    """
    if answer.action is Action.CONFIRM:
        kept, others = _kept_and_others(_shown(tx, proposal, answer, recorder), answer)
        _check_names_retired(answer, _ids(others))
        return Ruling(action=Action.CONFIRM, facts=(kept.id,), rejects=_ids(others))
    return _rule_on_sides(tx, proposal, answer, recorder)


@rules_on(ProposalKind.DUPLICATE)
def rule_on_duplicate(
    tx: Transaction, proposal: Proposal, answer: Answer, recorder: WriteContext, /
) -> Ruling:
    """
    Return the ruling of an answer on two equal facts; it must say which one stays.

    Raises:
        InvalidInputError: the answer does not name a side, or does not fit.
        ConflictError: a fact has changed, or its place is taken.
    """
    if answer.action is Action.CONFIRM:
        raise InvalidInputError(
            "say which of them stays", hint="merge them: tilth review merge --keep ID; or reject it"
        )
    return _rule_on_sides(tx, proposal, answer, recorder)


def _rule_on_sides(
    tx: Transaction, proposal: Proposal, answer: Answer, recorder: WriteContext
) -> Ruling:
    """Return the ruling of an answer where rejecting the proposal leaves both facts as they are."""
    if answer.action is Action.REJECT and not answer.facts:
        return Ruling(action=Action.REJECT)
    if answer.action is Action.RESTRICT_SCOPE and answer.scope is not None and not answer.facts:
        raise InvalidInputError("say which side is so only there", hint="name it: --fact ID")
    return rule_on_facts(tx, proposal, answer, recorder)


def _shown(tx: Transaction, proposal: Proposal, answer: Answer, recorder: WriteContext) -> Shown:
    seen = shown_in(tx, proposal.id, Visibility(recorder.owner))
    if strangers := [one for one in answer.facts if one not in _named(seen)]:
        raise InvalidInputError(f"{proposal.id} is not about {', '.join(strangers)}")
    return seen


def _confirm(tx: Transaction, seen: Shown, answer: Answer) -> Ruling:
    check_retires(seen, answer)
    draft = seen.proposal.draft
    for fact in seen.facts:
        _check_room(tx, fact, fact.life.scope, draft.retires)
    # A current fact goes on, with its beginning and end as stated.
    is_new = any(fact.life.lifecycle is not Lifecycle.CURRENT for fact in seen.facts)
    since = answer.since
    if since is None and ENDED in draft.detail:
        # The end that whoever proposed a removal stated.
        since = datetime.fromisoformat(str(draft.detail[ENDED]))
    if since is None and is_new:
        since = _since(seen.facts, seen.retires)
    return Ruling(
        action=Action.CONFIRM,
        facts=draft.facts,
        retires=draft.retires,
        since=since,
    )


def _restrict(tx: Transaction, seen: Shown, answer: Answer) -> Ruling:
    if answer.scope is None:
        raise InvalidInputError("restricting needs the scope", hint="give it: --to project:KEY")
    facts, known = _facts_acted_on(seen, answer), _named(seen)
    for fact_id in facts:
        _check_room(tx, known[fact_id], answer.scope, ())
    since = answer.since or _since([known[one] for one in facts], ())
    return Ruling(action=Action.RESTRICT_SCOPE, facts=facts, scope=answer.scope, since=since)


def _edited_draft(seen: Shown, answer: Answer) -> FactDraft:
    if len(seen.facts) != 1:
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


def check_retires(seen: Shown, answer: Answer) -> None:
    """
    Check that a confirmation names exactly what it retires (OB-061).

    Raises:
        InvalidInputError: it does not.
        ConflictError: what it retires is not current any more.
    """
    retires = seen.proposal.draft.retires
    _check_names_retired(answer, retires)
    for fact in seen.retires:
        _check_current(fact)


def _supersede(seen: Shown, answer: Answer) -> Ruling:
    kept, others = _kept_and_others(seen, answer)
    _check_names_retired(answer, _ids(others))
    for fact in others:
        _check_current(fact)
    since = answer.since or _since((kept,), others)
    if late := [fact.id for fact in others if since and since < fact.life.valid_from]:
        raise InvalidInputError(f"{', '.join(late)} began later than that", hint="--since INSTANT")
    return Ruling(action=Action.SUPERSEDE, facts=(kept.id,), retires=_ids(others), since=since)


def _merge(tx: Transaction, seen: Shown, answer: Answer, recorder: WriteContext) -> Ruling:
    """Give one fact the evidence of the others, which it replaces."""
    kept, others = _kept_and_others(seen, answer)
    _check_names_retired(answer, _ids(others))
    more = new_evidence(kept.evidence, [one for fact in others for one in fact.evidence])
    if more:
        event = FactReinforced(fact_id=kept.id, evidence=more)
        tx.append(event, by=recorder.by, owner=recorder.owner)
    # Both say the same, so the remaining one begins with the earliest.
    is_current = kept.life.lifecycle is Lifecycle.CURRENT
    since = kept.life.valid_from if is_current else _since((kept,), others)
    return Ruling(action=Action.MERGE, facts=(kept.id,), retires=_ids(others), since=since)


def _facts_acted_on(seen: Shown, answer: Answer) -> tuple[FactId, ...]:
    draft = seen.proposal.draft
    if answer.facts:
        return answer.facts
    if answer.action in _ON_BOTH_SIDES or not draft.facts:
        return (*draft.facts, *draft.retires)
    return draft.facts


def _kept_and_others(seen: Shown, answer: Answer) -> tuple[Fact, list[Fact]]:
    """
    Return the fact that stays, and the others.

    Raises:
        InvalidInputError: the answer does not say which stays, and several could.
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


def _check_names_retired(answer: Answer, retires: Sequence[FactId]) -> None:
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


def _check_room(tx: Transaction, fact: Fact, scope: Scope, retires: Sequence[FactId]) -> None:
    realm = Visibility(fact.owner, frozenset({scope}))
    holder = holder_of(tx, fact.slot, realm) if fact.slot and not fact.is_past else None
    if holder is not None and holder.id not in {fact.id, *retires}:
        raise ConflictError(
            f"{holder.id} holds this place by now", hint="reject this, and propose it anew"
        )


def _since(facts: Sequence[Fact], retires: Sequence[Fact]) -> datetime | None:
    """Return the known beginning of what is confirmed, not before that of what it ends."""
    told = [one for fact in facts if (one := told_start(fact)) is not None]
    if retires:
        told += [fact.life.valid_from for fact in facts if fact.life.lifecycle is Lifecycle.CURRENT]
    if not told:
        return None
    return max([*told, *(fact.life.valid_from for fact in retires)])


def take_back(
    tx: Transaction, decided: Proposal, recorder: WriteContext, *, reason: str
) -> Proposal:
    """
    Take a decision back, in a transaction.

    Raises:
        ConflictError: it is not decided, or what it changed has changed since.
    """
    within = Visibility(recorder.owner)
    if decided.decision_id is None or decided.ruling is None:
        raise ConflictError(
            f"{decided.id} is not decided: it waits",
            hint=f"answer it: tilth review show {decided.id}",
        )
    undone = [decided.decision_id]
    if decided.ruling.edited is not None:
        undone.append(Facts(tx).lives(decided.ruling.edited, within)[0].event_id)
    changed = [past for one in undone for past in Facts(tx).changed_by(one, within)]
    if any(past.until is not None for past in changed):
        raise ConflictError("what it changed has changed since, so it cannot be taken back")
    moved = {past.fact_id for past in changed}
    for past in changed:
        check_return(tx, past.fact_id, moved, within)
    for event_id in undone:
        event = ChangeUndone(event_id=event_id, reason=scrub(reason).text)
        tx.append(event, by=recorder.by, owner=recorder.owner)
    if acting := decider_of(decided.draft.kind).acting_on(decided.ruling.action):
        acting.undo(tx, decided, recorder, reason=reason)
    return Proposals(tx).get(decided.id, within)


@dataclass(frozen=True, slots=True)
class Edit:
    """A fact in a human's words, ready to be recorded."""

    draft: FactDraft
    vectors: Vector


def prepare_edit(store: Store, proposal_id: ProposalId, answer: Answer, writing: Writing) -> Edit:
    """
    Return the only fact of a proposal in a human's words, with its vectors.

    Raises:
        InvalidInputError: the proposal is not about exactly one fact, or the words are missing.
    """
    with store.read() as view:
        seen = shown_in(view, proposal_id, Visibility(writing.recorder.owner))
    draft = scrubbed_fact(_edited_draft(seen, answer))
    return Edit(draft, embedded([draft], writing.embedder))


def apply_edit(tx: Transaction, seen: Shown, edit: Edit, writing: Writing) -> Ruling:
    """
    Record the fact in the human's words, and reject the draft that it replaces.

    Raises:
        ConflictError: it says the same, or would not be current.
    """
    recorder = writing.recorder
    words = KnownWords(tx).known(recorder.owner)
    stated = state_in(tx, edit.draft, writing, words=words, vectors=edit.vectors, reason=None)
    (proposed,) = seen.facts
    if stated.fact.key == proposed.key:
        raise ConflictError("that says the same", hint="confirm it as it is")
    if stated.fact.life.lifecycle is not Lifecycle.CURRENT:
        raise ConflictError(f"it would be {stated.fact.life.lifecycle.value}, not current")
    if more := new_evidence(stated.fact.evidence, proposed.evidence):
        event = FactReinforced(fact_id=stated.fact.id, evidence=more)
        tx.append(event, by=recorder.by, owner=recorder.owner)
    return Ruling(
        action=Action.EDIT,
        edited=None if stated.verdict == "reinforced" else stated.fact.id,
        rejects=() if stated.retired == proposed.id else (proposed.id,),
    )
