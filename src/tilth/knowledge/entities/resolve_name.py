"""
Find what a name means: one entity, several, or none.

Equal keys of plain names come first, then likeness, which only suggests (DESIGN §4).
"""

from collections.abc import Iterable

from tilth.core.dataclass import dataclass
from tilth.core.errors import ConflictError, NotFoundError
from tilth.core.ids import EntityId
from tilth.core.scope import Visibility
from tilth.core.text.names import is_plain, name_key
from tilth.knowledge.entities.entity import PERSONAL, Bearer, Entity
from tilth.knowledge.entities.identities import Identities
from tilth.knowledge.entities.identity import EMAIL, Identity, address_key
from tilth.knowledge.entities.match_names import FLOOR, SUGGESTIONS_MAX, Decision, Named, match
from tilth.knowledge.entities.tables import Entities
from tilth.ledger.snapshot import Snapshot
from tilth.ledger.store import Store

# The score of a match in a part of an address: higher than most similar names.
_LIKE = 0.8


@dataclass(frozen=True, slots=True)
class Suggestion:
    """A possible entity, with its probability from 0 to 1, and why."""

    entity: Entity
    score: float
    reason: str


def entities_named(reader: Snapshot, name: str, within: Visibility) -> list[Entity]:
    """
    Return the entities named *name*: exact spelling first, then other case or spacing.

    The oldest of each comes first; a name with deceptive characters matches nothing. Persons only
    match their names as written, since only a human says who a person is.
    """
    if not name_key(name) or not is_plain(name):
        return []
    bearers = Entities(reader).named(name, within)
    exact = [one for one in bearers if name in (one.name, *one.aliases)]
    others = [one for one in bearers if one not in exact and one.type not in PERSONAL]
    found = (Entities(reader).canonical(one.id, within) for one in (*exact, *others))
    return list({entity.id: entity for entity in found}.values())


def entities_at_address(reader: Snapshot, address: str, within: Visibility) -> list[Suggestion]:
    """Return the bearers of an address, on any transport."""
    keys = dict.fromkeys((address_key("", address), address_key(EMAIL, address)))
    return [
        Suggestion(
            Entities(reader).canonical(one.entity_id, within),
            1.0,
            f"has that address on {one.address.transport}",
        )
        for key in keys
        for one in Identities(reader).sharing(key, within)
    ]


def entities_like_address(
    reader: Snapshot, words: str, within: Visibility, *, limit: int
) -> list[Suggestion]:
    """Return those with *words* in an address or its display name (EM-027)."""
    if not any(char.isalnum() for char in words):
        return []
    found = Identities(reader).like(words, within, limit=limit)
    return [suggestion_of_identity(reader, one, within, _LIKE) for one in found]


def suggestion_of_identity(
    reader: Snapshot, known: Identity, within: Visibility, score: float
) -> Suggestion:
    """Return the bearer of an identity, as a suggestion."""
    reason = f"is {known.display_name or known.address.address} on {known.address.transport}"
    return Suggestion(Entities(reader).canonical(known.entity_id, within), score, reason)


CLOSE = "close: "
_UNKNOWN = (
    "ask in words: tilth recall; see: tilth entity list; record a new one: tilth entity add NAME"
)


def entities_meant(reader: Snapshot, word: str, within: Visibility) -> list[Entity]:
    """
    Return the entities that an ID or name means, at least one.

    Raises:
        NotFoundError: no visible entity has it; the hint names similar ones.
    """
    if word.startswith(EntityId.prefix):
        return [Entities(reader).canonical(EntityId.parse(word), within)]
    if found := entities_named(reader, word, within):
        return found
    near = suggestions(reader, match_visible(reader, Named(id="", name=word), within), within)
    close = ", ".join(f"{one.entity.name} ({one.entity.id})" for one in near)
    raise NotFoundError(
        f"no entity goes by {word[:60]!r}",
        hint=f"{CLOSE}{close}" if close else _UNKNOWN,
    )


def resolve_entity_id(store: Store, word: str, within: Visibility) -> EntityId:
    """
    Return the entity that an ID or name means.

    Raises:
        NotFoundError: no visible entity has it.
        ConflictError: several have it.
    """
    with store.read() as view:
        found = entities_meant(view, word, within)
    if len(found) > 1:
        raise ConflictError(
            f"{len(found)} entities go by {word[:60]!r}",
            hint=f"name one by its id: {', '.join(one.id for one in found)}",
        )
    return found[0].id


def match_visible(
    reader: Snapshot,
    sought: Named,
    within: Visibility,
    *,
    limit: int = SUGGESTIONS_MAX,
    floor: float = FLOOR,
) -> Decision:
    """Decide what *sought* means among visible entities."""
    if not any(map(name_key, sought.names)):
        return Decision()
    near = (one for name in sought.names for one in Entities(reader).near(name, within))
    candidates = {one.id: named_bearer(one) for one in near}
    return match(sought, list(candidates.values()), limit=limit, floor=floor)


def suggestions(reader: Snapshot, decision: Decision, within: Visibility) -> tuple[Suggestion, ...]:
    """Return the suggestions of *decision* with their entities."""
    found: Iterable[tuple[Entity, float, str]] = (
        (Entities(reader).get(EntityId(one.id), within), one.score, one.reason)
        for one in decision.suggestions
    )
    return tuple(Suggestion(*one) for one in found)


def named_bearer(bearer: Bearer) -> Named:
    """Return an entity as matching sees it."""
    name, *aliases = bearer.names
    return Named(id=bearer.id, name=name, type=bearer.type, aliases=tuple(aliases))
