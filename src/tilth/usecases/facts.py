"""
Stating facts, and reading them.

One way in for every writer: `state_fact` scrubs, anchors, asks `decide` and
appends. Who writes comes from the recorder, which the caller's credential
made; nothing in a draft raises it.
"""

import logging
from collections.abc import Sequence
from dataclasses import dataclass, replace

from tilth.domain.episode import EpisodeDraft, EpisodeKind
from tilth.domain.events import EpisodeRecorded, FactRecorded, FactReinforced, ProposalOpened
from tilth.domain.fact import Evidence, Fact, FactDraft
from tilth.domain.ids import (
    FACT_PREFIX,
    PROPOSAL_PREFIX,
    EntityId,
    FactId,
    ProposalId,
    episode_id_of,
)
from tilth.domain.lifecycle import Lifecycle
from tilth.domain.proposal import ProposalDraft, ProposalKind
from tilth.domain.registries import TELEMETRY, Predicate, Registry, Words, word_key
from tilth.domain.scope import Visibility, seen_from
from tilth.domain.slot import rule_of, slot_of
from tilth.domain.statement import Statement, Taxonomy, Triple, statement_key
from tilth.domain.supersession import (
    Coexist,
    Placed,
    Propose,
    Refuse,
    Reinforce,
    Supersede,
    Verdict,
    decide,
    fixed,
)
from tilth.errors import ConflictError, ForbiddenError, InvalidInputError
from tilth.ports import (
    Clock,
    Embedder,
    FactFilter,
    Moment,
    PastLife,
    Store,
    Transaction,
    Vector,
)
from tilth.privacy.redaction import scrub, scrub_object
from tilth.usecases.anchors import anchored, located, unseen
from tilth.usecases.remember import Recorder, embedded_text, keep_vectors
from tilth.usecases.rivals import incumbent_of, was_rejected

logger = logging.getLogger(__name__)

PAGE_MAX = 1000


@dataclass(frozen=True, slots=True, kw_only=True)
class Stated:
    """
    What became of a statement.

    `fact` is what holds it now: a new fact, a draft that waits, or the one that
    said so already. `retired` is what it superseded, `proposal_id` what waits.
    """

    fact: Fact
    verdict: str
    retired: FactId | None = None
    proposal_id: ProposalId | None = None
    warnings: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Writing:
    """What every statement needs besides itself."""

    embedder: Embedder
    clock: Clock
    recorder: Recorder


@dataclass(frozen=True, slots=True)
class _Ready:
    """A draft whose words are registered, with its anchors and its place."""

    placed: Placed
    rule: Predicate | None
    about: tuple[EntityId, ...]
    evidence: tuple[Evidence, ...]
    unknown: tuple[tuple[Registry, str], ...]


def state_fact(store: Store, draft: FactDraft, writing: Writing) -> Stated:
    """
    State a fact; what becomes of it is the verdict of `tilth.domain.supersession.decide`.

    Without quotes what is said is recorded as an episode first, once for each
    who says it, so that a fact always rests on something.

    Raises:
        ForbiddenError: this writer may not state it.
        ConflictError: it contradicts what never changes, or names what is not current.
        InvalidInputError: it is about nothing, or a quote is not verbatim.
        NotFoundError: it names an episode, entity or fact that may not be seen.
    """
    return _state(store, draft, writing, reason=None)


def propose_fact(store: Store, draft: FactDraft, writing: Writing, *, reason: str = "") -> Stated:
    """
    State a fact as a draft that waits for a human to put it in the place of another.

    Raises:
        InvalidInputError: the draft does not name what it would supersede.
        NotFoundError: that is not there, or may not be seen.
        ConflictError: that is not current.
        ForbiddenError: this writer may not state it.
    """
    if draft.supersedes is None:
        raise InvalidInputError(
            "a proposal names what it would supersede", hint="give its ID: --supersedes fct_…"
        )
    return _state(store, draft, writing, reason=reason)


def get_fact(store: Store, fact_id: FactId, within: Visibility, moment: Moment) -> Fact:
    """Return one fact, whatever its lifecycle, as it was known at *moment*."""
    with store.read() as view:
        return view.facts.get(fact_id, within, moment)


def list_facts(store: Store, which: FactFilter, *, limit: int, offset: int = 0) -> Sequence[Fact]:
    """Return facts, the one that began last first."""
    check_page(limit, PAGE_MAX)
    with store.read() as view:
        return view.facts.select(which, limit=limit, offset=offset)


def history_of(store: Store, fact_id: FactId, within: Visibility) -> Sequence[Fact]:
    """Return the chain of supersession through a fact, oldest first."""
    with store.read() as view:
        return view.facts.history(fact_id, within)


def lives_of(store: Store, fact_id: FactId, within: Visibility) -> Sequence[PastLife]:
    """Return everything that a fact was, oldest first, and who made it so."""
    with store.read() as view:
        view.facts.get(fact_id, within)
        return view.facts.lives(fact_id, within)


def check_page(limit: int, most: int) -> None:
    """
    Refuse a page that is empty or too long.

    Raises:
        InvalidInputError: *limit* is not from 1 to *most*.
    """
    if not 1 <= limit <= most:
        raise InvalidInputError(f"limit is 1 to {most}, not {limit}")


def _state(store: Store, told: FactDraft, writing: Writing, *, reason: str | None) -> Stated:
    draft, recorder = _scrubbed(told), writing.recorder
    said = EpisodeDraft(text=draft.said.text, kind=EpisodeKind.NOTE, scope=draft.scope)
    vectors = writing.embedder.embed([] if draft.quotes else [embedded_text(said)])
    with store.begin() as tx:
        draft, unknown = _in_registered_words(draft, tx.words.known(recorder.owner))
        about, subject = anchored(tx, draft, recorder)
        if draft.quotes:
            evidence = located(tx, draft.quotes, draft.scope, recorder)
        else:
            evidence = _as_episode(tx, said, vectors, writing)
        placed, incumbent, rule = _placed(tx, draft, subject, writing)
        verdict = (
            decide(placed, incumbent, rule, recorder.by.kind)
            if reason is None
            else _asked(placed, incumbent, reason)
        )
        ready = _Ready(placed, rule, about, evidence, unknown)
        stated = _act(tx, ready, verdict, recorder)
    logger.info("fact stated: fact=%s verdict=%s", stated.fact.id, stated.verdict)
    return stated


def _placed(
    tx: Transaction, draft: FactDraft, subject: str, writing: Writing
) -> tuple[Placed, Fact | None, Predicate | None]:
    said, owner = draft.said, writing.recorder.owner
    words = tx.words.known(owner)
    rule = rule_of(said, None if said.triple is None else words.predicate(said.triple.predicate))
    slot = slot_of(said, rule, subject)
    key = statement_key(said, subject)
    realm = Visibility(owner, frozenset({draft.scope}))
    incumbent = incumbent_of(tx, draft, slot, key, realm, writing.recorder.by)
    now = writing.clock.now()
    if incumbent is not None:
        # A clock that went back must not make what is said now look like the past.
        now = max(now, incumbent.recorded_at)
    placed = Placed(
        draft=draft,
        slot=slot,
        key=key,
        begins=draft.valid_from or now,
        now=now,
        was_rejected=was_rejected(tx, key, realm),
    )
    return placed, incumbent, rule


def _asked(placed: Placed, incumbent: Fact | None, reason: str) -> Verdict:
    if incumbent is None or incumbent.key == placed.key:
        raise ConflictError("that says the same already, so there is nothing to propose")
    why = reason or f"it would come in the place of {incumbent.id}"
    return fixed(incumbent) or Propose(ProposalKind.SUPERSESSION, incumbent.id, why)


def _act(tx: Transaction, ready: _Ready, verdict: Verdict, recorder: Recorder) -> Stated:
    match verdict:
        case Refuse(reason=reason, hint=hint, is_forbidden=is_forbidden):
            raise (ForbiddenError if is_forbidden else ConflictError)(reason, hint=hint)
        case Reinforce(fact_id=fact_id):
            return _reinforce(tx, ready, fact_id, recorder)
        case Supersede(retires=retires):
            fact = _record(tx, ready, Lifecycle.CURRENT, retires, recorder)
            return Stated(fact=fact, verdict="superseded", retired=retires)
        case Propose():
            return _propose(tx, ready, verdict, recorder)
        case Coexist(lifecycle=lifecycle, valid_to=valid_to, warning=warning):
            ending = valid_to or ready.placed.draft.valid_to
            draft = replace(ready.placed.draft, valid_to=ending)
            ready = replace(ready, placed=replace(ready.placed, draft=draft))
            fact = _record(tx, ready, lifecycle, None, recorder)
            return Stated(fact=fact, verdict="recorded", warnings=(warning,) if warning else ())


def _reinforce(tx: Transaction, ready: _Ready, fact_id: FactId, recorder: Recorder) -> Stated:
    within = seen_from(recorder.owner, ready.placed.draft.scope)
    known = tx.facts.get(fact_id, within)
    more = unseen(known.evidence, ready.evidence)
    if more:
        event = FactReinforced(fact_id=fact_id, evidence=more)
        tx.append(event, by=recorder.by, owner=recorder.owner)
    return Stated(fact=tx.facts.get(fact_id, within), verdict="reinforced")


def _propose(tx: Transaction, ready: _Ready, verdict: Propose, recorder: Recorder) -> Stated:
    fact = _record(tx, ready, Lifecycle.DRAFT, verdict.retires, recorder)
    draft = ProposalDraft(
        kind=verdict.kind,
        reason=verdict.reason,
        scope=ready.placed.draft.scope,
        facts=(fact.id,),
        retires=() if verdict.retires is None else (verdict.retires,),
        key=f"fact:{fact.id}",
    )
    opened = tx.append(ProposalOpened(draft), by=recorder.by, owner=recorder.owner)
    return Stated(
        fact=fact,
        verdict="proposed",
        proposal_id=ProposalId(PROPOSAL_PREFIX + opened.recorded.event_id),
        warnings=(verdict.reason,),
    )


def _record(
    tx: Transaction,
    ready: _Ready,
    lifecycle: Lifecycle,
    retires: FactId | None,
    recorder: Recorder,
) -> Fact:
    placed = ready.placed
    draft = placed.draft
    event = FactRecorded(
        said=draft.said,
        key=placed.key,
        about=ready.about,
        evidence=ready.evidence,
        slot="" if placed.slot is None else placed.slot.key,
        lifecycle=lifecycle,
        scope=draft.scope,
        valid_from=draft.valid_from,
        valid_to=draft.valid_to,
        confidence=draft.confidence,
        authority=draft.authority,
        supersedes=retires,
        metadata=draft.metadata,
        unknown=ready.unknown,
    )
    recorded = tx.append(event, by=recorder.by, owner=recorder.owner).recorded
    within = seen_from(recorder.owner, draft.scope)
    return tx.facts.get(FactId(FACT_PREFIX + recorded.event_id), within)


def _as_episode(
    tx: Transaction, said: EpisodeDraft, vectors: Vector, writing: Writing
) -> tuple[Evidence, ...]:
    recorder = writing.recorder
    # Whoever says the same twice said one thing: repeating is no evidence (I24).
    key = f"stated:{recorder.by.kind.value}:{recorder.by.name}:{said.scope}:{said.text}"
    appended = tx.append(
        EpisodeRecorded(said), by=recorder.by, owner=recorder.owner, idempotency_key=key
    )
    keep_vectors(tx, writing.embedder.space, [appended], vectors)
    return (Evidence(episode_id_of(appended.recorded.event_id)),)


def _scrubbed(draft: FactDraft) -> FactDraft:
    said = draft.said
    triple, taxonomy = said.triple, said.taxonomy
    clean = Statement(
        text=scrub(said.text).text,
        triple=None
        if triple is None
        else Triple(
            *(scrub(part).text for part in (triple.subject, triple.predicate, triple.object))
        ),
        channel=said.channel,
        taxonomy=Taxonomy(
            area=scrub(taxonomy.area).text,
            environment=scrub(taxonomy.environment).text,
            system=scrub(taxonomy.system).text,
            component=scrub(taxonomy.component).text,
            tags=tuple(scrub(tag).text for tag in taxonomy.tags),
        ),
    )
    about = tuple(scrub(name).text for name in draft.about)
    return replace(draft, said=clean, about=about, metadata=scrub_object(draft.metadata))


def _in_registered_words(
    draft: FactDraft, words: Words
) -> tuple[FactDraft, tuple[tuple[Registry, str], ...]]:
    """Return *draft* with registered words in their registered spelling, and the others."""
    said, taxonomy = draft.said, draft.said.taxonomy
    triple = None if said.triple is None else _registered(said.triple, words)
    known = replace(
        taxonomy,
        area=words.area(taxonomy.area) or taxonomy.area,
        tags=tuple(dict.fromkeys(words.tag(tag) or tag for tag in taxonomy.tags)),
    )
    used = [(Registry.TAG, tag) for tag in known.tags]
    used += [(Registry.AREA, known.area)] if known.area else []
    used += [(Registry.PREDICATE, triple.predicate)] if triple is not None else []
    unknown = tuple((registry, word) for registry, word in used if not words.holds(registry, word))
    return replace(draft, said=replace(said, triple=triple, taxonomy=known)), unknown


def _registered(triple: Triple, words: Words) -> Triple:
    if word_key(triple.predicate) in TELEMETRY:
        raise InvalidInputError(
            f"{triple.predicate!r} tells of the machinery, not of the world",
            hint="the ledger and `tilth changes` know who did what when",
        )
    predicate = words.predicate(triple.predicate)
    if predicate is None or predicate.name == triple.predicate:
        return triple
    return replace(triple, predicate=predicate.name, written_as=triple.predicate)
