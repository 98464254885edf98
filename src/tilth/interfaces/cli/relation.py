"""`tilth fact relate`: how a fact relates to an earlier one."""

from argparse import Namespace

from tilth.interfaces.cli.opening import open_brain
from tilth.interfaces.cli.screen import Screen


def run(args: Namespace, screen: Screen) -> int:
    """Say how a fact relates to another, and what waits for a human because of it."""
    with open_brain(args) as brain:
        related = brain.facts.relate(args.fact, args.relation, args.other, reason=args.reason)
    edge, proposal = related.edge, related.proposal
    answer = {"relation": related.relation, "edge": edge, "proposal": proposal}
    lines = [] if edge is None else [f"{edge.id}  {args.fact} {edge.kind} {args.other}"]
    lines += [] if proposal is None else [f"{proposal.id}  waits for a human: tilth review"]
    screen.answer(answer, lines)
    return 0
