"""
Record and find entities and their names.

A known name means the known entity: only for things, only if exactly one has the name, and only if
the writer can see it (DESIGN §4).
"""

from dataclasses import replace

from tilth.core.actor import ActorKind
from tilth.core.dataclass import dataclass
from tilth.core.errors import ConflictError
from tilth.core.ids import EntityId, ProposalId
from tilth.core.scope import Visibility, seen_from
from tilth.core.text.names import name_key, parse_name
from tilth.episodes.remember import WriteContext
from tilth.knowledge.entities.ask_merge import propose_merges
from tilth.knowledge.entities.entity import PERSONAL, Entity, EntityDraft, check_meant
from tilth.knowledge.entities.events import (
    AliasAdded,
    EntitiesMerged,
    EntityRecorded,
    EntityTyped,
)
from tilth.knowledge.entities.identities import Identities
from tilth.knowledge.entities.identity import Identity
from tilth.knowledge.entities.match_names import Named
from tilth.knowledge.entities.resolve_name import (
    Suggestion,
    entities_meant,
    match_visible,
    suggestions,
)
from tilth.knowledge.entities.sightings import Sightings
from tilth.knowledge.entities.tables import Entities
from tilth.knowledge.vocabulary.registries import EntityType
from tilth.ledger.snapshot import Snapshot
from tilth.ledger.store import Store, Transaction
from tilth.privacy.redaction import scrub, scrub_object

SUGGESTED_MAX = 50


@dataclass(frozen=True, slots=True, kw_only=True)
class Added:
    """What a name means: a new or known entity, and the proposals about it."""

    entity: Entity
    is_new: bool
    proposals: tuple[ProposalId, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Card:
    """
    An entity in its present state.

    `names` are all its visible names, `merged` the entities that became another name of it,
    `namesakes` others with the requested name, `identities` its addresses.
    """

    entity: Entity
    names: tuple[str, ...]
    merged: tuple[Entity, ...] = ()
    namesakes: tuple[EntityId, ...] = ()
    identities: tuple[Identity, ...] = ()


@dataclass(frozen=True, slots=True)
class Resolved:
    """What a name means: one entity for sure, or suggestions, or neither."""

    entity: Entity | None
    suggestions: tuple[Suggestion, ...]


def add_in(
    tx: Transaction, told: EntityDraft, recorder: WriteContext, *, is_namesake: bool = False
) -> Added:
    """Record an entity in *tx*; see `add_entity`."""
    draft = _parsed(told)
    within = seen_from(recorder.owner, draft.scope)
    sought = Named(id="", name=draft.name, type=draft.type, aliases=draft.aliases)
    decision = match_visible(tx, sought, within)
    if decision.same is not None and not is_namesake:
        known = Entities(tx).canonical(EntityId(decision.same.id), within)
        return Added(entity=tell_more(tx, known, draft, recorder), is_new=False)
    if not is_namesake:
        _check_nobody(tx, draft, within)
    entity = record_entity(tx, draft, recorder)
    asked = propose_merges(tx, entity, suggestions(tx, decision, within), recorder)
    return Added(entity=entity, is_new=True, proposals=asked)


def record_entity(tx: Transaction, draft: EntityDraft, recorder: WriteContext) -> Entity:
    """Record an entity in *tx*, even if its name is taken."""
    event = tx.append(EntityRecorded(draft), by=recorder.by, owner=recorder.owner)
    entity_id = EntityId.of(event.recorded.event_id)
    return Entities(tx).get(entity_id, seen_from(recorder.owner, draft.scope))


def get_entity(store: Store, word: str, within: Visibility) -> Card:
    """Return the entity with an ID or name, merges followed; the oldest of several."""
    with store.read() as view:
        return card_in(view, word, within)


def card_in(reader: Snapshot, word: str, within: Visibility) -> Card:
    """Return the entity with an ID or name, in one snapshot."""
    entity, *others = entities_meant(reader, word, within)
    entity = Sightings(reader).told([entity], within)[0]
    return Card(
        entity=entity,
        names=Entities(reader).bearer(entity.id, within).names,
        merged=tuple(Entities(reader).merged(entity.id, within)),
        namesakes=tuple(other.id for other in others),
        identities=tuple(Identities(reader).of(entity.id, within)),
    )


def _parsed(draft: EntityDraft) -> EntityDraft:
    return replace(
        draft,
        name=parse_kept_name(draft.name),
        aliases=tuple(map(parse_kept_name, draft.aliases)),
        metadata=scrub_object(draft.metadata),
    )


def parse_kept_name(name: str) -> str:
    """Return a name as it is kept: normalised, and without secrets."""
    check_meant(name)
    return parse_name(scrub(name).text)


def _check_nobody(reader: Snapshot, draft: EntityDraft, within: Visibility) -> None:
    """Refuse to guess the identity of a person (C-03)."""
    bearers = [one for one in Entities(reader).named(draft.name, within) if one.type in PERSONAL]
    if draft.type in PERSONAL and bearers:
        raise ConflictError(
            f"{bearers[0].id} goes by {bearers[0].name!r} already",
            hint="use its ID if it is the same, or say that it is a namesake",
        )


def tell_more(tx: Transaction, known: Entity, draft: EntityDraft, recorder: WriteContext) -> Entity:
    """Add what a draft says to a known entity; new names belong to the draft's scope."""
    if recorder.by.kind is ActorKind.ANONYMOUS:
        return known
    within = seen_from(recorder.owner, draft.scope)
    if known.type is EntityType.THING:
        known = typed_in(tx, known, draft.type, recorder)
    keys = {name_key(name) for name in Entities(tx).bearer(known.id, within).names}
    told = {name_key(name): name for name in (draft.name, *draft.aliases)}
    more = [name for key, name in told.items() if key not in keys]
    if not more:
        return known
    if known.scope == draft.scope:
        for name in more:
            event = AliasAdded(entity_id=known.id, alias=name)
            tx.append(event, by=recorder.by, owner=recorder.owner)
    else:
        # A name from this scope is not shown to those who see the entity from another.
        here = replace(draft, name=more[0], aliases=tuple(more[1:]), metadata={})
        local = record_entity(tx, here, recorder)
        merged = EntitiesMerged(winner=known.id, loser=local.id, reason="named so here")
        tx.append(merged, by=recorder.by, owner=recorder.owner)
    return Entities(tx).get(known.id, within)


def typed_in(tx: Transaction, entity: Entity, type_: EntityType, recorder: WriteContext) -> Entity:
    """Set the type of an entity in a transaction, unless it has it."""
    if entity.type is type_:
        return entity
    event = EntityTyped(entity_id=entity.id, type=type_)
    tx.append(event, by=recorder.by, owner=recorder.owner)
    return Entities(tx).get(entity.id, Visibility(recorder.owner))
