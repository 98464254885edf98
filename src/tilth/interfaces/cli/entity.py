"""`tilth entity …` and `tilth about`."""

from argparse import Namespace
from collections.abc import Iterable, Iterator

from tilth.core.view import Bold, Dim, Line
from tilth.interfaces.cli import people
from tilth.interfaces.cli.opening import open_brain
from tilth.interfaces.cli.screen import Screen
from tilth.interfaces.meaning import one_meant
from tilth.knowledge.entities.entities import Card
from tilth.knowledge.entities.naming import Suggestion
from tilth.knowledge.graph.graph import Graph
from tilth.recall.about import About


def add(args: Namespace, screen: Screen) -> int:
    """Record an entity, or add to a known one."""
    if args.transport or args.address or args.note or args.display_name or args.verified:
        return people.introduce(args, screen)
    with open_brain(args) as brain:
        added = brain.entities.add(
            args.name,
            type=args.type,
            aliases=args.aliases,
            scope=args.scope or "global",
            is_namesake=args.namesake,
        )
    screen.answer(added, people.entity_lines([added.entity]))
    people.say_added(added, screen)
    return 0


def get(args: Namespace, screen: Screen) -> int:
    """Show one entity, with all its names."""
    with open_brain(args) as brain:
        card = brain.entities.get(args.name, scope=args.scope)
    return _say_card(card, screen)


def list_(args: Namespace, screen: Screen) -> int:
    """List entities, the oldest first."""
    with open_brain(args) as brain:
        found = brain.entities.list(
            type=args.type,
            transport=args.transport,
            limit=args.limit,
            after=args.after,
            scope=args.scope,
        )
    screen.answer({"entities": found}, people.entity_lines(found))
    if not found:
        screen.say("that was all" if args.after else "there are none of those")
    if len(found) == args.limit:
        screen.say(f"there may be more: --after {found[-1].seq}")
    return 0


def search(args: Namespace, screen: Screen) -> int:
    """Find entities by name."""
    with open_brain(args) as brain:
        found = brain.entities.search(args.name, limit=args.limit, scope=args.scope)
    screen.answer({"found": found}, _suggestion_lines(found))
    if not found:
        screen.say("nothing goes by that name, or by one like it")
    return 0


def suggest(args: Namespace, screen: Screen) -> int:
    """Say what an entity may be the same as, or whose an address may be."""
    with open_brain(args) as brain:
        if args.transport:
            found = brain.people.suggest(
                args.transport,
                args.name,
                display_name=args.display_name,
                limit=args.limit,
                scope=args.scope,
            )
        else:
            found = brain.entities.suggest(args.name, limit=args.limit, scope=args.scope)
    screen.answer({"suggestions": found}, _suggestion_lines(found))
    if not found:
        screen.say("nothing comes close")
    return 0


def resolve(args: Namespace, screen: Screen) -> int:
    """Say what a name means, or who is reached at an address."""
    if args.transport:
        return people.resolve(args, screen)
    with open_brain(args) as brain:
        resolved = brain.entities.resolve(args.name, type=args.type, scope=args.scope)
    if resolved.entity is not None:
        screen.answer(resolved, people.entity_lines([resolved.entity]))
        return 0
    screen.answer(resolved, _suggestion_lines(resolved.suggestions))
    screen.say("nothing goes by that name for sure")
    return 0


def alias(args: Namespace, screen: Screen) -> int:
    """Let an entity go by one more name."""
    with open_brain(args) as brain:
        card = brain.entities.alias(one_meant(brain, args.entity), args.name)
    return _say_card(card, screen)


def unalias(args: Namespace, screen: Screen) -> int:
    """Take a name of an entity away."""
    with open_brain(args) as brain:
        card = brain.entities.unalias(one_meant(brain, args.entity), args.name)
    return _say_card(card, screen)


def retype(args: Namespace, screen: Screen) -> int:
    """Say what kind of thing an entity is."""
    with open_brain(args) as brain:
        entity = brain.entities.retype(one_meant(brain, args.entity), args.type)
    screen.answer({"entity": entity}, people.entity_lines([entity]))
    return 0


def merge(args: Namespace, screen: Screen) -> int:
    """Make one entity another name of a second, or propose that."""
    with open_brain(args) as brain:
        winner, loser = one_meant(brain, args.winner), one_meant(brain, args.loser)
        merged = brain.entities.merge(winner, loser, reason=args.reason)
    screen.answer(merged, people.entity_lines([merged.entity]))
    if merged.is_merged:
        screen.say(f"take it back: tilth entity split {merged.loser}")
    _say_waiting(merged.proposal_id, screen)
    for proposal_id in merged.contradictions:
        screen.say(f"the two differ: tilth review show {proposal_id}")
    return 0


def split(args: Namespace, screen: Screen) -> int:
    """Take a merge back, or propose that."""
    with open_brain(args) as brain:
        parted = brain.entities.split(args.entity, reason=args.reason)
    screen.answer(parted, people.entity_lines([parted.entity, parted.winner]))
    _say_waiting(parted.proposal_id, screen)
    kept = [*parted.kept_edges, *parted.kept_facts]
    if kept:
        screen.say(f"said since the merge, and kept at {parted.winner.id}: {', '.join(kept)}")
    return 0


def tidy(args: Namespace, screen: Screen) -> int:
    """Merge what is exactly one, and ask about what comes close."""
    with open_brain(args) as brain:
        tidied = brain.entities.tidy(after=args.after, limit=args.limit)
    counts = f"merged {tidied.merged_count:,} and asked about {tidied.proposed_count:,}"
    screen.answer(tidied, [f"looked at {tidied.seen_count:,}, {counts}"])
    if tidied.seen_count == args.limit:
        screen.say(f"there may be more: --after {tidied.cursor}")
    return 0


def around(args: Namespace, screen: Screen) -> int:
    """Show what is around a node."""
    with open_brain(args) as brain:
        graph = brain.entities.around(
            args.name, depth=args.depth, kinds=args.kinds, scope=args.scope
        )
    return _say_graph(graph, args.depth, screen)


def impact(args: Namespace, screen: Screen) -> int:
    """Show what depends on a node."""
    with open_brain(args) as brain:
        graph = brain.entities.impact(args.name, depth=args.depth, scope=args.scope)
    return _say_graph(graph, args.depth, screen)


def about(args: Namespace, screen: Screen) -> int:
    """Say what is known about a thing."""
    with open_brain(args) as brain:
        known = brain.about(
            args.name,
            limit=args.limit,
            as_of=args.as_of,
            known_at=args.known_at,
            scope=args.scope,
        )
    screen.answer(known, _about_lines(known))
    if known.fact_count > len(known.facts):
        screen.say(f"{known.fact_count} facts in all: --limit N shows more")
    return 0


def _about_lines(known: About) -> Iterator[Line]:
    yield from _card_lines(known.card)
    contested = {fact.id for fact in known.contested}
    for one in known.facts:
        mark = " contested" if one.fact.id in contested else ""
        yield (Bold(one.fact.said.text),)
        yield Dim(f"  {one.fact.id}  {one.freshness}{mark}  {one.fact.life.scope}")
    yield from _graph_lines(known.graph)
    for mention in known.mentions:
        yield (Dim(f"{mention.occurred_at:%Y-%m-%d}  {mention.episode_id}  "), mention.text)


def _say_card(card: Card, screen: Screen) -> int:
    screen.answer(card, _card_lines(card))
    if card.namesakes:
        screen.say(f"others go by that name: {', '.join(card.namesakes)}")
    return 0


def _card_lines(card: Card) -> Iterator[Line]:
    yield from people.entity_lines([card.entity])
    if len(card.names) > 1:
        yield Dim(f"  also {', '.join(card.names[1:])}")


def _suggestion_lines(found: Iterable[Suggestion]) -> Iterator[Line]:
    for one in found:
        yield (
            f"{one.score:.2f}  ",
            Bold(one.entity.name),
            Dim(f"  {one.entity.type}  {one.entity.id}  {one.reason}"),
        )


def _say_graph(graph: Graph, depth: int, screen: Screen) -> int:
    screen.answer(graph, _graph_lines(graph))
    if not graph.edges:
        screen.say("nothing is joined to it; join two: tilth edge add")
    if graph.depth < depth:
        screen.say(f"a walk goes {graph.depth} hops and no further")
    if graph.is_truncated:
        screen.say("there is more around one of them than is shown")
    return 0


def _graph_lines(graph: Graph) -> Iterator[Line]:
    names = {node.id: node.name for node in graph.nodes}
    for edge in graph.edges:
        yield (
            Bold(names[edge.source]),
            f" {edge.kind} ",
            Bold(names[edge.target]),
            Dim(f"  {edge.id}"),
        )


def _say_waiting(proposal_id: str | None, screen: Screen) -> None:
    if proposal_id is not None:
        screen.say(f"it waits for a human: tilth review show {proposal_id}")
