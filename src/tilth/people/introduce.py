"""Record somebody new in one transaction: the entity, addresses and traits."""

import logging
from collections.abc import Mapping, Sequence
from dataclasses import field
from typing import Annotated, TypedDict

from tilth.core.dataclass import dataclass
from tilth.core.errors import InvalidInputError
from tilth.core.verb import Arg
from tilth.episodes.remember import WriteContext
from tilth.knowledge.entities.entities import Added, add_in
from tilth.knowledge.entities.entity import EntityDraft
from tilth.knowledge.entities.identity import (
    IdentityDraft,
    LinkConfidence,
    parse_address,
    parse_link_confidence,
)
from tilth.ledger.store import Store
from tilth.people.identities import Linked, link_in
from tilth.people.profile import Trait, TraitDraft
from tilth.people.tell_trait import tell_in

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class Introduction:
    """An entity to record; `is_namesake` makes another one, though the name is known."""

    entity: EntityDraft
    identities: tuple[IdentityDraft, ...] = ()
    traits: Mapping[str, str] = field(default_factory=dict)
    is_namesake: bool = False


class Introducing(TypedDict, total=False):
    """What a caller may tell of somebody new; an address needs its transport."""

    aliases: Annotated[Sequence[str], Arg("other names")]
    transport: Annotated[str, Arg("the transport of the address")]
    address: Annotated[str, Arg("the address, as that transport writes it")]
    display_name: Annotated[str, Arg("the name that its owner has there")]
    addresses: Annotated[Sequence[str], Arg("more addresses, each as 'TRANSPORT ADDRESS'")]
    confidence: Annotated[str, Arg("how sure the addresses are", choices=tuple(LinkConfidence))]
    traits: Annotated[Mapping[str, str], Arg("what is known of them, by key")]


@dataclass(frozen=True, slots=True, kw_only=True)
class Introduced:
    """
    The result of an introduction.

    `linked` is the first address, None if there is none; `further` are the others.
    """

    added: Added
    linked: Linked | None
    profile: tuple[Trait, ...]
    further: tuple[Linked, ...] = ()


def introduce(store: Store, told: Introduction, recorder: WriteContext) -> Introduced:
    """
    Record an entity, link its addresses and record its traits: all of it, or nothing.

    Raises:
        ConflictError: a person has that name, or the address is another entity's.
        ForbiddenError: the caller confirms an address and is not a human.
        InvalidInputError: it cannot be a name, or the transport is not configured.
    """
    with store.begin() as tx:
        added = add_in(tx, told.entity, recorder, is_namesake=told.is_namesake)
        id_ = added.entity.id
        linked = [link_in(tx, id_, one, recorder) for one in told.identities]
        traits = (TraitDraft(entity_id=id_, key=key, value=told.traits[key]) for key in told.traits)
        profile = tuple(tell_in(tx, trait, recorder) for trait in traits)
    logger.info("introduced: entity=%s new=%s", id_, added.is_new)
    first = linked[0] if linked else None
    return Introduced(added=added, linked=first, profile=profile, further=tuple(linked[1:]))


def parse_introduction(
    entity: EntityDraft, introducing: Introducing, *, is_namesake: bool
) -> Introduction:
    """
    Read a caller's words as an introduction.

    Raises:
        InvalidInputError: an address or a transport lacks the other, or a display name or a
            confidence is given without an address.
    """
    ways, shown = _addresses(introducing), introducing.get("display_name", "")
    confidence = parse_link_confidence(introducing.get("confidence", LinkConfidence.SUGGESTED))
    if not all(transport and address for transport, address in ways):
        raise InvalidInputError(
            "an address is one on a transport", hint="give both: --transport T --address ADDRESS"
        )
    if not ways and (shown or confidence is LinkConfidence.CONFIRMED):
        raise InvalidInputError(
            "nobody said of which address that is",
            hint="give --transport T --address ADDRESS; one more name is --alias NAME",
        )
    identities = tuple(
        IdentityDraft(
            address=parse_address(transport, address),
            # The display name is that at the first address.
            display_name="" if number else shown,
            confidence=confidence,
        )
        for number, (transport, address) in enumerate(ways)
    )
    return Introduction(
        entity=entity,
        identities=identities,
        traits=introducing.get("traits", {}),
        is_namesake=is_namesake,
    )


def _addresses(introducing: Introducing) -> list[tuple[str, str]]:
    """Return each transport with the address there; either may be empty."""
    told = [f"{introducing.get('transport', '')} {introducing.get('address', '')}"]
    ways = [one.partition(" ") for one in (*told, *introducing.get("addresses", ()))]
    return [(way.strip(), at.strip()) for way, _, at in ways if way.strip() or at.strip()]
