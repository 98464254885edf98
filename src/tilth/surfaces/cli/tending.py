"""`tilth archive`: put away what has had its time."""

from argparse import Namespace

from tilth.surfaces.cli.opening import open_brain
from tilth.surfaces.cli.screen import Dim, Screen


def archive(args: Namespace, screen: Screen) -> int:
    """Put away what has had its time, say what that would be, or bring it back."""
    if args.undo:
        return _unarchive(args, screen)
    with open_brain(args) as brain, screen.progress("archiving") as advance:
        swept = brain.archive(is_dry_run=args.dry_run, progress=advance)
    done = "would be put away" if swept.is_dry_run else "were put away"
    lines = [f"{len(swept.facts):,} facts {done}", Dim(f"{swept.byte_count:,} bytes of text")]
    screen.answer(swept, lines)
    if swept.has_more:
        screen.say("more is due than one round takes: run it again")
    if swept.facts and not swept.is_dry_run:
        screen.say("they come back with: tilth archive --undo")
    return 0


def _unarchive(args: Namespace, screen: Screen) -> int:
    with open_brain(args) as brain:
        facts = brain.unarchive()
    screen.answer({"facts": facts}, [f"{len(facts):,} facts are back"])
    return 0
