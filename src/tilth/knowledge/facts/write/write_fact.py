"""
State one fact inside a transaction: find its entities and slot, ask `decide`, append.

The actor comes from the recorder, which the caller's credential made; nothing in a draft raises it.
"""

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime, timedelta

from tilth.core.actor import Actor, ActorKind
from tilth.core.clock import Clock
from tilth.core.dataclass import dataclass
from tilth.core.errors import ConflictError, ForbiddenError
from tilth.core.ids import EntityId, EpisodeId, FactId, ProposalId, ids_in, with_ids_in_words
from tilth.core.lifecycle import Lifecycle, Review
from tilth.core.scope import Owner, Visibility, seen_from
from tilth.embedding.embedder import Embedder, Vector
from tilth.episodes.changes import words_of
from tilth.episodes.episode import EpisodeDraft, EpisodeKind
from tilth.episodes.events import EpisodeRecorded
from tilth.episodes.remember import WriteContext, embedded_text, keep_vectors
from tilth.episodes.tables import Episodes
from tilth.knowledge.facts.events import FactRecorded, FactReinforced
from tilth.knowledge.facts.fact import Evidence, Fact, FactDraft
from tilth.knowledge.facts.filters import FactFilter
from tilth.knowledge.facts.life import Authority, Life
from tilth.knowledge.facts.statement import rule_of, slot_of, statement_key
from tilth.knowledge.facts.tables import Facts
from tilth.knowledge.facts.write.aggregates import check_aggregate
from tilth.knowledge.facts.write.fact_entities import (
    add_mentions,
    find_anchors,
    locate_quotes,
    new_evidence,
)
from tilth.knowledge.facts.write.merged_values import ask_about_other_values, choose_slot_entity
from tilth.knowledge.facts.write.normalise_fact import in_registered_words
from tilth.knowledge.facts.write.rejections import find_rejection
from tilth.knowledge.facts.write.slot_conflicts import incumbent_of
from tilth.knowledge.facts.write.supersession import (
    Coexist,
    Placed,
    Propose,
    Refuse,
    Reinforce,
    Supersede,
    WriteDecision,
    decide,
    decide_nomination,
    refuse_milestone,
    weigh_rejection,
)
from tilth.knowledge.proposals.events import ProposalOpened
from tilth.knowledge.proposals.proposal import REJECTED, ProposalDraft, ProposalKind
from tilth.knowledge.proposals.tables import Proposals
from tilth.knowledge.vocabulary.registries import Predicate, Registry, Words
from tilth.ledger.store import Transaction

# Actors that pass on what others said, and mention nothing on their own.
_PASSING_ON = frozenset({ActorKind.JOB, ActorKind.IMPORT})
# A person's repetition within this time is no new confirmation.
_AFFIRMED_AGAIN = timedelta(days=1)
_TICK = timedelta(microseconds=1)
# How many equal drafts are read.
_TWINS_MAX = 20


@dataclass(frozen=True, slots=True, kw_only=True)
class Stated:
    """
    The result of a statement.

    `fact` is the fact that states it now: a new one, a waiting draft, or an equal one from before.
    `retired` is what it superseded, `proposal_id` the waiting proposal.
    """

    fact: Fact
    verdict: str
    retired: FactId | None = None
    proposal_id: ProposalId | None = None
    warnings: tuple[str, ...] = ()

    @property
    def is_proposal(self) -> bool:
        """Whether it is only proposed: the fact is a draft until a human decides."""
        return self.proposal_id is not None


@dataclass(frozen=True, slots=True)
class Writing:
    """What recording statements needs besides the statements: recorder and embedder."""

    embedder: Embedder
    clock: Clock
    recorder: WriteContext


@dataclass(frozen=True, slots=True)
class _Prepared:
    """A draft with registered words, its entities, slot and vector in *space*."""

    placed: Placed
    about: tuple[EntityId, ...]
    evidence: tuple[Evidence, ...]
    unknown: tuple[tuple[Registry, str], ...]
    space: str
    vector: Vector


def as_episode(draft: FactDraft) -> EpisodeDraft:
    """Return the episode for a fact stated by hand: that somebody said so."""
    return EpisodeDraft(text=draft.said.text, kind=EpisodeKind.NOTE, scope=draft.scope)


def embedded(drafts: Sequence[FactDraft], embedder: Embedder) -> Vector:
    """Return two vectors for each draft: of its statement, and of that as an episode."""
    stated_as = ((draft.said.words, embedded_text(as_episode(draft))) for draft in drafts)
    return embedder.embed([text for texts in stated_as for text in texts])


def state_in(
    tx: Transaction,
    draft: FactDraft,
    writing: Writing,
    *,
    words: Words,
    vectors: Vector,
    reason: str | None,
) -> Stated:
    """
    State one fact.

    Args:
        tx: The transaction; an error leaves nothing of it.
        draft: The scrubbed draft.
        writing: The recorder, with what recording needs.
        words: The registered words.
        vectors: Of the statement, and of its episode if the draft has no quotes.
        reason: Why a human should decide in any case; None asks `decide`.
    """
    prepared, incumbent, rule = _prepare(tx, draft, writing, words, vectors)
    if reason is None:
        verdict = decide(prepared.placed, incumbent, rule, writing.recorder.by.kind)
    else:
        verdict = _decide_proposed(prepared.placed, incumbent, reason)
    return _carry_out(tx, prepared, verdict, writing.recorder)


def nominate_in(
    tx: Transaction,
    draft: FactDraft,
    writing: Writing,
    *,
    words: Words,
    vectors: Vector,
    reason: str,
) -> Stated:
    """
    Record one fact as a draft with a proposal, which only a human makes current.

    Args:
        tx: The transaction; an error leaves nothing of it.
        draft: The scrubbed draft, with quotes.
        writing: The recorder, with what recording needs.
        words: The registered words.
        vectors: Of the statement.
        reason: What speaks for it.

    Raises:
        ForbiddenError: a human rejected it.
    """
    prepared, incumbent, _ = _prepare(tx, draft, writing, words, vectors)
    return _carry_out(
        tx, prepared, decide_nomination(prepared.placed, incumbent, reason), writing.recorder
    )


def _prepare(
    tx: Transaction, draft: FactDraft, writing: Writing, words: Words, vectors: Vector
) -> tuple[_Prepared, Fact | None, Predicate | None]:
    """Return a draft with entities, evidence and slot, the fact that it meets, and the rule."""
    recorder = writing.recorder
    _check_rule(tx, draft, recorder)
    draft, unknown = in_registered_words(draft, words)
    check_aggregate(tx, draft, recorder)
    if recorder.by.kind in _PASSING_ON:
        draft = add_mentions(tx, draft, draft.said.words, recorder)
    about, subject = find_anchors(tx, draft, recorder)
    if draft.quotes:
        evidence = locate_quotes(tx, draft.quotes, draft.scope, recorder)
    else:
        evidence = (Evidence(record_words(tx, as_episode(draft), vectors[1], writing)),)
    triple = draft.said.triple
    rule = rule_of(draft.said, None if triple is None else words.predicate(triple.predicate))
    if subject:
        about, subject = choose_slot_entity(tx, draft, rule, about, recorder.owner)
    placed, incumbent = _place(tx, draft, rule, writing, about=about, subject=subject)
    prepared = _Prepared(placed, about, evidence, unknown, writing.embedder.space, vectors[0])
    return prepared, incumbent, rule


def _check_rule(tx: Transaction, draft: FactDraft, recorder: WriteContext) -> None:
    """
    Refuse a job's rule that does not rest on what a person typed (ADR 27).

    Raises:
        ForbiddenError: it rests on other words, or on none.
    """
    if draft.authority is not Authority.INSTRUCTION or recorder.by.kind is not ActorKind.JOB:
        return
    within = Visibility(recorder.owner, frozenset({draft.scope}))
    said = [Episodes(tx).get(quote.episode_id, within) for quote in draft.quotes]
    if not said or not all(one.typed for one in said):
        raise ForbiddenError(
            "only a human makes something an instruction", hint="record it as evidence"
        )


def _place(
    tx: Transaction,
    draft: FactDraft,
    rule: Predicate | None,
    writing: Writing,
    *,
    about: Sequence[EntityId],
    subject: str,
) -> tuple[Placed, Fact | None]:
    said, owner = draft.said, writing.recorder.owner
    slot = slot_of(said, rule, subject)
    key = statement_key(said, subject)
    realm = Visibility(owner, frozenset({draft.scope}))
    now = writing.clock.now()
    placed = Placed(
        draft=draft,
        slot=slot,
        key=key,
        begins=draft.valid_from or now,
        now=now,
        rejection=find_rejection(tx, draft, key, about, writing.recorder),
    )
    incumbent = incumbent_of(tx, placed, realm, writing.recorder.by)
    if incumbent is not None:
        # If the clock went back, what is said now must not look older than what it meets.
        now = max(now, incumbent.recorded_at, incumbent.life.checked_at)
        placed = replace(placed, begins=draft.valid_from or now, now=now)
        placed = _ordered_after(tx, placed, incumbent, owner)
        if slot is not None and placed.begins < incumbent.life.valid_from:
            followed_at = Facts(tx).next_begin(slot.key, realm, placed.begins)
            placed = replace(placed, followed_at=followed_at)
    return placed, incumbent


def _ordered_after(tx: Transaction, placed: Placed, met: Fact, owner: Owner) -> Placed:
    """
    Return *placed* in the order of the ledger, whatever clocks say (ADR 42).

    A draft with a time of its own is not moved. The evidence of either may be in other scopes, or
    partly erased.
    """
    draft, episodes, anywhere = placed.draft, Episodes(tx), seen_from(owner, None)
    said = episodes.all_of([one.episode_id for one in draft.quotes], anywhere)
    known = episodes.all_of([one.episode_id for one in met.evidence], anywhere)
    if not (said and known):
        return placed
    last, of_met = max(one.instant for one in said), max(one.instant for one in known)
    if placed.begins < last.said and not last.is_in_doubt:
        return placed
    is_after = last.is_after(of_met)
    if is_after is None or (not is_after and last.said > of_met.said):
        return replace(placed, is_in_doubt=True)
    if not is_after or placed.begins >= met.life.valid_from:
        return placed
    begins = met.life.valid_from + _TICK
    draft = replace(draft, valid_from=begins)
    return replace(placed, draft=draft, begins=begins, now=max(placed.now, begins))


def _decide_proposed(placed: Placed, incumbent: Fact | None, reason: str) -> WriteDecision:
    if incumbent is None or incumbent.key == placed.key:
        raise ConflictError("that says the same already, so there is nothing to propose")
    why = reason or f"it would come in the place of {incumbent.id}"
    verdict = refuse_milestone(incumbent) or Propose(ProposalKind.SUPERSESSION, incumbent.id, why)
    return verdict if placed.rejection is None else weigh_rejection(verdict, placed.rejection)


def _carry_out(
    tx: Transaction, prepared: _Prepared, verdict: WriteDecision, recorder: WriteContext
) -> Stated:
    match verdict:
        case Refuse(reason=reason, hint=hint, is_forbidden=is_forbidden):
            raise (ForbiddenError if is_forbidden else ConflictError)(reason, hint=hint)
        case Reinforce(fact_id=fact_id):
            return _reinforce(tx, prepared, fact_id, recorder)
        case Supersede(retires=retires):
            fact = _record(tx, prepared, Lifecycle.CURRENT, retires, recorder)
            return Stated(fact=fact, verdict="superseded", retired=retires)
        case Propose(valid_to=valid_to):
            return _propose(tx, _with_end(prepared, valid_to), verdict, recorder)
        case Coexist(lifecycle=lifecycle, valid_to=valid_to, warning=warning):
            prepared = _with_end(prepared, valid_to)
            fact = _record(tx, prepared, lifecycle, None, recorder)
            return Stated(fact=fact, verdict="recorded", warnings=(warning,) if warning else ())


def _with_end(prepared: _Prepared, valid_to: datetime | None) -> _Prepared:
    """Return the same, ending where its slot is taken, or at its own end."""
    draft = replace(prepared.placed.draft, valid_to=valid_to or prepared.placed.draft.valid_to)
    return replace(prepared, placed=replace(prepared.placed, draft=draft))


def _reinforce(
    tx: Transaction, prepared: _Prepared, fact_id: FactId, recorder: WriteContext
) -> Stated:
    within = seen_from(recorder.owner, prepared.placed.draft.scope)
    known = Facts(tx).get(fact_id, within)
    more = new_evidence(known.evidence, prepared.evidence)
    affirms = _affirms(recorder.by, known.life, prepared.placed.now)
    if more or affirms:
        event = FactReinforced(fact_id=fact_id, evidence=more, affirms=affirms)
        tx.append(event, by=recorder.by, owner=recorder.owner)
    warnings = _end_warnings(known, prepared.placed.draft.valid_to)
    return Stated(fact=Facts(tx).get(fact_id, within), verdict="reinforced", warnings=warnings)


def _end_warnings(known: Fact, ends: datetime | None) -> tuple[str, ...]:
    """Return a warning that a repetition with another end ends nothing."""
    if ends is None or ends == known.life.valid_to:
        return ()
    told = "it is known already, and the end that you gave was not taken"
    return (f"{told}; once it is over: tilth fact retire {known.id} --valid-to DATE",)


def _affirms(by: Actor, life: Life, now: datetime) -> bool:
    """Say whether a repetition confirms a fact, which is recorded once a day."""
    if not by.is_human or life.lifecycle is not Lifecycle.CURRENT:
        return False
    if life.review is Review.CONFIRMED:
        return life.checked_at + _AFFIRMED_AGAIN <= now
    return life.review is Review.UNREVIEWED


def _waiting_twin(
    tx: Transaction, prepared: _Prepared, verdict: Propose, recorder: WriteContext
) -> tuple[FactId, ProposalId] | None:
    """
    Return the draft and proposal with which the same actor already asks the same.

    A claim about a past time differs from one about now.
    """
    placed = prepared.placed
    if placed.draft.valid_from is not None or placed.draft.valid_to is not None:
        return None
    within = Visibility(recorder.owner, frozenset({placed.draft.scope}))
    which = FactFilter(within=within, key=placed.key, lifecycles=frozenset({Lifecycle.DRAFT}))
    retires = () if verdict.retires is None else (verdict.retires,)
    for fact in Facts(tx).select(which, limit=_TWINS_MAX):
        is_same = fact.by == recorder.by and fact.life.holds_at(placed.begins)
        for asked in Proposals(tx).touching(fact.id, within) if is_same else ():
            draft = asked.draft
            if (draft.kind, draft.facts, draft.retires) == (verdict.kind, (fact.id,), retires):
                return fact.id, asked.id
    return None


def _propose(
    tx: Transaction, prepared: _Prepared, verdict: Propose, recorder: WriteContext
) -> Stated:
    within = Visibility(recorder.owner, frozenset({prepared.placed.draft.scope}))
    why = with_ids_in_words(verdict.reason, words_of(tx, ids_in(verdict.reason), within))
    if twin := _waiting_twin(tx, prepared, verdict, recorder):
        known, asked = twin
        stated = _reinforce(tx, prepared, known, recorder)
        return replace(stated, verdict="proposed", proposal_id=asked, warnings=(why,))
    fact = _record(tx, prepared, Lifecycle.DRAFT, verdict.retires, recorder)
    draft = ProposalDraft(
        kind=verdict.kind,
        reason=verdict.reason,
        scope=prepared.placed.draft.scope,
        facts=(fact.id,),
        retires=() if verdict.retires is None else (verdict.retires,),
        detail={} if verdict.rejected is None else {REJECTED: verdict.rejected},
        key=f"fact:{fact.id}",
    )
    opened = tx.append(ProposalOpened(draft), by=recorder.by, owner=recorder.owner)
    return Stated(
        fact=fact,
        verdict="proposed",
        proposal_id=ProposalId.of(opened.recorded.event_id),
        warnings=(why,),
    )


def _record(
    tx: Transaction,
    prepared: _Prepared,
    lifecycle: Lifecycle,
    retires: FactId | None,
    recorder: WriteContext,
) -> Fact:
    placed = prepared.placed
    draft = placed.draft
    event = FactRecorded(
        said=draft.said,
        key=placed.key,
        about=prepared.about,
        evidence=prepared.evidence,
        slot="" if placed.slot is None else placed.slot.key,
        lifecycle=lifecycle,
        scope=draft.scope,
        valid_from=draft.valid_from,
        valid_to=draft.valid_to,
        confidence=draft.confidence,
        authority=draft.authority,
        supersedes=retires,
        metadata=draft.metadata,
        unknown=prepared.unknown,
    )
    recorded = tx.append(event, by=recorder.by, owner=recorder.owner).recorded
    tx.put_vectors(prepared.space, [(recorded.seq, prepared.vector)])
    within = seen_from(recorder.owner, draft.scope)
    fact = Facts(tx).get(FactId.of(recorded.event_id), within)
    ask_about_other_values(tx, fact, recorder)
    return fact


def record_words(
    tx: Transaction, said: EpisodeDraft, vector: Vector, writing: Writing
) -> EpisodeId:
    """
    Record the words of a statement as an episode, which is its evidence.

    One author's repetition, in the same session if there is one, is the same episode (I24).
    """
    recorder = writing.recorder
    where = f"{said.session_id}:{said.scope}" if said.session_id else said.scope
    key = f"stated:{recorder.by.kind.value}:{recorder.by.name}:{where}:{said.text}"
    appended = tx.append(
        EpisodeRecorded(said), by=recorder.by, owner=recorder.owner, idempotency_key=key
    )
    if appended.is_erased:
        # The episode was erased and is stated anew: a fact needs existing words.
        appended = tx.append(EpisodeRecorded(said), by=recorder.by, owner=recorder.owner)
    keep_vectors(tx, writing.embedder.space, [appended], vector[None])
    return EpisodeId.of(appended.recorded.event_id)
