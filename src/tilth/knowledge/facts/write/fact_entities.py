"""Find the entities that a fact is about, and the evidence that it rests on."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace

from tilth.core.actor import ActorKind
from tilth.core.errors import ForbiddenError, InvalidInputError
from tilth.core.ids import EntityId, EpisodeId
from tilth.core.scope import GLOBAL, Scope, key_of, seen_from
from tilth.core.text.names import index_key, parse_name
from tilth.core.text.tokens import STOP_WORDS
from tilth.core.text.urn import other_names
from tilth.episodes.episode import Episode, Quote
from tilth.episodes.remember import WriteContext
from tilth.episodes.tables import Episodes
from tilth.knowledge.entities.entity import Entity, EntityDraft, check_meant
from tilth.knowledge.entities.events import EntityRecorded
from tilth.knowledge.entities.resolve_name import entities_at_address, entities_named
from tilth.knowledge.entities.tables import Entities
from tilth.knowledge.facts.fact import ANCHORS_MAX, Evidence, FactDraft
from tilth.knowledge.vocabulary.registries import EntityType
from tilth.ledger.snapshot import Snapshot
from tilth.ledger.store import Transaction
from tilth.privacy.redaction import scrub

# The most entities that a statement is about by mere mention.
_MENTIONED_MAX = 8
_TOKENS_MAX = 200
_NAME_TOKENS_MAX = 4
_NAME_CHARS_MIN = 2
# Marks around a name that do not belong to it.
_BARE = re.compile(r"^[^\w@#]+|(?:['\u2019]s)?[^\w]*$")
_PORT = re.compile(r":\d{1,5}$")


def find_anchors(
    tx: Transaction, draft: FactDraft, recorder: WriteContext
) -> tuple[tuple[EntityId, ...], str]:
    """
    Return the entities that *draft* is about, and the name of its subject or system.

    An unknown name becomes an entity, except for the subject of a job's statement, which may be a
    mere part of a sentence. The object of a triple counts only if it is known.

    Raises:
        InvalidInputError: it is about nothing.
    """
    said = draft.said
    entities = [resolve_entity(tx, name, draft.scope, recorder) for name in draft.about]
    name = said.taxonomy.system if said.taxonomy.component or said.triple is None else ""
    subject = name or (said.triple.subject if said.triple is not None else "")
    is_only_words = bool(entities) and recorder.by.kind is ActorKind.JOB
    if subject and is_only_words and not find_entities(tx, subject, draft.scope, recorder):
        subject = ""
    if subject:
        entities.insert(0, resolve_entity(tx, subject, draft.scope, recorder))
    if not entities:
        raise InvalidInputError(
            "a fact is about something", hint="name it: --about NAME, --subject or --system"
        )
    known = entities[0].name if subject else ""
    if said.triple is not None:
        ends = (said.triple.object, *other_names(said.triple.object))
        found = (one for name in ends for one in find_entities(tx, name, draft.scope, recorder)[:1])
        entities += list(found)[:1]
    return tuple(dict.fromkeys(entity.id for entity in entities)), known


def resolve_entity(tx: Transaction, name: str, scope: Scope, recorder: WriteContext) -> Entity:
    """Return the entity that *name* or an ID means in *scope*; a new one if none does."""
    within = seen_from(recorder.owner, scope)
    if name.startswith(EntityId.prefix):
        return Entities(tx).canonical(EntityId.parse(name), within)
    name = scrub(name).text
    if known := find_entities(tx, name, scope, recorder):
        return known[0]
    check_meant(name)
    # A project is named in its own statements as its scope names it.
    is_project = scope.startswith("project:") and name == key_of(scope)
    kind = EntityType.PROJECT if is_project else EntityType.THING
    draft = EntityDraft(name=parse_name(name), type=kind, scope=scope)
    event = tx.append(EntityRecorded(draft), by=recorder.by, owner=recorder.owner)
    return Entities(tx).get(EntityId.of(event.recorded.event_id), within)


def find_entities(
    reader: Snapshot, name: str, scope: Scope, recorder: WriteContext
) -> list[Entity]:
    """Return entities named exactly *name*, those in *scope* first; none for a deceptive name."""
    found = entities_named(reader, name, seen_from(recorder.owner, scope))
    return sorted(found, key=lambda entity: entity.scope != scope)


def locate_quotes(
    reader: Snapshot, quotes: Sequence[Quote], scope: Scope, recorder: WriteContext
) -> tuple[Evidence, ...]:
    """
    Return the spans of *quotes* in their episodes.

    Raises:
        InvalidInputError: a quote is not verbatim.
        NotFoundError: no such episode is visible.
        ForbiddenError: it is from a narrower scope, and no human lets it leave that scope.
    """
    return tuple(_located(reader, quote, scope, recorder) for quote in quotes)


def evidence_episode(
    reader: Snapshot, episode_id: EpisodeId, scope: Scope, recorder: WriteContext, *, hint: str
) -> Episode:
    """
    Return an episode as evidence for something in *scope*.

    Raises:
        NotFoundError: there is no such episode.
        ForbiddenError: it is of a narrower scope, and no human lets its words leave that scope.
    """
    episode = Episodes(reader).get(episode_id, seen_from(recorder.owner, None))
    if episode.scope not in {GLOBAL, scope} and not recorder.by.is_human:
        raise ForbiddenError(
            f"{episode.id} belongs to {episode.scope}, and only a human widens that",
            hint=hint.format(scope=episode.scope),
        )
    return episode


def _located(reader: Snapshot, quote: Quote, scope: Scope, recorder: WriteContext) -> Evidence:
    hint = "state the fact in {scope}"
    episode = evidence_episode(reader, quote.episode_id, scope, recorder, hint=hint)
    if not quote.text:
        return Evidence(quote.episode_id)
    start = episode.text.find(quote.text)
    if start < 0:
        raise InvalidInputError(
            f"{episode.id} does not say {quote.text[:60]!r}", hint="quote it word for word"
        )
    return Evidence(quote.episode_id, start, start + len(quote.text))


def new_evidence(known: Iterable[Evidence], more: Iterable[Evidence]) -> tuple[Evidence, ...]:
    """Return those of *more* that are not in *known*."""
    have = set(known)
    return tuple(one for one in dict.fromkeys(more) if one not in have)


def add_mentions(view: Snapshot, draft: FactDraft, words: str, recorder: WriteContext) -> FactDraft:
    """
    Return *draft* with the known entities that *words* mention, by any name or address.

    A mention makes no new entity. Of overlapping names the longest counts.
    """
    spans = _possible_names(words)
    keys = Entities(view).names_among({name for _, name in spans})
    found: dict[str, None] = {}
    taken: set[int] = set()
    for places, name in spans:
        if not taken.isdisjoint(places) or ("@" not in name and index_key(name) not in keys):
            continue
        for one in _meant(view, name, draft.scope, recorder):
            found[str(one.id)] = None
            taken.update(places)
    about = dict.fromkeys([*draft.about, *list(found)[:_MENTIONED_MAX]])
    return replace(draft, about=tuple(about)[:ANCHORS_MAX])


def _meant(view: Snapshot, name: str, scope: Scope, recorder: WriteContext) -> list[Entity]:
    """Return the entity with a name or address; empty if several have it."""
    if found := find_entities(view, name, scope, recorder):
        return found[:1]
    if "@" not in name:
        return []
    reached = entities_at_address(view, name, seen_from(recorder.owner, scope))
    return [one.entity for one in reached] if len(reached) == 1 else []


def _possible_names(words: str) -> list[tuple[range, str]]:
    """Return possible names in *words* with their token positions, the longest first."""
    tokens = [_BARE.sub("", token) for token in words.split()[:_TOKENS_MAX]]
    spans = [
        (range(at, at + size), " ".join(tokens[at : at + size]))
        for size in range(_NAME_TOKENS_MAX, 0, -1)
        for at in range(len(tokens) - size + 1)
    ]
    # An address is known both with its port and without.
    spans += [(range(at, at + 1), _PORT.sub("", one)) for at, one in enumerate(tokens)]
    return [(places, name) for places, name in spans if _is_possible(name)]


def _is_possible(name: str) -> bool:
    return len(name) >= _NAME_CHARS_MIN and name.casefold() not in STOP_WORDS
