"""
Check a text against what is known, without a model (MP-13).

The check finds names that are nearly known ones, relations and values other than the current ones,
and statements that no longer hold. It changes nothing and asks nobody; the author of the text
decides. What is not known at all is no mistake.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from enum import StrEnum

from rapidfuzz.distance import OSA

from tilth.core.actor import HOOKS
from tilth.core.clock import Clock
from tilth.core.dataclass import dataclass
from tilth.core.errors import InvalidInputError
from tilth.core.ids import ULID_CHARS, EntityId, EpisodeId, FactId
from tilth.core.lifecycle import Lifecycle
from tilth.core.scope import DEFAULT_OWNER, Visibility
from tilth.core.text.names import index_key, name_key
from tilth.core.text.prose import sentences
from tilth.core.text.tokens import index_terms, words
from tilth.embedding.embedder import Embedder, Vector
from tilth.episodes.episode import Episode, EpisodeDraft
from tilth.knowledge.entities.resolve_name import entities_named
from tilth.knowledge.entities.tables import Entities
from tilth.knowledge.facts.fact import Fact
from tilth.knowledge.facts.filters import FactFilter
from tilth.knowledge.facts.statement import Statement, Triple
from tilth.knowledge.facts.tables import Facts
from tilth.knowledge.facts.write.normalise_fact import as_written
from tilth.knowledge.likeness.conflicts import LIKENESS_MIN, conflicts
from tilth.knowledge.likeness.parse_statement import read_statement
from tilth.knowledge.vocabulary.registries import Cardinality, Channel, Words, word_key
from tilth.knowledge.vocabulary.tables import KnownWords
from tilth.learning.candidate import Candidate, Turn
from tilth.learning.extract import EXTRACTORS
from tilth.ledger.search import Search
from tilth.ledger.snapshot import Snapshot
from tilth.ledger.store import Store
from tilth.privacy.redaction import scrub

# How many edits make a name nearly another's, and how long names must be for that.
EDITS_MAX = 2
NAME_CHARS_MIN = 5
# The longest text, in characters.
TEXT_CHARS_MAX = 20_000
_NAMES_MAX = 200
_SENTENCES_MAX = 100
_NEAR_MAX = 5
_FACTS_MAX = 50
_RELATIONSHIP = Channel.RELATIONSHIP
_RELATIVE = "relative"
_SHORT_KIN = {"mum": "mother", "mom": "mother", "dad": "father"}
_PAST = frozenset({Lifecycle.SUPERSEDED, Lifecycle.HISTORICAL})


class IssueKind(StrEnum):
    """What may be wrong with words of a text."""

    SIMILAR_NAME = "similar_name"
    RELATIONSHIP_MISMATCH = "relationship_mismatch"
    VALUE_MISMATCH = "value_mismatch"
    STALE = "stale"


@dataclass(frozen=True, slots=True, kw_only=True)
class Issue:
    """
    Words of a text that may be wrong, and why.

    `entity_id` is what a name may mean, `facts` are those that contradict the words.
    """

    kind: IssueKind
    quote: str
    reason: str
    entity_id: EntityId | None = None
    facts: tuple[FactId, ...] = ()


@dataclass(frozen=True, slots=True)
class _Check:
    view: Snapshot
    within: Visibility
    known: Words
    embedder: Embedder


def check_text(
    store: Store, clock: Clock, embedder: Embedder, text: str, within: Visibility
) -> tuple[Issue, ...]:
    """
    Return what may be wrong in *text*.

    Raises:
        InvalidInputError: the text is empty or too long.
    """
    clean = scrub(text).text.strip()
    if not 0 < len(clean) <= TEXT_CHARS_MAX:
        raise InvalidInputError(
            f"a text to check has 1 to {TEXT_CHARS_MAX:,} characters",
            hint="give a part of it, or from the command line: tilth fact check TEXT",
        )
    said = [sentence.text for sentence in sentences(clean)[:_SENTENCES_MAX]]
    vectors = embedder.embed(said)
    with store.read() as view:
        check = _Check(view, within, KnownWords(view).known(within.owner), embedder)
        found = [*_similar_names(check, clean), *_mismatches(check, clean, clock)]
        told = {issue.quote for issue in found}
        for sentence, vector in zip(said, vectors, strict=True):
            stale = _stale(check, sentence, vector)
            # The sentence was already reported by its triple.
            if stale is not None and sentence not in told:
                found.append(stale)
    return tuple(dict.fromkeys(found))


def _similar_names(check: _Check, text: str) -> Iterator[Issue]:
    for word in list(dict.fromkeys(words(text)))[:_NAMES_MAX]:
        if len(word) < NAME_CHARS_MIN or entities_named(check.view, word, check.within):
            continue
        for bearer in Entities(check.view).near(word, check.within):
            name = next((one for one in bearer.names if _is_nearly(word, one)), None)
            if name is not None:
                yield Issue(
                    kind=IssueKind.SIMILAR_NAME,
                    quote=word,
                    reason=f"nearly the name of {name}",
                    entity_id=bearer.id,
                )


def _is_nearly(word: str, name: str) -> bool:
    edits = OSA.distance(name_key(word), name_key(name), score_cutoff=EDITS_MAX)
    # Another form of the same word is no mistake.
    return 0 < edits <= EDITS_MAX and index_terms(word) != index_terms(name)


def _mismatches(check: _Check, text: str, clock: Clock) -> Iterator[Issue]:
    turn = Turn(_as_episode(text, clock))
    read = [
        # As a fact would state it.
        replace(one, said=replace(one.said, triple=as_written(_triple(one.said), check.known)))
        for extract in EXTRACTORS
        for one in extract(turn)
        if isinstance(one, Candidate) and one.said.triple is not None
    ]
    for one in read:
        # A sentence may be read in several ways; it is right if one reading holds.
        if not any(_holds(check, other) for other in read if other.quote == one.quote):
            yield from _against(check, one)


def _holds(check: _Check, read: Candidate) -> bool:
    triple = _triple(read.said)
    return any(
        _same(check, fact, triple) and _is(check, fact, triple.object)
        for fact in _about(check, triple.subject)
    )


def _against(check: _Check, read: Candidate) -> Iterator[Issue]:
    """Yield issues for what contradicts a sentence on its subject."""
    triple, quote = _triple(read.said), read.quote
    about = _about(check, triple.subject)
    related = [
        fact
        for fact in about
        if fact.said.channel is _RELATIONSHIP and _is(check, fact, triple.object)
    ]
    values = [fact for fact in about if _same(check, fact, triple)]
    rule = check.known.predicate(triple.predicate)
    if read.said.channel is _RELATIONSHIP and related:
        yield _issue(IssueKind.RELATIONSHIP_MISMATCH, quote, related)
    elif values and rule is not None and rule.cardinality is not Cardinality.MULTI:
        past = _about(check, triple.subject, _PAST)
        was_so = any(_same(check, one, triple) and _is(check, one, triple.object) for one in past)
        yield _issue(IssueKind.STALE if was_so else IssueKind.VALUE_MISMATCH, quote, values)


def _issue(kind: IssueKind, quote: str, facts: Sequence[Fact]) -> Issue:
    told = "; ".join(fact.said.text for fact in facts[:3])
    return Issue(
        kind=kind, quote=quote, reason=f"known: {told}", facts=tuple(one.id for one in facts)
    )


def _about(
    check: _Check, subject: str, lifecycles: frozenset[Lifecycle] | None = None
) -> list[Fact]:
    """Return the triples whose subject has a name."""
    names = {subject}
    for entity in entities_named(check.view, subject, check.within):
        names.update(Entities(check.view).bearer(entity.id, check.within).names)
    return [
        fact
        for name in sorted(names)
        for fact in Facts(check.view).select(
            FactFilter(within=check.within, subject=name, lifecycles=lifecycles), limit=_FACTS_MAX
        )
    ]


def _triple(said: Statement) -> Triple:
    assert said.triple is not None
    return said.triple


def _same(check: _Check, fact: Fact, triple: Triple) -> bool:
    """Say whether two triples have the same predicate, in whatever word."""
    return _predicate(check, _triple(fact.said)) == _predicate(check, triple)


def _predicate(check: _Check, triple: Triple) -> str:
    known = check.known.predicate(triple.predicate)
    name = word_key(triple.predicate if known is None else known.name)
    if name != _RELATIVE:
        return name
    # All kin share a predicate, and a sister is no mother.
    word = word_key(triple.written_as or triple.predicate)
    return _SHORT_KIN.get(word, word)


def _is(check: _Check, fact: Fact, value: str) -> bool:
    # Older facts keep a position as it was said.
    known = as_written(_triple(fact.said), check.known).object
    return index_key(known) == index_key(value)


def _stale(check: _Check, sentence: str, vector: Vector) -> Issue | None:
    """Return the issue that a sentence says what held once, if nothing says it today."""
    if _saying(check, sentence, vector, None):
        return None
    past = _saying(check, sentence, vector, _PAST)
    ended = [fact for fact in past if fact.life.valid_to is not None]
    if not ended:
        return None
    fact = ended[0]
    until = f"{fact.life.valid_to:%Y-%m-%d}"
    successor = fact.life.successor
    now = "" if successor is None else Facts(check.view).get(successor, check.within).said.text
    return Issue(
        kind=IssueKind.STALE,
        quote=sentence,
        reason=f"so until {until}" + (f", now: {now}" if now else ""),
        facts=(fact.id,) if successor is None else (fact.id, successor),
    )


def _saying(
    check: _Check,
    sentence: str,
    vector: Vector,
    lifecycles: frozenset[Lifecycle] | None,
) -> list[Fact]:
    """Return the facts that say the same as a sentence, the most alike first."""
    which, search = FactFilter(within=check.within, lifecycles=lifecycles), Search(check.view)
    near = search.nearest(check.embedder.space, vector, which, limit=_NEAR_MAX)
    facts = Facts(check.view).at([one.seq for one in near], check.within)
    # Stored vectors include how a fact is filed, so the words are embedded anew.
    vectors = check.embedder.embed([fact.said.text for fact in facts])
    said = read_statement(sentence)
    return [
        fact
        for fact, known in zip(facts, vectors, strict=True)
        if float(known @ vector) >= LIKENESS_MIN
        and not conflicts(said, read_statement(fact.said.text))
    ]


def _as_episode(text: str, clock: Clock) -> Episode:
    """Return a text as an episode for extractors; it is not recorded."""
    return Episode.recorded(
        EpisodeDraft(text=text),
        id=EpisodeId.of("0" * ULID_CHARS),
        seq=0,
        owner=DEFAULT_OWNER,
        recorded_at=clock.now(),
        by=HOOKS,
    )
