"""Tending: what is put away, found twice, and drawn together."""

from tilth.interfaces.cli.arguments import Commands, command, count_or_zero


def add(commands: Commands) -> None:
    """Add the commands of this family."""
    archive = command(commands, "archive", "tending.archive", "put away what has had its time")
    archive.description = (
        "Put away facts of which nobody has heard for 90 days, or for 270 where they are about"
        " something of which somebody has; at most 10,000, and 50 MiB. What a human wrote or"
        " confirmed stays, and so do instructions, decisions, milestones, what fills a slot, what"
        " is tagged durable and what a proposal is about. What was said is never put away. The"
        " worker does it once a day. All of it can be undone."
    )
    which = archive.add_mutually_exclusive_group()
    which.add_argument("-n", "--dry-run", action="store_true", help="say what, and write nothing")
    which.add_argument("--undo", action="store_true", help="bring back what was put away last")
    drawn = command(
        commands, "consolidate", "tending.consolidate", "draw together facts about one thing"
    )
    drawn.description = (
        "Draw three facts or more about one thing, that have to do with each other, together into"
        " one that derives from them: in their own words, or in those of a language model if one"
        " is chosen and what it says holds. They stay as they are, and are not drawn together"
        " again. The worker does it once a day, where a model sums up."
    )
    drawn.add_argument("-n", "--dry-run", action="store_true", help="say which, and write nothing")
    dedup = command(commands, "dedup", "tending.dedup", "ask about facts that say nearly the same")
    dedup.description = (
        "Compare current facts about the same thing by their vectors, and ask a human about those"
        " that say nearly the same and disagree in no number, name or word. Nothing is merged:"
        " `tilth review merge --keep ID` does that. The worker does it by itself."
    )
    dedup.add_argument("-n", "--dry-run", action="store_true", help="say what, and ask nobody")
    dedup.add_argument(
        "--after", metavar="SEQ", type=count_or_zero, default=0, help="from behind this place on"
    )
