"""`tilth fact outcome`, `outcomes` and `revoke`: what came of putting a fact to the test."""

from argparse import Namespace
from collections.abc import Iterator

from tilth.core.view import Bold, Dim, Line
from tilth.interfaces.cli.opening import open_brain
from tilth.interfaces.cli.screen import Screen
from tilth.knowledge.facts.views import fact_lines
from tilth.knowledge.outcomes.outcomes import Tested


def add(args: Namespace, screen: Screen) -> int:
    """Say that a fact held."""
    with open_brain(args) as brain:
        tested = brain.facts.outcome(args.fact, args.kind, evidence=args.evidence, note=args.note)
    return _say(tested, screen)


def list_(args: Namespace, screen: Screen) -> int:
    """Show what came of a fact."""
    with open_brain(args) as brain:
        tested = brain.facts.outcomes(args.fact, scope=args.scope)
    if not tested.outcomes:
        screen.say("it was not put to the test yet; say that it was: tilth fact outcome")
    return _say(tested, screen)


def revoke(args: Namespace, screen: Screen) -> int:
    """Let an outcome count no more."""
    with open_brain(args) as brain:
        tested = brain.facts.revoke(args.outcome, reason=args.reason)
    return _say(tested, screen)


def _say(tested: Tested, screen: Screen) -> int:
    screen.answer(tested, _lines(tested))
    if tested.proposal_id is not None:
        screen.say(f"it waits for a human: tilth review show {tested.proposal_id}")
    return 0


def _lines(tested: Tested) -> Iterator[Line]:
    yield from fact_lines([tested.fact], {tested.fact.id: tested.maturity})
    for one in tested.outcomes:
        state = "revoked" if one.is_revoked else "stands"
        yield (
            Bold(f"  {one.draft.kind}"),
            Dim(f"  {one.id}  {state}  by {one.by.name}, shown by {' '.join(one.draft.evidence)}"),
        )
