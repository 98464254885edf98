"""`tilth edge …`."""

from argparse import Namespace
from collections.abc import Iterable, Iterator

from tilth.core.view import Dim, Line
from tilth.interfaces.cli.opening import open_brain
from tilth.interfaces.cli.screen import Screen
from tilth.knowledge.graph.edge import Edge


def add(args: Namespace, screen: Screen) -> int:
    """Join two nodes."""
    with open_brain(args) as brain:
        joined = brain.edges.add(args.source, args.kind, args.target, scope=args.scope or "global")
    screen.answer(joined, _lines([joined.edge]))
    if not joined.is_new:
        screen.say("they were joined already")
    return 0


def list_(args: Namespace, screen: Screen) -> int:
    """List edges, of everything or of one node."""
    with open_brain(args) as brain:
        found = brain.edges.list(
            args.node, kinds=args.kinds, limit=args.limit, after=args.after, scope=args.scope
        )
    screen.answer({"edges": found}, _lines(found))
    if not found:
        screen.say("that was all" if args.after else "nothing is joined; join two: tilth edge add")
    if len(found) == args.limit and args.node is None:
        screen.say(f"there may be more: --after {found[-1].seq}")
    return 0


def retire(args: Namespace, screen: Screen) -> int:
    """Part two nodes."""
    with open_brain(args) as brain:
        edge = brain.edges.retire(args.edge, reason=args.reason)
    screen.answer({"edge": edge}, _lines([edge]))
    return 0


def _lines(edges: Iterable[Edge]) -> Iterator[Line]:
    for edge in edges:
        yield (f"{edge.source} {edge.kind} {edge.target}", Dim(f"  {edge.id}  {edge.scope}"))
