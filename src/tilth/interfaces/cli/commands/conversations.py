"""Threads with entities."""

from tilth.core.instant import parse_instant
from tilth.episodes.episode import Direction
from tilth.interfaces.cli.arguments import (
    Commands,
    Parser,
    add_scope,
    command,
    count,
    count_or_zero,
    group,
    json_object,
)
from tilth.people.conversation import ConversationStatus

_NARROWED = "only this scope and global"


def add(commands: Commands) -> None:
    """Add the commands of this family."""
    threads = group(commands, "conversation", "threads with persons, agents and services")
    _add_life(threads)
    _add_reading(threads)


def _add_life(threads: Commands) -> None:
    created = command(threads, "create", "conversation.create", "begin one, or go on with it")
    created.description = (
        "Begin a conversation with an entity by a transport. While one is open by the same way,"
        " that is the one."
    )
    created.add_argument("name", metavar="NAME", help="with whom: any name, or an ID")
    created.add_argument("transport", metavar="TRANSPORT", help="matrix, email, slack and so on")
    created.add_argument("--address", metavar="ADDRESS", default="", help="at which address there")
    created.add_argument("--topic", metavar="TEXT", default="", help="what it is about")
    add_scope(created, "where it belongs: global (the default), project:KEY or domain:NAME")
    added = command(threads, "add", "conversation.add", "add a message")
    _add_which(added)
    added.add_argument("text", metavar="TEXT", help="what was said")
    added.add_argument("--direction", choices=[*Direction], help="which way it went (inbound)")
    added.add_argument("--speaker", metavar="NAME", help="who said it")
    added.add_argument(
        "--at", metavar="INSTANT", type=parse_instant, help="when it happened, if not now"
    )
    added.add_argument(
        "--metadata", metavar="JSON", type=json_object, help="what else is known of it, an object"
    )
    added.add_argument("--key", metavar="KEY", help="twice under one key is one message")
    for name, summary in (
        ("resume", "go on with one, closed or not"),
        ("archive", "put one to rest, and summarise what is not summarised"),
        ("close", "end one; it takes no more messages"),
    ):
        _add_which(command(threads, name, f"conversation.{name}", summary))


def _add_reading(threads: Commands) -> None:
    _add_narrowed(threads, "get", "show one of them")
    listed = command(threads, "list", "conversation.list_", "list them, the newest first")
    listed.add_argument("--entity", metavar="NAME", help="only with this entity")
    listed.add_argument("--transport", metavar="T", help="only by this way")
    listed.add_argument("--status", choices=[*ConversationStatus], help="only in this status")
    listed.add_argument("--limit", metavar="N", type=count, default=50, help="how many (50)")
    listed.add_argument(
        "--skip", metavar="N", type=count_or_zero, default=0, help="leave out the first N (0)"
    )
    add_scope(listed, _NARROWED)
    told = command(threads, "context", "conversation.context", "what the next reply needs to know")
    _add_which(told)
    told.add_argument(
        "--summary-tokens",
        metavar="N",
        type=count,
        default=2000,
        help="about how many tokens of summaries (2000)",
    )
    told.add_argument("--recent", metavar="N", type=count, default=10, help="last messages (10)")
    told.add_argument("--transport", metavar="T", help="no summaries by other ways")
    told.add_argument(
        "--privacy-filter", action="store_true", help="mask mail, addresses, numbers and secrets"
    )
    add_scope(told, _NARROWED)
    summed = command(threads, "summarise", "conversation.summarise", "summarise what is new")
    _add_which(summed)
    summed.add_argument("--force", action="store_true", help="the last stretch again, if need be")
    _add_narrowed(threads, "summaries", "every summary, the oldest first")
    _add_narrowed(threads, "tone", "how the other side speaks")
    rests = command(threads, "idle", "conversation.idle", "which of them have come to rest")
    rests.description = (
        "Say which of the active conversations have come to rest. Of one it says so by the exit"
        " code too: 0 if it has, 1 if not."
    )
    rests.add_argument("conversation", metavar="ID", nargs="?", help="only this one")
    add_scope(rests, _NARROWED)
    counted = command(threads, "stats", "conversation.stats", "count them, messages and summaries")
    add_scope(counted, _NARROWED)


def _add_narrowed(threads: Commands, name: str, summary: str) -> None:
    shown = command(threads, name, f"conversation.{name}", summary)
    _add_which(shown)
    add_scope(shown, _NARROWED)


def _add_which(parser: Parser) -> None:
    parser.add_argument("conversation", metavar="ID", help="as listed")
