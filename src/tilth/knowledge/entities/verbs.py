"""The verbs on entities and their names."""

import logging
from collections.abc import Mapping, Sequence
from typing import Annotated, Any, TypeAlias

from tilth.core.actor import require_human, require_known
from tilth.core.calls.paging import PAGE_MAX, check_page
from tilth.core.errors import ConflictError, InvalidInputError
from tilth.core.ids import EntityId
from tilth.core.scope import GLOBAL, Visibility, seen_from
from tilth.core.text.names import name_key, parse_name
from tilth.core.verb import ANYONE, Arg, Section, noun, verb
from tilth.episodes.context import Context, Narrowed, Place
from tilth.episodes.episode import check_transport
from tilth.knowledge.entities import entities, views
from tilth.knowledge.entities.entities import (
    SUGGESTED_MAX,
    Added,
    Card,
    Resolved,
    add_in,
    card_in,
    parse_kept_name,
    typed_in,
)
from tilth.knowledge.entities.entity import PERSONAL, Entity, EntityDraft, parse_entity_type
from tilth.knowledge.entities.events import AliasAdded, AliasRemoved
from tilth.knowledge.entities.match_names import Named as Sought
from tilth.knowledge.entities.resolve_name import (
    Suggestion,
    entities_at_address,
    entities_like_address,
    entities_meant,
    entities_named,
    match_visible,
    named_bearer,
    suggestions,
)
from tilth.knowledge.entities.sightings import Sightings
from tilth.knowledge.entities.tables import Entities, EntityFilter
from tilth.knowledge.vocabulary.registries import EntityType
from tilth.ledger.snapshot import Snapshot

logger = logging.getLogger(__name__)

noun(
    "entity", "people, systems and other things, and their names", section=Section.TELL, bare="list"
)

Named: TypeAlias = Annotated[
    str, Arg("any name of it, or its ID", metavar="NAME", id=EntityId.prefix)
]
# What is written goes to one entity: a name that several go by is refused.
One: TypeAlias = Annotated[
    str, Arg("a name that no other entity has, or its ID", metavar="ENTITY", id=EntityId.prefix)
]
Type: TypeAlias = Annotated[
    EntityType, Arg("the kind of thing", flags=("--type",), parse=parse_entity_type)
]
Transport: TypeAlias = Annotated[str | None, Arg("only by this transport", metavar="T")]
Limit: TypeAlias = Annotated[int, Arg("the most to return", metavar="N", least=1)]


def one_meant(brain: Context, name: str) -> EntityId:
    """
    Return the ID of the entity that a name or an ID means.

    Raises:
        NotFoundError: no visible entity has that name.
        ConflictError: several entities have that name.
    """
    if name.startswith(EntityId.prefix):
        return EntityId.parse(name)
    card = entities.get_entity(brain.store, name, brain.within(None))
    if card.namesakes:
        raise ConflictError(
            f"{len(card.namesakes) + 1} entities go by {name[:60]!r}",
            hint=f"name one by its ID: {', '.join((card.entity.id, *card.namesakes))}",
        )
    return card.entity.id


def known_transport(brain: Context, transport: str | None) -> str | None:
    """
    Return the transport to narrow to; None means all of them.

    Raises:
        InvalidInputError: the transport is not configured.
    """
    if transport is not None:
        check_transport(transport, brain.recorder.transports)
    return transport


@verb("", python="entities.add", roles=ANYONE)
def add(
    brain: Context,
    name: Annotated[str, Arg("the name that it is shown by", metavar="NAME")],
    *,
    type: Type = EntityType.THING,
    aliases: Annotated[Sequence[str], Arg("other names of it")] = (),
    scope: Place = GLOBAL,
    metadata: Annotated[Mapping[str, Any] | None, Arg("what else is known of it")] = None,
    is_namesake: Annotated[bool, Arg("make another one, though the name is known")] = False,
) -> Added:
    """
    Record an entity, or add to a known one.

    A known name means the entity that has it. A similar name is recorded, and a human is asked
    whether the two are one.

    Returns:
        The entity, whether it is new, and the waiting proposals.

    Raises:
        ConflictError: a person has that name.
        InvalidInputError: it cannot be a name.
        ForbiddenError: one of its names holds an excluded term.
    """
    brain.excluded.refuse((name, *aliases), "an entity")
    draft = EntityDraft(
        name=name,
        type=type,
        aliases=tuple(aliases),
        scope=scope,
        metadata={} if metadata is None else metadata,
    )
    with brain.store.begin() as tx:
        added = add_in(tx, draft, brain.recorder, is_namesake=is_namesake)
    logger.info("entity added: entity=%s new=%s", added.entity.id, added.is_new)
    return added


@verb(
    "entity show",
    python="entities.get",
    roles=ANYONE,
    view=views.card,
    examples=("tilth entity show Marina",),
    old=("entity get",),
)
def show(brain: Context, name: Named, *, scope: Narrowed = None) -> Card:
    """
    Show an entity with all its names.

    Returns:
        The entity, its names, and its namesakes.

    Raises:
        NotFoundError: no visible entity has that name.
    """
    return entities.get_entity(brain.store, name, brain.within(scope))


@verb(
    "entity list",
    roles=ANYONE,
    view=views.entity_list,
    key="entities",
    examples=("tilth entity list --type person",),
)
def list_(
    brain: Context,
    *,
    type: Annotated[Type | None, Arg("only of this kind")] = None,
    transport: Transport = None,
    limit: Limit = 100,
    after: Annotated[
        int, Arg("only items after this place in the ledger", metavar="N", least=0)
    ] = 0,
    scope: Narrowed = None,
) -> Sequence[Entity]:
    """
    List entities, the oldest first.

    Returns:
        The visible entities, without those that were merged into others.

    Raises:
        InvalidInputError: nobody configured the transport.
    """
    which = EntityFilter(
        within=brain.within(scope), type=type, transport=known_transport(brain, transport)
    )
    check_page(limit, PAGE_MAX)
    with brain.store.read() as view:
        found = Entities(view).select(which, limit=limit, after=after)
        return Sightings(view).told(found, which.within)


@verb("", python="entities.resolve", roles=ANYONE)
def resolve(
    brain: Context,
    name: Annotated[str, Arg("the name, as a text gives it", metavar="NAME")],
    *,
    type: Type = EntityType.THING,
    scope: Narrowed = None,
) -> Resolved:
    """
    Find the entity that a name means, or those that it may mean.

    Returns:
        The entity, or else similar ones.
    """
    within = brain.within(scope)
    with brain.store.read() as view:
        decision = match_visible(view, Sought(id="", name=parse_name(name), type=type), within)
        same = decision.same
        known = None if same is None else Entities(view).canonical(EntityId(same.id), within)
        return Resolved(known, suggestions(view, decision, within))


@verb(
    "entity search",
    roles=ANYONE,
    view=views.found,
    key="found",
    examples=("tilth entity search marin",),
)
def search(
    brain: Context,
    text: Annotated[str, Arg("words of a name, or a misspelling", metavar="NAME")],
    *,
    limit: Limit = 20,
    scope: Narrowed = None,
) -> Sequence[Suggestion]:
    """
    Find entities by name or address, the likeliest first.

    Returns:
        Entities with a score from 0 to 1 and the reason.
    """
    within = brain.within(scope)
    check_page(limit, SUGGESTED_MAX)
    with brain.store.read() as view:
        exact = [
            Suggestion(one, 1.0, "the same name") for one in entities_named(view, text, within)
        ]
        exact += entities_at_address(view, text, within)
        sought = Sought(id="", name=text)
        decision = match_visible(view, sought, within, limit=limit + len(exact), floor=0.0)
        found: dict[EntityId, Suggestion] = {}
        near = (
            *entities_like_address(view, text, within, limit=limit),
            *suggestions(view, decision, within),
        )
        for one in (*exact, *sorted(near, key=lambda one: -one.score)):
            found.setdefault(one.entity.id, one)
        return tuple(found.values())[:limit]


@verb("", python="entities.suggest", roles=ANYONE)
def suggest(
    brain: Context, name: Named, *, limit: Limit = 5, scope: Narrowed = None
) -> Sequence[Suggestion]:
    """
    Suggest entities that may be the same as an entity.

    Returns:
        Entities with a score from 0 to 1 and the reason.

    Raises:
        NotFoundError: no visible entity has that name.
    """
    within = brain.within(scope)
    check_page(limit, SUGGESTED_MAX)
    with brain.store.read() as view:
        entity = entities_meant(view, name, within)[0]
        sought = named_bearer(Entities(view).bearer(entity.id, within))
        decision = match_visible(view, sought, within, limit=limit)
        if decision.same is None:
            return suggestions(view, decision, within)
        same = Entities(view).canonical(EntityId(decision.same.id), within)
        return (Suggestion(same, decision.same.score, decision.same.reason),)


@verb(
    "entity alias",
    roles=ANYONE,
    view=views.card,
    examples=("tilth entity alias PostgreSQL pg",),
)
def alias(brain: Context, entity: One, alias: Annotated[str, Arg("the name")]) -> Card:
    """
    Add another name of an entity.

    Returns:
        The entity with all its names.

    Raises:
        NotFoundError: there is no such entity.
        ConflictError: several entities have its name, or another entity has the new name.
        ForbiddenError: the new name holds an excluded term.
    """
    brain.excluded.refuse((alias,), "a name")
    meant = one_meant(brain, entity)
    require_known(brain.recorder.by, "name what is there")
    within, name = Visibility(brain.recorder.owner), parse_kept_name(alias)
    with brain.store.begin() as tx:
        known = Entities(tx).canonical(meant, within)
        if known.type in PERSONAL:
            require_human(brain.recorder.by, f"say what a {known.type.value} is called")
        _check_free(tx, known, name)
        event = AliasAdded(entity_id=known.id, alias=name)
        tx.append(event, by=brain.recorder.by, owner=brain.recorder.owner)
        card = card_in(tx, known.id, within)
    logger.info("alias added: entity=%s", known.id)
    return card


def _check_free(reader: Snapshot, entity: Entity, name: str) -> None:
    within = seen_from(entity.owner, entity.scope)
    others = [one for one in entities_named(reader, name, within) if one.id != entity.id]
    if others:
        raise ConflictError(
            f"{others[0].id} goes by {name!r}",
            hint=f"if they are one: tilth entity merge {entity.id} {others[0].id}",
        )


@verb(
    "entity unalias",
    roles=ANYONE,
    view=views.card,
    examples=("tilth entity unalias PostgreSQL pg",),
)
def unalias(brain: Context, entity: One, alias: Annotated[str, Arg("the name")]) -> Card:
    """
    Remove a name of an entity.

    Returns:
        The entity with its remaining names.

    Raises:
        NotFoundError: there is no such entity, or it has no such name.
        ConflictError: several entities have its name.
    """
    entity_id = one_meant(brain, entity)
    require_human(brain.recorder.by, "take a name away")
    within = Visibility(brain.recorder.owner)
    with brain.store.begin() as tx:
        known = Entities(tx).get(entity_id, within)
        if name_key(alias) not in map(name_key, known.aliases):
            raise InvalidInputError(
                f"{alias[:60]!r} is no alias of {entity_id}",
                hint=f"it has {', '.join(known.aliases) or 'none'}",
            )
        event = AliasRemoved(entity_id=known.id, alias=alias)
        tx.append(event, by=brain.recorder.by, owner=brain.recorder.owner)
        card = card_in(tx, known.id, within)
    logger.info("alias removed: entity=%s", known.id)
    return card


@verb(
    "entity retype",
    roles=ANYONE,
    view=views.one_entity,
    key="entity",
    examples=("tilth entity retype PostgreSQL tech",),
)
def retype(
    brain: Context,
    entity: One,
    type: Annotated[EntityType, Arg("the kind of thing", parse=parse_entity_type)],
) -> Entity:
    """
    Change the type of an entity.

    Returns:
        The entity as it is now.

    Raises:
        NotFoundError: there is no such entity.
        ConflictError: several entities have its name.
    """
    entity_id = one_meant(brain, entity)
    require_known(brain.recorder.by, "say what something is")
    within = Visibility(brain.recorder.owner)
    with brain.store.begin() as tx:
        known = Entities(tx).get(entity_id, within)
        if known.type not in {EntityType.THING, type}:
            require_human(brain.recorder.by, "change what kind of thing something is")
        retyped = typed_in(tx, known, type, brain.recorder)
    logger.info("entity typed: entity=%s", entity_id)
    return retyped
