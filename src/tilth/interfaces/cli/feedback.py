"""`tilth feedback`: say what came of a hit."""

from argparse import Namespace

from tilth.interfaces.cli.opening import open_brain
from tilth.interfaces.cli.screen import Screen


def run(args: Namespace, screen: Screen) -> int:
    """Record a verdict."""
    with open_brain(args) as brain:
        brain.feedback(
            args.target,
            args.verdict,
            session_id=args.session,
            receipt_id=args.receipt,
            scope=args.scope,
        )
    screen.answer(
        {"target": args.target, "verdict": args.verdict}, [f"{args.target}: {args.verdict}"]
    )
    return 0
