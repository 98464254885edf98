"""The verbs on identities and profiles."""

import logging
from collections.abc import Mapping, Sequence
from typing import Annotated, TypeAlias, Unpack

from tilth.core.actor import require_human, require_known
from tilth.core.ids import EpisodeId
from tilth.core.scope import GLOBAL
from tilth.core.verb import ANYONE, Arg, verb
from tilth.episodes.context import Context, Narrowed, Place
from tilth.knowledge.entities.entity import EntityDraft
from tilth.knowledge.entities.events import IdentityUnlinked
from tilth.knowledge.entities.identities import Identities
from tilth.knowledge.entities.identity import (
    Address,
    Identity,
    IdentityDraft,
    LinkConfidence,
    parse_address,
    parse_link_confidence,
)
from tilth.knowledge.entities.resolve_name import Suggestion, entities_meant
from tilth.knowledge.entities.tables import Entities
from tilth.knowledge.entities.verbs import (
    Limit,
    Named,
    One,
    Transport,
    Type,
    known_transport,
    one_meant,
)
from tilth.knowledge.facts.verbs import Reason
from tilth.knowledge.vocabulary.registries import EntityType
from tilth.people import identities, views
from tilth.people.identities import Interactions, Known, Linked, holder, link_in, verified
from tilth.people.introduce import Introduced, Introducing, parse_introduction
from tilth.people.introduce import introduce as introduce_to
from tilth.people.profile import ProfileConfidence, Trait, TraitDraft, parse_profile_confidence
from tilth.people.tables import People
from tilth.people.tell_trait import tell_in
from tilth.privacy.redaction import scrub

logger = logging.getLogger(__name__)

Way: TypeAlias = Annotated[str, Arg("matrix, email, slack and so on", metavar="TRANSPORT")]
At: TypeAlias = Annotated[str, Arg("the address, as that transport writes it", metavar="ADDRESS")]
Shown: TypeAlias = Annotated[str, Arg("the name that its owner has there", metavar="TEXT")]


@verb("", python="people.introduce", roles=ANYONE)
def introduce(
    brain: Context,
    name: Annotated[str, Arg("the name that it is shown by", metavar="NAME")],
    *,
    type: Type = EntityType.PERSON,
    scope: Place = GLOBAL,
    is_namesake: Annotated[bool, Arg("make another one, though the name is known")] = False,
    **introducing: Unpack[Introducing],
) -> Introduced:
    """
    Record somebody with an address and traits, in one transaction.

    Returns:
        The entity, its address or the proposal to link it, and the traits.

    Raises:
        ConflictError: a person has that name, or the address belongs to another entity.
        ForbiddenError: the caller confirms and is not a human.
        InvalidInputError: it cannot be a name, or the transport is not configured.
    """
    draft = EntityDraft(
        name=name, type=type, aliases=tuple(introducing.get("aliases", ())), scope=scope
    )
    told = parse_introduction(draft, introducing, is_namesake=is_namesake)
    return introduce_to(brain.store, told, brain.recorder)


@verb(
    "entity link",
    python="people.link",
    roles=ANYONE,
    view=views.linked,
    examples=("tilth entity link Marina email marina@example.org",),
)
def link(
    brain: Context,
    entity: One,
    transport: Way,
    address: At,
    *,
    display_name: Shown = "",
    confidence: Annotated[
        LinkConfidence, Arg("how sure it is", parse=parse_link_confidence)
    ] = LinkConfidence.SUGGESTED,
    is_verified: Annotated[
        bool, Arg("you know that it is theirs; only a human may say so")
    ] = False,
) -> Linked:
    """
    Link an address on a transport to an entity.

    An address belongs to one entity alone. Only a human decides whose the address of a person, an
    agent or an account is: an agent's link waits in the review queue.

    Returns:
        The linked address, or the waiting proposal.

    Raises:
        NotFoundError: there is no such entity.
        ConflictError: the address belongs to another entity.
        ForbiddenError: the caller confirms and is not a human.
    """
    draft = IdentityDraft(
        address=parse_address(transport, address),
        display_name=display_name,
        confidence=LinkConfidence.CONFIRMED if is_verified else confidence,
    )
    meant = one_meant(brain, entity)
    with brain.store.begin() as tx:
        linked = link_in(tx, meant, draft, brain.recorder)
    logger.info("identity linked: entity=%s done=%s", meant, linked.identity is not None)
    return linked


@verb(
    "entity unlink",
    python="people.unlink",
    roles=ANYONE,
    view=views.unlinked,
    key="unlinked",
    examples=(
        "tilth entity unlink email marina@example.org",
        "tilth entity unlink email office@example.org --keep --reason 'she left'",
    ),
)
def unlink(
    brain: Context,
    transport: Way,
    address: At,
    *,
    keep: Annotated[
        bool, Arg("the address changes hands; earlier messages stay with the former owner")
    ] = False,
    reason: Reason = "",
) -> Identity:
    """
    Unlink an address from its entity.

    Its messages then belong to nobody, and later to the entity that it is linked to next. With
    `--keep` they stay with the present entity, for an address that passes to somebody else.

    Returns:
        The address as it was linked.

    Raises:
        NotFoundError: the address is not linked.
    """
    meant = parse_address(transport, address)
    require_known(brain.recorder.by, "part an address from whom it is")
    with brain.store.begin() as tx:
        known = holder(tx, meant, brain.recorder)
        if known.by.is_human or known.confidence is LinkConfidence.CONFIRMED:
            require_human(brain.recorder.by, "part an address from whom a human gave it to")
        event = IdentityUnlinked(
            entity_id=known.entity_id,
            address=known.address,
            reason=scrub(reason).text,
            keeps=keep,
        )
        tx.append(event, by=brain.recorder.by, owner=brain.recorder.owner)
    logger.info("identity unlinked: entity=%s", known.entity_id)
    return known


@verb(
    "entity verify",
    python="people.verify",
    roles=ANYONE,
    view=views.verified,
    key="identity",
    examples=("tilth entity verify email marina@example.org",),
)
def verify(brain: Context, transport: Way, address: At) -> Identity:
    """
    Confirm the entity that an address is linked to.

    Returns:
        The address as it is linked now.

    Raises:
        NotFoundError: the address is not linked.
        ForbiddenError: the caller is not a human.
    """
    require_human(brain.recorder.by, "confirm who somebody is")
    with brain.store.begin() as tx:
        known = holder(tx, parse_address(transport, address), brain.recorder)
        identity = verified(tx, known, brain.recorder)
    logger.info("identity verified: entity=%s", identity.entity_id)
    return identity


@verb("", python="people.resolve", roles=ANYONE)
def resolve(brain: Context, transport: Way, address: At, *, scope: Narrowed = None) -> Known | None:
    """
    Find the entity that is reached at an address.

    Returns:
        The entity and its address; None if the address is not linked.

    Raises:
        InvalidInputError: the transport is not configured.
    """
    meant = _address(brain, transport, address)
    within = brain.within(scope)
    with brain.store.read() as view:
        identity = Identities(view).at(meant, within)
        if identity is None:
            return None
        return Known(Entities(view).canonical(identity.entity_id, within), identity)


@verb("", python="people.suggest", roles=ANYONE)
def suggest(
    brain: Context,
    transport: Way,
    address: At,
    *,
    display_name: Shown = "",
    limit: Limit = 10,
    scope: Narrowed = None,
) -> Sequence[Suggestion]:
    """
    Suggest the entities that an address may belong to.

    Returns:
        Entities with a score from 0 to 1 and the reason.

    Raises:
        InvalidInputError: the transport is not configured.
    """
    meant = _address(brain, transport, address)
    seen = brain.within(scope)
    return identities.suggest_for_address(
        brain.store, meant, seen, display_name=display_name, limit=limit
    )


@verb(
    "entity identities",
    python="people.identities",
    roles=ANYONE,
    view=views.identity_list,
    key="identities",
    examples=("tilth entity identities Marina",),
)
def list_identities(brain: Context, name: Named, *, scope: Narrowed = None) -> Sequence[Identity]:
    """
    List the addresses of an entity.

    Returns:
        Its addresses, each with how sure it is.

    Raises:
        NotFoundError: no visible entity has that name.
    """
    within = brain.within(scope)
    with brain.store.read() as view:
        return Identities(view).of(entities_meant(view, name, within)[0].id, within)


@verb(
    "entity context",
    python="people.interactions",
    roles=ANYONE,
    view=views.interactions,
    examples=("tilth entity context Marina --transport email --limit 5",),
)
def interactions(
    brain: Context,
    name: Named,
    *,
    transport: Transport = None,
    limit: Limit = 20,
    is_private: Annotated[
        bool, Arg("mask mail, addresses, numbers and secrets", flags=("--privacy-filter",))
    ] = False,
    scope: Narrowed = None,
) -> Interactions:
    """
    Show the latest messages with an entity, over all transports.

    Returns:
        The messages, the newest first, and how many there are in all.

    Raises:
        NotFoundError: no visible entity has that name.
        InvalidInputError: the transport is not configured.
    """
    said = identities.read_interactions(
        brain.store,
        name,
        brain.within(scope),
        transport=known_transport(brain, transport),
        limit=limit,
        is_private=is_private,
    )
    return brain.excluded.shown(said)


@verb(
    "entity stats",
    python="people.stats",
    roles=ANYONE,
    view=views.counts,
    examples=("tilth entity stats",),
)
def stats(brain: Context, *, scope: Narrowed = None) -> Mapping[str, Mapping[str, int]]:
    """
    Count entities, identities and profiles.

    Returns:
        For each of the three, how many there are of which kind.
    """
    with brain.store.read() as view:
        return People(view).counts(brain.within(scope))


@verb("", python="people.tell", roles=ANYONE)
def tell(
    brain: Context,
    entity: One,
    key: Annotated[str, Arg("the trait, such as language")],
    value: Annotated[str, Arg("its new value")],
    *,
    confidence: Annotated[
        ProfileConfidence, Arg("how sure it is", parse=parse_profile_confidence)
    ] = ProfileConfidence.MEDIUM,
    evidence: Annotated[
        Sequence[EpisodeId], Arg("episodes that show it", id=EpisodeId.prefix)
    ] = (),
) -> Trait:
    """
    Record a trait of an entity.

    The earlier value under that key stays in the history.

    Returns:
        The trait as it is now.

    Raises:
        NotFoundError: there is no such entity or episode.
        ForbiddenError: a human recorded another value, or the evidence has a narrower scope than
            the entity, and the caller is not a human.
        ConflictError: several entities have that name.
    """
    draft = TraitDraft(
        entity_id=one_meant(brain, entity),
        key=key,
        value=value,
        confidence=confidence,
        evidence=tuple(evidence),
    )
    with brain.store.begin() as tx:
        trait = tell_in(tx, draft, brain.recorder)
    logger.info("trait told: entity=%s", trait.entity_id)
    return trait


@verb("", python="people.profile", roles=ANYONE)
def profile(brain: Context, name: Named, *, scope: Narrowed = None) -> Sequence[Trait]:
    """
    Return the profile of an entity.

    Returns:
        The current trait under each key.

    Raises:
        NotFoundError: no visible entity has that name.
    """
    within = brain.within(scope)
    with brain.store.read() as view:
        told = People(view).profile(entities_meant(view, name, within)[0].id, within)
    return brain.excluded.shown(told)


@verb("", python="people.history", roles=ANYONE)
def history(
    brain: Context,
    name: Named,
    *,
    key: Annotated[str | None, Arg("only this trait")] = None,
    scope: Narrowed = None,
) -> Sequence[Trait]:
    """
    Return every version of a profile, the oldest first.

    Returns:
        The traits that hold and those that held.

    Raises:
        NotFoundError: no visible entity has that name.
    """
    within = brain.within(scope)
    with brain.store.read() as view:
        return People(view).history(entities_meant(view, name, within)[0].id, within, key=key)


def _address(brain: Context, transport: str, address: str) -> Address:
    """Return where somebody is looked for; on a transport that nobody configured, nobody is."""
    known_transport(brain, transport)
    return parse_address(transport, address)
