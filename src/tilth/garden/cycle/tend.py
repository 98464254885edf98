"""
Step 4 of a cycle: search for topics, read what is found, and keep candidates.

Each search and read is paid for in the ledger before it is made, and its result recorded after it.
So a killed cycle continues with what it has; what it paid for without getting a result is not
refunded. Reads of the brain's own material are finished under their former payment, so a kill costs
nothing of it.
"""

import logging
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from itertools import zip_longest

from tilth.core.dataclass import dataclass
from tilth.core.errors import (
    ConflictError,
    ForbiddenError,
    InvalidInputError,
    NotFoundError,
    TilthError,
    UnavailableError,
)
from tilth.core.json import JsonObject
from tilth.core.lifecycle import Lifecycle, Review
from tilth.core.scope import seen_from
from tilth.discovery.model import Found, SourceText
from tilth.discovery.own_material import NAME as OWN_MATERIAL
from tilth.embedding.embedder import Vector
from tilth.episodes.episode import Quote
from tilth.garden.assess import Question
from tilth.garden.cycle.gardener import Gardener
from tilth.garden.cycle.read_by_model import findings_by_model
from tilth.garden.events import CandidateFound, GardenAnswered, GardenSpent, TopicTended
from tilth.garden.extract import Finding, findings, is_like, relevance, status_of, terms_of
from tilth.garden.model import (
    CANDIDATES_MAX,
    SPENT_MAX,
    TITLE_CHARS_MAX,
    Credibility,
    Cycle,
    Source,
    SourceDraft,
    Spent,
    Topic,
    TopicId,
    Unit,
)
from tilth.garden.standalone import name_two_documents
from tilth.garden.tables import CandidateFilter, Cycles, Links, Sources, Topics
from tilth.garden.topics import normal_address, seen_source
from tilth.knowledge.facts.events import FactReinforced
from tilth.knowledge.facts.fact import CONFIDENCE_CAP, Fact, FactDraft, contradiction_key
from tilth.knowledge.facts.filters import FactFilter
from tilth.knowledge.facts.life import BY_MODEL
from tilth.knowledge.facts.statement import Statement
from tilth.knowledge.facts.tables import Facts
from tilth.knowledge.facts.write.fact_entities import locate_quotes
from tilth.knowledge.facts.write.normalise_fact import scrubbed_fact
from tilth.knowledge.facts.write.rejections import claim_of
from tilth.knowledge.facts.write.write_fact import nominate_in
from tilth.knowledge.likeness.contradiction import Near, rank
from tilth.knowledge.likeness.paraphrase import is_contrary, says_again
from tilth.knowledge.proposals.ask import open_proposal
from tilth.knowledge.proposals.proposal import ProposalDraft, ProposalKind
from tilth.knowledge.vocabulary.tables import KnownWords
from tilth.ledger.search import Search
from tilth.ledger.snapshot import Snapshot
from tilth.ledger.store import Transaction
from tilth.privacy.redaction import scrub

logger = logging.getLogger(__name__)

# How many results of a search are used, and how many characters of an error are kept.
FOUND_MAX = 25
_WHY_CHARS_MAX = 300
# How many known facts, those that share most words with a sentence, are compared with it.
_NEAR_MAX = 40
# Addresses of own material, and by which factor they are read again later than pages, which may
# have changed once the topic is stale.
_OWN, _OWN_LASTS = "tilth:", 5
_CONFIDENCE = {Credibility.LOW: 0.4, Credibility.MEDIUM: 0.6, Credibility.HIGH: 0.75}
_HEDGED = 0.15
# Facts that hold, or may.
_HOLDING = frozenset({Lifecycle.CURRENT, Lifecycle.DRAFT})
# With how many other facts a candidate is put in question at most.
_DISAGREES_MAX = 2


def tend(gardener: Gardener, cycle: Cycle, asked: Sequence[Question], allowed: int) -> JsonObject:
    """
    Search, read and keep candidates for the topics of *asked*.

    Args:
        gardener: What the cycle works with.
        cycle: The cycle that pays.
        asked: The questions, in order.
        allowed: How many candidates the cycle may add.

    Returns:
        Counts, and the IDs of the candidates, for the event of the step.
    """
    if gardener.thinker is not None:
        # The calls of models are recorded under the cycle, so a kill refunds none of them.
        gardener = replace(gardener, thinker=replace(gardener.thinker, run=cycle.id))
    order = list(dict.fromkeys(one.topic_id for one in asked))
    for question in asked:
        for topic in _still_tended(gardener, [question.topic_id]):
            _search(gardener, cycle, topic, question.text)
    with gardener.store.read() as view:
        done = {topic_id for topic_id, _ in Cycles(view).tended(cycle.id)}
    topics = _still_tended(gardener, order)
    for later, topic in zip(reversed(range(len(topics))), topics, strict=True):
        if topic.id not in done:
            _tend_topic(gardener, cycle, topic, later=later, allowed=allowed)
    return _summary(gardener, cycle)


def _still_tended(gardener: Gardener, asked: Sequence[TopicId]) -> list[Topic]:
    """Return those of *asked* that are still tended; a person may have archived one."""
    with gardener.store.read() as view:
        tended = {one.id: one for one in Topics(view).select(gardener.within)}
    return [tended[one] for one in asked if one in tended]


def pay(gardener: Gardener, cycle: Cycle, topic_id: TopicId, unit: Unit, what: str) -> int:
    """Pay for a search or read before it is made; return its number, or 0 if nothing is left."""
    with gardener.store.begin() as tx:
        nth = 1 + Cycles(tx).spent_count(cycle.id, unit)
        if nth > SPENT_MAX[unit]:
            return 0
        event = GardenSpent(cycle_id=cycle.id, topic_id=topic_id, unit=unit, nth=nth, what=what)
        tx.append(event, by=gardener.by, owner=gardener.owner)
    return nth


def _search(gardener: Gardener, cycle: Cycle, topic: Topic, question: str) -> None:
    with gardener.store.read() as view:
        paid = Cycles(view).spent(cycle.id)
    paid = [one for one in paid if (one.topic_id, one.what) == (topic.id, question)]
    asked = [one for one in paid if one.unit is Unit.SEARCH]
    if any(one.found is not None for one in asked):
        return
    places = gardener.ground_of(topic.scope).all
    is_own = all(one.name == OWN_MATERIAL for one in places)
    begun = asked[0].nth if asked and is_own else 0
    nth = begun or pay(gardener, cycle, topic.id, Unit.SEARCH, question)
    if not nth:
        return
    found: list[Found] = []
    failed: list[str] = []
    for place in places:
        try:
            found += place.search(question, limit=FOUND_MAX)
        except TilthError as error:
            logger.warning("search failed: provider=%s code=%s", place.name, error.code)
            failed.append(scrub(f"{place.name}: {error}").text[:_WHY_CHARS_MAX])
    # The sort is stable, so equal results keep the order of the searches.
    found.sort(key=lambda one: -relevance(one.title, one.snippet, topic.name))
    ranked = dict.fromkeys(_addresses(found))
    event = GardenAnswered(
        cycle_id=cycle.id, unit=Unit.SEARCH, nth=nth, found=tuple(ranked), failed=tuple(failed)
    )
    with gardener.store.begin() as tx:
        if _is_open(tx, cycle, Unit.SEARCH, nth):
            tx.append(event, by=gardener.by, owner=gardener.owner)


def _addresses(found: Sequence[Found]) -> Iterator[str]:
    """Yield the addresses of results, except for invalid ones."""
    for one in found:
        with suppress(InvalidInputError):
            yield normal_address(one.address)


def _is_open(view: Snapshot, cycle: Cycle, unit: Unit, nth: int) -> bool:
    """Say whether a paid search or read lacks its result, which another program may record."""
    paid = Cycles(view).spent(cycle.id)
    return any((one.unit, one.nth, one.found) == (unit, nth, None) for one in paid)


def _tend_topic(
    gardener: Gardener, cycle: Cycle, topic: Topic, *, later: int, allowed: int
) -> None:
    """Read as much for a topic as its share allows, and record that it was tended."""
    for begun in _interrupted_reads(gardener, cycle, topic):
        limit = _candidate_limit(gardener, cycle, topic, later=later, allowed=allowed)
        _read(gardener, cycle, topic, begun.what, limit, nth=begun.nth)
    while (limit := _candidate_limit(gardener, cycle, topic, later=later, allowed=allowed)) > 0:
        address = _next_address(gardener, cycle, topic)
        if address is None or not _reads_left(gardener, cycle, later):
            break
        nth = pay(gardener, cycle, topic.id, Unit.READ, address)
        if not nth:
            break
        _read(gardener, cycle, topic, address, limit, nth=nth)
    with gardener.store.begin() as tx:
        if topic.id in {one for one, _ in Cycles(tx).tended(cycle.id)}:
            return
        which = CandidateFilter(topic_id=topic.id, cycle_id=cycle.id)
        found = Links(tx).select(gardener.within, which)
        left = sum(
            one.left_count
            for one in Cycles(tx).spent(cycle.id)
            if one.unit is Unit.READ and one.topic_id == topic.id
        )
        event = TopicTended(
            topic_id=topic.id, cycle_id=cycle.id, found_count=len(found), deferred_count=left
        )
        tx.append(event, by=gardener.by, owner=gardener.owner)


def _interrupted_reads(gardener: Gardener, cycle: Cycle, topic: Topic) -> list[Spent]:
    """Return paid reads of own material that were interrupted before their result."""
    with gardener.store.read() as view:
        paid = [one for one in Cycles(view).spent(cycle.id) if one.topic_id == topic.id]
    return [
        one
        for one in paid
        if one.unit is Unit.READ and one.found is None and one.what.startswith(_OWN)
    ]


def _candidate_limit(
    gardener: Gardener, cycle: Cycle, topic: Topic, *, later: int, allowed: int
) -> int:
    """
    Return the number up to which a topic may add the cycle's candidates; 0 if it may add none.

    What earlier topics left is shared among the later ones.
    """
    with gardener.store.read() as view:
        used = Cycles(view).candidate_count(cycle.id)
        ours = len(
            Links(view).select(
                gardener.within, CandidateFilter(topic_id=topic.id, cycle_id=cycle.id)
            )
        )
    left = min(allowed, CANDIDATES_MAX) - used
    share = -(-(left + ours) // (later + 1))
    room = min(left, share - ours)
    return used + room if room > 0 else 0


def _reads_left(gardener: Gardener, cycle: Cycle, later: int) -> bool:
    """Say whether a read may be paid for, with one left for each later topic."""
    with gardener.store.read() as view:
        used = Cycles(view).spent_count(cycle.id, Unit.READ)
    return used + later < SPENT_MAX[Unit.READ]


def _next_address(gardener: Gardener, cycle: Cycle, topic: Topic) -> str | None:
    """
    Return the best result to read for a topic: one not read yet, or not to its end.

    A result that was read to its end is read again once it may have changed, after all others.
    """
    with gardener.store.read() as view:
        paid = [one for one in Cycles(view).spent(cycle.id) if one.topic_id == topic.id]
        earlier = Cycles(view).spent_on(topic.id, unit=Unit.READ, before=cycle.seq)
        found = [one.found or () for one in paid if one.unit is Unit.SEARCH]
        ranked = dict.fromkeys(one for row in zip_longest(*found) for one in row if one)
        now = {one.what for one in paid if one.unit is Unit.READ}
        left = {one.what: one.left_count for one in earlier if one.found is not None}
        fresh = [one for one in ranked if one not in now and left.get(one, 1)]
        again = [
            one
            for one in ranked
            if one not in now and one in left and _may_have_changed(view, gardener, topic, one)
        ]
    return next(iter([*fresh, *again]), None)


def _may_have_changed(view: Snapshot, gardener: Gardener, topic: Topic, address: str) -> bool:
    source = Sources(view).at(address, gardener.within)
    if source is None:
        return False
    age = (gardener.clock.now() - source.fetched_at).days
    return age > topic.freshness_days * (_OWN_LASTS if address.startswith(_OWN) else 1)


def _read(
    gardener: Gardener, cycle: Cycle, topic: Topic, address: str, limit: int, *, nth: int
) -> None:
    """Read what was paid for, and keep what it says; an unreachable address stays paid."""
    search = _search_of(gardener, cycle, topic, address)
    ground = gardener.ground_of(topic.scope)
    document, found = None, list[tuple[Finding, Quote]]()
    try:
        document = ground.read(address)
        pieces = ground.pieces(document.address)
        said = findings_by_model(gardener, topic, document, pieces)
        if said is None:
            said = findings(document.title, document.text, topic.name, search.what)
        placed = ((one, ground.located(document.address, one.quote)) for one in said)
        found = [(one, quote) for one, quote in placed if quote is not None]
    except UnavailableError as error:
        logger.warning("source unreachable: code=%s", error.code)
        return
    except TilthError as error:
        # A later try would be refused as well.
        logger.info("source refused: code=%s", error.code)
    _keep(gardener, cycle, topic, _ReadResult(nth, search.nth, document, found, limit))


def _search_of(gardener: Gardener, cycle: Cycle, topic: Topic, address: str) -> Spent:
    with gardener.store.read() as view:
        paid = Cycles(view).spent(cycle.id)
    return next(
        one
        for one in paid
        if one.unit is Unit.SEARCH and one.topic_id == topic.id and address in (one.found or ())
    )


@dataclass(frozen=True, slots=True)
class _ReadResult:
    """The result of one read: its number, its search, its findings, and the limit of candidates."""

    nth: int
    search: int
    document: SourceText | None
    found: Sequence[tuple[Finding, Quote]]
    limit: int


def _keep(gardener: Gardener, cycle: Cycle, topic: Topic, read: _ReadResult) -> None:
    """Record the result of a read with its candidates, in one transaction."""
    found = list(_drafts(read, topic))
    drafts = [draft for draft, _, _ in found]
    vectors = gardener.writing.embedder.embed([draft.said.words for draft in drafts])
    with gardener.store.begin() as tx:
        if not _is_open(tx, cycle, Unit.READ, read.nth):
            return
        count, left = Cycles(tx).candidate_count(cycle.id), 0
        source = _source(tx, gardener, topic, read.document)
        for number, (draft, finding, quote) in enumerate(found):
            if source is None:
                break
            near = _similar_facts(tx, gardener, topic, draft.said.text)
            if (known := _same_statement(draft, near)) is not None:
                _corroborate(tx, gardener, known, quote, topic)
                continue
            if count >= read.limit:
                left += 1
                continue
            ready = replace(draft, confidence=_confidence(source.credibility, finding))
            stated = _nominate(tx, gardener, ready, vectors[number : number + 1])
            if stated is None:
                continue
            count += 1
            event = CandidateFound(
                fact_id=stated.id,
                topic_id=topic.id,
                source_id=source.id,
                cycle_id=cycle.id,
                nth=count,
                search=read.search,
            )
            tx.append(event, by=gardener.by, owner=gardener.owner)
            _propose_contradictions(tx, gardener, stated, near)
        answer = GardenAnswered(cycle_id=cycle.id, unit=Unit.READ, nth=read.nth, left_count=left)
        tx.append(answer, by=gardener.by, owner=gardener.owner)


def _nominate(
    tx: Transaction, gardener: Gardener, draft: FactDraft, vectors: Vector
) -> Fact | None:
    """Record a candidate with its proposal; None if a human or the store refused it before."""
    words = KnownWords(tx).known(gardener.owner)
    reason = f"found in a source about {draft.about[0]}"
    try:
        stated = nominate_in(
            tx, draft, gardener.writing, words=words, vectors=vectors, reason=reason
        )
    except (ConflictError, ForbiddenError, InvalidInputError, NotFoundError) as error:
        logger.info("no candidate: code=%s", error.code)
        return None
    return stated.fact if stated.is_proposal else None


def _drafts(read: _ReadResult, topic: Topic) -> Iterator[tuple[FactDraft, Finding, Quote]]:
    """Yield findings as drafts of facts; those that cannot be stated are skipped."""
    for finding, quote in read.found:
        try:
            draft = scrubbed_fact(_draft(finding, quote, topic))
        except InvalidInputError as error:
            logger.info("no candidate: topic=%s code=%s", topic.id, error.code)
            continue
        yield draft, finding, quote


def _draft(one: Finding, quote: Quote, topic: Topic) -> FactDraft:
    return FactDraft(
        said=Statement(text=one.text),
        scope=topic.scope,
        about=(topic.name,),
        quotes=(quote,),
        metadata={BY_MODEL: one.model} if one.model else {},
    )


def _confidence(credibility: Credibility, finding: Finding) -> float:
    sure = _CONFIDENCE[credibility] - (_HEDGED if finding.is_hedged else 0)
    return round(min(sure, CONFIDENCE_CAP), 2)


def _source(
    tx: Transaction, gardener: Gardener, topic: Topic, document: SourceText | None
) -> Source | None:
    if document is None:
        return None
    draft = SourceDraft(
        address=normal_address(document.address),
        title=_title_with_status(document)[:TITLE_CHARS_MAX],
        domain=document.domain,
        cluster=document.cluster,
        scope=topic.scope,
    )
    return seen_source(tx, draft, gardener.recorder)


def _title_with_status(document: SourceText) -> str:
    """Return a title that says so if the document is not in force."""
    said = status_of(document.text)
    return f"{document.title} ({said})" if said else document.title


def _similar_facts(view: Snapshot, gardener: Gardener, topic: Topic, text: str) -> list[Fact]:
    """Return the facts that share most words with a sentence, whatever their state."""
    which = FactFilter(
        within=seen_from(gardener.owner, topic.scope), lifecycles=frozenset(Lifecycle)
    )
    scored = Search(view).lexical(sorted(terms_of(text)), which, limit=_NEAR_MAX)
    return Facts(view).at([one.seq for one in scored], which.within)


def _same_statement(draft: FactDraft, near: Sequence[Fact]) -> Fact | None:
    """Return a fact that says the same as a draft, in its words or others; None if none does."""
    text, terms, claim = draft.said.text, terms_of(draft.said.text), claim_of(draft.said)
    return next(
        (
            one
            for one in near
            if one.said.text == text
            or (is_like(terms, terms_of(one.said.text)) and not is_contrary(text, one.said.text))
            or says_again(claim, claim_of(one.said))
        ),
        None,
    )


def _corroborate(
    tx: Transaction, gardener: Gardener, known: Fact, quote: Quote, topic: Topic
) -> None:
    """
    Add evidence to a waiting candidate, if the words are from another episode.

    A fact that holds is left as it is: a page that anybody may write does not corroborate by
    itself.
    """
    if known.life.lifecycle is not Lifecycle.DRAFT or known.life.review is not Review.UNREVIEWED:
        return
    if any(one.episode_id == quote.episode_id for one in known.evidence):
        return
    more = locate_quotes(tx, (quote,), topic.scope, gardener.recorder)
    event = FactReinforced(fact_id=known.id, evidence=more)
    tx.append(event, by=gardener.by, owner=gardener.owner)


def _propose_contradictions(
    tx: Transaction, gardener: Gardener, fact: Fact, near: Sequence[Fact]
) -> None:
    """Ask a human where a candidate contradicts a known fact; each pair is asked about once."""
    held = [
        one
        for one in near
        if one.life.lifecycle in _HOLDING
        and one.life.review is not Review.REJECTED
        and not name_two_documents(one.said.text, fact.said.text)
    ]
    found = rank(fact.said.text, [Near(one.said.text) for one in held])
    for one in found[:_DISAGREES_MAX]:
        other = held[one.index]
        draft = ProposalDraft(
            kind=ProposalKind.CONTRADICTION,
            reason=one.reason,
            scope=fact.life.scope,
            facts=(other.id, fact.id),
            detail={"score": round(one.score, 3), "sign": one.kind.value},
            key=contradiction_key(other, fact),
        )
        open_proposal(tx, draft, gardener.recorder)


def _summary(gardener: Gardener, cycle: Cycle) -> JsonObject:
    with gardener.store.read() as view:
        paid = Cycles(view).spent(cycle.id)
        tended = Cycles(view).tended(cycle.id)
        links = Links(view).select(gardener.within, CandidateFilter(cycle_id=cycle.id))
        facts = Facts(view).at([int(row[0]) for row in links], gardener.within)
    reads = [one for one in paid if one.unit is Unit.READ]
    return {
        "searches": sum(one.unit is Unit.SEARCH for one in paid),
        "reads": len(reads),
        "unreachable": sum(one.found is None for one in reads),
        "failed": len({why for one in paid for why in one.failed}),
        "topics": [topic_id for topic_id, _ in tended],
        "candidates": sorted(one.id for one in facts),
        "deferred": sum(one.deferred_count for _, one in tended),
    }
