"""`tilth kg …`."""

from argparse import Namespace
from collections.abc import Iterable, Iterator
from typing import cast

from tilth.core.view import Bold, Dim, Line
from tilth.interfaces.cli.opening import open_brain
from tilth.interfaces.cli.screen import Screen, columns
from tilth.knowledge.facts.triples import StatedTriple
from tilth.privacy.inert import one_line
from tilth.runtime.app.kg import Narrowing, TripleTelling

_CHARS = 80
_NONE = "no triple says anything of that; state one: tilth kg add"
_TOLD = ("confidence", "scope", "valid_from", "valid_to", "supersedes")


def add(args: Namespace, screen: Screen) -> int:
    """State a triple."""
    told = {name: getattr(args, name) for name in _TOLD if getattr(args, name) is not None}
    with open_brain(args) as brain:
        stated = brain.kg.add(
            args.channel,
            args.subject,
            args.predicate,
            args.object,
            session_id=args.session,
            rationale=args.rationale,
            **cast("TripleTelling", told),
        )
    screen.answer(stated, [(Bold(stated.verdict), "  ", stated.fact.id)])
    for warning in stated.warnings:
        screen.say(warning)
    if stated.proposal_id is not None:
        screen.say(f"it waits for a human: tilth review show {stated.proposal_id}")
    return 0


def archive(args: Namespace, screen: Screen) -> int:
    """End what is said of a work item."""
    with open_brain(args) as brain:
        closed = brain.kg.archive(args.item, reason=args.reason)
    screen.answer(closed, [("ended  ", fact_id) for fact_id in closed.ended])
    for proposal_id in closed.proposed:
        screen.say(f"it waits for a human: tilth review show {proposal_id}")
    if not (closed.ended or closed.proposed):
        screen.say("nobody works on it, and it is in no phase")
    return 0


def query(args: Namespace, screen: Screen) -> int:
    """Show the triples around a thing."""
    with open_brain(args) as brain:
        walk = brain.kg.query(
            args.entity,
            depth=args.depth,
            channel=args.channel,
            as_of=args.as_of,
            known_at=args.known_at,
            scope=args.scope,
        )
    screen.answer(walk, _lines(walk.triples))
    if not walk.triples:
        screen.say(_NONE)
    _say_how_far(walk.depth, screen, is_clamped=walk.is_clamped, truncated=walk.truncated)
    return 0


def explore(args: Namespace, screen: Screen) -> int:
    """Show the graph around a thing."""
    with open_brain(args) as brain:
        graph = brain.kg.explore(
            args.entity, depth=args.depth, channel=args.channel, scope=args.scope
        )
    screen.answer(graph, _lines(graph.links))
    if not graph.links:
        screen.say(_NONE)
    _say_how_far(graph.depth, screen, is_clamped=graph.is_clamped, truncated=graph.truncated)
    return 0


def timeline(args: Namespace, screen: Screen) -> int:
    """Show what was so of a thing, the oldest first."""
    with open_brain(args) as brain:
        triples = brain.kg.timeline(args.entity, limit=args.limit, **_narrowing(args))
    screen.answer({"triples": triples}, _lines(triples))
    if not triples:
        screen.say(_NONE)
    return 0


def stats(args: Namespace, screen: Screen) -> int:
    """Count triples."""
    with open_brain(args) as brain:
        found = brain.kg.stats(**_narrowing(args))
    rows = [[one.channel, one.predicate, str(one.count)] for one in found.predicates]
    screen.answer(found, columns(rows))
    if not rows:
        screen.say(_NONE)
    return 0


def _narrowing(args: Namespace) -> Narrowing:
    return Narrowing(
        channel=args.channel,
        predicate=args.predicate,
        since=args.since,
        known_at=args.known_at,
        scope=args.scope,
    )


def _say_how_far(depth: int, screen: Screen, *, is_clamped: bool, truncated: bool) -> None:
    if is_clamped:
        screen.say(f"depth {depth} is the limit, so the walk ended there")
    if truncated:
        screen.say("there is more than is shown: narrow it with --channel, or a smaller --depth")


def _lines(triples: Iterable[StatedTriple]) -> Iterator[Line]:
    for one in triples:
        words = (one_line(part, _CHARS) for part in (one.subject, one.predicate, one.object))
        yield (Bold("  ".join(words)),)
        ends = "now" if one.valid_to is None else f"{one.valid_to:%Y-%m-%d}"
        yield Dim(
            f"  {one.channel}  {one.lifecycle}, {one.review}, {one.freshness}"
            f"  {one.valid_from:%Y-%m-%d} to {ends}  {one.id}"
        )
