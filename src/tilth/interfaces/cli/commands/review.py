"""What waits for a human."""

from tilth.core.actor import ActorKind
from tilth.core.instant import parse_instant
from tilth.interfaces.cli.arguments import (
    Commands,
    Parser,
    add_scope,
    command,
    count,
    count_or_zero,
    group,
)
from tilth.knowledge.proposals.proposal import Action, ProposalKind, ProposalState

# The verb of each answer, and what it says.
VERBS = {
    "confirm": (Action.CONFIRM, "say that it is so"),
    "reject": (Action.REJECT, "say that it is not so; an agent cannot say it again"),
    "edit": (Action.EDIT, "say it in your own words"),
    "dispute": (Action.DISPUTE, "flag all sides as in doubt, and pick none"),
    "evidence": (Action.EVIDENCE_ONLY, "keep that it was said, not that it is so"),
    "restrict": (Action.RESTRICT_SCOPE, "say that it is so in one scope alone"),
    "stale": (Action.MARK_STALE, "say that what stands must be checked"),
    "merge": (Action.MERGE, "say that both are one"),
    "supersede": (Action.SUPERSEDE, "say that one came after the other"),
}
_NARROWED = "only this scope and global"


def add(commands: Commands) -> None:
    """Add the commands of this family."""
    review = group(commands, "review", "what waits for a human")
    _add_reading(review)
    for verb, (action, summary) in VERBS.items():
        _add_verb(review, verb, action, summary)
    _add_rest(review)


def _add_reading(review: Commands) -> None:
    listed = command(review, "list", "review.list_", "list what waits, the oldest first")
    listed.description = "List what needs a decision now: not what was put off, or is decided."
    listed.add_argument(
        "--state", dest="states", choices=[*ProposalState], action="append",
        help="instead of what waits now",
    )  # fmt: skip
    listed.add_argument(
        "--kind", dest="kinds", choices=[*ProposalKind], action="append", help="may be repeated"
    )
    listed.add_argument(
        "--by", choices=[*ActorKind], action="append", help="who asked; may be repeated"
    )
    listed.add_argument("--about", metavar="ID", help="a fact that it is about")
    listed.add_argument("--limit", metavar="N", type=count, default=100, help="how many (100)")
    listed.add_argument("--offset", metavar="N", type=count_or_zero, default=0, help="skip N (0)")
    add_scope(listed, _NARROWED)
    shown = command(review, "show", "review.show", "show a proposal, with all that speaks for it")
    shown.add_argument("proposal", metavar="ID", help="as listed")
    add_scope(shown, _NARROWED)


def _add_verb(review: Commands, verb: str, action: Action, summary: str) -> None:
    decided = command(review, verb, "review.decide", summary)
    decided.description = (
        f"{summary[0].upper()}{summary[1:]}. Only a person at a terminal may. Without a digest the"
        " proposal is shown, and you are asked."
    )
    decided.set_defaults(action=action.value)
    decided.add_argument("proposals", metavar="ID", nargs="+", help="as listed")
    decided.add_argument("--digest", metavar="DIGEST", default="", help="of what was shown")
    decided.add_argument("--note", metavar="TEXT", default="", help="why")
    if action in {Action.CONFIRM, Action.EDIT, Action.MERGE, Action.SUPERSEDE}:
        decided.add_argument(
            "--retires", metavar="ID", action="append", default=[], help="each fact that ends"
        )
        decided.add_argument("--since", metavar="INSTANT", type=parse_instant, help="since when")
    if action in {Action.CONFIRM, Action.MERGE, Action.SUPERSEDE}:
        decided.add_argument("--keep", dest="keeps", metavar="ID", help="the side that stays")
    else:
        decided.add_argument(
            "--fact", dest="facts", metavar="ID", action="append", default=[],
            help="only this side; may be repeated",
        )  # fmt: skip
    if action is Action.RESTRICT_SCOPE:
        decided.add_argument("--to", dest="scope", metavar="SCOPE", help="project:KEY, domain:NAME")
    if action is Action.EDIT:
        decided.add_argument("--text", metavar="TEXT", default="", help="the whole statement")
        decided.add_argument("--value", metavar="NAME", default="", help="the object of a triple")


def _add_rest(review: Commands) -> None:
    snoozed = command(review, "snooze", "review.snooze", "look at it later")
    snoozed.add_argument("proposals", metavar="ID", nargs="+", help="as listed")
    _add_until(snoozed)
    undone = command(review, "undo", "review.undo", "take a decision back")
    undone.add_argument("proposals", metavar="ID", nargs="+", help="as listed")
    undone.add_argument("--note", metavar="TEXT", default="", help="why")
    asked = command(review, "ask", "review.ask", "have a human look at a fact")
    asked.add_argument("fact", metavar="FACT", help="as listed")
    asked.add_argument("--reason", metavar="TEXT", required=True, help="what is doubtful about it")
    scanned = command(review, "scan", "review.scan", "ask about facts that contradict each other")
    scanned.description = (
        "Compare current facts about the same system, and ask a human where they disagree. The"
        " worker does so by itself. What was answered once is not asked again."
    )
    scanned.add_argument(
        "--after", metavar="SEQ", type=count_or_zero, default=0, help="from behind this place on"
    )
    promoted = command(review, "promote", "legacy.promote", "make what an import brought current")
    promoted.description = (
        "Make historical facts that an import brought current: a proposal and a decision each."
        " Those in whose place another fact stands are left in the queue. At most 1,000 at once;"
        " it can be repeated."
    )
    for place in ("area", "environment", "system", "component"):
        promoted.add_argument(f"--{place}", metavar="NAME", help=f"only of this {place}")
    promoted.add_argument("--yes", action="store_true", help="without a question")
    add_scope(promoted, _NARROWED)
    walked = command(review, "walk", "review_walk.run", "decide one after the other")
    walked.description = "Show what waits, one by one, and ask. Enter alone decides nothing."
    _add_narrowing(walked)
    batched = command(review, "batch", "review_batch.run", "decide many in your editor")
    batched.description = (
        "Write what waits into a file, one line each, and open it in $VISUAL or $EDITOR. Change"
        " the words before the proposals, and save. An empty file decides nothing."
    )
    _add_narrowing(batched)


def _add_until(parser: Parser) -> None:
    until = parser.add_mutually_exclusive_group()
    until.add_argument("--until", metavar="INSTANT", type=parse_instant, help="until then")
    until.add_argument("--days", metavar="N", type=count, default=1, help="so many days (1)")


def _add_narrowing(parser: Parser) -> None:
    parser.add_argument(
        "--kind", dest="kinds", choices=[*ProposalKind], action="append", help="may be repeated"
    )
    parser.add_argument("--limit", metavar="N", type=count, default=100, help="how many (100)")
    add_scope(parser, _NARROWED)
