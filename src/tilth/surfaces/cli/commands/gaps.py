"""What somebody wanted and nobody could do."""

from tilth.domain.gap import GapKind, GapSort, GapStatus
from tilth.surfaces.cli.arguments import Commands, Parser, add_scope, command, count, group

_NARROWED = "only this scope and global"


def add(commands: Commands) -> None:
    """Add the commands of this family."""
    gaps = group(commands, "gap", "what somebody wanted and nobody could do, and what became of it")
    _add_looking(gaps)
    _add_reading(gaps)
    _add_telling(gaps)


def _add_looking(gaps: Commands) -> None:
    scanned = command(gaps, "scan", "gap.scan", "look for some in what was said lately")
    scanned.description = (
        "Look through the last messages for what somebody wanted and nobody could do. What is"
        " known in other words is the same gap; a likely one is asked about: tilth review list."
    )
    scanned.add_argument("--since", metavar="SPAN", default="24h", help="how far back (24h)")
    scanned.add_argument("--entity", metavar="NAME", help="only what came up with this entity")
    scanned.add_argument(
        "--limit", metavar="N", type=count, default=100, help="at most so many messages (100)"
    )
    scanned.add_argument("--dry-run", action="store_true", help="show what is found, note nothing")
    add_scope(scanned, _NARROWED)


def _add_reading(gaps: Commands) -> None:
    listed = command(gaps, "list", "gap.list_", "list them, the most frequent first")
    listed.add_argument("--status", choices=[*GapStatus], help="only in this status")
    listed.add_argument("--entity", metavar="NAME", help="only what came up with this entity")
    listed.add_argument(
        "--sort", choices=[*GapSort], default=GapSort.FREQUENCY, help="what comes first (frequency)"
    )
    listed.add_argument("--limit", metavar="N", type=count, default=50, help="how many (50)")
    add_scope(listed, _NARROWED)
    shown = command(gaps, "show", "gap.show", "show one, and every message that shows it")
    _add_which(shown)
    add_scope(shown, _NARROWED)
    counted = command(gaps, "stats", "gap.stats", "count them, and what shows them")
    add_scope(counted, _NARROWED)


def _add_telling(gaps: Commands) -> None:
    added = command(gaps, "add", "gap.add", "record one")
    added.description = (
        "Record a gap. One that is known in other words is not recorded twice: what is told here"
        " shows that one too."
    )
    added.add_argument("text", metavar="TEXT", help="what is missing, in one sentence")
    added.add_argument(
        "--kind", choices=[*GapKind], default=GapKind.MISSING_FEATURE, help="what kind of gap"
    )
    added.add_argument(
        "--evidence",
        metavar="EPISODE",
        action="append",
        default=[],
        help="an episode that shows it; may be repeated. Without one, TEXT is noted as one",
    )
    added.add_argument("--follows", metavar="ID", help="a gap that was over and came again")
    add_scope(added, "where it belongs: global (the default), project:KEY or domain:NAME")
    updated = command(gaps, "update", "gap.move", "say what became of one")
    _add_which(updated)
    updated.add_argument("--status", choices=[*GapStatus], help="what it is now")
    _add_words(updated)
    resolved = command(gaps, "resolve", "gap.resolve", "say that one is closed")
    _add_which(resolved)
    _add_words(resolved)


def _add_words(parser: Parser) -> None:
    parser.add_argument("--todo-ref", metavar="REF", default="", help="where its task is")
    parser.add_argument("--note", metavar="TEXT", default="", help="why, or how")


def _add_which(parser: Parser) -> None:
    parser.add_argument("gap", metavar="ID", help="as listed")
