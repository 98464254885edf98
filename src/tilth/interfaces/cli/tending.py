"""`tilth archive`: put away what has had its time."""

from argparse import Namespace

from tilth.core.ids import ProposalId
from tilth.core.view import Bold, Dim, Line
from tilth.interfaces.cli.opening import open_brain
from tilth.interfaces.cli.screen import Screen
from tilth.maintenance.consolidate import Group
from tilth.maintenance.dedup import Double


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


def dedup(args: Namespace, screen: Screen) -> int:
    """Ask about facts that say nearly the same, or say about which."""
    doubles: list[Double] = []
    asked: list[ProposalId] = []
    compared, through, is_done = 0, args.after, False
    with open_brain(args) as brain, screen.progress("comparing") as advance:
        while not is_done:
            found = brain.dedup(after=through, is_dry_run=args.dry_run)
            compared += found.fact_count
            doubles += found.doubles
            asked += found.asked
            through, is_done = found.through, found.is_done
            advance(compared)
    answer = {
        "is_dry_run": args.dry_run,
        "fact_count": compared,
        "doubles": doubles,
        "asked": asked,
        "through": through,
    }
    screen.answer(answer, [f"{one.likeness:.2f}  {one.older}  {one.newer}" for one in doubles])
    screen.say(f"compared {compared} facts, found {len(doubles)}, asked {len(asked)} questions")
    return 0


def consolidate(args: Namespace, screen: Screen) -> int:
    """Draw together what belongs together, or say what that would be."""
    with open_brain(args) as brain:
        done = brain.consolidate(is_dry_run=args.dry_run)
    screen.answer(done, [_group(group) for group in done.groups])
    if done.has_more:
        screen.say("more waits than one run takes: run it again")
    elif not done.groups:
        screen.say("nothing new belongs together")
    return 0


def _group(group: Group) -> Line:
    came_of_it = group.fact_id or "nothing yet"
    return (Bold(came_of_it), Dim(f"  from {len(group.sources)} facts about {group.about}"))


def _unarchive(args: Namespace, screen: Screen) -> int:
    with open_brain(args) as brain:
        facts = brain.unarchive()
    screen.answer({"facts": facts}, [f"{len(facts):,} facts are back"])
    return 0
