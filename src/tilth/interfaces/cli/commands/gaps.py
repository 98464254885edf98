"""What somebody wanted and nobody could do."""

from tilth.gaps.filing import Way
from tilth.gaps.model import GapKind, GapSort, GapStatus
from tilth.interfaces.cli.arguments import Commands, Parser, add_scope, command, count, group

_NARROWED = "only this scope and global"


def add(commands: Commands) -> None:
    """Add the commands of this family."""
    gaps = group(commands, "gap", "what somebody wanted and nobody could do, and what became of it")
    _add_looking(gaps)
    _add_reading(gaps)
    _add_telling(gaps)
    _add_todos(gaps)


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


def _add_todos(gaps: Commands) -> None:
    drafted = command(gaps, "todo", "gap.todo", "draft the TODO of one, into the outbox")
    _add_which(drafted)
    beaten = command(gaps, "pulse", "gap.pulse", "close what is done, scan, draft and file TODOs")
    beaten.description = (
        "Resolve the gaps whose task is done, look for gaps, and draft at most five TODOs of those"
        " that came up often enough. Once in six hours; the worker does it too."
    )
    beaten.add_argument("--force", action="store_true", help="though it is too early")
    beaten.add_argument("--dry-run", action="store_true", help="show what would be done")
    beaten.add_argument(
        "--threshold", metavar="N", type=count, help="how often is often (gap_threshold: 3)"
    )
    chosen = command(gaps, "opt-in", "gap.opt_in", "let TODOs be filed in a repository")
    chosen.description = "Only a person may; until then TODOs stay in the outbox beside the store."
    chosen.add_argument("repository", metavar="FOLDER", help="the repository, by its folder")
    chosen.add_argument(
        "--way",
        choices=[*Way],
        default=Way.TODO_FILE,
        help="as a line of TODO.md (todo_file), or as an issue by GitHub's gh (gh)",
    )
    add_scope(chosen, "the TODOs of which scope (global)")
    ended = command(gaps, "opt-out", "gap.opt_out", "file TODOs in no repository any more")
    add_scope(ended, "the TODOs of which scope (global)")
    listed = command(gaps, "filings", "gap.filings", "show where TODOs are filed")
    add_scope(listed, _NARROWED)


def _add_words(parser: Parser) -> None:
    parser.add_argument("--todo-ref", metavar="REF", default="", help="where its task is")
    parser.add_argument("--note", metavar="TEXT", default="", help="why, or how")


def _add_which(parser: Parser) -> None:
    parser.add_argument("gap", metavar="ID", help="as listed")
