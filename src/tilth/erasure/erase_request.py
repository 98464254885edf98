"""Read a request to erase: an entity with everything of theirs, a session, or single records."""

from collections.abc import Iterator, Sequence
from shlex import quote
from typing import Annotated, TypedDict

from tilth.core.dataclass import dataclass
from tilth.core.errors import ConflictError, InvalidInputError, NotFoundError
from tilth.core.ids import (
    EntityId,
    EpisodeId,
    EventId,
    FactId,
    SessionId,
    event_id_in,
    parse_session_id,
    ulid_of,
)
from tilth.core.scope import Owner, Visibility
from tilth.core.verb import Arg
from tilth.episodes.filters import EpisodeFilter
from tilth.episodes.tables import Episodes
from tilth.erasure.closure import Seeds
from tilth.knowledge.entities.identities import Identities
from tilth.knowledge.entities.resolve_name import entities_meant
from tilth.knowledge.entities.tables import Entities
from tilth.ledger.events import Basis
from tilth.ledger.snapshot import Snapshot
from tilth.ledger.tables import Tombstones
from tilth.people.tables import People

_INTERACTIONS_MAX = 10**9


class Erasing(TypedDict, total=False):
    """A request to erase, by one of four fields; `mentions` adds what else mentions an entity."""

    entity: Annotated[
        str | None, Arg("a person or a thing, by ID or name, and everything of theirs")
    ]
    episodes: Annotated[Sequence[str], Arg("the IDs of episodes")]
    session: Annotated[str | None, Arg("the ID of a session, with all that was said in it")]
    facts: Annotated[Sequence[str], Arg("the IDs of facts")]
    mentions: Annotated[bool, Arg("whether what else holds a name or an address of it goes too")]


@dataclass(frozen=True, slots=True)
class ErasureRequest:
    """A request to erase, as it was read: how it names the records, and the records."""

    basis: Basis
    seeds: Seeds


def read_request(view: Snapshot, told: Erasing, owner: Owner) -> ErasureRequest:
    """
    Return the records that a request means.

    Raises:
        InvalidInputError: none or several of the fields are given.
        NotFoundError: there is no such thing, and never was.
        ConflictError: several entities have that name.
    """
    ways = [name for name in ("entity", "episodes", "session", "facts") if told.get(name)]
    if len(ways) != 1:
        raise InvalidInputError(
            "say what is to be erased, in one way", hint="an entity, episodes, a session, or facts"
        )
    within = Visibility(owner)
    match ways[0]:
        case "entity":
            return _entity_request(view, told, within)
        case "session":
            return _session_request(view, parse_session_id(told["session"] or ""), within)
        case "episodes":
            ids = [event_id_in(one, EpisodeId.prefix, "an episode") for one in told["episodes"]]
            return ErasureRequest(Basis.EPISODES, _known(view, ids, "episode_recorded", owner))
        case _:
            ids = [event_id_in(one, FactId.prefix, "a fact") for one in told["facts"]]
            return ErasureRequest(Basis.FACTS, _known(view, ids, "fact_recorded", owner))


def _known(view: Snapshot, event_ids: Sequence[EventId], kind: str, owner: Owner) -> Seeds:
    """
    Return those of *event_ids* that exist and were not erased before.

    Raises:
        NotFoundError: one of them never existed.
    """
    there = {one.event_id: one for one in Tombstones(view).present(event_ids)}
    for event_id in event_ids:
        known = there.get(event_id)
        is_ours = known is not None and known.owner == owner and known.event.kind == kind
        if not is_ours and Tombstones(view).find(event_id, Visibility(owner)) is None:
            raise NotFoundError(f"there is no {kind.partition('_')[0]} {event_id}")
    return Seeds(owner=owner, event_ids=frozenset(there))


def _session_request(view: Snapshot, session_id: SessionId, within: Visibility) -> ErasureRequest:
    which = EpisodeFilter(within=within, session_id=session_id)
    found = frozenset(map(ulid_of, Episodes(view).ids(which)))
    if not found:
        Episodes(view).session(session_id, within)
    seeds = Seeds(owner=within.owner, event_ids=found, session_id=session_id)
    return ErasureRequest(Basis.SESSION, seeds)


def _entity_request(view: Snapshot, told: Erasing, within: Visibility) -> ErasureRequest:
    word = told["entity"] or ""
    if word.startswith(EntityId.prefix) and Tombstones(view).find(EntityId.parse(word), within):
        return ErasureRequest(Basis.ENTITY, Seeds(owner=within.owner, event_ids=frozenset()))
    try:
        found = entities_meant(view, word, within)
    except NotFoundError as error:
        raise NotFoundError(
            str(error),
            hint=f"to erase what mentions the name: tilth entity add {quote(word[:60])}, then this"
            " with --mentions; or name what is to go: --episode ID, --fact ID",
        ) from error
    if len(found) > 1:
        raise ConflictError(
            f"{len(found)} entities go by {word[:60]!r}",
            hint=f"name one by its id: {', '.join(one.id for one in found)}",
        )
    entity_id = found[0].id
    same: list[EntityId] = [entity_id]
    same += [one.id for one in Entities(view).merged(entity_id, within)]
    with_them = People(view).interactions(entity_id, within, limit=_INTERACTIONS_MAX)
    seeds = Seeds(
        owner=within.owner,
        event_ids=frozenset(map(ulid_of, [*same, *(one.id for one in with_them)])),
        terms=tuple(_terms(view, entity_id, within)),
        takes_mentions=told.get("mentions", False),
    )
    return ErasureRequest(Basis.ENTITY, seeds)


def _terms(view: Snapshot, entity_id: EntityId, within: Visibility) -> Iterator[str]:
    """Yield an entity's names and addresses."""
    yield from Entities(view).bearer(entity_id, within).names
    for identity in Identities(view).of(entity_id, within):
        yield identity.address.address
        if identity.display_name:
            yield identity.display_name
