"""Bringing in, recording and recalling."""

from tilth.core.instant import parse_instant
from tilth.episodes.episode import Direction, EpisodeKind, Role
from tilth.interfaces.cli.arguments import (
    Commands,
    add_scope,
    command,
    count,
    count_or_zero,
    json_object,
)
from tilth.recall.model import Tier


def add(commands: Commands) -> None:
    """Add the commands of this family."""
    _add_remember(commands)
    _add_recall(commands)


def _add_remember(commands: Commands) -> None:
    remember = command(commands, "remember", "episode.remember", "record one thing")
    remember.description = "Record one thing that was said or done. It is found from then on."
    remember.add_argument("text", metavar="TEXT", help="what to record; - reads standard input")
    remember.add_argument("--session", metavar="ID", help="the session it belongs to")
    remember.add_argument("--speaker", metavar="NAME", help="who said it")
    remember.add_argument("--role", choices=[*Role], help="the part its author plays")
    remember.add_argument("--kind", choices=[*EpisodeKind], help="what kind of thing it is")
    remember.add_argument("--transport", metavar="T", help="by which way it came: cli, email, …")
    remember.add_argument("--address", metavar="ADDRESS", help="from or to which address there")
    remember.add_argument("--direction", choices=[*Direction], help="in, out, or the machinery")
    remember.add_argument(
        "--entity", metavar="NAME", help="with whom, by ID or name, if no address says it"
    )
    remember.add_argument(
        "--at", metavar="INSTANT", type=parse_instant, help="when it happened, if not now"
    )
    remember.add_argument(
        "--metadata", metavar="JSON", type=json_object, help="what else is known of it, an object"
    )
    remember.add_argument(
        "--check", action="store_true", help="record nothing; show what says nearly the same"
    )
    add_scope(remember, "where it belongs: global (the default), project:KEY or domain:NAME")


def _add_recall(commands: Commands) -> None:
    recall = command(commands, "recall", "recall.run", "find what answers a question")
    recall.description = "Find the facts and episodes that answer a question, the best first."
    recall.add_argument("question", metavar="QUESTION", help="in your own words")
    recall.add_argument("--limit", metavar="N", type=count, help="at most this many hits")
    recall.add_argument(
        "--as-of",
        metavar="INSTANT",
        type=parse_instant,
        help="episodes from by then, and facts that held then",
    )
    recall.add_argument(
        "--known-at", metavar="INSTANT", type=parse_instant, help="only what was recorded by then"
    )
    add_scope(recall, "only this scope and global")
    recall.add_argument(
        "--tier", choices=[*Tier], action="append", help="only this tier; may be repeated"
    )
    recall.add_argument("--session", metavar="ID", help="only this session, and no facts")
    recall.add_argument(
        "--entity", metavar="NAME", help="only what has to do with this one, by ID or name"
    )
    recall.add_argument(
        "--area", metavar="WORD", help="only facts of this area, and what they rest on"
    )
    recall.add_argument(
        "--budget", metavar="TOKENS", type=count, help="stop at about this many tokens"
    )
    recall.add_argument(
        "--around", metavar="N", type=count_or_zero, help="show N turns before and after each hit"
    )
    recall.add_argument("--explain", action="store_true", help="show why each hit ranks there")
    recall.add_argument("--full", action="store_true", help="show whole texts, not snippets")
