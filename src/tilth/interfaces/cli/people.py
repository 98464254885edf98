"""`tilth entity link|unlink|verify|resolve|suggest|identities|context|profile|stats`."""

from argparse import Namespace
from collections.abc import Iterable, Iterator, Mapping, Sequence

from tilth.core.errors import InvalidInputError, NotFoundError
from tilth.core.view import Bold, Dim, Line
from tilth.episodes.episode import Episode
from tilth.interfaces.cli.opening import open_brain
from tilth.interfaces.cli.screen import Screen
from tilth.interfaces.meaning import one_meant
from tilth.knowledge.entities.entities import Added
from tilth.knowledge.entities.entity import Entity
from tilth.knowledge.entities.identity import Identity
from tilth.people.identities import Linked
from tilth.people.introduce import Introduced
from tilth.people.profile import ProfileConfidence, Trait
from tilth.privacy.inert import one_line

_TEXT_CHARS = 200


def introduce(args: Namespace, screen: Screen) -> int:
    """Record somebody with an address and what is known of them, in one go."""
    with open_brain(args) as brain:
        told = brain.people.introduce(
            args.name,
            type=args.type,
            aliases=args.aliases,
            transport=args.transport or "",
            address=args.address or "",
            display_name=args.display_name,
            confidence="confirmed" if args.verified else "suggested",
            traits={"notes": args.note} if args.note else {},
            scope=args.scope or "global",
            is_namesake=args.namesake,
        )
    screen.answer(told, _introduced_lines(told))
    say_added(told.added, screen)
    if told.linked is not None:
        _say_linked(told.linked, screen)
    return 0


def link(args: Namespace, screen: Screen) -> int:
    """Link an address to an entity, or ask a human to."""
    confidence = "confirmed" if args.verified else args.confidence
    with open_brain(args) as brain:
        linked = brain.people.link(
            one_meant(brain, args.name),
            args.transport,
            args.address,
            display_name=args.display_name,
            confidence=confidence,
        )
    screen.answer(linked, [_identity_line(linked.identity)] if linked.identity else [])
    _say_linked(linked, screen)
    return 0


def unlink(args: Namespace, screen: Screen) -> int:
    """Take an address away from its entity."""
    with open_brain(args) as brain:
        identity = brain.people.unlink(args.transport, args.address, reason=args.reason)
    screen.answer({"unlinked": identity}, [_identity_line(identity)])
    screen.say("unlinked")
    return 0


def verify(args: Namespace, screen: Screen) -> int:
    """Confirm that an address is its entity's."""
    with open_brain(args) as brain:
        identity = brain.people.verify(args.transport, args.address)
    screen.answer({"identity": identity}, [_identity_line(identity)])
    screen.say("verified")
    return 0


def resolve(args: Namespace, screen: Screen) -> int:
    """Say who is reached at an address."""
    with open_brain(args) as brain:
        known = brain.people.resolve(args.transport, args.name, scope=args.scope)
    if known is None:
        raise NotFoundError(
            f"nobody is reached at {args.transport} {args.name[:60]}",
            hint=f"who may be: tilth entity suggest ADDRESS --transport {args.transport}",
        )
    entity, identity = known
    screen.answer(
        {"entity": entity, "identity": identity},
        [(Bold(entity.name), Dim(f"  {entity.type}  {entity.id}")), _identity_line(identity)],
    )
    return 0


def identities(args: Namespace, screen: Screen) -> int:
    """List the addresses of an entity."""
    with open_brain(args) as brain:
        found = brain.people.identities(args.name, scope=args.scope)
    screen.answer({"identities": found}, map(_identity_line, found))
    if not found:
        screen.say("it has no address yet; link one: tilth entity link NAME TRANSPORT ADDRESS")
    return 0


def context(args: Namespace, screen: Screen) -> int:
    """Show what passed between us and an entity lately."""
    with open_brain(args) as brain:
        said = brain.people.interactions(
            args.name,
            transport=args.transport,
            limit=args.limit,
            is_private=args.privacy_filter,
            scope=args.scope,
        )
    screen.answer(said, map(episode_line, said.episodes))
    screen.say(f"{said.tally.count} in all")
    return 0


def profile(args: Namespace, screen: Screen) -> int:
    """Show how an entity is, or tell it."""
    if args.value is None and (args.confidence or args.evidence):
        raise InvalidInputError(
            "nothing is told, so nothing is sure or shown", hint="tell it with: --value TEXT"
        )
    with open_brain(args) as brain:
        if args.value is not None:
            told = brain.people.tell(
                one_meant(brain, args.name),
                args.key or "",
                args.value,
                confidence=args.confidence or ProfileConfidence.MEDIUM,
                evidence=args.evidence,
            )
            found: Sequence[Trait] = [told]
        elif args.history:
            found = brain.people.history(args.name, key=args.key, scope=args.scope)
        else:
            found = brain.people.profile(args.name, scope=args.scope)
            found = [one for one in found if args.key in {None, one.key}]
    screen.answer({"profile": found}, _trait_lines(found))
    if not found:
        screen.say("nothing of that was told yet; tell it with: --key KEY --value TEXT")
    return 0


def stats(args: Namespace, screen: Screen) -> int:
    """Count entities, identities and profiles."""
    with open_brain(args) as brain:
        counts = brain.people.stats(scope=args.scope)
    screen.answer(counts, count_lines(counts))
    return 0


def count_lines(counts: Mapping[str, Mapping[str, int]]) -> Iterator[Line]:
    """Yield how many there are of each noun, word by word."""
    for noun, of in counts.items():
        yield f"{noun}: {', '.join(f'{word} {count:,}' for word, count in of.items()) or 'none'}"


def episode_line(episode: Episode) -> Line:
    """Return one episode as a line."""
    return (
        Dim(f"{episode.occurred_at:%Y-%m-%d %H:%M}  {episode.transport}  "),
        f"{episode.speaker or episode.role}: {one_line(episode.text, _TEXT_CHARS)}",
        Dim(f"  {episode.id}"),
    )


def entity_lines(entities: Iterable[Entity]) -> Iterator[Line]:
    """Yield a line for each entity."""
    for entity in entities:
        leads = f"  merged into {entity.merged_into}" if entity.merged_into else ""
        yield (Bold(entity.name), Dim(f"  {entity.type}  {entity.id}  {entity.scope}{leads}"))


def say_added(added: Added, screen: Screen) -> None:
    """Say what else there is to know of an entity that was recorded."""
    if not added.is_new:
        screen.say("it was known already")
    for proposal_id in added.proposals:
        screen.say(f"it may be known under another name: tilth review show {proposal_id}")


def _say_linked(linked: Linked, screen: Screen) -> None:
    if linked.identity is not None and not linked.is_new:
        screen.say("it was linked already")
    for proposal_id in (linked.proposal_id, *linked.merges):
        if proposal_id is not None:
            screen.say(f"it waits for a human: tilth review show {proposal_id}")


def _introduced_lines(told: Introduced) -> Iterator[Line]:
    yield from entity_lines([told.added.entity])
    if told.linked is not None and told.linked.identity is not None:
        yield _identity_line(told.linked.identity)
    yield from _trait_lines(told.profile)


def _identity_line(identity: Identity) -> Line:
    return (
        f"{identity.address.transport} ",
        Bold(identity.address.address),
        Dim(f"  {identity.confidence}  {identity.display_name}  {identity.entity_id}"),
    )


def _trait_lines(traits: Sequence[Trait]) -> Iterator[Line]:
    for one in traits:
        mark = "  CURRENT" if one.is_current else ""
        rests = f"  {len(one.evidence)} episodes" if one.evidence else ""
        yield (
            Bold(one.key),
            f"  {one.value}",
            Dim(f"  {one.confidence}{rests}  {one.recorded_at:%Y-%m-%d}{mark}"),
        )
