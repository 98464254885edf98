"""Entities as lines for a person."""

from collections.abc import Iterator, Sequence

from tilth.core.instant import written_day
from tilth.core.view import Bold, Dim, Line, Note, number_of
from tilth.knowledge.entities.entities import Added, Card, Resolved
from tilth.knowledge.entities.entity import Entity, Naming
from tilth.knowledge.entities.resolve_name import Suggestion


def one_entity(entity: Entity, beside: Sequence[Entity] = ()) -> Iterator[Line]:
    """Yield one entity on one line; what it leads to by its name, where that is shown *beside*."""
    names = {one.id: f"{one.name}, {one.id}" for one in beside}
    into = entity.merged_into
    leads = f"  merged into {names.get(into, into)}" if into else ""
    yield (Bold(entity.name), Dim(f"  {entity.type}  {entity.id}  {entity.scope}{leads}"))
    if entity.named is not None:
        yield Dim(f"  {naming(entity.named)}")


def naming(named: Naming) -> str:
    """Return in how many sessions something is named, and when last."""
    sessions = number_of(named.session_count, "session")
    return f"named in {sessions}, last {written_day(named.last_at)}"


def entity_list(entities: Sequence[Entity], *, limit: int, after: int) -> Iterator[Line]:
    """Yield entities, a line each, and how to go on."""
    for entity in entities:
        yield from one_entity(entity, entities)
    if not entities:
        yield Note("that was all" if after else "there are none of those")
    if len(entities) == limit:
        yield Note(f"there may be more: --after {entities[-1].seq}")


def card(answer: Card) -> Iterator[Line]:
    """Yield an entity with all its names."""
    yield from names(answer)
    yield from namesakes(answer)


def namesakes(answer: Card) -> Iterator[Line]:
    """Yield what else goes by the name that was asked for, if anything does."""
    if answer.namesakes:
        yield Note(f"others go by that name: {', '.join(answer.namesakes)}")


def names(answer: Card) -> Iterator[Line]:
    """Yield an entity, and under it its other names."""
    yield from one_entity(answer.entity)
    if len(answer.names) > 1:
        yield Dim(f"  also {', '.join(answer.names[1:])}")
    for one in answer.identities:
        yield f"  {one.address.transport}  {one.address.address}  ({one.confidence})"


def added(answer: Added) -> Iterator[Line]:
    """Yield an entity that was recorded."""
    yield from one_entity(answer.entity)
    yield from notes_on(answer)


def notes_on(answer: Added) -> Iterator[Line]:
    """Yield what else there is to know of an entity that was recorded."""
    if not answer.is_new:
        yield Note("it was known already")
    for proposal_id in answer.proposals:
        yield Note(f"it may be known under another name: tilth review show {proposal_id}")


def found(answer: Sequence[Suggestion]) -> Iterator[Line]:
    """Yield what a search found."""
    yield from suggestions(answer)
    if not answer:
        yield Note("nothing goes by that name, or by one like it")


def suggestions(answer: Sequence[Suggestion]) -> Iterator[Line]:
    """Yield entities with their score and the reason."""
    for one in answer:
        about = f"  {one.entity.type}  {one.entity.id}  {one.reason}"
        yield (f"{one.score:.2f}  ", Bold(one.entity.name), Dim(about))


def resolved(answer: Resolved) -> Iterator[Line]:
    """Yield what a name means, or what comes close."""
    if answer.entity is not None:
        yield from one_entity(answer.entity)
        return
    yield from suggestions(answer.suggestions)
    yield Note("nothing goes by that name for sure; an address is looked up with --transport")
