"""The graph of triples."""

from tilth.core.instant import parse_instant
from tilth.interfaces.cli.arguments import Commands, Parser, add_scope, command, count, group
from tilth.knowledge.vocabulary.registries import Channel

_NARROWED = "only this scope and global"


def add(commands: Commands) -> None:
    """Add the commands of this family."""
    triples = group(commands, "kg", "triples in six channels, and what they lead to")
    _add_stating(triples)
    _add_ending(triples)
    queried = command(triples, "query", "kg.query", "the triples about a thing, and around it")
    queried.description = (
        "Show what is said of a thing. Each further depth adds what is said of the URNs named"
        " there, and what mentions what was reached before."
    )
    _add_entity(queried)
    queried.add_argument("--depth", metavar="N", type=count, default=1, help="hops, at most 5 (1)")
    queried.add_argument("--as-of", metavar="INSTANT", type=parse_instant, help="what held then")
    _add_known_at(queried)
    explored = command(triples, "explore", "kg.explore", "the graph around a thing")
    _add_entity(explored)
    explored.add_argument("--depth", metavar="N", type=count, default=3, help="hops, at most 5 (3)")
    told = command(triples, "timeline", "kg.timeline", "what was so of a thing, and when")
    _add_entity(told)
    _add_narrowing(told)
    told.add_argument("--limit", metavar="N", type=count, default=100, help="how many (100)")
    counted = command(triples, "stats", "kg.stats", "how many triples, by channel and predicate")
    _add_channel(counted)
    _add_narrowing(counted)


def _add_stating(triples: Commands) -> None:
    added = command(triples, "add", "kg.add", "state a triple")
    added.description = (
        "State a triple. Where its predicate has one value, it comes in the place of what is"
        " there, or waits for a human, as the rule of the predicate says."
    )
    added.add_argument("channel", metavar="CHANNEL", help=f"one of {', '.join(Channel)}")
    added.add_argument("subject", metavar="SUBJECT", help="a name or URN")
    added.add_argument("predicate", metavar="PREDICATE", help="how the two are joined")
    added.add_argument("object", metavar="OBJECT", help="a value, a name or a URN")
    added.add_argument("--confidence", metavar="NUMBER", help="0 to 1, or high, medium, low")
    added.add_argument("--session", metavar="ID", help="the session that it comes from")
    added.add_argument("--rationale", metavar="TEXT", default="", help="why; decisions need it")
    added.add_argument("--valid-from", metavar="INSTANT", type=parse_instant, help="if not now")
    added.add_argument("--valid-to", metavar="INSTANT", type=parse_instant, help="if it ends")
    added.add_argument("--supersedes", metavar="ID", help="the fact in whose place it comes")
    add_scope(added, "where it belongs: global (the default), project:KEY or domain:NAME")


def _add_ending(triples: Commands) -> None:
    closed = command(triples, "archive", "kg.archive", "a work item is over: nobody works on it")
    closed.description = (
        "End the facts that somebody is working on a thing, and that it is in a phase. Each can be"
        " taken back: tilth fact undo ID. What a human stands behind waits for a human."
    )
    closed.add_argument("item", metavar="NAME", help="a URN, or any name of the work item")
    closed.add_argument("--reason", metavar="TEXT", default="", help="why, if not simply over")


def _add_entity(parser: Parser) -> None:
    parser.add_argument("entity", metavar="NAME", help="a URN, or any name of the thing")
    _add_channel(parser)


def _add_channel(parser: Parser) -> None:
    parser.add_argument("--channel", choices=[*Channel], help="only this memory")
    add_scope(parser, _NARROWED)


def _add_narrowing(parser: Parser) -> None:
    parser.add_argument("--predicate", metavar="WORD", help="only what is joined by this")
    parser.add_argument(
        "--since", metavar="INSTANT", type=parse_instant, help="only what began then or later"
    )
    _add_known_at(parser)


def _add_known_at(parser: Parser) -> None:
    parser.add_argument(
        "--known-at", metavar="INSTANT", type=parse_instant, help="as it was known by then"
    )
